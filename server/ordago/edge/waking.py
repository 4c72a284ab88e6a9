"""Who is to be woken in grpc's thread, all together. A module of its own, so that a compiled build compiles it."""

from collections.abc import Callable
from typing import Final, Protocol, final


class Sleeper(Protocol):
    """Something in grpc's thread that is to be woken."""

    def wake(self) -> None:
        """Go on. Called in grpc's thread."""

    def remind(self) -> None:
        """Go on if there is still something to do. Called in grpc's thread."""


@final
class Due:
    """Those who are to be woken.

    Attributes:
        now: those to be woken now, in order.
        later: those to be reminded some milliseconds later.
    """

    __slots__ = ("later", "now")

    def __init__(self, now: list[Sleeper], later: list[Sleeper]) -> None:
        """Wake these."""
        self.now: Final = now
        self.later: Final = later


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
        self._patient: dict[Sleeper, None] = {}

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
        self._begin_once()

    def add_patient(self, sleeper: Sleeper) -> None:
        """Wake something some milliseconds later, if it is not woken before."""
        self._patient[sleeper] = None
        self._begin_once()

    def _begin_once(self) -> None:
        if not self.begun:
            self.begun = True
            self._begin()

    def due(self) -> Due:
        """Return those who are to be woken."""
        now = self._urgent | self._sleepers
        later = [sleeper for sleeper in self._patient if sleeper not in now]
        self.begun, self._urgent, self._sleepers, self._patient = False, {}, {}, {}
        return Due(list(now), later)
