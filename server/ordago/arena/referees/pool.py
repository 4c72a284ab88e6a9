"""A pool of referee processes, which share the matches of a server and are restarted when they end."""

import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Final

import trio

from ordago.arena.play import SeatedMatch
from ordago.arena.processes.processor import ALLOWED
from ordago.arena.referees.pooled_match import PooledMatch, hear
from ordago.arena.referees.steps import Call, Frames, framed
from ordago.journal import NO_JOURNAL, MatchJournal
from ordago.match import PlayedOut
from ordago.reaping import reaped
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

_MODULE: Final = "ordago.arena.referees.process"
_MOST_READ: Final = 1 << 20
_AT_A_STROKE: Final = 85
"""Calls processed before other tasks in trio's thread run. Most of them are a decision each."""
_PING_SECONDS: Final = 2.0
"""Interval of pings: with ``_SILENT_PINGS`` a process that hangs is replaced after 20 seconds."""
_REPORTED_PINGS: Final = 3
"""Unanswered pings in a row after which a trouble is reported."""
_SILENT_PINGS: Final = 10
"""Unanswered pings in a row after which a process counts as hanging and is ended, since it replies to each frame. Pings
are counted instead of seconds: a server that was paused, as in a container, has received nothing in that time."""
_END_SECONDS: Final = 2.0
"""Time for a process to end by itself."""
_MOST_DEATHS: Final = 5
"""Processes that may end in a row without a finished match between them. Beyond that it is no accident."""


class RefereesFailedError(Exception):
    """Referee processes end one after the other before any match is over. The server or the machine erred."""


class _Process:
    """The server's end of a referee process."""

    def __init__(self, journal: MatchJournal) -> None:
        self._journal = journal
        self.matches: dict[object, PooledMatch] = {}
        self._outbox: list[Call] = []
        self._due = trio.Event()
        self.heard = 0
        """Number of reads from its socket so far."""

    def say(self, call: Call) -> None:
        """Queue a call. Calls queued together are sent in one frame."""
        if not self._outbox:
            self._due.set()
        self._outbox.append(call)

    async def speak(self, stream: trio.SocketStream) -> None:
        """Send queued calls until the process is gone; without any, an empty frame as a ping."""
        try:
            while True:
                with trio.move_on_after(_PING_SECONDS):
                    await self._due.wait()
                calls, self._outbox, self._due = self._outbox, [], trio.Event()
                await stream.send_all(framed(calls))
        except trio.BrokenResourceError:
            """``listen`` notices the end, after it has read what the process sent last."""

    async def listen(self, stream: trio.SocketStream) -> None:
        """Receive and process its calls until it is gone."""
        frames = Frames()
        while piece := await _received(stream):
            self.heard += 1
            for calls in frames.taken(piece):
                await self._hear(calls)

    async def _hear(self, calls: Sequence[Call]) -> None:
        for start in range(0, len(calls), _AT_A_STROKE):
            if start:
                await trio.lowlevel.checkpoint()
            hear(calls[start : start + _AT_A_STROKE], self.matches, journal=self._journal)


async def _received(stream: trio.SocketStream) -> bytes | bytearray:
    try:
        return await stream.receive_some(_MOST_READ)
    except trio.BrokenResourceError:
        return b""


class RefereePool:
    """Runs referees in processes of their own, as ``play.Referees``. Matches wait until ``run`` has started them."""

    def __init__(self, processes: int, telemetry: Telemetry, *, journal: MatchJournal = NO_JOURNAL) -> None:
        """Prepare the processes; none is started yet.

        Args:
            processes: the number of processes.
            telemetry: receives their ends, and the trouble that one does not answer.
            journal: receives the choices of the matches.
        """
        self._telemetry = telemetry
        self._journal = journal
        self._processes = [_Process(journal) for _ in range(processes)]
        self._numbers = count()
        self._silent: set[_Process] = set()
        """The processes reported as not answering."""
        self._deaths = 0
        """Number of processes that have ended since the last finished match."""

    async def play(self, match: SeatedMatch) -> PlayedOut:
        """Play a match. See ``play.Referees``."""
        pooled = PooledMatch(next(self._numbers), match)
        self._give(pooled)
        try:
            played_out = await pooled.played_out()
        finally:
            self._drop(pooled)
        self._deaths = 0
        return played_out

    def _give(self, match: PooledMatch) -> None:
        """Give a match to the process with the fewest matches."""
        process = min(self._processes, key=lambda process: len(process.matches))
        process.matches[match.number] = match
        match.begin_at(process.say)

    def _drop(self, match: PooledMatch) -> None:
        for process in self._processes:
            if process.matches.pop(match.number, None) is not None:
                process.say(("drop", match.number))

    async def run(self) -> None:
        """Keep all processes running until cancelled.

        Raises:
            RefereesFailedError: they end one after the other.
        """
        async with trio.open_nursery() as nursery:
            for place in range(len(self._processes)):
                nursery.start_soon(self._keep, place)

    async def _keep(self, place: int) -> None:
        """Run the process in one place, and start another one whenever it ends."""
        while True:
            async with _started() as (stream, process):
                await self._attend(self._processes[place], stream, process)
            self._take_over(place)

    async def _attend(self, referees: _Process, stream: trio.SocketStream, process: trio.Process) -> None:
        """Exchange calls with a process until it is gone."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referees.speak, stream)
            nursery.start_soon(self._watch, referees, process)
            await referees.listen(stream)
            nursery.cancel_scope.cancel()

    async def _watch(self, referees: _Process, process: trio.Process) -> None:
        """Kill the process when it hangs. Its matches go on in other processes."""
        silent = 0
        while silent < _SILENT_PINGS:
            heard = referees.heard
            await trio.sleep(_PING_SECONDS)
            silent = 0 if referees.heard > heard else silent + 1
            # A process that has not replied at all yet is still starting.
            self._tell_silence(referees, is_silent=silent >= _REPORTED_PINGS and bool(referees.heard))
        process.kill()

    def _tell_silence(self, referees: _Process, *, is_silent: bool) -> None:
        if is_silent:
            self._silent.add(referees)
            why = f"{len(referees.matches)} matches are waiting for it"
            self._telemetry.begins(Trouble.REFEREES, why)
        elif referees in self._silent:
            self._silent.discard(referees)
            if not self._silent:
                self._telemetry.is_over(Trouble.REFEREES)

    def _take_over(self, place: int) -> None:
        """Hand the matches of a process that has ended to the others and to its successor."""
        self._tell_silence(self._processes[place], is_silent=False)
        left = self._processes[place].matches
        self._processes[place] = _Process(self._journal)
        self._telemetry.referees_ended(matches=len(left))
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise RefereesFailedError(f"{self._deaths} referee processes ended, one after the other")
        for match in left.values():
            if match.lose_referee():
                self._give(match)


@asynccontextmanager
async def _started() -> AsyncIterator[tuple[trio.SocketStream, trio.Process]]:
    """Start a process, and end it with this context: it ends by itself when its socket is closed."""
    ours, theirs = socket.socketpair()
    with theirs:
        arguments = (str(theirs.fileno()), ",".join(map(str, sorted(_processors()))))
        process = await trio.lowlevel.open_process(
            [sys.executable, "-P", "-m", _MODULE, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
    try:
        yield stream, process
    finally:
        ours.close()
        with trio.move_on_after(_END_SECONDS, shield=True):
            await reaped(process)
        process.kill()
        # Reaped even if cancelled, so that no zombie is left.
        with trio.CancelScope(shield=True):
            await reaped(process)


def _processors() -> frozenset[int]:
    """Return the processors for referees: all that the server's own threads do not use, if there are others."""
    if not ALLOWED:
        return ALLOWED
    own = frozenset(os.sched_getaffinity(0))
    return (ALLOWED - own if len(own) == 1 else ALLOWED) or ALLOWED
