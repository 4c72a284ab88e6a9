"""A cache of serialized parts, by the identity of the values that they were made of."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

ValueT = TypeVar("ValueT")
PartT = TypeVar("PartT")

_MOST_KEPT: Final = 4096
"""The number of values that are kept. It only bounds the memory: when it is reached, all are dropped."""
_MOST_NEW: Final = 512
"""The number of values that are kept after one use. It exceeds the number of card events of a game, which recur some
deals later, and is small enough to stay in the processor's near caches.
"""


class CachedParts(Generic[ValueT, PartT]):
    """The parts that were made of some values.

    Values are looked up by identity, as long as they are kept here too, since actions of two types may be equal. This
    pays where a game hands out the same objects again and again.

    A value is kept for good only when it recurs. Some games hand out objects that are used once: thousands of those
    would push recurring ones out of the processor's caches, and slow down garbage collection.
    """

    def __init__(self, make: Callable[[ValueT], PartT]) -> None:
        """Begin empty, with the function that makes a part."""
        self._make = make
        self._values: list[ValueT] = []
        self._new: dict[int, tuple[ValueT, PartT]] = {}
        """The values seen once with their parts, by the identity of the value."""
        self.parts: dict[int, PartT] = {}
        """The parts of values that recurred, by the identity of the value."""

    def of(self, value: ValueT) -> PartT:
        """Return the part of a value, made if necessary."""
        part = self.parts.get(id(value))
        return self._part_of(value) if part is None else part

    def _part_of(self, value: ValueT) -> PartT:
        came_before = self._new.pop(id(value), None)
        if came_before is not None:
            self._keep(*came_before)
            return came_before[1]
        if len(self._new) >= _MOST_NEW:
            self._new.clear()
        part = self._make(value)
        self._new[id(value)] = value, part
        return part

    def _keep(self, value: ValueT, part: PartT) -> None:
        if len(self._values) >= _MOST_KEPT:
            self.parts.clear()
            self._values.clear()
        self._values.append(value)
        self.parts[id(value)] = part
