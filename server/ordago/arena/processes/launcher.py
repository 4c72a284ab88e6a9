"""Starts bots as processes of their own, which never outlive the one that started them."""

import math
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from ordago.arena.processes.die_with_parent import STANDS
from ordago.arena.processes.isolation.confinement import Sandbox
from ordago.arena.processes.isolation.sampler import Sampler
from ordago.arena.processes.isolation.starting import started
from ordago.arena.processes.output import Output, OutputLimitError

_GRACE_SECONDS: Final = 2.0
"""How long a bot may take to end when its standard input does; then it is killed. A run waits for no bot that hangs."""
_END: Final = signal.SIGTERM if sys.platform == "linux" else signal.SIGKILL
"""Ends a bot with all that it has started. In Linux it is told to whoever keeps the bot, and not to the bot."""
_SHELLS_SIGNALS: Final = 128
"""A wrapper tells an end by a signal as shells do: by a code above this one."""
_PASSED_ON: Final = frozenset({"PATH", "HOME", "TMPDIR", "TZ", "LANG"})
"""What a bot has of the environment of the one who starts it: where programs lie, and how people there write. All else
may be secret, or the same bot would play in another way on another day."""
_PASSED_ON_PREFIX: Final = "LC_"
_MOST_STATUS_BYTES: Final = 65_536
# Each process is waited for in a thread of its own, which sleeps all the time.
_waiting_threads = trio.CapacityLimiter(math.inf)


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot is started."""

    command: tuple[str, ...]
    """The program and its arguments."""
    environment: Mapping[str, str] = field(repr=False)
    """What is added to the environment."""
    log: Path
    """The file that the bot's output is appended to, within bounds."""
    token: str = field(default="", repr=False)
    """What the bot comes in with. It reads it from the file that ORDAGO_TOKEN_FILE names, once."""
    sandbox: Sandbox = field(default_factory=Sandbox)
    """Where it runs."""
    sampler: Sampler = field(default_factory=Sampler)
    """Who looks at what it uses."""
    descriptors: tuple[int, ...] = ()
    """What else it inherits, under the same numbers."""


class BotProcess:
    """A bot that was started."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: Output, *, status: int, wrapped: bool) -> None:
        """Use ``launched``."""
        self._process = process
        self._status = status
        self._is_ended_here = False
        self._wrapped = wrapped
        self._output = output
        self._over = trio.Event()
        self._has_run = False
        self.ended_because = ""
        """The limit that it passed and was ended for, as the end of a sentence; empty if it was not."""

    @property
    def number(self) -> int:
        """The number of the process that all that it starts descends from."""
        return self._process.pid

    @property
    def never_ran(self) -> bool:
        """Whether it has ended before its command was started, though nobody here ended it: no bot is to blame."""
        return self._over.is_set() and not self._has_run and not self._is_ended_here

    async def wait(self) -> int:
        """Wait for its end and return how it ended, negative for a signal. What it wrote is in the log by then."""
        await self._over.wait()
        code = self._process.returncode
        return _SHELLS_SIGNALS - code if self._wrapped and code > _SHELLS_SIGNALS else code

    def end_because(self, reason: str) -> None:
        """End it by force, since it passed a limit: ``passed its limit of 1024 MiB of memory``."""
        self.ended_because = self.ended_because or reason
        self._kill()

    async def stop(self) -> None:
        """End it: first by the end of its standard input, then by force."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with trio.move_on_after(_GRACE_SECONDS):
            await self.wait()
        self._kill()
        await self.wait()

    async def run(self) -> None:
        """Look after it until it has ended, whoever cancels meanwhile."""
        try:
            with trio.CancelScope(shield=True):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._keep_output)
                    try:
                        await _end_of(self._process)
                    finally:
                        # What it leaves behind ends with it. Until it is reaped, nobody else has the number of its
                        # group.
                        self._end_group()
                        self._process.wait()
                    nursery.cancel_scope.cancel()
        finally:
            self._has_run = STANDS in _rest_of(self._status)
            self._over.set()

    async def _keep_output(self) -> None:
        try:
            await self._output.keep()
        except OutputLimitError as error:
            self.end_because(str(error))

    def _kill(self) -> None:
        """Kill it with whatever it started in turn."""
        if self._process.returncode is None:
            self._is_ended_here = True
            self._end_group()

    def _end_group(self) -> None:
        # It may end by itself just now.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, _END)


@asynccontextmanager
async def launched(launch: Launch) -> AsyncIterator[BotProcess]:
    """Start a bot, and end it at the end of the context."""
    process = _start(launch)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.run)
        with launch.sampler.watching(process.number, launch.sandbox, process.end_because):
            try:
                yield process
            finally:
                with trio.CancelScope(shield=True):
                    await process.stop()


async def _end_of(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a process has ended, and leave it to be reaped where the system can."""
    if sys.platform != "linux":
        await trio.to_thread.run_sync(process.wait, limiter=_waiting_threads)
        return
    # No thread waits: where processes are forked without end, nobody can start one.
    end = os.pidfd_open(process.pid)
    try:
        await trio.lowlevel.wait_readable(end)
    finally:
        os.close(end)


def ended_how(code: int) -> str:
    """Say how a process ended, as it stands behind "ended": ``with code 3``, ``by signal 11 (SIGSEGV)``.

    Args:
        code: what ``BotProcess.wait`` returned.
    """
    if code >= 0:
        return f"with code {code}"
    names = {int(known): f" ({known.name})" for known in signal.Signals}
    return f"by signal {-code}{names.get(-code, '')}"


def passed_on() -> Mapping[str, str]:
    """Return what a bot has of the environment of the one who starts it."""
    return {
        name: value for name, value in os.environ.items() if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIX)
    }


def _start(launch: Launch) -> BotProcess:
    # Started in this thread, the main one, not in a worker: the parent-death signal comes when the thread that
    # started the process ends, and worker threads end when they are idle.
    output = Output(launch.log)
    with token_file(launch.token) as file, output.inlet() as inlet, _status_pipe() as (status, told):
        process = started(
            launch.sandbox,
            launch.command,
            environment={
                **passed_on(),
                **launch.environment,
                "ORDAGO_LAUNCHED": "1",
                "ORDAGO_TOKEN_FILE": f"/dev/fd/{file}",
            },
            stdin=subprocess.PIPE,
            output=inlet,
            descriptors=(file, *launch.descriptors),
            status=told,
        )
    return BotProcess(process, output, status=status, wrapped=bool(launch.sandbox.wrapper))


@contextmanager
def _status_pipe() -> Iterator[tuple[int, int]]:
    """Give both ends of a pipe. The first stays open, unless nobody is started."""
    outlet, inlet = os.pipe()
    try:
        yield outlet, inlet
    except BaseException:
        os.close(outlet)
        raise
    finally:
        os.close(inlet)


def _rest_of(status: int) -> bytes:
    """Return what was told through a pipe that nobody writes to any more, and close it."""
    os.set_blocking(status, False)
    with os.fdopen(status, "rb", buffering=0) as file:
        return file.read(_MOST_STATUS_BYTES) or b""


@contextmanager
def token_file(token: str) -> Iterator[int]:
    """Give a pipe that holds a token and then ends: who has read it has the token, and nobody after him."""
    outlet, inlet = os.pipe()
    try:
        os.write(inlet, token.encode())
        os.close(inlet)
        yield outlet
    finally:
        os.close(outlet)
