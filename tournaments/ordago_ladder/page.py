"""The pages of an event for people: the ladder, each game, and the matches."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ordago.record.ledger import Ledger
from ordago.store import PlannedMatch
from ordago_ladder import figures
from ordago_ladder.axis import Axis, axis_of
from ordago_ladder.claims import Basis, Claim
from ordago_ladder.facts import format_told, notes_of, tables_apart
from ordago_ladder.further_pages import FURTHER_PAGES, further_pages
from ordago_ladder.highlights import Highlights, highlights_of
from ordago_ladder.ladder import Ladder, Standings, Tally
from ordago_ladder.match_pages import match_page_names, match_pages
from ordago_ladder.rendering import template
from ordago_ladder.settings import EventSettings, Settings
from ordago_ladder.superiority import MOST_COLUMNS, superiority_of

_FIRST: Final = "index.html"
FIXED_PAGES: Final = (_FIRST, *FURTHER_PAGES)
"""The pages that every event has."""
_MOST_LEVEL_NAMES: Final = 8
"""With more columns names as long as these are do not fit beside each other."""


class Cell(NamedTuple):
    """What somebody took from somebody else, in the crosstable."""

    score: str
    """In percent."""
    wins: int
    ties: int
    losses: int
    colour: str
    """``w`` for more than half, ``l`` for less."""
    strength: int
    """How strong the colour is: the farther from even, the stronger."""


class Section(NamedTuple):
    """The part of a page that shows one ladder."""

    anchor: str
    heading: str
    standings: Standings
    axis: Axis
    places: int
    """How many placings there are."""
    crosstable: list[list[Cell | None]]
    """In the order of the lines, ``None`` for those who have not met; empty where it would be too large."""
    shares: list[tuple[str, float]]
    """The title of each game, with its share of the pairings; empty where it does not weigh by them."""
    equal_games: bool
    """Whether all games count the same."""

    @property
    def crowded(self) -> bool:
        """Whether there are so many columns that their names have to stand upright."""
        return len(self.standings.lines) > _MOST_LEVEL_NAMES

    @property
    def deals(self) -> bool:
        """Whether points of a deal are known."""
        return any(line.points_per_deal for line in self.standings.lines)

    @property
    def notices(self) -> list[str]:
        """What a reader must know before comparing ratings."""
        return _notices(self.standings)


def ladder_pages(
    ladder: Ladder, ledger: Ledger, claims: Sequence[Claim], decisions: Mapping[str, int]
) -> Mapping[str, str]:
    """Return the pages of an event by their names: the first page, those that say more, and the lists of matches.

    Args:
        ladder: the ladder.
        ledger: the ledger of its event.
        claims: what is proved by it, and what is not.
        decisions: how many decisions there were in each match whose record is open, by its name.
    """
    pages = {_FIRST: _first_page(ladder, ledger, claims, decisions)}
    pages |= {name: _game_page(ladder, standings, decisions) for name, standings in _games_apart(ladder).items()}
    return {**pages, **further_pages(ladder, ledger), **match_pages(ladder, decisions.keys())}


def page_names(settings: Settings, matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the names of the pages of an event in which these matches were played."""
    games = [_game_page_name(game.name) for game in settings.games] if len(settings.games) > 1 else []
    return [*games, *FIXED_PAGES, *match_page_names(matches)]


def _game_page_name(game: str) -> str:
    return f"games/{game}.html"


def _games_apart(ladder: Ladder) -> dict[str, Standings]:
    """Return the ladders that have pages of their own. That of a single game stands on the first page."""
    if len(ladder.games) == 1:
        return {}
    return {_game_page_name(game.name): found for game, found in zip(ladder.games, ladder.by_game, strict=True)}


def _first_page(ladder: Ladder, ledger: Ledger, claims: Sequence[Claim], decisions: Mapping[str, int]) -> str:
    several = len(ladder.games) > 1
    return template("index").render(
        ladder=ladder,
        ledger=ledger,
        claims={basis: [claim.sentence for claim in claims if claim.basis is basis] for basis in Basis},
        section=_section(ladder, ladder.overall),
        format=format_told(ladder.settings),
        notes=notes_of(ladder.settings, ledger),
        apart=tables_apart(ladder.settings, ladder.results),
        equal_games={line.entrant: line for line in ladder.equal_games.lines} if ladder.equal_games else {},
        by_game=[{line.entrant: line.rating for line in found.lines} for found in ladder.by_game] if several else [],
        highlights=_highlights(ladder, ladder.games[0].name, decisions, up=""),
        first_matches=next(iter(match_page_names(played.planned for played in ladder.results)), None),
        faults=sum(line.conduct.faults for line in ladder.overall.lines),
        causes=_causes(ladder.overall),
        rules=sorted({rule for line in ladder.overall.lines for rule, _ in line.conduct.broken_rules}),
        times=_times(ladder.event),
        begun_anew=sum(played.match.attempt > 0 for played in ladder.results),
        **_of_entrants(ladder),
    )


def _game_page(ladder: Ladder, standings: Standings, decisions: Mapping[str, int]) -> str:
    game = next(game for game in ladder.games if game.name == standings.game)
    return template("game").render(
        heading=ladder.event.heading,
        game=game,
        section=_section(ladder, standings),
        superiority=superiority_of(standings),
        highlights=_highlights(ladder, game.name, decisions, up="../"),
        **_of_entrants(ladder),
    )


def _of_entrants(ladder: Ladder) -> dict[str, object]:
    return {
        "anchors": ladder.anchors,
        "versions": {entrant.name: entrant.version for entrant in ladder.entrants},
        "remote": [entrant.name for entrant in ladder.settings.remote_entrants],
        "suspended": [entrant.name for entrant in ladder.entrants if entrant.suspended],
    }


def _highlights(ladder: Ladder, game: str, decisions: Mapping[str, int], *, up: str) -> Highlights:
    return highlights_of((played for played in ladder.results if played.planned.game == game), decisions, up=up)


def _section(ladder: Ladder, standings: Standings) -> Section:
    return Section(
        anchor=standings.game or "overall",
        heading="Ladder" if standings.game else "All games",
        standings=standings,
        axis=axis_of([end for line in standings.lines for end in (line.rating.low, line.rating.high)]),
        places=max((len(line.placings) for line in standings.lines), default=0),
        crosstable=_crosstable(standings),
        shares=_shares(ladder) if not standings.game and ladder.event.overall == "pairings" else [],
        equal_games=not standings.game and ladder.event.overall == "games",
    )


def _crosstable(standings: Standings) -> list[list[Cell | None]]:
    if len(standings.lines) > MOST_COLUMNS:
        return []
    return [[_cell(tally) for tally in row] for row in standings.crosstable]


def _cell(tally: Tally | None) -> Cell | None:
    score = None if tally is None else tally.score
    if tally is None or score is None:
        return None
    return Cell(
        f"{100 * score:.0f}", *tally, colour="w" if score >= 0.5 else "l", strength=round(abs(score - 0.5) * 100)
    )


def _shares(ladder: Ladder) -> list[tuple[str, float]]:
    """Return what part of all pairings is of each game: by so much it weighs."""
    counts = [sum(line.tally.pairings for line in found.lines) for found in ladder.by_game]
    titles = [game.title for game in ladder.games]
    return [(title, count / sum(counts)) for title, count in zip(titles, counts, strict=True)] if any(counts) else []


def _causes(standings: Standings) -> list[str]:
    """Return the faults that occurred, ascending by their short names."""
    counts = (count for line in standings.lines for count in (*line.conduct.decisions, *line.conduct.matches))
    return sorted({cause for cause, _ in counts})


def _times(event: EventSettings) -> list[str]:
    """Return what may be said of the times beside those for each decision."""
    told = {
        "in the bank for a match": event.bank_ms,
        "more after each decision": event.increment_ms,
        "of lag forgiven in a decision": min(event.lag_credit_ms, event.lag_bank_ms),
        "to come back in a match": event.disconnect_bank_ms,
    }
    return [f"{figures.seconds(milliseconds)} {what}" for what, milliseconds in told.items() if milliseconds]


def _notices(standings: Standings) -> list[str]:
    if not any(line.matches for line in standings.lines):
        return ["Nothing has been played yet."]
    groups, tiers = standings.connectivity.groups, standings.connectivity.tiers
    if len(groups) > 1:
        listed = "; ".join(", ".join(group) for group in groups)
        return [f"These groups have not met, so that ratings cannot be compared between them: {listed}."]
    if len(tiers) > 1:
        listed = "; ".join(", ".join(tier) for tier in tiers)
        unknown = "how far they are apart is not known from the results"
        return [f"Between these groups one side has won everything, so that {unknown}: {listed}."]
    return []
