"""The further pages of an event: schedule, meetings, likelihoods, course, entrants and proof."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from ordago_ladder.matches.due import due_matches
from ordago_ladder.pages.charts import HEIGHT, WIDTH
from ordago_ladder.pages.claims import Basis
from ordago_ladder.pages.facts import duplicate_sentences, format_sentence, happenings, notes_of, void_reasons
from ordago_ladder.pages.ladder_table import MOST_COLUMNS
from ordago_ladder.pages.match_pages import listing_of
from ordago_ladder.pages.page_layout import PageLayout
from ordago_ladder.rating.history import meetings
from ordago_ladder.rating.ladder import Standings
from ordago_ladder.rating.variance import matches_saved
from ordago_ladder.schedule.balance import balance
from ordago_ladder.schedule.process_slots import few_processes, set_size_of
from ordago_ladder.settings.sections import GameSettings

_MOST_DUE: Final = 50
"""The most matches without a result on the page of the schedule."""


def more_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the pages by path."""
    return {name: make(layout) for name, make in _MADE.items()}


class GameProgress(NamedTuple):
    """The progress of a game."""

    game: GameSettings
    matches: int
    """The number of matches played."""
    sets: int
    """The number of complete duplicate sets. Matches with deals of their own are not counted."""


def _schedule(layout: PageLayout) -> str:
    ladder = layout.ladder
    planned = [played.planned for played in ladder.results]
    names = [entrant.name for entrant in ladder.entrants]
    return layout.page(
        "schedule.html",
        "schedule",
        format=format_sentence(ladder.settings),
        progress=_progress(layout),
        due=_due(layout),
        too_many=len(names) > MOST_COLUMNS,
        seats=balance(ladder.settings, planned) if len(names) <= MOST_COLUMNS else None,
    )


def _progress(layout: PageLayout) -> list[GameProgress]:
    ladder = layout.ladder
    whole = {
        played.planned.set_key: played.planned
        for played in ladder.results
        if played.planned.set_key in ladder.complete_sets
    }
    sets = Counter(planned.game for planned in whole.values() if set_size_of(planned, ladder.settings) > 1)
    matches = Counter(played.planned.game for played in ladder.results)
    return [GameProgress(game, matches[game.name], sets[game.name]) for game in ladder.games]


def _due(layout: PageLayout) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the number, game title and entrants of each of the next matches without a result."""
    ladder = layout.ladder
    if ladder.finished:
        return []
    known = {(played.planned.set_key, played.planned.seating) for played in ladder.results}
    due = due_matches(ladder.settings, layout.ledger, ladder.results).matches
    waiting = [planned for planned in due if (planned.set_key, planned.seating) not in known]
    return [(1 + planned.row, layout.titles[planned.game], planned.entrants) for planned in waiting[:_MOST_DUE]]


def _likelihoods(layout: PageLayout) -> str:
    several = len(layout.ladder.games) > 1
    return layout.page("likelihoods.html", "likelihoods", several=several, superiority=layout.superiority)


def _meetings(layout: PageLayout) -> str:
    names = [line.entrant for line in layout.ladder.overall.lines]
    too_many = len(names) > MOST_COLUMNS
    found = [] if too_many else list(meetings(layout.ladder.results, names))
    return layout.page("meetings.html", "meetings", too_many=too_many, meetings=found)


def _course(layout: PageLayout) -> str:
    ladder, ledger = layout.ladder, layout.ledger
    return layout.page(
        "course.html",
        "course",
        charts=layout.charts,
        width=WIDTH,
        height=HEIGHT,
        savings=matches_saved(ladder.results),
        happenings=happenings(ledger),
        voids=void_reasons(ledger, ladder.results),
        listing_of=listing_of,
    )


def _entrants(layout: PageLayout) -> str:
    ladder = layout.ladder
    lines = ladder.overall.lines
    return layout.page(
        "entrants.html",
        "entrants",
        notes=notes_of(ladder.settings, layout.ledger),
        suspended=[entrant.name for entrant in ladder.entrants if entrant.suspended],
        faults=sum(line.conduct.faults for line in lines),
        causes=_causes(ladder.overall),
        rules=sorted({rule for line in lines for rule, _ in line.conduct.broken_rules}),
    )


def _causes(standings: Standings) -> list[str]:
    """Return the short names of the faults that occurred, in alphabetical order."""
    counts = (count for line in standings.lines for count in (*line.conduct.decisions, *line.conduct.matches))
    return sorted({cause for cause, _ in counts})


def _proof(layout: PageLayout) -> str:
    ladder = layout.ladder
    return layout.page(
        "proof.html",
        "proof",
        ledger=layout.ledger,
        claims={basis: [claim.said for claim in layout.claims if claim.basis is basis] for basis in Basis},
        sharing=list(duplicate_sentences(ladder.settings)),
        in_turns=any(few_processes(ladder.settings, game).in_turns for game in ladder.settings.games),
    )


_MADE: Final = {
    "schedule.html": _schedule,
    "meetings.html": _meetings,
    "likelihoods.html": _likelihoods,
    "course.html": _course,
    "entrants.html": _entrants,
    "proof.html": _proof,
}
FURTHER_PAGES: Final = tuple(_MADE)
"""The paths of the pages, in order."""
