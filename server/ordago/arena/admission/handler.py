"""The handler of one connection: processes its frames, welcomes its bot and ends it."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from ordago import v1
from ordago.arena.admission.authenticator import Refusal
from ordago.arena.admission.hello import Unwelcome
from ordago.arena.admission.limits import MAX_FRAME_BYTES, ConnectionLimits, Party
from ordago.arena.admission.reception import Reception
from ordago.arena.admission.sessions import Sessions
from ordago.arena.bot import Bot
from ordago.arena.connection import Connection, Status
from ordago.arena.flood import FLOODED, FloodGuard
from ordago.protocol import LocalProtocolError, ReceivedChoice, RemoteProtocolError, ServerConnection
from ordago.telemetry.telemetry import Ending, Telemetry

_PORTION: Final = 8
"""Messages processed before other tasks run: less than a millisecond, if they are choices."""


class BotConnectionHandler:
    """Processes the frames of one connection. See ``connection.ConnectionHandler``."""

    def __init__(
        self,
        connection: Connection,
        reception: Reception,
        sessions: Sessions,
        limits: ConnectionLimits,
        telemetry: Telemetry,
        *,
        party: Party,
        deadline: float,
    ) -> None:
        """Handle a new connection.

        Args:
            connection: the connection.
            reception: welcomes the bot.
            sessions: the sessions of the server.
            limits: count the connection.
            telemetry: receives refusals.
            party: the token or address that the connection counts towards.
            deadline: the latest time for a Hello, in seconds of the referee's clock.
        """
        self._connection = connection
        self._reception = reception
        self._sessions = sessions
        self._limits = limits
        self._telemetry = telemetry
        self._protocol = ServerConnection()
        self._bot: Bot | None = None
        self._name = ""
        """The name in the Hello; empty before one came."""
        self._over = False
        self._flood = FloodGuard()
        self.party = party
        """The token or address that the connection counts towards."""
        self.deadline = deadline
        """The latest time for a Hello, in seconds of the referee's clock."""

    @property
    def _goes_on(self) -> bool:
        """True while frames are to be processed: the connection was neither ended nor superseded."""
        return not self._over and (self._bot is None or self._bot.channel.connection is self._connection)

    def expire(self) -> None:
        """Turn the bot away, since no Hello came in time."""
        seconds = self._limits.bounds.hello_seconds
        self.turn_away(Status.FAILED_PRECONDITION, f"no Hello came within {seconds:g} s")

    def turn_away(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End the connection before the bot is welcomed."""
        token_id = self.party.name if self.party.vouched else ""
        origin = self._connection.origin
        self._telemetry.turned_away(status.value, name=self._name, reason=sentence, origin=origin, token_id=token_id)
        self._end(status, sentence, retry_after_ms=retry_after_ms)

    def refuse(self, refusal: Refusal) -> None:
        """End the connection before the bot is welcomed, for this reason."""
        self.turn_away(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)

    def received(self, frame: bytes, at: float) -> Iterator[None]:
        """Process a frame portion by portion, unless it crossed with the end of the connection."""
        if not self._goes_on:
            return
        if len(frame) > MAX_FRAME_BYTES:
            self._flooded(f"a frame of {len(frame)} bytes came; {MAX_FRAME_BYTES} are allowed")
            return
        try:
            yield from self._take_all(frame, at)
        except RemoteProtocolError as error:
            self._refuse(error)
        except Unwelcome as refusal:
            self.turn_away(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)

    def _take_all(self, frame: bytes, at: float) -> Iterator[None]:
        left_out = self._protocol.left_out
        messages = self._protocol.receive(frame)
        left_out = self._protocol.left_out - left_out
        # Unknown messages cost time as well, and an empty frame as much as a message.
        if left_out or not messages:
            self._flood.count(at=at, messages=left_out or 1)
        for number, message in enumerate(messages):
            if self._flood.overrun or not self._goes_on:
                break
            if isinstance(message, ReceivedChoice):
                # The protocol lets no choice through before a Hello.
                assert self._bot is not None
                self._bot.choose(message, at=at)
            else:
                self._take(message, at)
            if number % _PORTION == _PORTION - 1:
                yield
        if self._flood.overrun and self._goes_on:
            self._flooded(FLOODED)

    def _take(self, message: v1.BotMessage, at: float) -> None:
        if self._bot is None:
            self._name = message.hello.bot.name
            self._bot = self._reception.enter(self._connection, self._protocol, message.hello)
            self._flood = self._bot.flood
            self._limits.welcome(self)
        elif message.HasField("retire"):
            self._flood.count(at=at)
            self._bot.retire()
        else:
            self._leave(self._bot)

    def _leave(self, bot: Bot) -> None:
        """End the session after the bot's Goodbye: it forfeits its running matches and cannot come back."""
        bot.telemetry.ended(Ending.LEFT)
        self._sessions.forget(bot, "the bot said goodbye before the match was over")
        self._end(Status.OK, "goodbye")

    def _refuse(self, error: RemoteProtocolError) -> None:
        if error.fault == v1.FAULT_FLOODING:
            self._flooded(str(error))
            return
        status = Status.FAILED_PRECONDITION if self._bot is None else Status.INVALID_ARGUMENT
        self._dismiss(status, str(error), error.fault)

    def _flooded(self, sentence: str) -> None:
        """End the session, or the connection if there is none, for flooding."""
        self._dismiss(Status.RESOURCE_EXHAUSTED, sentence, v1.FAULT_FLOODING)

    def _dismiss(self, status: Status, sentence: str, fault: v1.Fault) -> None:
        """Send a Goodbye because of a fault, and end the session for good."""
        if self._bot is not None:
            self._bot.telemetry.ended(Ending.REFUSED)
            self._sessions.forget(self._bot, sentence, fault=fault)
        # Before a Hello the protocol allows no message, only the status.
        with suppress(LocalProtocolError):
            self._connection.send(self._protocol.send(v1.Goodbye(sentence=sentence, fault=fault)))
        self._end(status, sentence)

    def _end(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        self._gone()
        self._connection.close(status, sentence, retry_after_ms=retry_after_ms)

    def failed(self) -> None:
        """End the connection, since the server failed. The bot may come back."""
        self._end(Status.UNAVAILABLE, "the server failed; come back with a resume")

    def lost(self) -> None:
        """Note that the connection is gone."""
        self._limits.leave(self)
        self._gone()

    def _gone(self) -> None:
        """Note the end of the connection once, and that its bot lost it, unless another connection took over."""
        if not self._over:
            self._over = True
            self._limits.welcome(self)
            if self._bot is not None and self._bot.channel.connection is self._connection:
                self._bot.telemetry.ended(Ending.SLOW if self._connection.cut_off else Ending.LOST)
                self._sessions.lose(self._bot)
