"""The order of messages, as two tables.

1. All that the contract says about order is in this file: the tables tell which message may follow which. The code
   that uses them adds no rules of its own.
2. This file does not know which end it runs at. The sender of a message is part of the tables.

One table is about the connection as a whole: both ends step through it with the messages that they send and receive.
The other is about each seat that the bot has on it, named by the match handle: the bot's end steps through it, and so
refuses messages that the server's seats may not send. The tables cannot tell whether a message is about the open
decision or an earlier one: ``connection`` checks that at the bot's end, and the seat at the server's.
"""

from collections.abc import Iterable, Mapping
from enum import Enum, unique
from typing import Final, TypeVar


class _Point(Enum):
    """A coordinate of the tables. Members are single objects, and Enum's own hash is written in Python and slow."""

    __hash__ = object.__hash__


@unique
class Sender(_Point):
    """The two ends."""

    BOT = "bot"
    SERVER = "server"


@unique
class ConnectionState(_Point):
    """The state of a connection."""

    NEW = "new"
    """Nothing was said yet: Hello is due."""
    GREETED = "greeted"
    """Hello was said: Welcome is due."""
    OPEN = "open"
    """Matches are played."""
    DRAINING = "draining"
    """Matches are played, but no new one begins."""
    LEAVING = "leaving"
    """The bot said Goodbye: what the server had sent before may still come."""
    CLOSED = "closed"
    """The server said Goodbye: nothing follows."""


@unique
class SeatState(_Point):
    """The state of a seat of a match."""

    ABSENT = "absent"
    """There is no such seat, or its match is over."""
    IDLE = "idle"
    """No decision is open."""
    ASKED = "asked"
    """A decision is open."""
    ANSWERED = "answered"
    """The bot answered the open decision; the server has not said yet whether it takes the answer."""
    FORFEITED = "forfeited"
    """The seat is forfeited: its match goes on without asking it."""


_PLAYING: Final = ("match_start", "decision", "accepted", "refused", "forfeited", "match_end")
_NOTICES: Final = ("event_notice", "announcement")

LINK_TABLE: Final[Mapping[tuple[Sender, ConnectionState], Mapping[str, ConnectionState]]] = {
    (Sender.BOT, ConnectionState.NEW): {"hello": ConnectionState.GREETED},
    (Sender.SERVER, ConnectionState.GREETED): {"welcome": ConnectionState.OPEN, "goodbye": ConnectionState.CLOSED},
    (Sender.BOT, ConnectionState.OPEN): {
        "choice": ConnectionState.OPEN,
        "goodbye": ConnectionState.LEAVING,
        "retire": ConnectionState.OPEN,
    },
    (Sender.SERVER, ConnectionState.OPEN): {
        **dict.fromkeys(_PLAYING, ConnectionState.OPEN),
        **dict.fromkeys(_NOTICES, ConnectionState.OPEN),
        "draining": ConnectionState.DRAINING,
        "goodbye": ConnectionState.CLOSED,
    },
    (Sender.BOT, ConnectionState.DRAINING): {
        "choice": ConnectionState.DRAINING,
        "goodbye": ConnectionState.LEAVING,
        "retire": ConnectionState.DRAINING,
    },
    (Sender.SERVER, ConnectionState.DRAINING): {
        **dict.fromkeys(_PLAYING, ConnectionState.DRAINING),
        **dict.fromkeys(_NOTICES, ConnectionState.DRAINING),
        "goodbye": ConnectionState.CLOSED,
    },
    (Sender.SERVER, ConnectionState.LEAVING): {
        **dict.fromkeys(_PLAYING, ConnectionState.LEAVING),
        **dict.fromkeys(_NOTICES, ConnectionState.LEAVING),
        "draining": ConnectionState.LEAVING,
        "goodbye": ConnectionState.CLOSED,
    },
    # What the bot says may cross the Goodbye of the server.
    (Sender.BOT, ConnectionState.CLOSED): dict.fromkeys(("choice", "goodbye", "retire"), ConnectionState.CLOSED),
}
"""(sender, state) -> message -> the next state. Anything else may not be sent."""

SEAT_TABLE: Final[Mapping[tuple[Sender, SeatState], Mapping[str, SeatState]]] = {
    (Sender.SERVER, SeatState.ABSENT): {"match_start": SeatState.IDLE},
    (Sender.SERVER, SeatState.IDLE): {
        "decision": SeatState.ASKED,
        "forfeited": SeatState.FORFEITED,
        "match_end": SeatState.ABSENT,
    },
    (Sender.SERVER, SeatState.ASKED): {
        # The same decision again, after the server lost so much time that no answer could come; it may cross an answer.
        "decision": SeatState.ASKED,
        "accepted": SeatState.IDLE,
        # A bot may answer again before it knows that its first answer was refused: it is then refused twice.
        "refused": SeatState.ASKED,
        "match_end": SeatState.ABSENT,
    },
    (Sender.SERVER, SeatState.ANSWERED): {
        "decision": SeatState.ASKED,
        "accepted": SeatState.IDLE,
        "refused": SeatState.ASKED,
        "match_end": SeatState.ABSENT,
    },
    (Sender.SERVER, SeatState.FORFEITED): {"match_end": SeatState.ABSENT},
    (Sender.BOT, SeatState.ASKED): {"choice": SeatState.ANSWERED},
}
"""(sender, state) -> message about the open decision -> the next state. Anything else may not be sent."""

_StateT = TypeVar("_StateT", ConnectionState, SeatState)


def _steps(
    table: Mapping[tuple[Sender, _StateT], Mapping[str, _StateT]], states: Iterable[_StateT]
) -> Mapping[Sender, Mapping[_StateT, Mapping[str, _StateT]]]:
    rows = list(states)
    return {sender: {state: table.get((sender, state), {}) for state in rows} for sender in Sender}


# The same tables with a row for every state, in the form in which a step is quickest to look up.
CONNECTION_STEPS: Final = _steps(LINK_TABLE, ConnectionState)
"""Sender -> state -> message -> the state after it."""
SEAT_STEPS: Final = _steps(SEAT_TABLE, SeatState)
"""Sender -> state -> message about the open decision -> the next state."""
