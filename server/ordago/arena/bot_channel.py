"""The way to one bot, over all of its connections."""

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
    """Why a bot does not come back."""

    fault: v1.Fault
    sentence: str


class Waiting(Protocol):
    """Somebody who waits for room at a bot."""

    def put(self) -> None:
        """Put the decision that waits: there is room for it now."""


class Keeper(Protocol):
    """Keeps a bot of the server's own running, which never forfeits: its matches go on at its next process."""

    @property
    def name(self) -> str:
        """The name of the bot."""

    def replace(self) -> None:
        """Start another process in place of this one, which does not answer. It takes up what the bot plays."""


class BotChannel:
    """The way to one bot: what is sent goes out while somebody is at its end. Used in trio's thread.

    It lets only so many decisions be open at the bot at once; whoever has another one to put waits for his turn.
    """

    def __init__(
        self, clock: RefereeClock, deadlines: DeadlineQueue, telemetry: BotTelemetry, *, max_open_decisions: int
    ) -> None:
        """Begin with nobody at the other end."""
        self.clock = clock
        """The clock that the bot is charged by."""
        self.deadlines = deadlines
        """When the time of its open decisions is up, and that of its absence."""
        self.told = telemetry
        """Where it is told what becomes of the bot."""
        self.has_come = False
        """Whether the bot was ever connected to this server."""
        self.keeper: Keeper | None = None
        """Keeps the bot running, where it is the server's own; ``None`` for a bot of somebody else."""
        self.loss: Loss | None = None
        """Why it does not come back; ``None`` while it is there or may come back."""
        self.connection: Connection | None = None
        """The connection that the bot is at the end of now."""
        self._connection = ServerConnection()
        self._expected = trio.Event()
        self._room = max_open_decisions
        self._max_open_decisions = max_open_decisions
        # No deque, which has room for 64 from the beginning: with as much room as matches nobody ever waits.
        self._waiting: list[Waiting] = []
        self._endings: list[tuple[v1.MatchStart, v1.MatchEnd]] = []
        """The matches that ended while the bot was away."""

    @property
    def connected(self) -> bool:
        """Whether the bot is there."""
        return self.connection is not None

    async def expect(self) -> None:
        """Wait until the bot was connected to this server once, or does not come."""
        await self._expected.wait()

    def take_up(self, connection: Connection, protocol: ServerConnection) -> None:
        """Go on over a connection whose link has just been welcomed, and tell of the matches that ended meanwhile."""
        self.connection, self._connection = connection, protocol
        self.has_come = True
        self._expected.set()
        for start, end in self._endings:
            self.send(start)
            self.send(end)
        self._endings.clear()

    def end(self, ending: Ending, status: Status, sentence: str) -> None:
        """End the connection, which there is, and tell how."""
        assert self.connection is not None
        self.told.ended(ending)
        self.close(status, sentence)

    def close(self, status: Status, sentence: str) -> None:
        """Close the connection, which there is."""
        assert self.connection is not None
        self.connection.close(status, sentence)

    def cut(self) -> None:
        """Note that the connection is gone, and with it all that was open at the bot."""
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
        """Put a decision to the bot, which is connected and has room for it.

        Args:
            handle: the match.
            decision: the decision without the match handle, serialized.
        """
        assert self.connection is not None
        departure = Departure(self.clock.now(), self.clock.lost)
        self.connection.send(self._connection.send_decision(handle, decision), departure)
        return departure

    def accept(self, handle: int, accepted: Acceptance, *, again: bool = False) -> None:
        """Tell the bot, if it is connected, that a decision of the match with this handle is closed.

        A bot that was granted tacit acceptance is told only where its answer does not stand, or where it is told again.
        """
        if self.connection is not None and (again or accepted.fault or not self._connection.is_tacit):
            self.connection.send(self._connection.send_accepted(handle, accepted.serialized()))

    def tell_end(self, start: v1.MatchStart, end: v1.MatchEnd) -> None:
        """Tell that a match is over, as soon as the bot is connected."""
        if self.connection is not None:
            self.send(end)
        elif self.loss is None:
            self._endings.append((start, end))

    def take_room(self, waiting: Waiting) -> bool:
        """Take room for one more open decision at the bot, which is connected.

        Where there is none, return ``False``, and let him who asks ``put`` as soon as there is.
        """
        if self._room:
            self._room -= 1
            return True
        self._waiting.append(waiting)
        return False

    def give_room_back(self) -> None:
        """Note that a decision is not open any more: its room goes to whoever waits."""
        if self._waiting:
            self._waiting.pop(0).put()
        else:
            self._room += 1

    def wait_no_more(self, waiting: Waiting) -> None:
        """Note that somebody has nothing to put any more, if he waited for that."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)
