"""Whose turn it is among kinds of tables, so that none of them waits for ever."""

from collections.abc import Iterable, Iterator
from typing import Final, Generic, TypeVar

KindT = TypeVar("KindT")

MOST_PASSED_OVER: Final = 4
"""So many tables of other kinds, for each of these kinds, may begin while one kind waits; then bots are kept free for
it. Long enough that seats of another number seldom stand empty, short enough that nobody sees a game starve."""


class Turns(Generic[KindT]):
    """Kinds of tables in turn: the one that began longest ago comes first."""

    def __init__(self, kinds: Iterable[KindT]) -> None:
        """Begin with these kinds, in this order."""
        self._waiting = [(kind, 0) for kind in kinds]

    def __iter__(self) -> Iterator[tuple[KindT, bool]]:
        """Go through the kinds in turn. With each comes whether it has been passed over too often."""
        most = MOST_PASSED_OVER * (len(self._waiting) - 1)
        return iter([(kind, passed_over >= most > 0) for kind, passed_over in self._waiting])

    def begun(self, begun: KindT) -> None:
        """Note that a table of a kind begins: it comes last now, and all others were passed over."""
        others = [(kind, passed_over + 1) for kind, passed_over in self._waiting if kind != begun]
        self._waiting = [*others, (begun, 0)]
