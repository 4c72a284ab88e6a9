"""Rate limits for calls, per connection and per address."""

import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol, TypeVar

import grpc
import grpc.aio

from ordago.arena.allowance import Allowances
from ordago.edge.origins import endpoint_of, origin_of
from ordago.edge.stream import RETRY_AFTER
from ordago.edge.transports import Transports
from ordago.telemetry.telemetry import Telemetry

Q = TypeVar("Q")
A = TypeVar("A")

_CALLS_AT_ONCE: Final = 100
_CALLS_PER_SECOND: Final = 20.0
"""The rate of calls from one address, such as listing games or checking health. Streams of bots do not count."""
_OPEN_CALLS: Final = 64
"""The most such calls open at once from one address. Answers to a client that reads nothing stay in our memory."""
COME_BACK: Final = ((RETRY_AFTER, "1000"),)
"""The metadata of a refusal, which says to wait a second: by then many calls are allowed again."""
TOO_MANY_ON_A_CONNECTION: Final = "too many calls on one connection"
TOO_MANY_FROM_AN_ADDRESS: Final = "too many calls from your address"
"""The sentences of refusals."""


class CallGate:
    """Acceptance and refusal of calls. Used in grpc's thread."""

    def __init__(self, telemetry: Telemetry, transports: Transports, *, for_one: bool = False) -> None:
        """Guard the connections of a server.

        Args:
            telemetry: receives the refusals.
            transports: the connections.
            for_one: set no limits per address, since all calls come from one program of ours, which limits its users.
        """
        self.for_one = for_one
        self._telemetry = telemetry
        self._transports = transports
        self._allowances = Allowances(per_second=_CALLS_PER_SECOND, at_once=_CALLS_AT_ONCE)
        self._open = Counter[str]()

    @contextmanager
    def play(self, peer: str) -> Iterator[bool]:
        """Count the stream of a bot as open within the context, and yield True if it may be served."""
        end = endpoint_of(peer)
        taken = self._transports.call(end)
        if not taken:
            self._telemetry.call_refused(origin_of(peer), TOO_MANY_ON_A_CONNECTION)
        self._transports.play_begins(end)
        try:
            yield taken
        finally:
            self._transports.play_ends(end)

    def unary(
        self, answer: Callable[[Q], A | None]
    ) -> Callable[[Q, grpc.aio.ServicerContext[Q, A]], Coroutine[None, None, A]]:
        """Return a handler of unary calls within the rate limits. An answer of ``None`` becomes NOT_FOUND."""

        async def answer_if_taken(request: Q, context: grpc.aio.ServicerContext[Q, A]) -> A:
            await self.let_in(context)
            answered = answer(request)
            if answered is None:
                await context.abort(grpc.StatusCode.NOT_FOUND)
            return answered

        return answer_if_taken

    async def let_in(self, context: grpc.aio.ServicerContext[Q, A]) -> None:
        """Accept a call other than the stream of a bot, or abort it with the reason."""
        refusal = self._refusal(context)
        if refusal:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal, COME_BACK)

    async def let_ask(self, context: grpc.aio.ServicerContext[Q, A]) -> None:
        """Count a further request within an accepted call as one more call, and abort the call above the limit."""
        origin = origin_of(context.peer())
        if not self.for_one and self._allowances.take(origin, at=time.monotonic()):
            self._telemetry.call_refused(origin, TOO_MANY_FROM_AN_ADDRESS)
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_FROM_AN_ADDRESS, COME_BACK)

    @contextmanager
    def look_on(self, peer: str) -> Iterator[None]:
        """Count the connection of an accepted call as active within the context, though its client sends nothing."""
        end = endpoint_of(peer)
        self._transports.play_begins(end)
        try:
            yield
        finally:
            self._transports.play_ends(end)

    def _refusal(self, context: grpc.aio.ServicerContext[Q, A]) -> str:
        """Return the reason to refuse a call, or an empty text. An accepted call counts as open until it ends."""
        peer = context.peer()
        origin = origin_of(peer)
        refusal = self._objection(peer, origin)
        if refusal:
            self._telemetry.call_refused(origin, refusal)
        else:
            self._open[origin] += 1
            context.add_done_callback(partial(self._closed, origin))  # type: ignore[arg-type]  # the stubs want a class
        return refusal

    def _objection(self, peer: str, origin: str) -> str:
        if not self._transports.call(endpoint_of(peer)):
            return TOO_MANY_ON_A_CONNECTION
        if self.for_one:
            return ""
        if self._open[origin] >= _OPEN_CALLS:
            return "too many open calls from your address"
        if self._allowances.take(origin, at=time.monotonic()):
            return TOO_MANY_FROM_AN_ADDRESS
        return ""

    def _closed(self, origin: str, _: object) -> None:
        self._open[origin] -= 1
        if not self._open[origin]:
            del self._open[origin]


class Service(Protocol):
    """A service of the contract."""

    @property
    def name(self) -> str:
        """Its full name, for instance ``ordago.v1.LadderService``."""

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return the handler of its calls, which run in grpc's thread if the gate accepts them. Called once."""
