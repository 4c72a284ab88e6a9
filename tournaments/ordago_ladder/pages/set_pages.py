"""The pages of the duplicate sets of an event, which compare the scores of entrants with the same cards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean
from typing import Final, NamedTuple

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.pages.match_pages import link_to, sheet, sheet_number
from ordago_ladder.pages.page_layout import PageLayout, way_up
from ordago_ladder.schedule.process_slots import set_size_of
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

_FOLDER: Final = "sets"


class Score(NamedTuple):
    """The score of an entrant with some cards, in one of the seatings."""

    score: int
    match: int
    """The number of the match, from 1."""
    link: str
    """The URL of its page; empty while its record is not open."""
    best: bool
    """True if it is the best score with these cards in the set, and not all scores are equal."""
    forfeited: bool


class SetLine(NamedTuple):
    """An entrant in a duplicate set."""

    entrant: str
    scores: tuple[tuple[Score, ...], ...]
    """The scores with the cards of each place at the table, in the order of the matches."""
    difference: float | None
    """The mean lead in a match over the average score with the same cards, its own included; ``None`` until all
    seatings are played."""


class DuplicateSet(NamedTuple):
    """The same deals, played in all seatings of a table."""

    number: int
    """The number of its first match, from 1."""
    matches: tuple[int, ...]
    """The numbers of all its matches that are played."""
    game: GameSettings
    size: int
    """The number of matches of the complete set."""
    places: tuple[tuple[int, ...], ...]
    """The seats of each place, from 1: those that one entrant plays together."""
    lines: tuple[SetLine, ...]
    """The entrants, the largest difference first."""


def set_page_names(settings: Settings, matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the paths of the pages with the sets of some matches. Page 1 exists as soon as there is a match."""
    rows, duplicates = dict[str, int](), dict[str, bool]()
    for planned in matches:
        rows[planned.set_key] = min(planned.row, rows.get(planned.set_key, planned.row))
        if planned.set_key not in duplicates:
            duplicates[planned.set_key] = set_size_of(planned, settings) > 1
    numbers = {sheet_number(row) for key, row in rows.items() if duplicates[key]}
    return [_name(number) for number in sorted(numbers | {1})] if rows else []


def set_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the pages by path. A set is on the page with the same number as that of its first match in the list."""
    if not layout.ladder.results:
        return {}
    found = {
        number: list(some) for number, some in groupby(sets_of(layout), lambda shown: sheet_number(shown.number - 1))
    }
    sheets = [sheet(number, layout.ladder.planned) for number in sorted({1} | found.keys())]
    return {
        _name(here.number): layout.page(
            _name(here.number), "sets", here=here, sheets=sheets, sets=found.get(here.number, [])
        )
        for here in sheets
    }


def sets_of(layout: PageLayout) -> Iterator[DuplicateSet]:
    """Yield the duplicate sets with at least one played match, in the order of their first matches."""
    played: dict[str, list[MatchResult]] = {}
    for one in sorted(layout.ladder.results):
        played.setdefault(one.planned.set_key, []).append(one)
    for matches in played.values():
        size = set_size_of(matches[0].planned, layout.ladder.settings)
        if size > 1:
            yield _set(layout, matches, size)


def _set(layout: PageLayout, matches: Sequence[MatchResult], size: int) -> DuplicateSet:
    game = layout.ladder.settings.game_named(matches[0].planned.game)
    places = _places(game)
    made = [[matches[at].result.scores[seats[0]] for at in range(len(matches))] for seats in places]
    names = sorted(set(matches[0].planned.entrants))
    lines = [_line(layout, name, matches, places, made, whole=len(matches) == size) for name in names]
    return DuplicateSet(
        number=1 + matches[0].planned.row,
        matches=tuple(1 + played.planned.row for played in matches),
        game=game,
        size=size,
        places=tuple(tuple(1 + seat for seat in seats) for seats in places),
        lines=tuple(sorted(lines, key=lambda line: -(line.difference or 0))),
    )


def _places(game: GameSettings) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(seat for seat, other in enumerate(game.places) if other == place) for place in dict.fromkeys(game.places)
    )


def _line(
    layout: PageLayout,
    name: str,
    matches: Sequence[MatchResult],
    places: Sequence[Sequence[int]],
    made: Sequence[Sequence[int]],
    *,
    whole: bool,
) -> SetLine:
    """Return the scores of an entrant with the cards of each place.

    Args:
        layout: the event.
        name: the entrant.
        matches: the matches of the set that are played.
        places: the seats of each place.
        made: the score with the cards of each place in each of these matches.
        whole: True if all matches of the set are played.
    """
    scores, more = [], list[float]()
    for seats, scored in zip(places, made, strict=True):
        held = [at for at, played in enumerate(matches) if played.planned.entrants[seats[0]] == name]
        scores.append(tuple(_score(layout, matches[at], scored, at, seats) for at in held))
        more += [scored[at] - fmean(scored) for at in held]
    return SetLine(name, tuple(scores), fmean(more) if whole and more else None)


def _score(layout: PageLayout, played: MatchResult, scored: Sequence[int], at: int, seats: Sequence[int]) -> Score:
    return Score(
        score=scored[at],
        match=1 + played.planned.row,
        link=link_to(played, up=way_up(_FOLDER + "/")) if layout.is_open(played) else "",
        best=min(scored) < scored[at] == max(scored),
        forfeited=any(forfeit.seat in seats for forfeit in played.result.forfeits),
    )


def _name(number: int) -> str:
    return f"{_FOLDER}/{number}.html"
