"""A cache of what was made of values, by the values."""

from collections.abc import Callable
from typing import Final, TypeVar

KeyT = TypeVar("KeyT")
MadeT = TypeVar("MadeT")

_MOST_KEPT: Final = 4096
"""How many values are kept. It bounds the memory alone: when it is full, all are let go of."""


class Cache(dict[KeyT, MadeT]):
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
