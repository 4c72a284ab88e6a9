"""The part of Ordago inside a Dask worker: a process for each run, and a thread that exchanges messages with it.

Dask calls these functions on the machine of the worker: ``play_set`` as a task, ``hear`` immediately.
"""

import os
import socket
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from distributed import get_worker

from ordago.arena.processes.isolation.confinement import Sandbox
from ordago.arena.processes.isolation.starting import started
from ordago.files import private_file, private_folder
from ordago.version import __version__
from ordago_ladder.helpers import command_of
from ordago_ladder.workers.messages import (
    LENGTH_BYTES,
    WORKER_MODULE,
    Broken,
    Failed,
    Played,
    Retire,
    Setup,
    Task,
    ToWorker,
    Warned,
    length_of,
    packed,
    unpacked,
)

_IDLE_SECONDS: Final = 120.0
"""Seconds without matches or messages after which a process ends: its runner is gone or has no work for it."""


class MemberLostError(Exception):
    """The Ordago process in a Dask worker has ended. The set can be played again."""


class OtherVersionError(Exception):
    """The machine of a worker has another version of Ordago than the runner."""


class Outcome(NamedTuple):
    """The results of a task."""

    address: str
    """The address of the Dask worker, which waits for notice of the commits."""
    ended: tuple[Played | Failed, ...]
    warnings: tuple[str, ...]


class _Member:
    """The Ordago process for one run, and the thread that reads from it."""

    def __init__(self, setup: Setup, run: str, folder: Path) -> None:
        self._changed = threading.Condition()
        self._turn = threading.Lock()
        self._ended: dict[str, Played | Failed] = {}
        self._warnings: list[str] = []
        self._at_work = 0
        self._broken: Exception | None = None
        place = folder / f"ordago-{run}"
        hidden = (*setup.hidden, folder)
        self._logs = place / "logs"
        self._ours, self._theirs = socket.socketpair()
        self._ours.settimeout(_IDLE_SECONDS)
        # Sent before the process exists, so that it is the first message in the socket.
        self.say(setup._replace(journal=place / "journal", logs=self._logs, hidden=hidden))
        threading.Thread(target=self._live, name=f"ordago-{run}", daemon=True).start()

    @property
    def lost(self) -> bool:
        return self._broken is not None

    def play(self, task: Task) -> tuple[tuple[Played | Failed, ...], tuple[str, ...]]:
        """Play the matches of a task; return the result of each and the new warnings."""
        wanted = [match.match_id for match in task.matches]
        with self._changed:
            self._at_work += 1
        try:
            self.say(task)
            with self._changed:
                self._changed.wait_for(lambda: self.lost or all(match in self._ended for match in wanted))
                if self._broken is not None:
                    raise self._broken
                warnings, self._warnings = tuple(self._warnings), []
                return tuple(self._ended.pop(match) for match in wanted), warnings
        finally:
            with self._changed:
                self._at_work -= 1

    def say(self, message: ToWorker) -> None:
        """Send a message. If the process has ended, mark this member as lost."""
        try:
            with self._turn:
                self._ours.sendall(packed(message))
        except OSError:
            self._lose(MemberLostError("the process that played has ended"))

    def _live(self) -> None:
        # The process dies with the thread that started it, so this thread has to outlive it.
        process = self._started()
        self._theirs.close()
        try:
            while True:
                self._take_in(self._receive())
        except (OSError, EOFError) as error:
            self._lose(MemberLostError(f"the process that played has ended ({type(error).__name__})"))
        finally:
            self._ours.close()
            process.wait()

    def _started(self) -> "subprocess.Popen[bytes]":
        private_folder(self._logs)
        log = self._logs / "worker.log"
        private_file(log)
        with log.open("ab") as output:
            end = self._theirs.fileno()
            return started(
                Sandbox(),
                command_of(WORKER_MODULE, end),
                environment=dict(os.environ),
                stdin=subprocess.DEVNULL,
                output=output.fileno(),
                descriptors=(end,),
            )

    def _receive(self) -> Any:  # noqa: ANN401 - the caller checks the type
        return unpacked(self._read(length_of(self._read(LENGTH_BYTES))))

    def _read(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            try:
                part = self._ours.recv(size - len(content))
            except TimeoutError:
                if self._at_work:
                    continue
                raise
            if not part:
                raise EOFError
            content += part
        return bytes(content)

    def _take_in(self, message: Played | Failed | Warned | Broken) -> None:
        with self._changed:
            match message:
                case Warned():
                    self._warnings.append(message.sentence)
                case Broken():
                    self._broken = message.error
                case _:
                    self._ended[message.match_id] = message
            self._changed.notify_all()

    def _lose(self, error: Exception) -> None:
        with self._changed:
            self._broken = self._broken or error
            self._changed.notify_all()


_members: dict[str, _Member] = {}
_lock = threading.Lock()


def play_set(version: str, run: str, setup: Setup, task: Task) -> Outcome:
    """Play the matches of a set for a run, and return the results. The bots wait for the commits that ``hear`` brings.

    Raises:
        OtherVersionError: the runner has another version of Ordago.
        MemberLostError: the process that played them has ended; they can be played again.
    """
    worker = get_worker()
    if version != __version__:
        raise OtherVersionError(f"{worker.address} has Ordago {__version__}, and the runner {version}")
    with _lock:
        if run not in _members or _members[run].lost:
            _members[run] = _Member(setup, run, Path(worker.local_directory))
        member = _members[run]
    ended, warnings = member.play(task)
    return Outcome(worker.address, ended, warnings)


def hear(run: str, messages: Sequence[ToWorker]) -> None:
    """Pass messages of the runner on to the process of a run; drop them if there is none."""
    member = _members.get(run)
    if member is None:
        return
    for message in messages:
        member.say(message)
    if any(isinstance(message, Retire) for message in messages):
        _members.pop(run, None)
