"""Supervision of launched bots: processes are started when needed, and replaced when they crash."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LaunchTokens
from ordago.arena.bot import Bot, Identity
from ordago.arena.processes.errors import NotStartableError, OutOfFilesError, SandboxFailedError
from ordago.arena.processes.launcher import BotProcess, Launch, launched
from ordago.arena.processes.output import last_line
from ordago.arena.processes.start import HANGS, End, Start, end_of
from ordago.arena.referee_clock import RefereeClock
from ordago.arena.seat import BotSeat
from ordago.telemetry.telemetry import Telemetry

_MAX_STARTS: Final = 5
"""Starts after which a bot is given up. Those that ended by an orderly retirement do not count."""
MOST_TRIES: Final = 3
"""Attempts to make a sandbox for one start: files may come and go while it is made."""
PAUSE_BETWEEN_TRIES_SECONDS: Final = 0.5
"""Time for a passing obstacle to go: a file system that is being remounted, too many processes."""
_NO_FILES_LEFT: Final = frozenset({errno.EMFILE, errno.ENFILE})
_PAUSE_SECONDS: Final = 0.2
"""Wait before the end of a process counts as a crash.

A service manager often ends all processes of the service together, the bots a moment before the runner.
"""
_RETRY_SECONDS: Final = 1.0
"""Wait between attempts to start a bot of the server's own: the obstacle, want of memory for instance, may pass."""
_BACK_SECONDS: Final = 5.0
"""Time that a bot of the server's own may run without a connection: it reconnects at once, unless it hangs."""
_LEAVE_SECONDS: Final = 2.0
"""Time for a bot to end after a Goodbye. Not measured: the SDK ends at once."""
_OVER: Final = "the matches are over"
_NO_MODULE: Final = "No module named"
"""Words of Python, for instance of one outside the environment in which the bot's SDK is installed."""
_NO_LIMIT: Final = 2**31


class FailedToStartError(Exception):
    """A bot was started but never connected. The bot erred, or its command is wrong."""

    def __init__(self, name: str, reason: str, log: Path) -> None:
        """Hold the name of the bot, the reason, and the file with its output."""
        super().__init__(_sentence(name, reason, log))
        self.name = name


def _report_to_nobody(_sentence: str) -> None:
    """Do nothing."""


class Host(NamedTuple):
    """The server that launched bots connect to."""

    tokens: LaunchTokens
    """Issues a token for each launch."""
    address: str
    """The address that launched bots connect to, ``HOST:PORT`` or ``unix:PATH``."""
    nursery: trio.Nursery
    """Runs their supervision in the background."""
    guests_at: str = ""
    """The address for remote bots, ``HOST:PORT``; empty if there are none."""


class Supervisor:
    """Runs the processes of one bot, at most one at a time."""

    def __init__(
        self,
        *,
        name: str,
        version: str,
        launch: Launch,
        host: Host,
        start_seconds: float,
        own_name: bool = False,
        crashed: Callable[[str], None] = _report_to_nobody,
        carries_on: bool = False,
    ) -> None:
        """Prepare to run a bot; no process is started yet.

        Args:
            name: the name assigned to the bot.
            version: the version assigned to it; empty for the one that it gives.
            launch: its command and sandbox.
            host: the server that it connects to.
            start_seconds: maximum time from its start to its Hello.
            own_name: True if a name that the bot gives takes precedence.
            crashed: is called with one sentence when a process ended though it was needed.
            carries_on: True for a bot of the server's own: the matches of one process go on at the next, and without a
                next one they are void. It never forfeits.
        """
        self._admission_name = name
        self._own_name = own_name
        self._version = version
        self._launch = launch
        self._host = host
        self._start_seconds = start_seconds
        self._crashed = crashed
        self._carries_on = carries_on
        self._carrying: trio.CancelScope | None = None
        """Cancels starting a process that takes over the matches; ``None`` while none is being started."""
        self._lock = trio.Lock()
        self._retired = trio.Event()
        self._bot: Bot | None = None
        self._running: Start | None = None
        self._starts = 0
        self._failure: FailedToStartError | None = None

    async def bot(self) -> Bot:
        """Return the bot once it has connected. A process is started if there is none, or the bot is lost.

        Raises:
            FailedToStartError: it did not connect.
            NotStartableError: it could not be started, and is not to blame.
        """
        async with self._lock:
            if self._bot is not None and self._bot.loss is None:
                return self._bot
            if self._bot is not None and self._bot.has_retired_in_order:
                # It ended as announced, so a new process replaces it, and the start does not count.
                self._starts -= 1
                self._bot = None
            if self._starts >= _MAX_STARTS:
                raise self._failure or self._failed(f"had to be started {self._starts} times, and is not started again")
            await self._end_process()
            self._starts += 1
            self._bot = await self._started()
            return self._bot

    @property
    def name(self) -> str:
        """The name of the bot here. See ``bot_channel.Keeper``."""
        return self._admission_name

    @property
    def process_number(self) -> int:
        """The process ID of the ancestor of all its running processes; 0 if none runs."""
        return 0 if self._running is None else self._running.process_number

    @property
    def runs(self) -> bool:
        """True while a process runs."""
        return self._running is not None and not self._running.over.is_set()

    @property
    def plays(self) -> bool:
        """True while its process plays a match."""
        return self._bot is not None and self._bot.loss is None and self._bot.plays

    async def end(self) -> None:
        """End the process when its matches are over. ``bot`` starts a new one when it is needed again."""
        async with self._lock:
            if self._running is None:
                return
            in_order = self._bot is not None and self._bot.loss is None
            this, self._retired = self._retired, trio.Event()
            this.set()
            await self._running.over.wait()
            self._bot = self._running = None
            self._starts -= in_order

    async def seat(self) -> BotSeat | None:
        """Return a new seat of the bot as soon as it has room for one, or ``None`` if it is lost before that.

        Raises:
            FailedToStartError: it did not connect.
            NotStartableError: it could not be started, and is not to blame.
        """
        return await (await self.bot()).seat_when_free()

    async def _end_process(self) -> None:
        """End the previous process, which may still run though its connection is gone."""
        if self._running is not None:
            self._running.scope.cancel()
            await self._running.over.wait()

    def replace(self) -> None:
        """Replace the process, which hangs. See ``bot_channel.Keeper``."""
        if self._bot is not None:
            self._carry_on(self._bot, HANGS)

    def _carry_on(self, bot: Bot, end: End) -> None:
        if self._carrying is None and bot.loss is None:
            self._crashed(_sentence(self._admission_name, end.later, self._launch.log))
            self._carrying = trio.CancelScope()
            self._host.nursery.start_soon(self._start_again, bot, end, self._carrying)

    async def _start_again(self, bot: Bot, end: End, scope: trio.CancelScope) -> None:
        """Start another process for the matches of a bot of the server's own; if none connects, give the bot up."""
        with scope:
            async with self._lock:
                if self._running is not None and self._running.has_been_steady:
                    self._starts = 0
                while bot.loss is None and self._starts < _MAX_STARTS:
                    await self._end_process()
                    self._starts += 1
                    with suppress(FailedToStartError, NotStartableError):
                        self._bot = await self._started(in_place_of=bot)
                        break
                    await trio.sleep(_RETRY_SECONDS)
                else:
                    bot.give_up(end.fault, end.sentence)
        self._carrying = None

    async def _started(self, in_place_of: Bot | None = None) -> Bot:
        outcome = await self._settled(in_place_of)
        if outcome.unstartable is not None:
            raise outcome.unstartable
        if outcome.bot is None:
            self._failure = self._failed(outcome.reason)
            raise self._failure
        return outcome.bot

    async def _settled(self, in_place_of: Bot | None) -> Start:
        """Start a process, with several tries if its sandbox fails, and return the settled start."""
        for left in reversed(range(MOST_TRIES)):
            outcome = self._running = Start(in_place_of)
            self._host.nursery.start_soon(self._live, outcome)
            await outcome.settled.wait()
            if not (left and isinstance(outcome.unstartable, SandboxFailedError)):
                break
            await outcome.over.wait()
            await trio.sleep(PAUSE_BETWEEN_TRIES_SECONDS)
        return outcome

    def _failed(self, reason: str) -> FailedToStartError:
        return FailedToStartError(self._admission_name, reason, self._launch.log)

    async def _live(self, outcome: Start) -> None:
        """Run one process from its start to its end."""
        name = "" if self._own_name else self._admission_name
        token = self._host.tokens.expect(
            Admission(
                partial(self._arrived, outcome),
                name=name,
                usual_name=self._admission_name,
                version=self._version,
                gone=partial(self._gone, outcome),
                in_place_of=outcome.in_place_of,
            )
        )
        try:
            with outcome.scope:
                async with launched(self._launch_with(token)) as process, trio.open_nursery() as nursery:
                    outcome.process_number = process.number
                    nursery.start_soon(self._watch, process, outcome)
                    await self._play(outcome)
        except* OSError as group:
            if group.split(_says_that_no_files_are_left)[1] is None:
                outcome.unstartable = OutOfFilesError()
            elif outcome.process_number:
                raise
            else:
                outcome.unstartable = self._sandbox_failed(_words_of(group))
        finally:
            self._host.tokens.withdraw(token)
            outcome.failed("was not waited for")
            outcome.over.set()

    def _arrived(self, outcome: Start, bot: Bot) -> None:
        if self._carries_on:
            bot.channel.keeper = self
        outcome.arrived(bot)

    def _gone(self, outcome: Start, bot: Bot) -> None:
        if self._carries_on and bot.loss is None:
            self._host.nursery.start_soon(self._expect_back, outcome, bot)

    async def _expect_back(self, outcome: Start, bot: Bot) -> None:
        """Replace a process that lost its connection, unless it reconnects within ``_BACK_SECONDS``."""
        await trio.sleep(_BACK_SECONDS)
        if outcome is self._running and not outcome.over.is_set() and not bot.connected:
            self._carry_on(bot, HANGS)

    async def _play(self, outcome: Start) -> None:
        """Wait until the bot has connected, then until it is retired and idle, and end its process."""
        with trio.move_on_after(self._start_seconds):
            await outcome.settled.wait()
        if not outcome.settled.is_set() and _is_out_of_files():
            outcome.unstartable = OutOfFilesError()
        outcome.failed(f"did not connect within {self._start_seconds:g} s")
        if outcome.bot is not None:
            await self._retired.wait()
            await outcome.bot.idle()
            outcome.bot.say_goodbye(_OVER)
            outcome.bot.give_up(v1.FAULT_DISCONNECTED, _OVER)
            # It ends by itself, once it has read and stored its last messages.
            await trio.sleep(_LEAVE_SECONDS)
        outcome.scope.cancel()

    async def _watch(self, process: BotProcess, outcome: Start) -> None:
        """Wait for the end of a process, then settle its start as failed, or report its bot as lost."""
        end = end_of(await process.wait(), process.ended_because)
        if process.never_ran and not outcome.settled.is_set():
            outcome.unstartable = self._sandbox_failed(last_line(self._launch.log))
        outcome.failed(end.at_once)
        if outcome.bot is not None:
            await trio.sleep(_PAUSE_SECONDS)
            self._lost(outcome.bot, end)
        outcome.scope.cancel()

    def _sandbox_failed(self, reason: str) -> SandboxFailedError:
        return SandboxFailedError.of(f"bot {self._admission_name!r}", reason, self._launch.log)

    def _lost(self, bot: Bot, end: End) -> None:
        if self._carries_on and bot.plays:
            self._carry_on(bot, end)
            return
        if bot.loss is None:
            self._crashed(_sentence(self._admission_name, end.later, self._launch.log))
        bot.give_up(end.fault, end.sentence)

    def _launch_with(self, token: str) -> Launch:
        environment = {**self._launch.environment, "ORDAGO_ADDRESS": self._host.address}
        return replace(self._launch, environment=environment, token=token)

    def retire(self) -> None:
        """End the process as soon as its matches are over."""
        self._retired.set()

    def stop(self) -> None:
        """End the process at once, even during a match, and start no other for its matches."""
        if self._carrying is not None:
            self._carrying.cancel()
        if self._running is not None:
            self._running.scope.cancel()


def _is_out_of_files() -> bool:
    """Return True if this process has too many files open to accept a connection."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        return error.errno in _NO_FILES_LEFT
    return False


def _words_of(group: BaseExceptionGroup[OSError]) -> str:
    error = group.exceptions[0]
    return _words_of(error) if isinstance(error, BaseExceptionGroup) else str(error)


def _says_that_no_files_are_left(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno in _NO_FILES_LEFT


def absent_bot(name: str, fault: v1.Fault, sentence: str, *, telemetry: Telemetry | None = None) -> Bot:
    """Return a stand-in for an absent bot: its seats are forfeited from the start, for this fault and reason."""
    bot = Bot(
        Identity(
            name=name,
            version="",
            build="",
            nonce=b"",
            games=frozenset(),
            max_open_decisions=1,
            max_matches=_NO_LIMIT,
        ),
        RefereeClock(),
        telemetry=telemetry,
    )
    bot.give_up(fault, sentence)
    return bot


def _sentence(name: str, reason: str, log: Path) -> str:
    last_words = last_line(log)
    said = f"; its last line: {last_words}" if last_words else ""
    hint = "; does the Python that its command starts have the package?" if _NO_MODULE in last_words else ""
    return f"bot {name!r} {reason}{said}{hint} (its output is in {log})"
