"""Bots that wait for a seat, and the kinds of tables that they wait for."""

from bisect import bisect_left, insort
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from random import Random
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of table."""

    game: str
    """The short name of the game."""
    sides: tuple[int, ...]
    """The side of each seat, from 0, by the rules of the game."""

    @property
    def seats(self) -> int:
        """The number of seats at a table."""
        return len(self.sides)

    @property
    def opponents(self) -> int:
        """The number of opposing sides of each side."""
        return len(set(self.sides)) - 1


class KnownStrength(NamedTuple):
    """The known strength of a player at a game."""

    elo: float
    half_width: float
    """Half the length of its 95 % interval, in Elo; 0 for an anchor."""


class Seated(NamedTuple):
    """The identity of a bot at a table."""

    name: str
    """The name of the bot, for all of its versions."""
    account: str
    """Its account; empty for a house bot."""

    @property
    def met_as(self) -> str:
        """The identity under which meetings are counted: the account of a bot, the name of a house bot."""
        return self.account or f"house bot {self.name}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A bot that has room for one more match."""

    key: Hashable
    """The caller's key for it: one connected process."""
    name: str
    """The name of the bot, for all of its versions."""
    account: str
    """Its account; empty for a house bot."""
    strengths: Mapping[str, KnownStrength]
    """Its known strength at each game that it plays, by short name."""

    seated: Seated = field(init=False, repr=False)
    """Its identity at a table."""

    def __post_init__(self) -> None:
        """Check the strengths.

        Raises:
            ValueError: a strength is not finite, or a width is below zero.
        """
        for game, (elo, half_width) in self.strengths.items():
            if not (isfinite(elo) and 0 <= half_width < inf):
                raise ValueError(f"{self.name} has no strength at {game}: {elo} ± {half_width}")
        object.__setattr__(self, "seated", Seated(self.name, self.account))


_NEAR: Final = 8
"""The number of bots next in rating, on either side, that are eligible."""
_ANYWHERE: Final = 8
"""The number of further eligible bots, drawn from all of them."""


class WaitingRoom:
    """The bots that wait for tables of a game.

    Only the first bot of each account is in sight, so an account is as likely to be drawn with a thousand processes as
    with one. Each house bot counts as an account.
    """

    def __init__(self, game: str) -> None:
        """Begin with no bots."""
        self._game = game
        self._lines: dict[str, list[tuple[int, Waiting]]] = {}
        """The waiting bots of each account, in the order in which they came."""
        self._in_sight: list[tuple[float, int, Waiting]] = []
        """The first bot of each account, ascending by rating."""

    def add(self, number: int, waiting: Waiting) -> None:
        """Add a bot. Its number is unique, and ascends in the order in which bots came."""
        line = self._lines.setdefault(waiting.seated.met_as, [])
        self._hide_first(line)
        insort(line, (number, waiting))
        self._show_first(line)

    def remove(self, number: int, waiting: Waiting) -> None:
        """Remove a bot."""
        line = self._lines[waiting.seated.met_as]
        self._hide_first(line)
        del line[bisect_left(line, (number,))]
        self._show_first(line)
        if not line:
            del self._lines[waiting.seated.met_as]

    def different(self, waiting: Waiting) -> int:
        """Return the number of bots in sight that belong to other accounts than ``waiting``."""
        return len(self._lines) - (waiting.seated.met_as in self._lines)

    def eligible(self, elo: float, rng: Random) -> list[Waiting]:
        """Return the bots nearest to a rating and some random ones, weakest first; all bots if they are few."""
        number = len(self._in_sight)
        if number <= 2 * _NEAR + _ANYWHERE:
            return [waiting for _, _, waiting in self._in_sight]
        middle = bisect_left(self._in_sight, (elo,))
        places = set(range(max(0, middle - _NEAR), min(number, middle + _NEAR)))
        places.update(int(rng.random() * number) for _ in range(_ANYWHERE))
        return [self._in_sight[place][2] for place in sorted(places)]

    def _show_first(self, line: list[tuple[int, Waiting]]) -> None:
        if line:
            insort(self._in_sight, self._entry(*line[0]))

    def _hide_first(self, line: list[tuple[int, Waiting]]) -> None:
        if line:
            del self._in_sight[bisect_left(self._in_sight, self._entry(*line[0]))]

    def _entry(self, number: int, waiting: Waiting) -> tuple[float, int, Waiting]:
        return waiting.strengths[self._game].elo, number, waiting
