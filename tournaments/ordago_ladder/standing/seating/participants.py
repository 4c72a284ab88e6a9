"""Who waits for a seat, and for what kinds of tables."""

from bisect import bisect_left, insort
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from random import Random
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of tables."""

    game: str
    """The short name of the game."""
    sides: tuple[int, ...]
    """The side that each seat plays for, from 0, as the rules of the game say."""

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return len(self.sides)

    @property
    def opponents(self) -> int:
        """How many sides each side plays against."""
        return len(set(self.sides)) - 1


class KnownStrength(NamedTuple):
    """What is known of the strength of a player at a game."""

    elo: float
    half_width: float
    """Half the length of its 95 % interval, in points of Elo; 0 for an anchor."""


class Seated(NamedTuple):
    """Who sat at a table."""

    name: str
    """The name of the bot, whatever its version."""
    account: str
    """Whose it is; empty for a house bot."""

    @property
    def met_as(self) -> str:
        """As whom it is met: a bot as its account, a house bot as itself."""
        return self.account or f"house bot {self.name}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A bot that has room for one more match."""

    key: Hashable
    """What the caller knows it by: one connected process."""
    name: str
    """The name of the bot, whatever its version."""
    account: str
    """Whose it is; empty for a house bot."""
    strengths: Mapping[str, KnownStrength]
    """The games that it plays, by their short names, and what is known of its strength at each."""

    seated: Seated = field(init=False, repr=False)
    """Who it is at a table."""

    def __post_init__(self) -> None:
        """Check the figures.

        Raises:
            ValueError: a strength is not finite, or a width is below zero.
        """
        for game, (elo, half_width) in self.strengths.items():
            if not (isfinite(elo) and 0 <= half_width < inf):
                raise ValueError(f"{self.name} has no strength at {game}: {elo} ± {half_width}")
        object.__setattr__(self, "seated", Seated(self.name, self.account))


_NEAR: Final = 8
"""So many of the next above, and of the next below, are looked at,"""
_ANYWHERE: Final = 8
"""and so many anywhere."""


class WaitingRoom:
    """Those who wait for tables of a game.

    Only the one of each account who came first is in sight, so an account is as likely to be drawn with a thousand
    processes as with one. House bots each stand for themselves.
    """

    def __init__(self, game: str) -> None:
        """Begin with nobody."""
        self._game = game
        self._lines: dict[str, list[tuple[int, Waiting]]] = {}
        """Who waits for each account, in the order in which they came."""
        self._in_sight: list[tuple[float, int, Waiting]] = []
        """The first of each line, by their ratings."""

    def add(self, number: int, waiting: Waiting) -> None:
        """Let somebody wait; the number tells when he came, and is nobody else's."""
        line = self._lines.setdefault(waiting.seated.met_as, [])
        self._hide_first(line)
        insort(line, (number, waiting))
        self._show_first(line)

    def remove(self, number: int, waiting: Waiting) -> None:
        """Let somebody go."""
        line = self._lines[waiting.seated.met_as]
        self._hide_first(line)
        del line[bisect_left(line, (number,))]
        self._show_first(line)
        if not line:
            del self._lines[waiting.seated.met_as]

    def different(self, waiting: Waiting) -> int:
        """Return how many of those in sight are of another account than one that waits."""
        return len(self._lines) - (waiting.seated.met_as in self._lines)

    def eligible(self, elo: float, rng: Random) -> list[Waiting]:
        """Return those next to a rating and some from anywhere, the weakest first; all if they are not more."""
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
