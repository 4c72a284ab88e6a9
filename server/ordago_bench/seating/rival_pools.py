"""Simple methods of matchmaking, to compare the pool of the standing ladder with."""

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Final, NamedTuple, Protocol

from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Waiting

Choice = Callable[[Waiting, Sequence[Waiting], str, Random], Waiting]
"""A function that chooses an opponent in a game: from the first bot, the candidates, the game and a generator."""


class AnyTable(Protocol):
    """The part of a table that a simulation uses."""

    @property
    def seats(self) -> tuple[Waiting, ...]:
        """The players, in order of seats."""


class AnyPool(Protocol):
    """The part of a pool that a simulation uses."""

    def add(self, waiting: Waiting, *, now: float) -> None:
        """Add a waiting bot."""

    def next_table(self, now: float) -> AnyTable | None:
        """Return the next table that may begin; ``None`` if there is none."""

    def wake_at(self) -> float:
        """Return the earliest time at which a table may begin without new arrivals."""


def anybody(_: Waiting, others: Sequence[Waiting], __: str, rng: Random) -> Waiting:
    """Choose an opponent at random."""
    return others[int(rng.random() * len(others))]


def the_nearest(first: Waiting, others: Sequence[Waiting], game: str, _: Random) -> Waiting:
    """Choose the opponent with the nearest rating."""
    elo = first.strengths[game].elo
    return min(others, key=lambda other: abs(other.strengths[game].elo - elo))


class RivalTable(NamedTuple):
    """A table that begins."""

    seats: tuple[Waiting, ...]
    """The players, in order of seats."""


class RivalPool:
    """A pool that seats bots in order of arrival, after they have waited for a quarter of ``LONE_SECONDS``.

    The pool of the standing ladder waits as long before it first looks for opponents. House bots fill a table once
    ``LONE_SECONDS`` are over.
    """

    def __init__(self, kind: Kind, choice: Choice, *, rng: Random) -> None:
        """Begin empty."""
        self._kind: Final = kind
        self._choice: Final = choice
        self._rng: Final = rng
        self._bots: Final[dict[Hashable, tuple[Waiting, float]]] = {}
        self._house: Final[dict[Hashable, Waiting]] = {}
        self._wake_at = float("inf")

    def add(self, waiting: Waiting, *, now: float) -> None:
        """Add a waiting bot."""
        if waiting.account:
            self._bots[waiting.key] = waiting, now
            self._wake_at = min(self._wake_at, now + LONE_SECONDS / 4)
        else:
            self._house[waiting.key] = waiting

    def wake_at(self) -> float:
        """Return the earliest time at which a table may begin without new arrivals."""
        return self._wake_at

    def next_table(self, now: float) -> RivalTable | None:
        """Return the next table that may begin; ``None`` if there is none."""
        self._wake_at = float("inf")
        for first, since in self._bots.values():
            if now < since + LONE_SECONDS / 4:
                self._wake_at = min(self._wake_at, since + LONE_SECONDS / 4)
                return None
            table = self._table(first, lone=now >= since + LONE_SECONDS)
            if table is not None:
                for one in table:
                    self._bots.pop(one.key, None)
                    self._house.pop(one.key, None)
                return RivalTable(table)
            if now < since + LONE_SECONDS:
                self._wake_at = min(self._wake_at, since + LONE_SECONDS)
        return None

    def _table(self, first: Waiting, *, lone: bool) -> tuple[Waiting, ...] | None:
        table = [first]
        for others in ([bot for bot, _ in self._bots.values()], list(self._house.values()) if lone else []):
            while len(table) < self._kind.seats:
                left = [one for one in others if not _sit_already(one, table)]
                if not left:
                    break
                table.append(self._choice(first, left, self._kind.game, self._rng))
        self._rng.shuffle(table)
        return tuple(table) if len(table) == self._kind.seats else None


def _sit_already(one: Waiting, table: Sequence[Waiting]) -> bool:
    return any(one.name == other.name or (one.account and one.account == other.account) for other in table)
