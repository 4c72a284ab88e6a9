"""What a runner and its workers say to each other.

A worker is told of matches with the secret that their deals come from, but nothing of what was played before. It runs
the organiser's own code, as the organiser: what it says is unpickled. What came over a cluster is held against what was
issued, see ``inspection``.
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
"""What the process of a worker runs."""
_LENGTH: Final = struct.Struct(">I")
LENGTH_BYTES: Final = _LENGTH.size
"""So many bytes before each message say how long it is."""


class Setup(NamedTuple):
    """How an event is played: the first message to a worker."""

    settings: Settings
    """The event, without its secret."""
    description: bytes
    """What is told of the event to whoever asks, serialized."""
    journal: Path
    """Where the worker enters what is decided."""
    logs: Path
    """The folder for what its bots print."""
    hidden: tuple[Path, ...]
    """What no bot may read."""
    parallel: int
    """How many matches it plays at once at most."""
    suspended: tuple[Suspension, ...]
    """Who is suspended."""
    head: Head
    """How far the ledger has come."""
    unbuilt: Mapping[str, str]
    """Why nobody starts them, by entrant, of those whose builds failed."""
    processor: int | None = None
    """The number of the processor for its server, counted round all that there are; ``None``: it chooses."""


class Issued(NamedTuple):
    """A match that a worker is to play."""

    planned: PlannedMatch
    match_id: str
    contents: bytes
    """What it is played under, the secret of its deals too, and how far it has come: a ``JournaledMatch``."""

    @property
    def journaled(self) -> JournaledMatch:
        """What it is played under, and how far it has come."""
        return JournaledMatch.FromString(self.contents)


class Task(NamedTuple):
    """Matches of one duplicate set, for one worker."""

    matches: tuple[Issued, ...]


class Committed(NamedTuple):
    """A match that the worker has played is committed."""

    match_id: str
    record_digest: bytes
    """Empty where another play of the match counts."""
    head: Head


class Voided(NamedTuple):
    """The ledger knows that an attempt at a match is void."""

    match_id: str
    head: Head


class Suspend(NamedTuple):
    """An entrant is suspended."""

    suspension: Suspension


class Retire(NamedTuple):
    """No more matches come."""


ToWorker = Setup | Task | Committed | Voided | Suspend | Retire


class Played(NamedTuple):
    """A match came to its end. Its bots are told when the runner has committed it."""

    match_id: str
    played: PlayedMatch
    """What is to be committed: the worker has more time for it than the runner, who does it for all."""


class Failed(NamedTuple):
    """The server failed in an attempt at a match."""

    match_id: str
    failure: Failure


class Warned(NamedTuple):
    """Something happened that the organiser should know."""

    sentence: str


class Broken(NamedTuple):
    """The worker cannot go on, and another one could not either."""

    error: Exception


ToRunner = Played | Failed | Warned | Broken


def packed(message: ToWorker | ToRunner) -> bytes:
    """Return a message as it is sent."""
    content = pickle.dumps(message)
    return _LENGTH.pack(len(content)) + content


def length_of(start: bytes) -> int:
    """Return how many bytes follow the first ones of a message."""
    length: int = _LENGTH.unpack(start)[0]
    return length


def unpacked(content: bytes) -> Any:  # noqa: ANN401 - whoever reads looks at what it is
    """Return the message that was sent. Its sender can do here whatever it likes."""
    return pickle.loads(content)  # noqa: S301 - it comes from the organiser's own process


def setup_of(context: RunContext, *, journal: Path, logs: Path, parallel: int, processor: int | None = None) -> Setup:
    """Return how the event of an office is played."""
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
    """Return the next attempt at a match, which goes on from where the journal has it."""
    terms = context.terms(planned)
    source = terms.deals.source
    assert isinstance(source, SecretDeals)
    entry = match_entry(terms, [JournaledSeat() for _ in terms.seats])
    entry.record.secret = source.secret
    entry.record.entries.extend(context.journal.past_of(terms))
    return Issued(planned, terms.match_id, entry.SerializeToString())


def terms_issued(match: JournaledMatch) -> MatchTerms:
    """Return what a match is played under that was issued. Its record does not reveal the secret."""
    return terms_of(match, secret=match.record.secret)


def task_of(context: RunContext, matches: Iterable[PlannedMatch]) -> Task:
    """Return the task to play matches of one set, each from where it is now."""
    return Task(tuple(issued(context, planned) for planned in matches))


class ChannelClosedError(Exception):
    """Whoever is at the other end is gone."""


class Channel:
    """Messages to and from another process."""

    def __init__(self, end: socket.socket) -> None:
        """Speak over a socket, which is closed with the channel."""
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(end))
        self._turn = trio.Lock()

    async def send(self, message: ToWorker | ToRunner) -> None:
        """Send a message.

        Raises:
            ChannelClosedError: whoever is at the other end is gone.
        """
        try:
            async with self._turn:
                await self._stream.send_all(packed(message))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ChannelClosedError from None

    async def receive(self) -> Any:  # noqa: ANN401 - whoever receives looks at what it is
        """Wait for a message and return it.

        Raises:
            ChannelClosedError: whoever is at the other end is gone.
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
        """End it."""
        await self._stream.aclose()


@dataclass(frozen=True, slots=True)
class ReportedMatch:
    """A match that a worker has played to its end, and that the journal holds until it is committed."""

    match_id: str
    entrants: tuple[str, ...]
    """The entrant of each seat."""
    result: PlayedMatch
    journal: Journal
    say: Callable[[Committed], None]
    """Tells the worker that it is committed."""

    def played(self) -> PlayedMatch:
        """Return what is committed of it."""
        return self.result

    def tell(self, record_digest: bytes, head: Head) -> None:
        """Tell the worker that it is committed, and how far the ledger has come with it."""
        self.journal.end_match(self.match_id)
        self.say(Committed(self.match_id, record_digest, head))
