"""Connections in memory: the bot's end of one, which watches that the server keeps to the contract."""

from collections.abc import Callable
from typing import Any

import trio
from support.frames import body_of, hello

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody, Authenticator
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.bot import Bot
from ordago.arena.connection import Acceptor, ConnectionHandler, Departure, Status
from ordago.arena.server import Server
from ordago.protocol import BotBody, BotConnection

Answering = Callable[[v1.Decision], v1.Answer | None]
"""Answers a decision at once, or not at all."""


def first_legal(_decision: v1.Decision) -> v1.Answer:
    """Answer with the first legal action."""
    return v1.Answer(legal_action=1)


def default(decision: v1.Decision) -> v1.Answer:
    """Answer with the default."""
    return decision.default_answer


def silent(_decision: v1.Decision) -> None:
    """Answer nothing."""


def take_in(handler: ConnectionHandler, frame: bytes, at: float) -> None:
    """Let a handler take in all of a frame at once."""
    for _ in handler.received(frame, at):
        pass


class Nowhere:
    """What a ``Connection`` in memory says of itself, if nothing else is to be said."""

    token: str | None = None
    origin = "192.0.2.1"
    cut_off = False
    lacks_bearer = False
    event = ""


class FakeConnection:
    """A ``Connection`` for the arena, and what a bot does with it. Whatever breaks the contract fails the test."""

    def __init__(
        self,
        acceptor: Acceptor,
        *,
        token: str | None = None,
        answering: Answering = silent,
        origin: str = "192.0.2.1",
        event: str = "",
    ) -> None:
        self._token = token
        self.event = event
        self._origin = origin
        self._answering = answering
        self._connection = BotConnection()
        self._soon = trio.lowlevel.current_trio_token().run_sync_soon
        self.heard: list[Any] = []
        """The bodies of all messages that came."""
        self.heard_at: list[float] = []
        """When each of them came."""
        self.departures: list[Departure] = []
        """When each question was said to have left."""
        self.lacks_bearer = False
        """Whether something else came where the token belongs."""
        self.cut_off = False
        """Whether it is to look as if the bot had not read what was sent to it."""
        self.status: Status | None = None
        """How the connection ended."""
        self.sentence = ""
        self.retry_after_ms = 0
        self._handler = acceptor(self)

    @property
    def token(self) -> str | None:
        return self._token

    @property
    def origin(self) -> str:
        return self._origin

    def send(self, frame: bytes, departure: Departure | None = None) -> None:
        """Take a frame of the server, as a transport does."""
        assert self.status is None, "nothing may be sent after the end"
        for message in self._connection.receive(frame):
            self.heard.append(body_of(message))
            self.heard_at.append(trio.current_time())
            if message.HasField("decision"):
                # Not before the server has done what it is about, just as over a wire.
                self._soon(self._answer, message.decision)
        if departure is not None:
            self.departures.append(departure)

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End, as a transport does."""
        if self.status is None:
            self.status, self.sentence, self.retry_after_ms = status, sentence, retry_after_ms

    def _answer(self, decision: v1.Decision) -> None:
        answer = self._answering(decision)
        if answer is not None and self.status is None:
            self.say(v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer))

    def say(self, *bodies: BotBody, more: bytes = b"", at: float | None = None) -> None:
        """Send messages, and whatever else, as one frame, which is said to arrive now or at a given time."""
        self.say_bytes(b"".join(self._connection.send(body) for body in bodies) + more, at=at)

    def say_bytes(self, frame: bytes, *, at: float | None = None) -> None:
        """Send anything at all."""
        take_in(self._handler, frame, trio.current_time() if at is None else at)

    def vanish(self) -> None:
        """Break."""
        self._handler.lost()

    def of(self, kind: type[Any]) -> list[Any]:
        """Return what came of one kind."""
        return [body for body in self.heard if isinstance(body, kind)]

    def last(self, kind: type[Any]) -> Any:
        """Return the last that came of one kind."""
        return self.of(kind)[-1]

    @property
    def resume(self) -> v1.Resume:
        """What takes up the session of this connection again."""
        welcome = self.last(v1.Welcome)
        return v1.Resume(session_id=welcome.session_id, resume_token=welcome.resume_token)

    @property
    def open_decisions(self) -> set[tuple[int, int]]:
        """The decisions that are open at the bot, by match and number."""
        asked = {(decision.match_handle, decision.number) for decision in self.of(v1.Decision)}
        return asked - {(accepted.match_handle, accepted.number) for accepted in self.of(v1.Accepted)}


class Lobby:
    """A server, and the bots that came in: everybody, if nothing else is said."""

    def __init__(
        self,
        *,
        bounds: ConnectionBounds | None = None,
        admitting: Callable[[Callable[[Bot], None]], Authenticator] = AllowEverybody,
    ) -> None:
        self.bots: list[Bot] = []
        self.server = Server(authenticator=admitting(self.bots.append), games=["mittlere"], bounds=bounds)

    def connect(self, *, answering: Answering = silent, **fields: Any) -> FakeConnection:
        """Connect and say hello with these fields."""
        connection = FakeConnection(self.server, answering=answering)
        connection.say(hello(**fields))
        return connection

    def enter(self, *, answering: Answering = silent, **fields: Any) -> tuple[FakeConnection, Bot]:
        """Connect, be welcomed, and return the connection and the bot."""
        connection = self.connect(answering=answering, **fields)
        return connection, self.bots[-1]

    def come_back(self, connection: FakeConnection, *, answering: Answering = silent) -> FakeConnection:
        """Resume the session of a connection by another."""
        return self.connect(answering=answering, resume=connection.resume)
