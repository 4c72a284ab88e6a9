"""Tables: which entrants can meet in a game, and how they sit.

A *circle* is an order of the entrants round the table, wherever it begins. With two entrants a set is both rotations of
the only circle, with three the rotations of both circles, which are all six seatings, with four and more the rotations
of one circle; which circle that is changes from one set of a table to the next, and from table to table.
"""

import hashlib
import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings


class Table(NamedTuple):
    """A game and the entrants who meet in it."""

    game: str
    places: tuple[int, ...]
    """Which of the entrants takes each seat when they sit in order, by his number."""
    entrants: tuple[str, ...]
    """The entrants, ascending."""

    @property
    def name(self) -> str:
        """What the sets of the table are named by."""
        return f"{self.game}|{','.join(self.entrants)}"


def table_of(game: GameSettings, entrants: tuple[str, ...]) -> Table:
    """Return a table of a game."""
    return Table(game.name, game.places, tuple(sorted(entrants)))


def entrant_names(settings: Settings) -> list[str]:
    """Return the entrants, ascending."""
    return sorted(entrant.name for entrant in settings.entrants)


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
    """Return at how many tables of a game entrants can sit at the same time, nobody at two."""
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
    """Return after how many sets a table has had all its circles, and begins again with the first."""
    return max(1, len(_circles(len(table.entrants))) // (seating_count(len(table.entrants)) // len(table.entrants)))


def first_turn(table: Table) -> int:
    """Return a number that spreads the tables over the circles and depends on nothing but the table."""
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
    """Return all circles of some entrants, each followed by the one that goes the other way round."""
    circles: list[tuple[int, ...]] = []
    for order in _orders(entrants):
        circles += [(0, *order), (0, *order[::-1])]
    return circles or [tuple(range(entrants))]


def _orders(entrants: int) -> Iterator[tuple[int, ...]]:
    return (order for order in itertools.permutations(range(1, entrants)) if order < order[::-1])
