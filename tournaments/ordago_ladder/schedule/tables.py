"""Tables: the groups of entrants that can meet in a game, and their seatings.

A *circle* is a cyclic order of the entrants round the table. With two entrants a set is both rotations of the only
circle. With three it is the rotations of both circles, which are all six seatings. With four and more it is the
rotations of one circle, which varies from set to set and from table to table.
"""

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ordago.store import PlannedMatch
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings


class Table(NamedTuple):
    """A game and the entrants that meet in it."""

    game: str
    places: tuple[int, ...]
    """For each seat the number of the entrant that takes it when they sit in order."""
    entrants: tuple[str, ...]
    """The entrants, ascending."""

    @property
    def name(self) -> str:
        """The name of the table, with which the keys of its sets begin."""
        return f"{self.game}|{','.join(self.entrants)}"


def table_of(game: GameSettings, entrants: tuple[str, ...]) -> Table:
    """Return a table of a game."""
    return Table(game.name, game.places, tuple(sorted(entrants)))


def entrant_names(settings: Settings) -> list[str]:
    """Return the names of the entrants, ascending."""
    return sorted(entrant.name for entrant in settings.entrants)


def seeds_of(settings: Settings) -> tuple[str, ...]:
    """Return the entrants, best seed first: by known rating, then in the order of the event file."""
    known = dict(settings.anchors)
    names = [entrant.name for entrant in settings.entrants]
    return tuple(sorted(names, key=lambda name: (name not in known, -known.get(name, 0.0))))


def newcomers(settings: Settings) -> list[str]:
    """Return the newcomers of a gauntlet, ascending; none in other events."""
    gauntlet = settings.event.format == "gauntlet"
    return sorted(entrant.name for entrant in settings.entrants if gauntlet and entrant.newcomer)


def tables_of(settings: Settings, game: GameSettings) -> list[Table]:
    """Return all tables of a game that an event can have, ascending. In a gauntlet each has one newcomer."""
    names, new = entrant_names(settings), newcomers(settings)
    if not new:
        return [table_of(game, entrants) for entrants in itertools.combinations(names, game.table_size)]
    field = [name for name in names if name not in new]
    fields = itertools.combinations(field, game.table_size - 1)
    return sorted(table_of(game, (name, *others)) for others in fields for name in new)


def table_count(settings: Settings, game: GameSettings) -> int:
    """Return the number of all tables of a game that an event can have."""
    entrants, new = len(settings.entrants), len(newcomers(settings))
    return new * math.comb(entrants - new, game.table_size - 1) if new else math.comb(entrants, game.table_size)


def tables_at_once(settings: Settings, game: GameSettings) -> int:
    """Return the number of tables of a game that fit at once, with each entrant at one table at most."""
    entrants, new = len(settings.entrants), len(newcomers(settings))
    return min(new, (entrants - new) // (game.table_size - 1)) if new else entrants // game.table_size


def seating_count(entrants: int) -> int:
    """Return the number of seatings of a table with a number of entrants."""
    return 6 if entrants == 3 else entrants


def seatings_of(table: Table, turn: int) -> list[tuple[str, ...]]:
    """Return the entrant of each seat, for each seating of a set."""
    seatings = _seatings(len(table.entrants), table.places, turn % len(_circles(len(table.entrants))))
    return [tuple(table.entrants[number] for number in seating) for seating in seatings]


def turns_of(table: Table) -> int:
    """Return the number of sets after which a table has had all its circles and starts over."""
    return max(1, len(_circles(len(table.entrants))) // (seating_count(len(table.entrants)) // len(table.entrants)))


def first_turn(table: Table) -> int:
    """Return a pseudo-random number from 0 to 255 that depends on the table alone; it spreads tables over circles."""
    return hashlib.sha256(table.name.encode()).digest()[0]


@cache
def _seatings(entrants: int, places: tuple[int, ...], first_circle: int) -> list[tuple[int, ...]]:
    chosen = _circles(entrants) if entrants == 3 else [_circles(entrants)[first_circle]]
    return [
        tuple((circle[start:] + circle[:start])[place] for place in places)
        for circle in chosen
        for start in range(entrants)
    ]


@cache
def _circles(entrants: int) -> list[tuple[int, ...]]:
    """Return all circles of a number of entrants, each followed by its reverse."""
    circles: list[tuple[int, ...]] = []
    for order in _orders(entrants):
        circles += [(0, *order), (0, *order[::-1])]
    return circles or [tuple(range(entrants))]


def _orders(entrants: int) -> Iterator[tuple[int, ...]]:
    return (order for order in itertools.permutations(range(1, entrants)) if order < order[::-1])


def sets_of(due: Iterable[PlannedMatch]) -> list[list[PlannedMatch]]:
    """Group matches by duplicate set, in the order in which the sets first appear."""
    sets: dict[str, list[PlannedMatch]] = {}
    for planned in due:
        sets.setdefault(planned.set_key, []).append(planned)
    return list(sets.values())
