"""What was made of values, known again: by the values, or by their identity."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

KeyT = TypeVar("KeyT")
MadeT = TypeVar("MadeT")
ValueT = TypeVar("ValueT")
PartT = TypeVar("PartT")

_MOST_KEPT: Final = 4096
"""How many values are kept. It bounds the memory alone: when it is full, all are let go of."""


class Kept(dict[KeyT, MadeT]):
    """What was made of values, to be handed out again. When there is too much of it, it begins anew.

    To look into it takes a function of C, as long as nothing has to be made: its ``__getitem__`` is quicker than one
    behind ``lru_cache``.
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[KeyT], MadeT], *, most: int = _MOST_KEPT) -> None:
        """Keep what this makes, of so many values at most."""
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: KeyT) -> MadeT:
        """Make it."""
        made = self._make(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = made
        return made


class KeptParts(Generic[ValueT, PartT]):
    """The parts that were made of some values.

    Values are known by their identity, as long as they are kept here too, since actions of two types may be equal. It
    pays where a game hands out the same objects again and again.
    """

    def __init__(self, make: Callable[[ValueT], PartT]) -> None:
        """Begin with nothing, and keep what this makes."""
        self._make = make
        self._values: list[ValueT] = []
        self.parts: dict[int, PartT] = {}
        """The parts by the identities of their values."""

    def of(self, value: ValueT) -> PartT:
        """Return the part that is made of a value."""
        part = self.parts.get(id(value))
        return self._keep(value) if part is None else part

    def _keep(self, value: ValueT) -> PartT:
        if len(self._values) >= _MOST_KEPT:
            self.parts.clear()
            self._values.clear()
        self._values.append(value)
        part = self.parts[id(value)] = self._make(value)
        return part
