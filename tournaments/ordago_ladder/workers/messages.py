"""Messages between a runner and its workers.

A worker gets matches with the secret of their deals, but no earlier results. It runs the organiser's own code under the
organiser's account, so its messages are unpickled. Results from a cluster are checked against the matches that were
issued, see ``cluster.inspected``.
"""

import pickle
import socket
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import trio

from ordago.chance import SecretDeals
from ordago.journal import Journal
from ordago.journal.terms import match_entry, terms_of
from ordago.journal.v1 import JournaledMatch, JournaledSeat
from ordago.match import MatchTerms
from ordago.record.head import Head
from ordago.store import PlannedMatch, PlayedMatch
from ordago_ladder.run.attempts import Failure
from ordago_ladder.run.playing import RunContext
from ordago_ladder.schedule.conduct import Suspension
from ordago_ladder.settings.settings import Settings

WORKER_MODULE: Final = "ordago_ladder.workers.worker"
"""The module that the process of a worker runs."""
_LENGTH: Final = struct.Struct(">I")
LENGTH_BYTES: Final = _LENGTH.size
"""The size of the length prefix of a message."""


class Setup(NamedTuple):
    """The setup of an event: the first message to a worker."""

    settings: Settings
    """The event, without its secret."""
    description: bytes
    """The answer to ``DescribeEvent``, serialized."""
    journal: Path
    """The path of the worker's journal."""
    logs: Path
    """The folder for the output of its bots."""
    hidden: tuple[Path, ...]
    """The paths that no bot may read."""
    parallel: int
    """The most matches that it plays at once."""
    suspended: tuple[Suspension, ...]
    """The suspensions so far."""
    head: Head
    """The head of the ledger."""
    unbuilt: Mapping[str, str]
    """The reasons of failed builds, by entrant. These bots are not started."""
    processor: int | None = None
    """The processor for its server, an index modulo the allowed processors; ``None`` for no affinity."""


class Issued(NamedTuple):
    """A match for a worker to play."""

    planned: PlannedMatch
    match_id: str
    contents: bytes
    """Its terms, the secret of its deals and the entries so far: a serialized ``JournaledMatch``."""

    @property
    def journaled(self) -> JournaledMatch:
        """The parsed contents."""
        return JournaledMatch.FromString(self.contents)


class Task(NamedTuple):
    """Matches of one duplicate set, for one worker."""

    matches: tuple[Issued, ...]


class Committed(NamedTuple):
    """Notice to a worker that one of its matches was committed."""

    match_id: str
    record_digest: bytes
    """The digest of the record; empty where another play of the match counts."""
    head: Head


class Voided(NamedTuple):
    """Notice to a worker that a void attempt is in the ledger."""

    match_id: str
    head: Head


class Suspend(NamedTuple):
    """Notice to a worker that an entrant is suspended."""

    suspension: Suspension


class Retire(NamedTuple):
    """Notice to a worker that no more matches come."""


ToWorker = Setup | Task | Committed | Voided | Suspend | Retire


class Played(NamedTuple):
    """A finished match. Its bots are notified once the runner has committed it."""

    match_id: str
    played: PlayedMatch
    """The match as it is committed. The worker computes it, since the runner would have to for all workers."""


class Failed(NamedTuple):
    """An attempt at a match in which the server failed."""

    match_id: str
    failure: Failure


class Warned(NamedTuple):
    """A warning for the organiser."""

    sentence: str


class Broken(NamedTuple):
    """An error that ends the worker, and would end any other worker too."""

    error: Exception


ToRunner = Played | Failed | Warned | Broken


def packed(message: ToWorker | ToRunner) -> bytes:
    """Return the bytes of a message: a length prefix and the pickle."""
    content = pickle.dumps(message)
    return _LENGTH.pack(len(content)) + content


def length_of(start: bytes) -> int:
    """Return the number of bytes after the length prefix of a message."""
    length: int = _LENGTH.unpack(start)[0]
    return length


def unpacked(content: bytes) -> Any:  # noqa: ANN401 - the caller checks the type
    """Return a message from its pickle. Its sender has to be trusted: unpickling can run any code."""
    return pickle.loads(content)  # noqa: S301 - it comes from the organiser's own process


def setup_of(context: RunContext, *, journal: Path, logs: Path, parallel: int, processor: int | None = None) -> Setup:
    """Return the setup message of a run."""
    settings = context.settings
    return Setup(
        settings=settings.model_copy(update={"event": settings.event.model_copy(update={"secret": None})}),
        description=context.description.SerializeToString(),
        journal=journal,
        logs=logs,
        hidden=context.hidden,
        parallel=parallel,
        suspended=context.suspended(),
        head=context.head(),
        unbuilt=context.unbuilt,
        processor=processor,
    )


def issued(context: RunContext, planned: PlannedMatch) -> Issued:
    """Return the next attempt at a match, which continues from the entries in the journal."""
    terms = context.terms(planned)
    source = terms.deals.source
    assert isinstance(source, SecretDeals)
    entry = match_entry(terms, [JournaledSeat() for _ in terms.seats])
    entry.record.secret = source.secret
    entry.record.entries.extend(context.journal.past_of(terms))
    return Issued(planned, terms.match_id, entry.SerializeToString())


def terms_issued(match: JournaledMatch) -> MatchTerms:
    """Return the terms of an issued match. Its record does not reveal the secret."""
    return terms_of(match, secret=match.record.secret)


def task_of(context: RunContext, matches: Iterable[PlannedMatch]) -> Task:
    """Return the task for matches of one set, each continued from the journal."""
    return Task(tuple(issued(context, planned) for planned in matches))


class ChannelClosedError(Exception):
    """The process at the other end is gone."""


class Channel:
    """A two-way channel of messages to another process."""

    def __init__(self, end: socket.socket) -> None:
        """Use a socket, which is closed with the channel."""
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(end))
        self._turn = trio.Lock()

    async def send(self, message: ToWorker | ToRunner) -> None:
        """Send a message.

        Raises:
            ChannelClosedError: the process at the other end is gone.
        """
        try:
            async with self._turn:
                await self._stream.send_all(packed(message))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ChannelClosedError from None

    async def receive(self) -> Any:  # noqa: ANN401 - the caller checks the type
        """Wait for a message and return it.

        Raises:
            ChannelClosedError: the process at the other end is gone.
        """
        try:
            return unpacked(await self._read(length_of(await self._read(LENGTH_BYTES))))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ChannelClosedError from None

    async def _read(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            part = await self._stream.receive_some(size - len(content))
            if not part:
                raise ChannelClosedError
            content += part
        return bytes(content)

    async def aclose(self) -> None:
        """Close the channel and its socket."""
        await self._stream.aclose()


@dataclass(frozen=True, slots=True)
class ReportedMatch:
    """A match that a worker has finished. The journal holds it until it is committed."""

    match_id: str
    entrants: tuple[str, ...]
    """The entrant of each seat."""
    result: PlayedMatch
    journal: Journal
    say: Callable[[Committed], None]
    """Sends a message to the worker that played it."""

    def played(self) -> PlayedMatch:
        """Return the match as it is committed."""
        return self.result

    def tell(self, record_digest: bytes, head: Head) -> None:
        """End the match in the journal, and notify the worker of the commit and the head of the ledger."""
        self.journal.end_match(self.match_id)
        self.say(Committed(self.match_id, record_digest, head))
