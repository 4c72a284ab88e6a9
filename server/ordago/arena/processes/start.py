"""The start of one process of a bot, and its end."""

import math
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.launcher import ended_how

_STEADY_SECONDS: Final = 60.0
"""Run time after which a process counts as stable, and earlier failed starts no longer count."""


class Start:
    """A process from its start to its end. It is settled once: the bot connected, or the start failed."""

    def __init__(self, in_place_of: Bot | None = None) -> None:
        """Begin with a process that has not connected."""
        self.in_place_of = in_place_of
        """The bot whose session it takes over; ``None`` for a session of its own."""
        self.came_at = math.inf
        """The time when it connected, in seconds of trio's clock; infinite before."""
        self.scope = trio.CancelScope()
        """Ends the process when it is cancelled."""
        self.over = trio.Event()
        """Set when the process has ended."""
        self.settled = trio.Event()
        self.bot: Bot | None = None
        self.reason = ""
        self.process_number = 0
        self.unstartable: NotStartableError | None = None
        """The reason why it could not be started, if the bot is not to blame; else ``None``."""

    def arrived(self, bot: Bot) -> None:
        """Note that the bot connected."""
        if not self.settled.is_set():
            self.bot = bot
            self.came_at = trio.current_time()
            self.settled.set()

    @property
    def has_been_steady(self) -> bool:
        """True if it connected more than ``_STEADY_SECONDS`` ago."""
        return trio.current_time() - self.came_at > _STEADY_SECONDS

    def failed(self, reason: str) -> None:
        """Note that the bot will not connect, for this reason. Ignored once the start is settled."""
        if not self.settled.is_set():
            self.reason = reason
            self.settled.set()


class End(NamedTuple):
    """The unwanted end of a process, in the words for each reader."""

    fault: v1.Fault
    at_once: str
    """The words for the organiser if the bot had not connected."""
    later: str
    """The words for the organiser if it had."""
    sentence: str
    """The words for the bot and its table."""


HANGS: Final = End(
    v1.FAULT_DISCONNECTED,
    "stopped responding",
    "stopped responding and was killed",
    "the process of the bot stopped responding",
)
"""The end of a process that hung."""


def end_of(exit_code: int, ended_because: str) -> End:
    """Describe the end of a process.

    Args:
        exit_code: the exit code, negative for a signal.
        ended_because: the limit that it exceeded and was ended for; empty if none.
    """
    if ended_because:
        what = f"was killed: it {ended_because}"
        return End(v1.FAULT_OVER_LIMIT, what, what, f"the process of the bot {ended_because}")
    how = ended_how(exit_code)
    return End(
        v1.FAULT_CRASHED, f"exited at once {how}", f"crashed: it ended {how}", f"the process of the bot ended {how}"
    )
