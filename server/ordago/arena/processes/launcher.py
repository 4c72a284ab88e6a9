"""Start bots as processes, which never outlive the process that started them."""

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
"""Time for a bot to end after its standard input was closed. Then it is killed, so that no run waits for a bot that
hangs."""
_END: Final = signal.SIGTERM if sys.platform == "linux" else signal.SIGKILL
"""The signal that ends a bot with all its descendants. On Linux the keeper or bubblewrap gets it, not the bot."""
_SHELLS_SIGNALS: Final = 128
"""A wrapper reports an end by a signal as shells do: by this number plus that of the signal."""
_PASSED_ON: Final = frozenset({"PATH", "HOME", "TMPDIR", "TZ", "LANG"})
"""Variables of the runner's environment that a bot inherits. Others may hold secrets, or make the same bot play
differently on another day."""
_PASSED_ON_PREFIX: Final = "LC_"
_MOST_STATUS_BYTES: Final = 65_536
"""The usual capacity of a pipe: nobody reads before the end, so no more can be in it."""
# Without a limit: off Linux each process is waited for in a thread of its own, which only sleeps.
_waiting_threads = trio.CapacityLimiter(math.inf)


@dataclass(frozen=True, slots=True)
class Launch:
    """The command, environment and sandbox to start a bot with."""

    command: tuple[str, ...]
    """The program and its arguments."""
    environment: Mapping[str, str] = field(repr=False)
    """Variables added to the environment."""
    log: Path
    """The file that the bot's output is appended to, within bounds."""
    token: str = field(default="", repr=False)
    """The token to connect with. The bot reads it once, from the file that ORDAGO_TOKEN_FILE names."""
    sandbox: Sandbox = field(default_factory=Sandbox)
    """The sandbox that it runs in."""
    sampler: Sampler = field(default_factory=Sampler)
    """Samples the resources that it uses."""
    descriptors: tuple[int, ...] = ()
    """Further descriptors that it inherits, under the same numbers."""


class BotProcess:
    """The process of a bot."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: Output, *, status: int, wrapped: bool) -> None:
        """Hold a started process; use ``launched`` to start one."""
        self._process = process
        self._status = status
        self._is_ended_here = False
        self._wrapped = wrapped
        self._output = output
        self._over = trio.Event()
        self._has_run = False
        self.ended_because = ""
        """The limit that it exceeded and was ended for, to follow "it" in a sentence; empty if it was not."""

    @property
    def number(self) -> int:
        """The process ID of the bot's keeper or wrapper, the ancestor of all its processes."""
        return self._process.pid

    @property
    def never_ran(self) -> bool:
        """True if it ended before its command started, and was not ended here: the bot is not to blame."""
        return self._over.is_set() and not self._has_run and not self._is_ended_here

    async def wait(self) -> int:
        """Wait for its end and return its exit code, negative for a signal. Its output is in the log by then."""
        await self._over.wait()
        code = self._process.returncode
        return _SHELLS_SIGNALS - code if self._wrapped and code > _SHELLS_SIGNALS else code

    def end_because(self, reason: str) -> None:
        """Kill it for exceeding a limit, with a reason such as ``passed its limit of 1024 MiB of memory``."""
        self.ended_because = self.ended_because or reason
        self._kill()

    async def stop(self) -> None:
        """End it: close its standard input, and kill it if it has not ended ``_GRACE_SECONDS`` later."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with trio.move_on_after(_GRACE_SECONDS):
            await self.wait()
        self._kill()
        await self.wait()

    async def run(self) -> None:
        """Collect its output and wait for its end, even if cancelled meanwhile."""
        try:
            with trio.CancelScope(shield=True):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._keep_output)
                    try:
                        await _end_of(self._process)
                    finally:
                        # Kill what it leaves behind before it is reaped: until then no other group can have its
                        # number.
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
        """Kill it with all its descendants."""
        if self._process.returncode is None:
            self._is_ended_here = True
            self._end_group()

    def _end_group(self) -> None:
        # It may have ended by itself just now.
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
                # Shielded: a run that is cancelled has to end its bots, too.
                with trio.CancelScope(shield=True):
                    await process.stop()


async def _end_of(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a process has ended. On Linux it is left to be reaped."""
    if sys.platform != "linux":
        await trio.to_thread.run_sync(process.wait, limiter=_waiting_threads)
        return
    # Without a thread: a bot that forks without end may leave no room to start one.
    end = os.pidfd_open(process.pid)
    try:
        await trio.lowlevel.wait_readable(end)
    finally:
        os.close(end)


def ended_how(code: int) -> str:
    """Describe an exit code, to follow "ended" in a sentence: ``with code 3``, ``by signal 11 (SIGSEGV)``.

    Args:
        code: the exit code, as ``BotProcess.wait`` returns it.
    """
    if code >= 0:
        return f"with code {code}"
    names = {int(known): f" ({known.name})" for known in signal.Signals}
    return f"by signal {-code}{names.get(-code, '')}"


def passed_on() -> Mapping[str, str]:
    """Return the variables of this process's environment that a bot inherits."""
    return {
        name: value for name, value in os.environ.items() if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIX)
    }


def _start(launch: Launch) -> BotProcess:
    # In this thread, the main one, and not in a worker: the kernel sends the parent-death signal when the thread that
    # started the process ends, and idle worker threads end.
    output = Output(launch.log)
    with token_file(launch.token) as file, output.inlet() as inlet, _status_pipe() as (status, status_file):
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
            status=status_file,
        )
    return BotProcess(process, output, status=status, wrapped=bool(launch.sandbox.wrapper))


@contextmanager
def _status_pipe() -> Iterator[tuple[int, int]]:
    """Yield both ends of a pipe. The first stays open, unless the start fails."""
    outlet, inlet = os.pipe()
    try:
        yield outlet, inlet
    except BaseException:
        os.close(outlet)
        raise
    finally:
        os.close(inlet)


def _rest_of(status: int) -> bytes:
    """Return the contents of a pipe that no process writes to any more, and close it."""
    os.set_blocking(status, False)
    with os.fdopen(status, "rb", buffering=0) as file:
        return file.read(_MOST_STATUS_BYTES) or b""


@contextmanager
def token_file(token: str) -> Iterator[int]:
    """Yield the descriptor of a pipe that holds a token, so that only its first reader gets the token."""
    outlet, inlet = os.pipe()
    try:
        os.write(inlet, token.encode())
        os.close(inlet)
        yield outlet
    finally:
        os.close(outlet)
