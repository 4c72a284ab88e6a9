"""A worker: a process with its own server and bots, which plays the matches that it is sent.

A runner, or a member of a cluster, starts it and exchanges messages over an inherited socket. It ends when that process
ends, and its bots end with it.
"""

import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import trio

from ordago import v1
from ordago.arena.processes.collector import collect_seldom
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.arena.processes.isolation.sampler import sampling
from ordago.arena.processes.processor import ALLOWED
from ordago.arena.upkeep import keep_up
from ordago.edge import EdgeError, EdgeFailedError, open_host
from ordago.edge.sockets import UNIX
from ordago.files import private_folder
from ordago.journal import Journal, JournalError
from ordago.match import MatchTerms
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.entrants.entrant_bots import EntrantBots
from ordago_ladder.entrants.remote import RemoteEntrants
from ordago_ladder.entrants.sandboxes import Sandboxes, isolation_of
from ordago_ladder.run.playing import EndedMatch, Playing, VoidAttemptError
from ordago_ladder.watching import Unwatched
from ordago_ladder.workers.messages import (
    Broken,
    Channel,
    ChannelClosedError,
    Committed,
    Failed,
    Issued,
    Played,
    Retire,
    Setup,
    Suspend,
    Task,
    Voided,
    Warned,
    terms_issued,
)

_FORESEEN = (JournalError, NotStartableError, NoIsolationError, EdgeError, EdgeFailedError)
"""The errors that the runner shows the organiser. Any other is a bug, with a traceback in the worker's log."""


class _Worker:
    """A player of issued matches, until the runner retires it."""

    def __init__(self, channel: Channel, setup: Setup, journal: Journal) -> None:
        self._channel = channel
        self._journal = journal
        self._room = trio.Semaphore(setup.parallel)
        self._head = setup.head
        self._terms: dict[str, MatchTerms] = {}
        """The terms of matches whose outcome the runner has not confirmed yet, by match id."""
        self._untold: dict[str, EndedMatch | VoidAttemptError] = {}
        """Those of these matches that are over."""

    async def work(self, entrant_bots: EntrantBots) -> None:
        """Play until the runner sends no more matches and all bots are notified of their results."""
        playing = Playing(entrant_bots, head=lambda: self._head, journal=self._journal, telemetry=Telemetry())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_up, self._journal, Telemetry())
            async for issued in self._listen(entrant_bots):
                nursery.start_soon(self._play, playing, issued)
            nursery.cancel_scope.cancel()

    async def _listen(self, entrant_bots: EntrantBots) -> AsyncIterator[Issued]:
        """Handle the messages of the runner, and yield the matches to play."""
        retired = False
        while not (retired and not self._terms):
            message = await self._channel.receive()
            match message:
                case Task():
                    for issued in message.matches:
                        self._begin(issued)
                        yield issued
                case Committed():
                    self._tell(message)
                case Voided():
                    self._tell_void(message)
                case Suspend():
                    entrant_bots.suspend(message.suspension)
                case Retire():
                    retired = True
                    entrant_bots.retire()

    def _begin(self, issued: Issued) -> None:
        begun = issued.journaled
        terms = self._terms[issued.match_id] = terms_issued(begun)
        if begun.record.entries:
            self._journal.page_for(terms, past=begun.record.entries)

    def _tell(self, committed: Committed) -> None:
        self._head = max(self._head, committed.head)
        del self._terms[committed.match_id]
        match = self._untold.pop(committed.match_id)
        assert isinstance(match, EndedMatch)
        match.tell(committed.record_digest, self._head)

    def _tell_void(self, voided: Voided) -> None:
        self._head = max(self._head, voided.head)
        del self._terms[voided.match_id]
        attempt = self._untold.pop(voided.match_id)
        assert isinstance(attempt, VoidAttemptError)
        attempt.tell(self._head)

    async def _play(self, playing: Playing, issued: Issued) -> None:
        async with self._room:
            try:
                match = await playing.attempt(issued.planned, self._terms[issued.match_id])
            except VoidAttemptError as void:
                self._untold[issued.match_id] = void
                said: Played | Failed = Failed(issued.match_id, void.failure)
            else:
                self._untold[issued.match_id] = match
                said = Played(issued.match_id, await trio.to_thread.run_sync(match.played))
        await self._channel.send(said)


async def work(channel: Channel) -> None:
    """Work for the process at the other end of a channel.

    Raises:
        ChannelClosedError: that process is gone.
    """
    setup = await channel.receive()
    assert isinstance(setup, Setup)
    _keep_to(setup.processor)
    warnings, to_warn = trio.open_memory_channel[str](1000)
    private_folder(setup.logs)
    private_folder(setup.journal.parent)
    with closing(Journal(setup.journal)) as journal:
        worker = _Worker(channel, setup, journal)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_warn, channel, to_warn)
            with warnings:
                async with _bots(setup, warnings) as entrant_bots:
                    await worker.work(entrant_bots)


@asynccontextmanager
async def _bots(setup: Setup, warnings: trio.MemorySendChannel[str]) -> AsyncIterator[EntrantBots]:
    settings, telemetry = setup.settings, Telemetry()
    description = v1.DescribeEventResponse.FromString(setup.description)
    games = [game.name for game in settings.games]
    opened = open_host(games, event=description, telemetry=telemetry, unix_socket=True)
    with isolation_of(settings) as isolation:
        async with sampling() as sampler, opened as host:
            sandboxes = Sandboxes(
                settings, isolation, hidden=setup.hidden, socket=Path(host.address.removeprefix(UNIX))
            )
            entrant_bots = EntrantBots(
                settings,
                host=host,
                sandboxes=sandboxes,
                sampler=sampler,
                logs=setup.logs,
                warn=warnings.send_nowait,
                telemetry=telemetry,
                remote=RemoteEntrants(settings, listener=Unwatched()),
                unbuilt=setup.unbuilt,
            )
            for suspension in setup.suspended:
                entrant_bots.suspend(suspension)
            yield entrant_bots


async def _warn(channel: Channel, sentences: trio.MemoryReceiveChannel[str]) -> None:
    async for sentence in sentences:
        await channel.send(Warned(sentence))


def _keep_to(processor: int | None) -> None:
    """Pin the server of this worker to one processor. Its bots still use all: ``ALLOWED`` was read before this."""
    if processor is not None and ALLOWED:
        os.sched_setaffinity(0, {sorted(ALLOWED)[processor % len(ALLOWED)]})


async def _main(descriptor: int) -> None:
    channel = Channel(socket.socket(fileno=descriptor))
    try:
        await work(channel)
    except* ChannelClosedError:
        pass  # The parent process is gone, so there is nothing to report to.
    except* _FORESEEN as group:
        await channel.send(Broken(_first(group)))


def _first(group: BaseExceptionGroup[Exception]) -> Exception:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


if __name__ == "__main__":
    collect_seldom()
    trio.run(_main, int(sys.argv[1]))
