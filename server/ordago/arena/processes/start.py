"""One process of a bot: what came of its start, and how it ended."""

import math
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.launcher import ended_how

_STEADY_SECONDS: Final = 60.0
"""A process that ran for so long has nothing to do with those that ended before."""


class Start:
    """A process, and what came of its start; settled once."""

    def __init__(self, in_place_of: Bot | None = None) -> None:
        """Begin with a process that has not come in."""
        self.in_place_of = in_place_of
        """The bot that it is to go on as; ``None`` where it is one of its own."""
        self.came_at = math.inf
        """When it came in."""
        self.scope = trio.CancelScope()
        """Ends the process when it is cancelled."""
        self.over = trio.Event()
        """Set when the process has ended."""
        self.settled = trio.Event()
        self.bot: Bot | None = None
        self.reason = ""
        self.process_number = 0
        self.unstartable: NotStartableError | None = None
        """Why it could not be started through no fault of its own, if so."""

    def arrived(self, bot: Bot) -> None:
        """Note that the bot came in."""
        if not self.settled.is_set():
            self.bot = bot
            self.came_at = trio.current_time()
            self.settled.set()

    @property
    def has_been_steady(self) -> bool:
        """Whether it came in long ago."""
        return trio.current_time() - self.came_at > _STEADY_SECONDS

    def failed(self, reason: str) -> None:
        """Note that the bot does not come in, for this reason; nothing happens if it came in."""
        if not self.settled.is_set():
            self.reason = reason
            self.settled.set()


class End(NamedTuple):
    """How a process ended that nobody wanted to end."""

    fault: v1.Fault
    at_once: str
    """What is said of it if it had not come in."""
    later: str
    """What is said of it if it had."""
    sentence: str
    """What the bot and its table are told."""


HANGS: Final = End(
    v1.FAULT_DISCONNECTED,
    "did not answer any more",
    "did not answer any more, and was ended",
    "the process of the bot did not answer any more",
)
"""The end of a process that hung."""


def end_of(exit_code: int, ended_because: str) -> End:
    """Return how a process ended, by its exit code and what it was ended for, if it was."""
    if ended_because:
        what = f"was ended: it {ended_because}"
        return End(v1.FAULT_OVER_LIMIT, what, what, f"the process of the bot {ended_because}")
    how = ended_how(exit_code)
    return End(
        v1.FAULT_CRASHED, f"exited at once {how}", f"crashed: it ended {how}", f"the process of the bot ended {how}"
    )
