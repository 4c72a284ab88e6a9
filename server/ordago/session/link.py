"""The machine: one connection, seen from the server's end (``ServerLink``) or from the bot's (``BotLink``)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from google.protobuf.message import DecodeError

from ordago import v1
from ordago.session.errors import LocalProtocolError, RemoteProtocolError
from ordago.session.states import LINK_TABLE, SEAT_TABLE, LinkState, SeatState, Sender
from ordago.session.verdict import Verdict

SeatMessage: TypeAlias = v1.MatchStart | v1.Decision | v1.Choice | v1.Accepted | v1.Refused | v1.MatchEnd

# Messages that may speak of a decision other than the open one, and then change nothing: they crossed with another
# message on the way, or answer one that did.
_MAY_BE_STALE: Final = frozenset({"choice", "accepted", "refused"})


@dataclass(slots=True)
class _Seat:
    """What this end knows of one seat."""

    state: SeatState = SeatState.ABSENT
    number: int = 0
    """The decision that was asked last."""
    answer: v1.Answer | None = None
    """The bot's last answer to it."""


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
        state = LINK_TABLE.get((sender, self._state), {}).get(kind)
        if state is None:
            return False
        self._state = state
        return True

    def _step_seat(self, sender: Sender, kind: str, message: SeatMessage) -> bool:
        """Take the step of a message at its seat; say whether it may be sent."""
        seat = self._seats.get(message.match_handle) or _Seat()
        if kind in _MAY_BE_STALE and not _about_open_decision(seat, message):
            return True
        state = SEAT_TABLE.get((sender, seat.state), {}).get(kind)
        if state is None:
            return False
        seat.state = state
        self._remember(seat, message)
        return True

    def _remember(self, seat: _Seat, message: SeatMessage) -> None:
        if isinstance(message, v1.MatchStart):
            seat.number = message.last_decision
            self._seats[message.match_handle] = seat
        elif isinstance(message, v1.MatchEnd):
            del self._seats[message.match_handle]
        elif isinstance(message, v1.Decision):
            seat.number = message.number
            seat.answer = None
        elif isinstance(message, v1.Choice):
            seat.answer = message.answer
        elif isinstance(message, v1.Refused) or message.fault:
            seat.answer = None


def _about_open_decision(seat: _Seat, message: SeatMessage) -> bool:
    is_open = seat.state in (SeatState.ASKED, SeatState.ANSWERED)
    if isinstance(message, v1.Choice) and seat.state is SeatState.ANSWERED:
        return False
    return is_open and not isinstance(message, v1.MatchStart | v1.MatchEnd) and message.number == seat.number


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

    def send(self, message: v1.ServerMessage) -> bytes:
        """Return the frame of a message. Frames may be joined by putting them one behind the other.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        kind = message.WhichOneof("body")
        if kind is None or not self._step(Sender.SERVER, kind) or not self._step_message(kind, message):
            raise LocalProtocolError(f"a message {kind!r} may not be sent in the state {self._state.value!r}")
        return v1.PlayResponse(messages=(message,)).SerializeToString()

    def _step_message(self, kind: str, message: v1.ServerMessage) -> bool:
        return kind not in _SEAT_KINDS or self._step_seat(Sender.SERVER, kind, getattr(message, kind))


_SEAT_KINDS: Final = frozenset({"match_start", "decision", "accepted", "refused", "match_end"})


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

    def send(self, message: v1.BotMessage) -> bytes:
        """Return the frame of a message. Frames may be joined by putting them one behind the other.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        kind = message.WhichOneof("body")
        if kind is None or not self._step(Sender.BOT, kind):
            raise LocalProtocolError(f"a message {kind!r} may not be sent in the state {self._state.value!r}")
        if kind == "choice":
            self._step_seat(Sender.BOT, kind, message.choice)
        return v1.PlayRequest(messages=(message,)).SerializeToString()
