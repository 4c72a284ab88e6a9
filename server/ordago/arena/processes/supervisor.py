"""The process lives of launched bots: started when they are needed, replaced when they crash."""

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
"""A life that had to be started more often than this is given up. One that has retired in order does not count."""
MOST_TRIES: Final = 3
"""What a process runs in is made anew so often before it is given up: files may come and go while it is made."""
PAUSE_BETWEEN_TRIES_SECONDS: Final = 0.5
"""What is in the way may be gone by then: a file system that is mounted anew, too many processes."""
_NO_FILES_LEFT: Final = frozenset({errno.EMFILE, errno.ENFILE})
_PAUSE_SECONDS: Final = 0.2
"""How long it is waited before the end of a process counts as a crash.

Whoever ends the runner often ends all processes of the service with it, the bots a moment before the runner.
"""
_RETRY_SECONDS: Final = 1.0
"""How long it is waited before a bot of the server's own is started once more that could not be started: what keeps it
from that, memory for instance, may be over then."""
_BACK_SECONDS: Final = 5.0
"""How long a process of a bot of the server's own may run without its connection: it comes back at once, or hangs."""
_LEAVE_SECONDS: Final = 2.0
"""How long a bot that was told goodbye may take to leave. No measurement: the SDK does so at once."""
_OVER: Final = "the matches are over"
_NO_LIMIT: Final = 2**31


class FailedToStartError(Exception):
    """A bot was started but never came in. The bot erred, or whoever wrote down its command."""

    def __init__(self, name: str, reason: str, log: Path) -> None:
        """Say which bot it is, what became of it, and where its output is."""
        super().__init__(_sentence(name, reason, log))
        self.name = name


def _told_to_nobody(_sentence: str) -> None:
    """Tell nobody."""


class Host(NamedTuple):
    """Where bots come in that are started here."""

    tokens: LaunchTokens
    """Lets each of them in once."""
    address: str
    """Where they connect to, ``HOST:PORT`` or ``unix:PATH``."""
    nursery: trio.Nursery
    """Where their lives go on in the background."""
    guests_at: str = ""
    """Where others come in, ``HOST:PORT``; empty where nobody does."""


class Supervisor:
    """One process of an entrant after the other, at most one at a time."""

    def __init__(
        self,
        *,
        name: str,
        version: str,
        launch: Launch,
        host: Host,
        start_seconds: float,
        own_name: bool = False,
        crashed: Callable[[str], None] = _told_to_nobody,
        carries_on: bool = False,
    ) -> None:
        """Prepare a life; no process is started yet.

        Args:
            name: what the bot is called here.
            version: the version that it has here; empty for the one that it gives itself.
            launch: how it is started.
            host: where it comes in.
            start_seconds: how long it may take from its start to its greeting.
            own_name: whether the name that the bot gives itself goes before, if it gives one.
            crashed: is told in one sentence when a process ended though it was needed.
            carries_on: whether the bot is the server's own: what one process plays goes on at the next, and where none
                comes, the match is void. It never forfeits.
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
        """Is there while another process is started for what the bot plays."""
        self._lock = trio.Lock()
        self._retired = trio.Event()
        self._bot: Bot | None = None
        self._running: Start | None = None
        self._starts = 0
        self._failure: FailedToStartError | None = None

    async def bot(self) -> Bot:
        """Return the bot, which came in. It is started if it does not run, or does not come back.

        Raises:
            FailedToStartError: it did not come in.
            NotStartableError: it could not be started, and it is not to blame.
        """
        async with self._lock:
            if self._bot is not None and self._bot.loss is None:
                return self._bot
            if self._bot is not None and self._bot.has_retired_in_order:
                # It did what it was told to: a new process takes its place, and nothing is held against it.
                self._starts -= 1
                self._bot = None
            if self._starts >= _MAX_STARTS:
                raise self._failure or self._failed(f"had to be started {self._starts} times; it is given up")
            await self._end_process()
            self._starts += 1
            self._bot = await self._started()
            return self._bot

    @property
    def name(self) -> str:
        """The name of the bot here. See ``line.Keeper``."""
        return self._admission_name

    @property
    def process_number(self) -> int:
        """The number of the process that runs now, from which all descends that it starts; 0 where none does."""
        return 0 if self._running is None else self._running.process_number

    @property
    def runs(self) -> bool:
        """Whether a process runs now."""
        return self._running is not None and not self._running.over.is_set()

    @property
    def plays(self) -> bool:
        """Whether its process plays a match now."""
        return self._bot is not None and self._bot.loss is None and self._bot.plays

    async def end(self) -> None:
        """End the process when the matches are over that it plays. When it is needed again a new one is started."""
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
        """Return a new seat at the bot as soon as it has room for one, or ``None`` if it is lost before that.

        Raises:
            FailedToStartError: it did not come in.
            NotStartableError: it could not be started, and it is not to blame.
        """
        return await (await self.bot()).seat_when_free()

    async def _end_process(self) -> None:
        """End the process before, which may still run though its connection is gone."""
        if self._running is not None:
            self._running.scope.cancel()
            await self._running.over.wait()

    def replace(self) -> None:
        """Start another process in place of this one, which hangs. See ``line.Keeper``."""
        if self._bot is not None:
            self._carry_on(self._bot, HANGS)

    def _carry_on(self, bot: Bot, end: End) -> None:
        if self._carrying is None and bot.loss is None:
            self._crashed(_sentence(self._admission_name, end.later, self._launch.log))
            self._carrying = trio.CancelScope()
            self._host.nursery.start_soon(self._start_again, bot, end, self._carrying)

    async def _start_again(self, bot: Bot, end: End, scope: trio.CancelScope) -> None:
        """Let another process take up what a bot of the server's own plays; if none comes, the bot is given up."""
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
        """Start a process, again and again where what it runs in fails, and return what came of it."""
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
        """Let another process take the place of one that lost its connection and does not come back."""
        await trio.sleep(_BACK_SECONDS)
        if outcome is self._running and not outcome.over.is_set() and not bot.connected:
            self._carry_on(bot, HANGS)

    async def _play(self, outcome: Start) -> None:
        """Wait until the bot came in and then until it is not needed any more, and end its process."""
        with trio.move_on_after(self._start_seconds):
            await outcome.settled.wait()
        if not outcome.settled.is_set() and _is_out_of_files():
            outcome.unstartable = OutOfFilesError()
        outcome.failed(f"did not come in within {self._start_seconds:g} s")
        if outcome.bot is not None:
            await self._retired.wait()
            await outcome.bot.idle()
            outcome.bot.say_goodbye(_OVER)
            outcome.bot.give_up(v1.FAULT_DISCONNECTED, _OVER)
            # It leaves by itself, when it has read and kept what it was told last.
            await trio.sleep(_LEAVE_SECONDS)
        outcome.scope.cancel()

    async def _watch(self, process: BotProcess, outcome: Start) -> None:
        """Wait for the end of a process, and end with it whatever depends on it."""
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
        """End the life as soon as the matches are over that it plays; it is given no more."""
        self._retired.set()

    def stop(self) -> None:
        """End the process at once, whatever it plays, and start no other for that."""
        if self._carrying is not None:
            self._carrying.cancel()
        if self._running is not None:
            self._running.scope.cancel()


def _is_out_of_files() -> bool:
    """Say whether nobody could connect here since too many files are open."""
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
    """Return a stand-in for a bot that does not play, for this reason: its seats are forfeited from the start."""
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
    said = f"; its last words: {last_words}" if last_words else ""
    return f"bot {name!r} {reason}{said} (its output is in {log})"
