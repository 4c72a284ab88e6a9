"""Other ways to seat those who wait, to compare the pool of the standing ladder with."""

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Final, NamedTuple, Protocol

from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Waiting

Choice = Callable[[Waiting, Sequence[Waiting], str, Random], Waiting]
"""Chooses an opponent at a game."""


class AnyTable(Protocol):
    """What a simulation asks of a table."""

    @property
    def seats(self) -> tuple[Waiting, ...]:
        """Who sits there, in order of seats."""


class AnyPool(Protocol):
    """What a simulation asks of a pool."""

    def add(self, waiting: Waiting, *, now: float) -> None:
        """Let somebody wait."""

    def next_table(self, now: float) -> AnyTable | None:
        """Seat one more table; ``None`` if there is none."""

    def wake_at(self) -> float:
        """Return when a table may begin though nobody comes."""


def anybody(_: Waiting, others: Sequence[Waiting], __: str, rng: Random) -> Waiting:
    """Choose by chance."""
    return others[int(rng.random() * len(others))]


def the_nearest(first: Waiting, others: Sequence[Waiting], game: str, _: Random) -> Waiting:
    """Choose the one whose rating is nearest."""
    elo = first.strengths[game].elo
    return min(others, key=lambda other: abs(other.strengths[game].elo - elo))


class RivalTable(NamedTuple):
    """A table that begins."""

    seats: tuple[Waiting, ...]
    """Who sits there, in order of seats."""


class RivalPool:
    """Whoever has waited for a quarter of ``LONE_SECONDS`` is seated, the one who came first before the others.

    So long does the pool of the standing ladder wait too before it first looks for opponents. House bots fill up when
    ``LONE_SECONDS`` are over.
    """

    def __init__(self, kind: Kind, choice: Choice, *, rng: Random) -> None:
        """Begin with nobody."""
        self._kind: Final = kind
        self._choice: Final = choice
        self._rng: Final = rng
        self._bots: Final[dict[Hashable, tuple[Waiting, float]]] = {}
        self._house: Final[dict[Hashable, Waiting]] = {}
        self._wake_at = float("inf")

    def add(self, waiting: Waiting, *, now: float) -> None:
        """Let somebody wait."""
        if waiting.account:
            self._bots[waiting.key] = waiting, now
            self._wake_at = min(self._wake_at, now + LONE_SECONDS / 4)
        else:
            self._house[waiting.key] = waiting

    def wake_at(self) -> float:
        """Return when a table may begin though nobody comes."""
        return self._wake_at

    def next_table(self, now: float) -> RivalTable | None:
        """Seat one more table; ``None`` if there is none."""
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
