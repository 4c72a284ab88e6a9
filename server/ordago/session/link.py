"""The machine: one connection, seen from the server's end (``ServerLink``) or from the bot's (``BotLink``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.session.errors import LocalProtocolError, RemoteProtocolError
from ordago.session.states import LINK_TABLE, SEAT_TABLE, LinkState, SeatState, Sender
from ordago.session.verdict import Verdict

ServerBody: TypeAlias = (
    v1.Welcome | v1.MatchStart | v1.Decision | v1.Accepted | v1.Refused | v1.MatchEnd | v1.Draining | v1.Goodbye
)
"""What a message to a bot can say."""
BotBody: TypeAlias = v1.Hello | v1.Choice | v1.Goodbye
"""What a message from a bot can say."""
_SeatBody: TypeAlias = v1.MatchStart | v1.Decision | v1.Choice | v1.Accepted | v1.Refused | v1.MatchEnd

_SEAT_KINDS: Final = frozenset({"match_start", "decision", "choice", "accepted", "refused", "match_end"})
# These may speak of a decision other than the open one, and then change nothing: they crossed with another message on
# the way, or answer one that did.
_MAY_BE_STALE: Final = frozenset({"choice", "accepted", "refused"})
_LENGTH_DELIMITED: Final = 2
_MESSAGES_TAG: Final = bytes([v1.PlayRequest.MESSAGES_FIELD_NUMBER << 3 | _LENGTH_DELIMITED])


def _kinds(message: type[Message]) -> Mapping[str, tuple[str, bytes]]:
    """Return, for each type of body that a message has, the name of its field and its tag on the wire."""
    return {
        field.message_type.name: (field.name, bytes([field.number << 3 | _LENGTH_DELIMITED]))
        for field in message.DESCRIPTOR.fields
        if field.message_type is not None
    }


_SERVER_KINDS: Final = _kinds(v1.ServerMessage)
_BOT_KINDS: Final = _kinds(v1.BotMessage)


def _frame(tag: bytes, body: ServerBody | BotBody) -> bytes:
    """Return the frame with one message of this body.

    It is put together from the serialized body, byte for byte as protobuf would: to build the two messages around it
    would copy a decision twice.
    """
    serialized = body.SerializeToString()
    message = tag + _varint(len(serialized)) + serialized
    return _MESSAGES_TAG + _varint(len(message)) + message


def _varint(number: int) -> bytes:
    if number < 0x80:
        return bytes((number,))
    if number < 0x4000:
        return bytes((number & 0x7F | 0x80, number >> 7))
    return bytes((number & 0x7F | 0x80,)) + _varint(number >> 7)


@dataclass(slots=True)
class _Seat:
    """What this end knows of one seat."""

    state: SeatState = SeatState.ABSENT
    number: int = 0
    """The decision that was asked last."""
    answer: v1.Answer | None = None
    """The bot's last answer to it, unless it was refused or came to nothing."""


class _Link:
    """What both ends have in common: the two states, and the step that a message takes them."""

    def __init__(self) -> None:
        self._state = LinkState.NEW
        self._seats: dict[int, _Seat] = {}

    @property
    def state(self) -> LinkState:
        """Where the connection stands."""
        return self._state

    def seat_state(self, match_handle: int) -> SeatState:
        """Return where the seat of a match stands."""
        seat = self._seats.get(match_handle)
        return SeatState.ABSENT if seat is None else seat.state

    def _step(self, sender: Sender, kind: str) -> bool:
        """Take the step of a message; say whether it may be sent."""
        row = LINK_TABLE.get((sender, self._state))
        state = None if row is None else row.get(kind)
        if state is None:
            return False
        self._state = state
        return True

    def _step_seat(self, sender: Sender, kind: str, body: _SeatBody) -> bool:
        """Take the step of a message at its seat; say whether it may be sent."""
        seat = self._seats.get(body.match_handle)
        if seat is None:
            seat = _Seat()
        if kind in _MAY_BE_STALE and not _is_due(seat, kind, body):
            return True
        row = SEAT_TABLE.get((sender, seat.state))
        state = None if row is None else row.get(kind)
        if state is None:
            return False
        seat.state = state
        self._remember(seat, body)
        return True

    def _remember(self, seat: _Seat, body: _SeatBody) -> None:
        if isinstance(body, v1.Decision):
            seat.number = body.number
            seat.answer = None
        elif isinstance(body, v1.Choice):
            seat.answer = body.answer
        elif isinstance(body, v1.Accepted | v1.Refused):
            if body.fault:
                seat.answer = None
        elif isinstance(body, v1.MatchStart):
            seat.number = body.last_decision
            self._seats[body.match_handle] = seat
        else:
            del self._seats[body.match_handle]


def _is_due(seat: _Seat, kind: str, body: _SeatBody) -> bool:
    """Say whether a message speaks of the open decision and says something new about it."""
    if isinstance(body, v1.MatchStart | v1.MatchEnd) or body.number != seat.number:
        return False
    return seat.state is SeatState.ASKED or (seat.state is SeatState.ANSWERED and kind != "choice")


class ServerLink(_Link):
    """The server's end: takes frames of a bot, makes frames for it."""

    def receive(self, frame: bytes) -> Sequence[v1.BotMessage]:
        """Return the messages of a frame, in order; those of an unknown kind are left out.

        Choices are not entered here, since a server has to say first what it makes of them: ``judge``.

        Raises:
            RemoteProtocolError: the frame cannot be understood, or a message is not due now.
        """
        try:
            messages = v1.PlayRequest.FromString(frame).messages
        except DecodeError:
            raise RemoteProtocolError("the frame is no PlayRequest") from None
        return [message for message in messages if self._receive_one(message)]

    def _receive_one(self, message: v1.BotMessage) -> bool:
        kind = message.WhichOneof("body")
        if kind is None:
            return False
        if not self._step(Sender.BOT, kind):
            raise RemoteProtocolError(f"a message {kind!r} may not be sent in the state {self._state.value!r}")
        return True

    def judge(self, choice: v1.Choice) -> Verdict:
        """Say what a choice is about, and enter it if it is about the open decision."""
        seat = self._seats.get(choice.match_handle)
        if seat is None or choice.number > seat.number or not choice.number:
            return Verdict.UNKNOWN
        if choice.number < seat.number:
            return Verdict.LATE
        if seat.state is SeatState.ASKED:
            self._step_seat(Sender.BOT, "choice", choice)
            return Verdict.OPEN
        if seat.state is SeatState.ANSWERED:
            return Verdict.PENDING
        return Verdict.REPEATED if seat.answer == choice.answer else Verdict.LATE

    def send(self, body: ServerBody) -> bytes:
        """Return the frame of a message. Frames may be joined by putting them one behind the other.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        kind, tag = _SERVER_KINDS[type(body).__name__]
        stepped = self._step(Sender.SERVER, kind)
        if stepped and kind in _SEAT_KINDS:
            stepped = self._step_seat(Sender.SERVER, kind, body)  # type: ignore[arg-type]  # the kind says so
        if not stepped:
            raise LocalProtocolError(f"a message {kind!r} may not be sent in the state {self._state.value!r}")
        return _frame(tag, body)


class BotLink(_Link):
    """The bot's end: takes frames of a server, makes frames for it."""

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
        stepped = self._step(Sender.SERVER, kind)
        if stepped and kind in _SEAT_KINDS:
            stepped = self._step_seat(Sender.SERVER, kind, getattr(message, kind))
        if not stepped:
            raise RemoteProtocolError(f"a message {kind!r} may not be sent in the state {self._state.value!r}")
        return True

    def send(self, body: BotBody) -> bytes:
        """Return the frame of a message. Frames may be joined by putting them one behind the other.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        kind, tag = _BOT_KINDS[type(body).__name__]
        if not self._step(Sender.BOT, kind):
            raise LocalProtocolError(f"a message {kind!r} may not be sent in the state {self._state.value!r}")
        if isinstance(body, v1.Choice):
            self._step_seat(Sender.BOT, kind, body)
        return _frame(tag, body)
