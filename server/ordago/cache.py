"""A cache of computed values."""

from collections.abc import Callable
from typing import Final, TypeVar

KeyT = TypeVar("KeyT")
MadeT = TypeVar("MadeT")

_MOST_KEPT: Final = 4096
"""The number of values that are kept. It only bounds the memory: when it is reached, all are dropped."""


class Cache(dict[KeyT, MadeT]):
    """Computed values by their arguments. When it is full, it starts again empty.

    A lookup of a cached value runs in C alone, so ``__getitem__`` is faster than a function behind ``lru_cache``.
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[KeyT], MadeT], *, most: int = _MOST_KEPT) -> None:
        """Cache the results of a function, at most ``most`` of them."""
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: KeyT) -> MadeT:
        """Compute the value of a key, and cache it."""
        made = self._make(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = made
        return made
