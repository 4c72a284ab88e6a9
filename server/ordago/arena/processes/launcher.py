"""Starts bots as processes of their own, which never outlive the one that started them."""

import math
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from ordago.arena.processes import die_with_parent
from ordago.arena.processes.processor import ALLOWED

_GRACE_SECONDS: Final = 2.0
"""How long a bot may take to end when its standard input does; then it is killed. A run waits for no bot that hangs."""
_PROCESSORS: Final = ",".join(map(str, sorted(ALLOWED)))
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
    """The file that the bot's output is appended to."""


class BotProcess:
    """A bot that was started."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        """Use ``launched``."""
        self._process = process

    async def wait(self) -> int:
        """Wait for its end and return how it ended, negative for a signal."""
        return await trio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True, limiter=_waiting_threads)

    async def stop(self) -> None:
        """End it: first by the end of its standard input, then by force."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        with trio.move_on_after(_GRACE_SECONDS):
            await self.wait()
        if self._process.poll() is None:
            # Whatever it started in turn, behind a shell or a wrapper, is in its group, and ends with it.
            # It may end by itself just now.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self.wait()


@asynccontextmanager
async def launched(launch: Launch) -> AsyncIterator[BotProcess]:
    """Start a bot, and end it at the end of the context."""
    process = BotProcess(_start(launch))
    try:
        yield process
    finally:
        with trio.CancelScope(shield=True):
            await process.stop()


def _inherited() -> Mapping[str, str]:
    # How other servers are to be spoken to is no concern of a bot that plays at ours, which is on the same machine.
    return {name: value for name, value in os.environ.items() if not name.startswith("ORDAGO_TLS")}


def _start(launch: Launch) -> "subprocess.Popen[bytes]":
    # Started in this thread, the main one, not in a worker: the parent-death signal comes when the thread that
    # started the process ends, and worker threads end when they are idle.
    launch.log.parent.mkdir(parents=True, exist_ok=True)
    with launch.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - the organiser's own command
            [sys.executable, "-I", "-S", die_with_parent.__file__, str(os.getpid()), _PROCESSORS, *launch.command],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**_inherited(), **launch.environment, "ORDAGO_LAUNCHED": "1"},
            # A Ctrl-C in the terminal is for the runner, which ends its bots in order.
            start_new_session=True,
        )
