"""Who is to be woken in grpc's thread, all together. A module of its own, so that a compiled build compiles it."""

from collections.abc import Callable
from typing import Protocol, final


class Sleeper(Protocol):
    """Something in grpc's thread that is to be woken."""

    def wake(self) -> None:
        """Go on. Called in grpc's thread."""


@final
class Waking:
    """Those who are to be woken together. Used in trio's thread."""

    def __init__(self, begin: Callable[[], None]) -> None:
        """Begin with nobody.

        Args:
            begin: is called as soon as there is somebody, unless it is known already that they will be asked for.
        """
        self.begun = False
        """Whether it is known that they will be asked for."""
        self._begin = begin
        # In the order in which they were named, which is the same in every run.
        self._sleepers: dict[Sleeper, None] = {}
        self._urgent: dict[Sleeper, None] = {}

    def add(self, sleeper: Sleeper, *, urgent: bool = False) -> None:
        """Wake something in grpc's thread together with everything else that is due.

        To wake them one by one would make two threads fight for the interpreter, and split into many frames what can go
        out in one.

        Args:
            sleeper: who is to be woken.
            urgent: whether to wake it before those that are not. A match waits for whoever has a decision to take, and
                nobody waits for what is told besides.
        """
        if urgent:
            self._urgent[sleeper] = None
        else:
            self._sleepers[sleeper] = None
        if not self.begun:
            self.begun = True
            self._begin()

    def due(self) -> list[Sleeper]:
        """Return those who are to be woken now, in order."""
        due = list(self._urgent | self._sleepers)
        self.begun, self._urgent, self._sleepers = False, {}, {}
        return due
