"""One connection between a bot and a server as a machine without I/O.

Bytes go in and messages come out; messages go in and bytes come out. The server and the SDK use the same machine, each
from its own end. The bot's end refuses whatever the contract does not let a server say; the server's end keeps to the
steps of the connection, since what may be said of a seat is known to the seat.
"""

from ordago.protocol.connection import (
    MAX_FRAME_MESSAGES,
    TACIT_ACCEPTANCE,
    BotBody,
    BotConnection,
    LocalProtocolError,
    ProtocolError,
    Received,
    RemoteProtocolError,
    ServerBody,
    ServerConnection,
    granted,
)
from ordago.protocol.states import ConnectionState, SeatState, Sender
from ordago.wire.frames import ReceivedChoice

__all__ = [
    "MAX_FRAME_MESSAGES",
    "TACIT_ACCEPTANCE",
    "BotBody",
    "BotConnection",
    "ConnectionState",
    "LocalProtocolError",
    "ProtocolError",
    "Received",
    "ReceivedChoice",
    "RemoteProtocolError",
    "SeatState",
    "Sender",
    "ServerBody",
    "ServerConnection",
    "granted",
]
