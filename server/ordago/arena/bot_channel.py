"""The channel to one bot, across all of its connections."""

import time
from typing import NamedTuple, Protocol

import trio

from ordago import v1
from ordago.arena.connection import Connection, Departure, Status
from ordago.arena.deadline_queue import DeadlineQueue
from ordago.arena.referee_clock import RefereeClock
from ordago.match import Acceptance
from ordago.protocol import ServerBody, ServerConnection
from ordago.telemetry.telemetry import BotTelemetry, Ending


class Loss(NamedTuple):
    """The reason why a bot does not come back."""

    fault: v1.Fault
    sentence: str


class Waiting(Protocol):
    """A seat waiting for a free decision slot of its bot."""

    def put(self) -> None:
        """Send the waiting decision: a slot is free now."""


class Keeper(Protocol):
    """A supervisor of a bot that the server runs itself. Such a bot never forfeits: its next process plays on."""

    @property
    def name(self) -> str:
        """The name of the bot."""

    def replace(self) -> None:
        """Replace the process, which does not answer. The next one plays its matches on."""


class BotChannel:
    """The channel to one bot. Messages are sent while the bot is connected, else dropped. Used in trio's thread.

    The number of decisions open at the bot at once is limited; the seats of further decisions wait for a slot.
    """

    def __init__(
        self, clock: RefereeClock, deadlines: DeadlineQueue, telemetry: BotTelemetry, *, max_open_decisions: int
    ) -> None:
        """Begin without a connection."""
        self.clock = clock
        """The clock that the bot is charged by."""
        self.deadlines = deadlines
        """The deadlines of its open decisions and of its absence."""
        self.telemetry = telemetry
        """The telemetry of the bot."""
        self.has_come = False
        """True once the bot has been connected to this server process."""
        self.keeper: Keeper | None = None
        """The supervisor of a bot that the server runs itself; ``None`` for an entrant's bot."""
        self.loss: Loss | None = None
        """The reason why it does not come back; ``None`` while it is connected or may come back."""
        self.connection: Connection | None = None
        """The current connection; ``None`` while the bot is away."""
        self.connected_at = 0.0
        """The time when the last connection began, in seconds since 1970; 0 before the first."""
        self._connection = ServerConnection()
        self._expected = trio.Event()
        self._room = max_open_decisions
        self._max_open_decisions = max_open_decisions
        # A list, since an empty deque already allocates 64 entries: usually no seat ever waits.
        self._waiting: list[Waiting] = []
        self._endings: list[tuple[v1.MatchStart, v1.MatchEnd]] = []
        """The matches that ended while the bot was away, to be reported when it comes back."""

    @property
    def connected(self) -> bool:
        """True while the bot is connected."""
        return self.connection is not None

    async def expect(self) -> None:
        """Wait until the bot has connected to this server process once, or is lost."""
        await self._expected.wait()

    def take_up(self, connection: Connection, protocol: ServerConnection) -> None:
        """Go on over a connection that was just welcomed, and report the matches that ended meanwhile."""
        self.connection, self._connection = connection, protocol
        self.has_come, self.connected_at = True, time.time()
        self._expected.set()
        for start, end in self._endings:
            self.send(start)
            self.send(end)
        self._endings.clear()

    def end(self, ending: Ending, status: Status, sentence: str) -> None:
        """Close the connection and report its ending. The bot has to be connected."""
        assert self.connection is not None
        self.telemetry.ended(ending)
        self.close(status, sentence)

    def close(self, status: Status, sentence: str) -> None:
        """Close the connection. The bot has to be connected."""
        assert self.connection is not None
        self.connection.close(status, sentence)

    def cut(self) -> None:
        """Note that the connection is gone, and with it every decision open at the bot."""
        self.connection = None
        self._room = self._max_open_decisions
        self._waiting.clear()

    def lose(self, loss: Loss) -> None:
        """Note that the bot does not come back."""
        self.loss = loss
        self._expected.set()

    def send(self, body: ServerBody) -> None:
        """Send a message to the bot, if it is connected."""
        if self.connection is not None:
            self.connection.send(self._connection.send(body))

    def put(self, handle: int, decision: bytes) -> Departure:
        """Send a decision to the bot, which has to be connected, with a slot taken for it.

        Args:
            handle: the match handle.
            decision: the decision without the match handle, serialized.
        """
        assert self.connection is not None
        departure = Departure(self.clock.now(), self.clock.lost)
        self.connection.send(self._connection.send_decision(handle, decision), departure)
        return departure

    def accept(self, handle: int, accepted: Acceptance, *, again: bool = False) -> None:
        """Notify the bot, if it is connected, that a decision of the match with this handle is closed.

        With tacit acceptance the bot is notified only of an answer that does not stand, or when asked to ``again``.
        """
        if self.connection is not None and (again or accepted.fault or not self._connection.is_tacit):
            self.connection.send(self._connection.send_accepted(handle, accepted.serialized()))

    def tell_end(self, start: v1.MatchStart, end: v1.MatchEnd) -> None:
        """Report the end of a match now, or as soon as the bot is connected again."""
        if self.connection is not None:
            self.send(end)
        elif self.loss is None:
            self._endings.append((start, end))

    def take_room(self, waiting: Waiting) -> bool:
        """Take a decision slot of the bot, which has to be connected, and return True.

        If none is free, return False and call ``put`` of the waiting seat as soon as one is.
        """
        if self._room:
            self._room -= 1
            return True
        self._waiting.append(waiting)
        return False

    def give_room_back(self) -> None:
        """Free a decision slot, and hand it to the seat that has waited longest."""
        if self._waiting:
            self._waiting.pop(0).put()
        else:
            self._room += 1

    def wait_no_more(self, waiting: Waiting) -> None:
        """Take a seat out of the queue for slots, if it is there."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)
