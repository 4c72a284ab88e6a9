"""Parts of messages by the identity of the values that they were made of."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

ValueT = TypeVar("ValueT")
PartT = TypeVar("PartT")

_MOST_KEPT: Final = 4096
"""How many values are kept. It bounds the memory alone: when it is full, all are let go of."""
_MOST_NEW: Final = 512
"""How many values are kept that came once: more than a game has events of cards, each of which comes again some deals
later, and few enough that they do not fill the near caches."""


class CachedParts(Generic[ValueT, PartT]):
    """The parts that were made of some values.

    Values are known by their identity, as long as they are kept here too, since actions of two types may be equal. It
    pays where a game hands out the same objects again and again.

    A value is kept for good only when it has come again. Some games hand out objects that were made for one occasion:
    thousands of those would push what is needed out of the caches of the processor, and be looked at by the collector.
    """

    def __init__(self, make: Callable[[ValueT], PartT]) -> None:
        """Begin with nothing, and keep what this makes."""
        self._make = make
        self._values: list[ValueT] = []
        self._new: dict[int, tuple[ValueT, PartT]] = {}
        """What came once, by the identity of the value."""
        self.parts: dict[int, PartT] = {}
        """The parts of what came again, by the identities of their values."""

    def of(self, value: ValueT) -> PartT:
        """Return the part that is made of a value."""
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
