"""A list of objects to wake in grpc's thread, all together. A separate module, so that compiled builds compile it."""

from collections.abc import Callable
from typing import Protocol, final


class Sleeper(Protocol):
    """An object in grpc's thread that waits to be woken."""

    def wake(self) -> None:
        """Continue. Called in grpc's thread."""


@final
class Waking:
    """The objects to wake together. Used in trio's thread."""

    def __init__(self, begin: Callable[[], None]) -> None:
        """Begin with an empty list.

        Args:
            begin: a function that arranges a later call of ``due``; called with the first object unless ``begun``.
        """
        self.begun = False
        """True while a call of ``due`` is arranged."""
        self._begin = begin
        # Dicts, not sets, for the order of insertion, which is the same in every run.
        self._sleepers: dict[Sleeper, None] = {}
        self._urgent: dict[Sleeper, None] = {}

    def add(self, sleeper: Sleeper, *, urgent: bool = False) -> None:
        """Wake an object together with all others that are due.

        Waking them one by one would make two threads compete for the interpreter, and split into many frames what can
        go out in one.

        Args:
            sleeper: the object to wake.
            urgent: wake it before those that are not urgent. A decision is urgent, since its match waits; nothing waits
                for other messages.
        """
        if urgent:
            self._urgent[sleeper] = None
        else:
            self._sleepers[sleeper] = None
        if not self.begun:
            self.begun = True
            self._begin()

    def due(self) -> list[Sleeper]:
        """Return the objects to wake now, the urgent ones first, and clear the list."""
        due = list(self._urgent | self._sleepers)
        self.begun, self._urgent, self._sleepers = False, {}, {}
        return due
