"""Logs of what bots print: limited in size, without cost to other bots."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import trio

from ordago.arena.allowance import Allowance
from ordago.files import PRIVATE_FILE, PRIVATE_FOLDER
from ordago.names import visible

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_HEAD_BYTES: Final = 256 * 1024
_TAIL_BYTES: Final = 256 * 1024
_PER_SECOND_BYTES: Final = 256 * 1024
_AT_ONCE_BYTES: Final = 16 * 1024 * 1024
"""The contract with bots states these four numbers (docs/protocol.md, started by a runner)."""
_READ_BYTES: Final = 64 * 1024
"""The usual capacity of a pipe. After a read of this much, more may be waiting."""
_TAKEN_BYTES: Final = 1024 * 1024
"""Bytes read at a time: the capacity of a pipe that the system can be asked for."""
_PAUSE_SECONDS: Final = 0.25
"""Pause between reads. Each costs the runner some 0.2 ms, and a bot may print a line for each decision."""
_LAST_WORDS_BYTES: Final = 2048
"""Bytes at the end of a log to search for its last line: few lines are longer, but a log may have any length."""
_LIMIT: Final = f"printed more than {_AT_ONCE_BYTES >> 20} MiB, and {_PER_SECOND_BYTES >> 10} KiB more each second"
# A limiter of their own, so that a disk that hangs holds up logs only.
_keeping_threads = trio.CapacityLimiter(4)


class OutputLimitError(Exception):
    """A bot printed more than it may. The bot erred."""

    def __init__(self) -> None:
        super().__init__(_LIMIT)


class Output:
    """The log of one process: the beginning and the end of its output, in a private file."""

    def __init__(self, log: Path) -> None:
        """Append to a log."""
        log.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        self._log = os.open(log, _FLAGS, PRIVATE_FILE)
        self._outlet = -1
        self._head_left = _HEAD_BYTES
        self._tail = bytearray()
        self._left_out = 0
        self._allowance = Allowance(per_second=_PER_SECOND_BYTES, at_once=_AT_ONCE_BYTES)

    @contextmanager
    def inlet(self) -> Iterator[int]:
        """Yield the end of a pipe for the process to print to. It is closed here afterwards."""
        self._outlet, inlet = os.pipe()
        os.set_blocking(self._outlet, False)
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            # Refused once all pipes of the user together have reached the kernel's limit.
            with suppress(PermissionError):
                fcntl.fcntl(inlet, fcntl.F_SETPIPE_SZ, _TAKEN_BYTES)
        try:
            yield inlet
        finally:
            os.close(inlet)

    async def keep(self) -> None:
        """Write the output to the log until the pipe is closed, or until cancelled.

        A process that prints faster than it is read has to wait.

        Raises:
            OutputLimitError: the process printed more than it may.
        """
        try:
            while (taken := await self._take_when_there()) is not None:
                if self._allowance.take(at=trio.current_time(), amount=taken):
                    raise OutputLimitError
                if taken < _READ_BYTES:
                    await trio.sleep(_PAUSE_SECONDS)
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._close, limiter=_keeping_threads)

    async def _take_when_there(self) -> int | None:
        await trio.lowlevel.wait_readable(self._outlet)
        return await trio.to_thread.run_sync(self._take, limiter=_keeping_threads)

    def _take(self) -> int | None:
        """Read up to ``_TAKEN_BYTES`` from the pipe; return the number read, or ``None`` at its end."""
        taken = 0
        with suppress(BlockingIOError):
            while taken < _TAKEN_BYTES:
                data = os.read(self._outlet, _READ_BYTES)
                if not data:
                    return taken or None
                taken += len(data)
                self._keep(data)
        return taken

    def _keep(self, data: bytes) -> None:
        self._write(data[: self._head_left])
        self._tail += data[self._head_left :]
        self._head_left -= min(self._head_left, len(data))
        # Not each time, since cutting moves the whole tail in memory.
        if len(self._tail) > 2 * _TAIL_BYTES:
            self._cut()

    def _cut(self) -> None:
        too_much = max(0, len(self._tail) - _TAIL_BYTES)
        del self._tail[:too_much]
        self._left_out += too_much

    def _close(self) -> None:
        """Read the rest, write the tail to the log, and close both."""
        self._take()
        os.close(self._outlet)
        self._cut()
        if self._left_out:
            self._write(f"\n[{self._left_out} bytes omitted]\n".encode())
        self._write(self._tail)
        os.close(self._log)

    def _write(self, data: bytes | bytearray) -> None:
        # A full disk loses the log, but must not end a match.
        with suppress(OSError):
            os.write(self._log, data)


def last_line(log: Path) -> str:
    """Return the last line of a log, without control characters; empty if there is none."""
    try:
        with log.open("rb") as file:
            file.seek(-min(_LAST_WORDS_BYTES, file.seek(0, os.SEEK_END)), os.SEEK_END)
            lines = file.read(_LAST_WORDS_BYTES).decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    # Otherwise a bot could print control sequences to the organiser's terminal.
    return visible(lines[-1]) if lines else ""
