"""The pages that show the duplicate sets of an event: who made how much of the same cards."""

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
    """What somebody made of some cards, in one of the seatings."""

    score: int
    match: int
    """The number of the match, from 1."""
    link: str
    """Where it is told; empty while its record is not open."""
    best: bool
    """Whether nobody of the set made more of the same cards, and somebody less."""
    forfeited: bool


class SetLine(NamedTuple):
    """An entrant in a duplicate set."""

    entrant: str
    scores: tuple[tuple[Score, ...], ...]
    """What he made of the cards of each place at the table, in the order of the matches."""
    difference: float | None
    """How much more he made in a match than those at the table did of the same cards, himself included, in the mean;
    ``None`` until all seatings are played."""


class DuplicateSet(NamedTuple):
    """The same deals, played in all seatings of a table."""

    number: int
    """The number of its first match, from 1."""
    matches: tuple[int, ...]
    """The numbers of all its matches that are played."""
    game: str
    """The title of the game."""
    size: int
    """How many matches it has when all are played."""
    places: tuple[tuple[int, ...], ...]
    """The seats of each place: those whose cards one entrant holds."""
    lines: tuple[SetLine, ...]
    """Whoever made most of the cards first."""


def set_page_names(settings: Settings, matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the names of the pages on which the sets of some matches are shown; the first is there with any match."""
    rows, duplicates = dict[str, int](), dict[str, bool]()
    for planned in matches:
        rows[planned.set_key] = min(planned.row, rows.get(planned.set_key, planned.row))
        if planned.set_key not in duplicates:
            duplicates[planned.set_key] = set_size_of(planned, settings) > 1
    numbers = {sheet_number(row) for key, row in rows.items() if duplicates[key]}
    return [_name(number) for number in sorted(numbers | {1})] if rows else []


def set_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the pages by their names: each shows the sets whose first matches a page of the list of matches is for."""
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
    """Yield the duplicate sets of which anything is played, in the order of their first matches."""
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
        game=game.title,
        size=size,
        places=places,
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
    """Return what an entrant made of the cards of each place.

    Args:
        layout: the event.
        name: the entrant.
        matches: the matches of the set that are played.
        places: the seats of each place.
        made: what was made of the cards of each place in each of these matches.
        whole: whether all matches of the set are played.
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
