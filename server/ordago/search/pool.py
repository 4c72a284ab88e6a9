"""Processes that answer requests to the rules, from the side of their service.

The service never looks into a request. A call that hangs, crashes or takes too much memory costs its caller a sentence,
and the next one the quarter of a second in which a new process starts.
"""

import secrets
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import LifoQueue
from time import monotonic
from typing import Final

from ordago.search.process import ANSWERED
from ordago.search.requests import FIRST_WORLD_SECONDS, GRACE_SECONDS, MOST_SECONDS, RequestError, Why
from ordago.search.states import KEY_BYTES

_MODULE: Final = "ordago.search.process"
_LOOK_SECONDS: Final = 0.1
"""The interval in which a call is checked for a caller that has gone."""
MOST_CALL_SECONDS: Final = FIRST_WORLD_SECONDS + MOST_SECONDS + 2 * GRACE_SECONDS
"""The time after which a process is ended. It ends a call itself before, unless compiled rules hang."""


class CallerGoneError(Exception):
    """The caller has ended the call, or is gone."""


class _Process:
    """A process, which is started with its first call, and again after its end."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._running: tuple[subprocess.Popen[bytes], Connection] | None = None

    def start(self) -> Connection:
        """Return the connection to the process, which is started if there is none."""
        if self._running is None:
            ours, theirs = Pipe()
            with theirs:
                number = theirs.fileno()
                # -P: no module in the working folder takes the place of one of ours. In a process group of its
                # own, Ctrl-C reaches only the service, which then ends it.
                process = subprocess.Popen(  # noqa: S603 - our own module
                    (sys.executable, "-P", "-m", _MODULE, str(number)),
                    stdin=subprocess.DEVNULL,
                    pass_fds=(number,),
                    process_group=0,
                )
            self._running = process, ours
            ours.send_bytes(self._key)
        return self._running[1]

    def end(self) -> None:
        """Kill the process, if there is one."""
        if self._running is not None:
            process, connection = self._running
            self._running = None
            process.kill()
            process.wait()
            connection.close()

    def answer(self, call: str, request: bytes, is_wanted: Callable[[], bool]) -> bytes:
        """Return the answer of the process. See ``Pool.answer``."""
        if not is_wanted():
            raise CallerGoneError
        try:
            return self._answer(call, request, is_wanted)
        except BaseException as error:
            # The answer may still come, and would be taken for the next one.
            self.end()
            if not isinstance(error, (EOFError, OSError)):
                raise
        raise RequestError(Why.FAILED, "the process that answers ended: the call took too much memory?")

    def _answer(self, call: str, request: bytes, is_wanted: Callable[[], bool]) -> bytes:
        connection = self.start()
        connection.send_bytes(call.encode())
        connection.send_bytes(request)
        until = monotonic() + MOST_CALL_SECONDS
        while not connection.poll(_LOOK_SECONDS):
            if not is_wanted():
                raise CallerGoneError
            if monotonic() > until:
                raise RequestError(Why.TOO_LONG, "the call took too long, and its process was ended")
        return connection.recv_bytes()


class Pool:
    """Processes that answer one request each at a time."""

    def __init__(self, processes: int) -> None:
        """Prepare so many processes, with a new secret for the states that they hand out."""
        key = secrets.token_bytes(KEY_BYTES)
        self.size: Final = processes
        """The number of processes."""
        self._all = [_Process(key) for _ in range(processes)]
        self._has_ended = False
        self._idle: LifoQueue[_Process] = LifoQueue()
        for process in self._all:
            self._idle.put(process)

    def start(self) -> None:
        """Start all processes now, so that no call waits for one.

        Raises:
            OSError: one cannot be started.
        """
        for process in self._all:
            process.start()

    def end(self) -> None:
        """End all processes."""
        self._has_ended = True
        for process in self._all:
            process.end()

    def answer(self, call: str, request: bytes, *, is_wanted: Callable[[], bool]) -> bytes:
        """Return the answer to a request, serialized, once a process is idle. For any thread.

        Args:
            call: the name of the call.
            request: the request, serialized.
            is_wanted: asked now and then; False ends the call.

        Raises:
            RequestError: the request is not answered.
            CallerGoneError: nobody wants the answer any more.
        """
        process = self._idle.get()
        try:
            # A process that began after the end would outlive the pool.
            answered = process.answer(call, request, lambda: is_wanted() and not self._has_ended)
        finally:
            self._idle.put(process)
        if answered[:1] == ANSWERED:
            return answered[1:]
        raise RequestError(Why(answered[0]), answered[1:].decode())
