"""A bot that the doctor starts: with all that it starts in turn, and what it prints, within bounds."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.confinement import Sandbox
from ordago.arena.processes.isolation.starting import started
from ordago.arena.processes.isolation.usage import Processes
from ordago.arena.processes.launcher import passed_on, token_file
from ordago.names import visible

_KEPT_BYTES: Final = 64 * 1024
"""So much of the beginning and of the end of what it prints is kept."""
MOST_PRINTED_BYTES: Final = 16 * 1024 * 1024
"""Who prints more in an event forfeits what it plays; here it is ended, too."""
_READ_BYTES: Final = 64 * 1024
_LONGEST_LINE: Final = 240
"""So many characters of a line are shown."""
_END_SECONDS: Final = 15.0
"""Longer than the keeper of a process takes to end all that descends from it, at most."""
_END: Final = signal.SIGTERM if sys.platform == "linux" else signal.SIGKILL
"""Ends a bot with all that it has started. In Linux it is told to whoever keeps the bot, and not to the bot."""


class BotProcess:
    """A bot that was started, and ends with the thread that started it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], *, token: str) -> None:
        """Start it.

        Args:
            command: the program and its arguments.
            environment: what is added to what a runner passes on of its own.
            token: what it comes in with; empty: nothing.
        """
        outlet, inlet = os.pipe()
        with token_file(token) as file:
            told = {"ORDAGO_TOKEN_FILE": f"/dev/fd/{file}"} if token else {}
            self._process = started(
                Sandbox(),
                command,
                environment={**passed_on(), **told, **environment},
                stdin=subprocess.PIPE,
                output=inlet,
                descriptors=[file] if token else [],
            )
        os.close(inlet)
        self._head, self._tail, self._printed = bytearray(), bytearray(), 0
        self._reading = threading.Thread(target=self._read, args=(outlet,), daemon=True)
        self._reading.start()

    @property
    def printed_too_much(self) -> bool:
        """Whether it was ended for what it printed."""
        return self._printed > MOST_PRINTED_BYTES

    @property
    def memory_mib(self) -> float:
        """The memory of all its processes, in MiB."""
        return Processes.now().memory_mib_of(self._process.pid)

    @property
    def cpu_seconds(self) -> float:
        """The time of a processor that all its processes took, in seconds."""
        return Processes.now().used_by(self._process.pid).cpu_seconds

    @property
    def output(self) -> str:
        """What it printed: the beginning and the end of it, as it came."""
        return (self._head + self._tail).decode(errors="replace")

    @property
    def printed(self) -> int:
        """How many bytes it has printed."""
        return self._printed

    def last_lines(self, number: int, *, since: int) -> list[str]:
        """Return the last lines that it printed, so that a terminal does nothing but show them.

        Args:
            number: how many at most.
            since: how many bytes it had printed before.
        """
        new = (self._head + self._tail)[-(self._printed - since) :] if self._printed > since else b""
        lines = new.decode(errors="replace").strip().splitlines()[-number:]
        return [visible(line)[:_LONGEST_LINE] for line in lines if line.strip()]

    def wait(self, seconds: float) -> int | None:
        """Wait for its end, and return its exit code, negative for a signal; ``None`` if it goes on."""
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(max(0.0, seconds))
            self._reading.join(_END_SECONDS)
            return code
        return None

    def send(self, number: int) -> None:
        """Send it a signal, as a user does."""
        for process in self._bots():
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def close_input(self) -> None:
        """End its standard input."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def end(self) -> None:
        """End it, with all that it has started."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, _END)
        self.close_input()
        self.wait(_END_SECONDS)

    def _bots(self) -> list[int]:
        """Return the process of the bot itself: the keeper's child, where there is a keeper."""
        number = self._process.pid
        with suppress(OSError):
            return [int(word) for word in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
        return [number]

    def _read(self, outlet: int) -> None:
        while data := os.read(outlet, _READ_BYTES):
            self._printed += len(data)
            room = _KEPT_BYTES - len(self._head)
            self._head += data[:room]
            self._tail = (self._tail + data[room:])[-_KEPT_BYTES:]
            if self.printed_too_much and self._process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, _END)
        os.close(outlet)
