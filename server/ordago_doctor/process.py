"""A bot process that the doctor starts, with its children and its bounded output."""

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
"""The number of bytes that are stored of the beginning, and of the end, of its output."""
MOST_PRINTED_BYTES: Final = 16 * 1024 * 1024
"""A bot that prints more in an event forfeits its matches; here it is ended too."""
_READ_BYTES: Final = 64 * 1024
_LONGEST_LINE: Final = 240
"""The number of characters of a line that are shown."""
_END_SECONDS: Final = 15.0
"""Longer than the supervisor of a process needs to end all its descendants."""
_END: Final = signal.SIGTERM if sys.platform == "linux" else signal.SIGKILL
"""The signal that ends a bot and its children. On Linux it goes to the supervisor of the bot, not to the bot."""


class BotProcess:
    """A started bot, which ends with the thread that started it."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], *, token: str, output: str = ""
    ) -> None:
        """Start a bot.

        Args:
            command: the program and its arguments.
            environment: variables added to those that a runner passes on.
            token: the token of the bot; empty for none.
            output: the place of its output, as in ``Start``.
        """
        outlet, inlet = _output(output)
        with token_file(token) as file:
            variables = {"ORDAGO_TOKEN_FILE": f"/dev/fd/{file}"} if token else {}
            self._process = started(
                Sandbox(),
                command,
                environment={**passed_on(), **variables, **environment},
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
        """True if it was ended for printing too much."""
        return self._printed > MOST_PRINTED_BYTES

    @property
    def memory_mib(self) -> float:
        """The memory of all its processes, in MiB."""
        return Processes.now().memory_mib_of(self._process.pid)

    @property
    def cpu_seconds(self) -> float:
        """The processor time of all its processes, in seconds."""
        return Processes.now().used_by(self._process.pid).cpu_seconds

    @property
    def output(self) -> str:
        """The beginning and the end of its output, unescaped."""
        return (self._head + self._tail).decode(errors="replace")

    @property
    def printed(self) -> int:
        """The number of bytes that it has printed."""
        return self._printed

    def last_lines(self, number: int, *, since: int) -> list[str]:
        """Return the last lines of its output, safe in a terminal.

        Args:
            number: the maximal number of lines.
            since: the number of bytes printed before, which are left out.
        """
        new = (self._head + self._tail)[-(self._printed - since) :] if self._printed > since else b""
        lines = new.decode(errors="replace").strip().splitlines()[-number:]
        return [visible(line)[:_LONGEST_LINE] for line in lines if line.strip()]

    def wait(self, seconds: float) -> int | None:
        """Wait for its end, and return its exit code, negative for a signal; ``None`` if it still runs."""
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(max(0.0, seconds))
            self._reading.join(_END_SECONDS)
            return code
        return None

    def send(self, number: int) -> None:
        """Send a signal to the bot, as a user would."""
        for process in self._bots():
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def close_input(self) -> None:
        """Close its standard input."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def end(self) -> None:
        """End the bot and its children."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, _END)
        self.close_input()
        self.wait(_END_SECONDS)

    def _bots(self) -> list[int]:
        """Return the process id of the bot itself: the child of the supervisor, if there is one."""
        number = self._process.pid
        with suppress(OSError):
            return [int(word) for word in Path(f"/proc/{number}/task/{number}/children").read_text().split()]
        return [number]

    def _read(self, outlet: int | None) -> None:
        if outlet is None:
            return
        while data := os.read(outlet, _READ_BYTES):
            self._printed += len(data)
            room = _KEPT_BYTES - len(self._head)
            self._head += data[:room]
            self._tail = (self._tail + data[room:])[-_KEPT_BYTES:]
            if self.printed_too_much and self._process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, _END)
        os.close(outlet)


def _output(place: str) -> tuple[int | None, int]:
    """Return the doctor's end of the output, if it has one, and the end of the bot."""
    if place == "full":
        return None, os.open("/dev/full", os.O_WRONLY)
    outlet, inlet = os.pipe()
    if place == "unread":
        os.close(outlet)
        return None, inlet
    return outlet, inlet
