"""The schedule of an event: which entrants meet, how often, in which seats and in which order.

A *table* is a game with as many entrants as it has sides; an entrant takes all seats of his side. Every table that can
be made of the entrants plays in every repetition a *duplicate set*: the same deals over a balanced set of seatings. A
*circle* is an order of the entrants round the table, wherever it begins. With two sides a set is both rotations of the
only circle, with three the rotations of both circles, which are all six seatings, with four and five the rotations of
one circle; which circle that is changes from one repetition to the next and from table to table.

What the order promises, for 3 to 12 entrants and one game:

- after every set the numbers of sets that any two entrants have played differ by at most 2;
- after every match the numbers of matches that an entrant has played on each side of a game differ by at most 1.
"""

import hashlib
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from ordago.store import PlannedMatch
from ordago_ladder.settings import GameSettings, Settings

# A table's load is the matches that its entrants have played, times this, plus the meetings that they have had. It is
# greater than the number of meetings of any plan, and loads are still exact.
_PLAYED_WEIGHT: Final = 1 << 40
_DONE: Final = 1 << 62
"""More than any load."""


class Table(NamedTuple):
    """A game and the entrants who meet in it."""

    game: str
    sides: tuple[int, ...]
    """The side that each seat plays for, from 0."""
    entrants: tuple[str, ...]
    """The entrants, ascending."""


def plan(settings: Settings) -> tuple[PlannedMatch, ...]:
    """Return the schedule of an event.

    The matches of a set are neighbours. Without duplicates the seatings are the same, and each is a set of its own.
    """
    matches: list[PlannedMatch] = []
    for repetition, tables in enumerate(_tables_by_repetition(settings)):
        for table in balanced(tables):
            matches += _set(table, first_row=len(matches), repetition=repetition, duplicates=settings.event.duplicates)
    return tuple(matches)


def _tables_by_repetition(settings: Settings) -> Iterator[list[Table]]:
    """Yield the tables that play in each repetition, ascending. The last ones of a game may be some of its tables."""
    orders = {game: balanced(tables_of(settings, game)) for game in settings.games}
    left = {game: set_count(settings, game) for game in settings.games}
    while any(left.values()):
        playing = {game: orders[game][: left[game]] for game in settings.games}
        left = {game: left[game] - len(playing[game]) for game in settings.games}
        yield sorted(itertools.chain.from_iterable(playing.values()))


def set_count(settings: Settings, game: GameSettings) -> int:
    """Return the number of duplicate sets of a game."""
    every_table = math.comb(len(settings.entrants), len(set(game.sides))) * settings.event.repetitions
    return every_table if game.sets is None else game.sets


def lives_needed(settings: Settings) -> int:
    """Return the number of processes that each entrant needs."""
    return max(lives_of(game, duplicates=settings.event.duplicates) for game in settings.games)


def lives_of(game: GameSettings, *, duplicates: bool) -> int:
    """Return the number of processes that each entrant needs for a game."""
    return _team_size(game.sides) * set_size(game, duplicates=duplicates)


def lives_at(planned: PlannedMatch, settings: Settings) -> tuple[int, ...]:
    """Return which process of the entrant plays each seat of a match, from 0.

    A process plays at most one seating of any set, and never two seats of one match.
    """
    sides = settings.game_named(planned.game).sides
    earlier = [sides[:seat].count(side) for seat, side in enumerate(sides)]
    first = planned.seating * _team_size(sides) if settings.event.duplicates else 0
    return tuple(first + index for index in earlier)


def set_size(game: GameSettings, *, duplicates: bool) -> int:
    """Return the number of matches of a set."""
    return seating_count(len(set(game.sides))) if duplicates else 1


def seating_count(sides: int) -> int:
    """Return the number of seatings of a table with a number of sides."""
    return sides * len(_circles_of_set(tuple(map(str, range(sides))), 0))


def tables_of(settings: Settings, game: GameSettings) -> list[Table]:
    """Return all tables of a game that can be made of the entrants, ascending."""
    names = sorted(entrant.name for entrant in settings.entrants)
    tables = itertools.combinations(names, len(set(game.sides)))
    return [Table(game.name, game.sides, entrants) for entrants in tables]


def balanced(tables: Sequence[Table]) -> list[Table]:
    """Return tables in an order that keeps the numbers of matches and of meetings balanced.

    The next table is always the one whose entrants have played least so far, among these the one whose entrants have
    met least, among these the first as given.
    """
    rows: dict[str, list[int]] = {}
    for row, table in enumerate(tables):
        for name in table.entrants:
            rows.setdefault(name, []).append(row)
    playing = {name: np.array(some, dtype=np.int64) for name, some in rows.items()}
    load = np.zeros(len(tables), dtype=np.int64)
    order = []
    for _ in tables:
        chosen = tables[row := int(np.argmin(load))]
        order.append(chosen)
        load[row] = _DONE
        touched, shared = np.unique(np.concatenate([playing[name] for name in chosen.entrants]), return_counts=True)
        meetings = shared * (shared - 1) // 2
        load[touched] += seating_count(len(chosen.entrants)) * (_PLAYED_WEIGHT * shared + meetings)
    return order


def _set(table: Table, *, first_row: int, repetition: int, duplicates: bool) -> Iterator[PlannedMatch]:
    seatings = list(_seatings(table, repetition))
    for number, entrants in enumerate(seatings):
        set_number = repetition if duplicates else repetition * len(seatings) + number
        yield PlannedMatch(
            row=first_row + number,
            game=table.game,
            set_key=f"{table.game}|{','.join(table.entrants)}|{set_number}",
            seating=number,
            repetition=set_number,
            entrants=entrants,
        )


def _seatings(table: Table, repetition: int) -> Iterator[tuple[str, ...]]:
    """Yield the entrant of each seat, for each seating of a set."""
    for circle in _circles_of_set(table.entrants, _turn(table) + repetition):
        for start in range(len(circle)):
            by_side = circle[start:] + circle[:start]
            yield tuple(by_side[side] for side in table.sides)


def _turn(table: Table) -> int:
    """Return a number that spreads the tables over the circles and depends on nothing but the table."""
    text = f"{table.game}|{','.join(table.entrants)}"
    return hashlib.sha256(text.encode()).digest()[0]


def _circles_of_set(entrants: tuple[str, ...], turn: int) -> list[tuple[str, ...]]:
    circles = _circles(entrants)
    if len(entrants) == 3:
        return circles
    return [circles[turn % len(circles)]]


def _circles(entrants: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return all circles of some entrants, each followed by the one that goes the other way round."""
    first, rest = entrants[0], entrants[1:]
    circles = []
    for order in itertools.permutations(rest):
        if order < order[::-1]:
            circles += [(first, *order), (first, *order[::-1])]
    return circles or [entrants]


def _team_size(sides: tuple[int, ...]) -> int:
    return max(sides.count(side) for side in sides)
