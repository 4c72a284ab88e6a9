"""All pages of an event: the ladder, the games, and the further pages and lists."""

from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from typing import Final, NamedTuple

from ordago.record.ledgers.event import Ledger
from ordago.scene import Sentence, sentence
from ordago.store import PlannedMatch
from ordago_ladder.pages import figures
from ordago_ladder.pages.bracket_view import BracketView, bracket_view
from ordago_ladder.pages.claims import Claim
from ordago_ladder.pages.entrant_pages import entrant_page_names, entrant_pages
from ordago_ladder.pages.facts import format_sentence, prize_sentences
from ordago_ladder.pages.ladder_table import HeatTable, LadderTable
from ordago_ladder.pages.match_pages import Highlights, highlights_of, match_page_names, match_pages
from ordago_ladder.pages.more_pages import FURTHER_PAGES, more_pages
from ordago_ladder.pages.page_layout import PageLayout, crosstable_of, ladder_table_of, superiority_of, way_up
from ordago_ladder.pages.rendering import ENGLISH
from ordago_ladder.pages.set_pages import set_page_names, set_pages
from ordago_ladder.pages.swiss_page import PAGE as ROUNDS_PAGE
from ordago_ladder.pages.swiss_page import standings_of, swiss_pages
from ordago_ladder.rating.ladder import Ladder, Standings
from ordago_ladder.rating.prizes import prizes_of
from ordago_ladder.rating.think_times import ThinkTimes
from ordago_ladder.schedule.elimination import Bracket
from ordago_ladder.schedule.league import LeagueTables
from ordago_ladder.schedule.process_slots import few_processes
from ordago_ladder.schedule.schedule import bracket_of, league_of
from ordago_ladder.settings.sections import EventSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import ELIMINATION

_FIRST: Final = "index.html"
_GAMES: Final = "games.html"
FIXED_PAGES: Final = (_FIRST, _GAMES, ROUNDS_PAGE, *FURTHER_PAGES)
"""The paths of the pages outside folders: those that every event has, and the rounds of a Swiss one."""
PAGE_FOLDERS: Final = ("games", "sets", "matches", "entrants")
"""The folders of the other pages."""


class Section(NamedTuple):
    """The part of a page that shows one ladder."""

    standings: Standings
    table: LadderTable
    crosstable: HeatTable
    shares: list[tuple[str, float]]
    """The title of each game with its share of the pairings; empty unless games are weighted by pairings."""
    equal_games: bool
    """True if all games have the same weight in this ladder."""

    @property
    def notices(self) -> list[Sentence]:
        """Warnings to read before comparing ratings."""
        return _notices(self.standings)


def ladder_pages(
    ladder: Ladder,
    ledger: Ledger,
    claims: Sequence[Claim],
    times: Mapping[str, ThinkTimes],
    *,
    translations: NullTranslations = ENGLISH,
) -> Mapping[str, str]:
    """Return all pages of an event by path.

    Args:
        ladder: the ladder.
        ledger: the ledger of its event.
        claims: the claims of the event, proved or not.
        times: the thinking times in each match with an open record, by match id.
        translations: the message catalogue.
    """
    layout = PageLayout(ladder, ledger, claims, times, translations)
    return {
        _FIRST: _first_page(layout),
        _GAMES: _games_page(layout),
        **{name: _game_page(layout, name, standings) for name, standings in _games_apart(ladder).items()},
        **swiss_pages(layout),
        **more_pages(layout),
        **entrant_pages(layout),
        **set_pages(layout),
        **match_pages(layout),
    }


def page_names(settings: Settings, matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the paths of the pages of an event in which these matches were played."""
    played = list(matches)
    games = [_game_page_name(game.name) for game in settings.games] if len(settings.games) > 1 else []
    lists = (*entrant_page_names(settings), *set_page_names(settings, played), *match_page_names(played))
    rounds = [ROUNDS_PAGE] if settings.event.format == "swiss" else []
    return [_FIRST, _GAMES, *games, *rounds, *FURTHER_PAGES, *lists]


def _game_page_name(game: str) -> str:
    return f"games/{game}.html"


def _games_apart(ladder: Ladder) -> dict[str, Standings]:
    """Return the game ladders with pages of their own, by path; none for a single game, which is on the first page."""
    if len(ladder.games) == 1:
        return {}
    return {_game_page_name(game.name): found for game, found in zip(ladder.games, ladder.by_game, strict=True)}


def _first_page(layout: PageLayout) -> str:
    ladder = layout.ladder
    return layout.page(
        _FIRST,
        "index",
        ledger=layout.ledger,
        section=_section(layout, ladder.overall, _FIRST),
        swiss=standings_of(layout.rounds),
        **_decision(ladder),
        prizes=list(prize_sentences(prizes_of(ladder))),
        format=format_sentence(ladder.settings),
        few=[few_processes(ladder.settings, game) for game in ladder.settings.games],
        highlights=_highlights(layout, ladder.games[0].name, up="") if len(ladder.games) == 1 else None,
        times=_times(ladder.event),
        begun_anew=sum(played.match.attempt > 0 for played in ladder.results),
    )


def _decision(ladder: Ladder) -> dict[str, object]:
    """Return the bracket and the tables of groups and final that decide an event, as far as it has any."""
    begun, *later = ladder.stages
    bracket, league = None, LeagueTables((), None, None)
    if ladder.event.format in ELIMINATION:
        bracket = _shown(bracket_of(begun.settings, ladder.results, later), ladder.event.format, ladder)
    elif ladder.event.format == "league":
        league = league_of(begun.settings, ladder.results, later)
        bracket = league.bracket and _shown(league.bracket, ladder.event.final_format, ladder)
    return {"bracket": bracket, "groups": league.groups, "final": league.final}


def _shown(bracket: Bracket, form: str, ladder: Ladder) -> BracketView:
    if ladder.event.format == "league":
        seeding = sentence("Seeds follow the places in the groups, then the order of the groups.")
    elif ladder.anchors:
        seeding = sentence("Seeds follow the known ratings, then the order of the event file.")
    else:
        seeding = sentence("Seeds follow the order of the event file.")
    return bracket_view(bracket, double=form == "double-elimination", seeding=seeding)


def _games_page(layout: PageLayout) -> str:
    ladder = layout.ladder
    return layout.page(
        _GAMES,
        "games",
        equal_games={line.entrant: line for line in ladder.equal_games.lines} if ladder.equal_games else {},
        by_game=[{line.entrant: line.rating for line in found.lines} for found in ladder.by_game],
        pages={game.name: _game_page_name(game.name) for game in ladder.games if len(ladder.games) > 1},
        effects={found.game: found.seat_effects for found in ladder.by_game},
    )


def _game_page(layout: PageLayout, name: str, standings: Standings) -> str:
    game = next(game for game in layout.ladder.games if game.name == standings.game)
    return layout.page(
        name,
        "game",
        game=game,
        section=_section(layout, standings, name),
        superiority=superiority_of(standings),
        highlights=_highlights(layout, game.name, up="../"),
    )


def _highlights(layout: PageLayout, game: str, *, up: str) -> Highlights:
    of_game = (played for played in layout.ladder.results if played.planned.game == game)
    return highlights_of(of_game, layout.times, up=up)


def _section(layout: PageLayout, standings: Standings, page: str) -> Section:
    ladder = layout.ladder
    return Section(
        standings=standings,
        table=ladder_table_of(ladder, standings, layout.entrant_links(way_up(page))),
        crosstable=crosstable_of(standings),
        shares=_shares(ladder) if not standings.game and ladder.event.overall == "pairings" else [],
        equal_games=not standings.game and ladder.event.overall == "games",
    )


def _shares(ladder: Ladder) -> list[tuple[str, float]]:
    """Return the share of each game in all pairings, which is its weight."""
    counts = [sum(line.tally.pairings for line in found.lines) for found in ladder.by_game]
    titles = [game.title for game in ladder.games]
    return [(title, count / sum(counts)) for title, count in zip(titles, counts, strict=True)] if any(counts) else []


def _times(event: EventSettings) -> list[Sentence]:
    """Return the time terms of a match, apart from the time for each decision."""
    lag_ms = min(event.lag_credit_ms, event.lag_bank_ms)
    times = (
        (event.bank_ms, sentence("{time} of reserve time per match", time=figures.seconds(event.bank_ms))),
        (event.increment_ms, sentence("{time} added after each decision", time=figures.seconds(event.increment_ms))),
        (lag_ms, sentence("{time} of lag allowed per decision", time=figures.seconds(lag_ms))),
        (
            event.disconnect_bank_ms,
            sentence("{time} to reconnect per match", time=figures.seconds(event.disconnect_bank_ms)),
        ),
    )
    return [said for milliseconds, said in times if milliseconds]


def _notices(standings: Standings) -> list[Sentence]:
    if not any(line.matches for line in standings.lines):
        return [sentence("Nothing has been played yet.")]
    groups, tiers = standings.connectivity.groups, standings.connectivity.tiers
    if len(groups) > 1:
        return [
            sentence(
                "These groups have not met, so ratings cannot be compared between them: {groups}.",
                groups=_listed(groups),
            )
        ]
    if len(tiers) > 1:
        return [
            sentence(
                "Between these groups one side has won everything, so the results do not show how far apart they are: "
                "{groups}.",
                groups=_listed(tiers),
            )
        ]
    return []


def _listed(groups: Iterable[Iterable[str]]) -> str:
    return "; ".join(", ".join(group) for group in groups)
