"""Processes of referees: a server starts them, gives each its matches, and starts them anew when they end."""

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
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

_MODULE: Final = "ordago.arena.referees.process"
_MOST_READ: Final = 1 << 20
_AT_A_STROKE: Final = 85
"""So many calls are heard before others in trio's thread get their turn. Most of them are a decision each."""
_PING_SECONDS: Final = 2.0
_TOLD_PINGS: Final = 3
"""After so many pings in vain it is told."""
_SILENT_PINGS: Final = 10
"""A process that says nothing all the while from one ping to the next, so often in a row, hangs, and is ended: each
frame that it hears it replies to. Pings are counted, and no seconds, since a server that was paused itself, as a
container is, has heard from nobody for as long."""
_END_SECONDS: Final = 2.0
"""How long a process may take to end by itself."""
_MOST_DEATHS: Final = 5
"""So many processes in a row may end before a match is over. What ends them is no accident then."""


class RefereesFailedError(Exception):
    """Processes of referees end, one after the other, before they get anywhere. The server, or the machine, erred."""


class _Process:
    """A process of referees as the server knows it."""

    def __init__(self, journal: MatchJournal) -> None:
        self._journal = journal
        self.matches: dict[object, PooledMatch] = {}
        self._outbox: list[Call] = []
        self._due = trio.Event()
        self.heard = 0
        """How many pieces came from it so far."""

    def say(self, call: Call) -> None:
        """Say something soon, with all else that is said by then."""
        if not self._outbox:
            self._due.set()
        self._outbox.append(call)

    async def speak(self, stream: trio.SocketStream) -> None:
        """Send what is said, until the process is gone; now and then nothing, so that it replies."""
        try:
            while True:
                with trio.move_on_after(_PING_SECONDS):
                    await self._due.wait()
                calls, self._outbox, self._due = self._outbox, [], trio.Event()
                await stream.send_all(framed(calls))
        except trio.BrokenResourceError:
            """Whoever listens to it finds out, when all is heard that it had to say."""

    async def listen(self, stream: trio.SocketStream) -> None:
        """Hear what it says until it is gone."""
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
    """Referees in processes of their own. It is ``play.Referees``; what is to be played waits until it runs."""

    def __init__(self, processes: int, telemetry: Telemetry, *, journal: MatchJournal = NO_JOURNAL) -> None:
        """Prepare so many processes; none is started yet.

        Args:
            processes: how many.
            telemetry: is told when one of them ends.
            journal: where the choices of the matches are entered.
        """
        self._telemetry = telemetry
        self._journal = journal
        self._processes = [_Process(journal) for _ in range(processes)]
        self._numbers = count()
        self._silent: set[_Process] = set()
        """Those of which it is told that they do not answer."""
        self._deaths = 0
        """How many processes ended since a match was over."""

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
        """Give a match to the process with the fewest."""
        process = min(self._processes, key=lambda process: len(process.matches))
        process.matches[match.number] = match
        match.begin_at(process.say)

    def _drop(self, match: PooledMatch) -> None:
        for process in self._processes:
            if process.matches.pop(match.number, None) is not None:
                process.say(("drop", match.number))

    async def run(self) -> None:
        """Keep all processes running until it is cancelled.

        Raises:
            RefereesFailedError: they end, one after the other.
        """
        async with trio.open_nursery() as nursery:
            for place in range(len(self._processes)):
                nursery.start_soon(self._keep, place)

    async def _keep(self, place: int) -> None:
        """Keep one process running, one after the other."""
        while True:
            async with _started() as (stream, process):
                await self._attend(self._processes[place], stream, process)
            self._take_over(place)

    async def _attend(self, referees: _Process, stream: trio.SocketStream, process: trio.Process) -> None:
        """Speak with a process until it is gone."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referees.speak, stream)
            nursery.start_soon(self._watch, referees, process)
            await referees.listen(stream)
            nursery.cancel_scope.cancel()

    async def _watch(self, referees: _Process, process: trio.Process) -> None:
        """End a process that hangs. What it played goes on elsewhere."""
        silent = 0
        while silent < _SILENT_PINGS:
            heard = referees.heard
            await trio.sleep(_PING_SECONDS)
            silent = 0 if referees.heard > heard else silent + 1
            # One that has not said anything yet is being started.
            self._tell_silence(referees, is_silent=silent >= _TOLD_PINGS and bool(referees.heard))
        process.kill()

    def _tell_silence(self, referees: _Process, *, is_silent: bool) -> None:
        if is_silent:
            self._silent.add(referees)
            why = f"{len(referees.matches)} matches wait for it"
            self._telemetry.begins(Trouble.REFEREES, why)
        elif referees in self._silent:
            self._silent.discard(referees)
            if not self._silent:
                self._telemetry.is_over(Trouble.REFEREES)

    def _take_over(self, place: int) -> None:
        """Give to others, and to the next one, what a process played that has ended."""
        self._tell_silence(self._processes[place], is_silent=False)
        left = self._processes[place].matches
        self._processes[place] = _Process(self._journal)
        self._telemetry.referees_ended(matches=len(left))
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise RefereesFailedError(f"{self._deaths} processes of referees ended, one after the other")
        for match in left.values():
            if match.lose_referee():
                self._give(match)


@asynccontextmanager
async def _started() -> AsyncIterator[tuple[trio.SocketStream, trio.Process]]:
    """Start a process, and end it when this context does: it ends by itself when its socket is shut."""
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
            await process.wait()
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def _processors() -> frozenset[int]:
    """Return where referees may run: where the threads of the server do not, if that leaves any."""
    if not ALLOWED:
        return ALLOWED
    own = frozenset(os.sched_getaffinity(0))
    return (ALLOWED - own if len(own) == 1 else ALLOWED) or ALLOWED
