"""How many connections there may be at a time: without a bound one address could use up all files of the process."""

import resource
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self

_OF_ONE: Final = 128
"""A browser has six at most; many people may share an address."""
_IN_ALL: Final = 4096
"""Each takes some 50 KiB."""
_OTHER_FILES: Final = 128
"""So many files are left for all else that a site opens."""


class Connections:
    """Counts connections. It belongs to trio's thread."""

    def __init__(self, *, of_one: int = _OF_ONE, in_all: int = _IN_ALL) -> None:
        """Begin without any.

        Args:
            of_one: how many one address may have.
            in_all: how many there may be, as far as the process may open so many files.
        """
        self._of_one = of_one
        self._in_all = min(in_all, most_files() - _OTHER_FILES)
        self._open = Counter[str]()

    @classmethod
    def of_proxy(cls) -> Self:
        """Count connections that all come from one address: that of the proxy that stands before a site."""
        return cls(of_one=_IN_ALL)

    @contextmanager
    def counted(self, origin: str) -> Iterator[bool]:
        """Note that a connection is open, as far as it may be; say whether it may.

        Args:
            origin: where it comes from.
        """
        is_welcome = self._open[origin] < self._of_one and self._open.total() < self._in_all
        self._open[origin] += is_welcome
        try:
            yield is_welcome
        finally:
            self._open[origin] -= is_welcome
            if not self._open[origin]:
                del self._open[origin]


def most_files() -> int:
    """Return how many files this process may have open, and let it be as many as it can be."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return sys.maxsize if hard == resource.RLIM_INFINITY else hard
