"""Both ends of a connection, so that each exchange tests them both."""

import copy

import pytest
from support.frames import body_of, from_bot, from_server, hello
from support.model_server import ModelServer

from ordago import v1
from ordago.protocol import (
    BotBody,
    BotConnection,
    ConnectionState,
    LocalProtocolError,
    RemoteProtocolError,
    SeatState,
    ServerBody,
    ServerConnection,
)


class ConnectionPair:
    """A server and a bot with a wire between them on which nothing is ever on the way."""

    def __init__(self) -> None:
        self.server = ModelServer()
        self.bot = BotConnection()

    @classmethod
    def opened(cls) -> "ConnectionPair":
        """Return a pair whose ends have greeted each other."""
        pair = cls()
        pair.bot_says(hello())
        pair.server_says(v1.Welcome(version=1))
        return pair

    @property
    def state(self) -> ConnectionState:
        """Where both ends stand."""
        assert self.server.state is self.bot.state
        return self.server.state

    def seat_state(self, handle: int) -> SeatState:
        """Where both ends see a seat."""
        state = self.server.seat_state(handle)
        assert self.bot.seat_state(handle) is state
        return state

    def server_says(self, *bodies: ServerBody) -> None:
        """Carry messages from the server to the bot."""
        for body in bodies:
            frame = self.server.send(body)
            assert frame == from_server(body)
            assert send_parts(self.server, body) in (None, frame)
            [message] = self.bot.receive(frame)
            assert body_of(message) == body

    def bot_says(self, body: BotBody) -> None:
        """Carry a message from the bot to the server."""
        frame = self.bot.send(body)
        assert frame == from_bot(body)
        [message] = self.server.receive(frame)
        assert body_of(message) == body

    def refuses_from_server(self, body: ServerBody) -> None:
        """Check that a server may not send a message now, and that a bot would not take it."""
        twin = copy.deepcopy(self)
        with pytest.raises(LocalProtocolError):
            twin.server.send(body)
        with pytest.raises(RemoteProtocolError):
            twin.bot.receive(from_server(body))

    def refuses_from_bot(self, body: BotBody) -> None:
        """Check that a bot may not send a message now, and that a server would not take it."""
        twin = copy.deepcopy(self)
        with pytest.raises(LocalProtocolError):
            twin.bot.send(body)
        with pytest.raises(RemoteProtocolError):
            twin.server.receive(from_bot(body))


def send_parts(server: ServerConnection, body: ServerBody) -> bytes | None:
    """Return the frame of what a match serializes itself, a decision or its end, made from that; ``None`` of others."""
    if not isinstance(body, v1.Decision | v1.Accepted):
        return None
    rest = copy.deepcopy(body)
    rest.ClearField("match_handle")
    send = server.send_decision if isinstance(body, v1.Decision) else server.send_accepted
    return send(body.match_handle, rest.SerializeToString())
