"""The protocol of one connection, from the server's end (``ServerConnection``) or the bot's (``BotConnection``)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.build import mypyc_attr
from ordago.protocol.states import CONNECTION_STEPS, SEAT_STEPS, ConnectionState, SeatState, Sender
from ordago.wire.frames import ReceivedChoice, accepted_frame, decision_frame, frame, kinds_of, read_choices

TACIT_ACCEPTANCE: Final = "tacit_acceptance"
"""Accepted is left out for the bot's own answers, except where the default was taken, and after a reconnection.

Without it each decision takes two frames to bots, one to the bot that answered and one to the bot that is asked next.
Where there is one match for each bot, nothing else is in them.
"""
_KNOWN: Final = frozenset({TACIT_ACCEPTANCE})


def granted(asked: Iterable[str]) -> list[str]:
    """Return the granted ones of the requested capabilities; unknown names are ignored."""
    return sorted(_KNOWN.intersection(asked))


class ProtocolError(Exception):
    """A message where the contract allows none. Only its two subclasses are raised."""


class LocalProtocolError(ProtocolError):
    """This end tried to send a message that it may not send now: a bug here."""


class RemoteProtocolError(ProtocolError):
    """The other end sent a message that it may not send now, or malformed bytes."""

    def __init__(self, sentence: str, *, fault: v1.Fault = v1.FAULT_MALFORMED) -> None:
        """Take a sentence on what was received, and the fault."""
        super().__init__(sentence)
        self.fault = fault


ServerBody: TypeAlias = (
    v1.Welcome
    | v1.MatchStart
    | v1.Decision
    | v1.Accepted
    | v1.Refused
    | v1.Forfeited
    | v1.MatchEnd
    | v1.Draining
    | v1.EventNotice
    | v1.Announcement
    | v1.Goodbye
)
"""The messages to a bot."""
BotBody: TypeAlias = v1.Hello | v1.Choice | v1.Goodbye | v1.Retire
"""The messages from a bot."""
Received: TypeAlias = ReceivedChoice | v1.BotMessage
"""The messages that the server's end hands out: a choice, or anything else."""
_AnswerBody: TypeAlias = v1.Choice | v1.Accepted | v1.Refused

# These answer something, and may be about a decision other than the open one. Then they change nothing: they crossed
# another message on the way, or answer a message that did.
_ANSWERS: Final = frozenset({"choice", "accepted", "refused"})


_SERVER_KINDS: Final = kinds_of(v1.ServerMessage)
_BOT_KINDS: Final = kinds_of(v1.BotMessage)
_PLAYING: Final = frozenset(state for state in ConnectionState if "decision" in CONNECTION_STEPS[Sender.SERVER][state])
"""The states in which a server may send messages of a match."""
_OPEN: Final = frozenset({SeatState.ASKED, SeatState.ANSWERED})
"""The states of a seat whose decision is open. It may be asked again after it answered: an earlier answer of it was
refused."""
MAX_FRAME_MESSAGES: Final = 2048
"""The most messages in a frame of a bot: far more than a bot needs, and few enough to check each.

It is twice the number of decisions that a bot may have open, so there is room for an answer to each and as much again.
"""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class _Connection:
    """The common part of both ends: the state of the connection, and the transition for each message."""

    _end: ClassVar[Sender]
    """The end of the connection that this is."""

    def __init__(self) -> None:
        self._state = ConnectionState.NEW

    @property
    def state(self) -> ConnectionState:
        """The state of the connection."""
        return self._state

    def _step(self, sender: Sender, kind: str) -> None:
        """Take the step of a message at the connection."""
        state = CONNECTION_STEPS[sender][self._state].get(kind)
        if state is None:
            raise self._not_due(sender, kind)
        self._state = state

    def _not_due(self, sender: Sender, kind: str) -> ProtocolError:
        sentence = f"a message {kind!r} may not be sent in the state {self._state.value!r}"
        return LocalProtocolError(sentence) if sender is self._end else RemoteProtocolError(sentence)


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class ServerConnection(_Connection):
    """The server's end: takes frames of a bot, makes frames for it.

    It checks only the steps of the connection. The server itself checks those of seats, which outlive connections.
    """

    _end = Sender.SERVER

    def __init__(self) -> None:
        super().__init__()
        self.left_out = 0
        """The number of messages of unknown kinds received so far."""
        self.is_tacit = False
        """True if the bot was granted tacit acceptance."""

    def receive(self, frame: bytes) -> Sequence[Received]:
        """Return the messages of a frame, in order; those of an unknown kind are left out.

        Raises:
            RemoteProtocolError: the frame cannot be understood, has too many messages, or one that is not due now.
        """
        choices = read_choices(frame, most=MAX_FRAME_MESSAGES)
        if choices is None:
            return self._receive_any(frame)
        if choices:
            # Once for all of them: a choice leaves the connection where it is.
            self._step(Sender.BOT, "choice")
        return choices

    def _receive_any(self, frame: bytes) -> Sequence[Received]:
        try:
            messages = v1.PlayRequest.FromString(frame).messages
        except DecodeError:
            raise RemoteProtocolError("the frame is no PlayRequest") from None
        if len(messages) > MAX_FRAME_MESSAGES:
            sentence = f"a frame of {len(messages)} messages came; {MAX_FRAME_MESSAGES} are allowed"
            raise RemoteProtocolError(sentence, fault=v1.FAULT_FLOODING)
        known: list[Received] = []
        for message in messages:
            kind = message.WhichOneof("body")
            if kind is None:
                self.left_out += 1
            else:
                self._step(Sender.BOT, kind)
                known.append(ReceivedChoice.of(message.choice) if kind == "choice" else message)
        return known

    def send(self, body: ServerBody) -> bytes:
        """Return the frame of a message. Frames may be joined by concatenation.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        kind, kind_tag = _SERVER_KINDS[type(body).__name__]
        self._step(Sender.SERVER, kind)
        if isinstance(body, v1.Welcome):
            self.is_tacit = TACIT_ACCEPTANCE in body.capabilities
        return frame(kind_tag, body.SerializeToString())

    def send_decision(self, match_handle: int, rest: bytes) -> bytes:
        """Return the frame of a decision whose other fields are serialized already, as ``send`` does.

        Args:
            match_handle: the match.
            rest: the serialized ``v1.Decision`` without the match handle, its first field.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        if self._state not in _PLAYING:
            raise self._not_due(Sender.SERVER, "decision")
        return decision_frame(match_handle, rest)

    def send_accepted(self, match_handle: int, rest: bytes) -> bytes:
        """Return the frame of an acceptance whose other fields are serialized already, as ``send_decision`` does.

        Args:
            match_handle: the match.
            rest: the serialized ``v1.Accepted`` without the match handle, its first field.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        if self._state not in _PLAYING:
            raise self._not_due(Sender.SERVER, "accepted")
        return accepted_frame(match_handle, rest)


@dataclass(slots=True)
class _Seat:
    """The state of one seat at this end."""

    state: SeatState = SeatState.ABSENT
    number: int = 0
    """The decision that was asked last."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class BotConnection(_Connection):
    """The bot's end: reads frames of a server, and writes frames for it. It checks the steps of each seat as well."""

    _end = Sender.BOT

    def __init__(self) -> None:
        super().__init__()
        self._seats: dict[int, _Seat] = {}
        self._is_tacit = False

    def receive(self, frame: bytes) -> Sequence[v1.ServerMessage]:
        """Return the messages of a frame, in order; those of an unknown kind are left out.

        Raises:
            RemoteProtocolError: the frame cannot be understood, or a message is not due now.
        """
        try:
            messages = v1.PlayResponse.FromString(frame).messages
        except DecodeError:
            raise RemoteProtocolError("the frame is no PlayResponse") from None
        return [message for message in messages if self._receive_one(message)]

    def _receive_one(self, message: v1.ServerMessage) -> bool:
        kind = message.WhichOneof("body")
        if kind is None:
            return False
        self._enter(Sender.SERVER, kind, getattr(message, kind))
        return True

    def send(self, body: BotBody) -> bytes:
        """Return the frame of a message. Frames may be joined by concatenation.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        kind, kind_tag = _BOT_KINDS[type(body).__name__]
        self._enter(Sender.BOT, kind, body)
        return frame(kind_tag, body.SerializeToString())

    def seat_state(self, match_handle: int) -> SeatState:
        """Return the state of the seat of a match."""
        seat = self._seats.get(match_handle)
        return SeatState.ABSENT if seat is None else seat.state

    def _enter(self, sender: Sender, kind: str, body: Message) -> None:
        """Make the transitions for a message, at the connection and at its seat."""
        self._step(sender, kind)
        if kind in _ANSWERS:
            self._enter_answer(sender, kind, body)  # type: ignore[arg-type]  # the kind says so
        elif isinstance(body, v1.Decision):
            self._enter_decision(body.match_handle, body.number)
        elif isinstance(body, v1.MatchStart):
            self._enter_start(body)
        elif isinstance(body, v1.Forfeited):
            seat = self._seat(body.match_handle)
            self._close_tacitly(seat)
            self._step_at_seat(sender, kind, seat)
        elif isinstance(body, v1.MatchEnd):
            self._step_at_seat(sender, kind, self._seat(body.match_handle))
            del self._seats[body.match_handle]
        elif isinstance(body, v1.Welcome):
            self._is_tacit = TACIT_ACCEPTANCE in body.capabilities

    def _step_at_seat(self, sender: Sender, kind: str, seat: _Seat) -> None:
        """Take the step of a message at its seat."""
        state = SEAT_STEPS[sender][seat.state].get(kind)
        if state is None:
            raise self._not_due(sender, kind)
        seat.state = state

    def _seat(self, match_handle: int) -> _Seat:
        """Return the seat of a match, or an absent one."""
        return self._seats.get(match_handle) or _Seat()

    def _enter_start(self, start: v1.MatchStart) -> None:
        seat = self._seat(start.match_handle)
        self._step_at_seat(Sender.SERVER, "match_start", seat)
        seat.number = start.last_decision
        self._seats[start.match_handle] = seat

    def _enter_decision(self, match_handle: int, number: int) -> None:
        seat = self._seat(match_handle)
        if number > seat.number:
            self._close_tacitly(seat)
        if seat.state is not SeatState.IDLE and seat.number != number:
            raise self._not_due(Sender.SERVER, "decision")
        self._step_at_seat(Sender.SERVER, "decision", seat)
        seat.number = number

    def _close_tacitly(self, seat: _Seat) -> None:
        """Close the open decision of a seat on a message that implies that its answer was taken."""
        if self._is_tacit and seat.state in _OPEN:
            seat.state = SeatState.IDLE

    def _enter_answer(self, sender: Sender, kind: str, body: _AnswerBody) -> None:
        seat = self._seats.get(body.match_handle)
        if seat is None or seat.number != body.number:
            return
        seat.state = SEAT_STEPS[sender][seat.state].get(kind, seat.state)
