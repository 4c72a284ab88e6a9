"""Which calls are taken: so many in a time on each connection, and from each address."""

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
"""Calls without a stream from one address: to list the games, or to ask for health."""
_OPEN_CALLS: Final = 64
"""How many of these may be open from one address. Whoever lets nothing come keeps his answers in our memory."""
COME_BACK: Final = ((RETRY_AFTER, "1000"),)
"""What goes with a refusal: in a second a good part of the calls is allowed again."""
TOO_MANY_ON_A_CONNECTION: Final = "too many calls on one connection"
TOO_MANY_FROM_AN_ADDRESS: Final = "too many calls from your address"
"""What is said then."""


class CallGate:
    """Takes calls, or refuses them. It belongs to grpc's thread."""

    def __init__(self, telemetry: Telemetry, transports: Transports, *, for_one: bool = False) -> None:
        """Watch over the connections of a server.

        Args:
            telemetry: where it is told what is refused.
            transports: the connections.
            for_one: whether all calls come from one program of ours, which asks for many and bounds each of them.
        """
        self.for_one = for_one
        self._telemetry = telemetry
        self._transports = transports
        self._allowances = Allowances(per_second=_CALLS_PER_SECOND, at_once=_CALLS_AT_ONCE)
        self._open = Counter[str]()

    @contextmanager
    def play(self, peer: str) -> Iterator[bool]:
        """Note that a bot plays on a stream, and say whether the stream may be served."""
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
        """Return what answers calls without a stream, as many as may come. Where there is no answer, none is found."""

        async def answer_if_taken(request: Q, context: grpc.aio.ServicerContext[Q, A]) -> A:
            await self.let_in(context)
            answered = answer(request)
            if answered is None:
                await context.abort(grpc.StatusCode.NOT_FOUND)
            return answered

        return answer_if_taken

    async def let_in(self, context: grpc.aio.ServicerContext[Q, A]) -> None:
        """Take a call that is no bot's, or end it with the reason why it is not taken."""
        refusal = self._refusal(context)
        if refusal:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal, COME_BACK)

    async def let_ask(self, context: grpc.aio.ServicerContext[Q, A]) -> None:
        """Take one more question of a call that was taken: it counts as a call, and ends the call if it is too many."""
        origin = origin_of(context.peer())
        if not self.for_one and self._allowances.take(origin, at=time.monotonic()):
            self._telemetry.call_refused(origin, TOO_MANY_FROM_AN_ADDRESS)
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_FROM_AN_ADDRESS, COME_BACK)

    @contextmanager
    def look_on(self, peer: str) -> Iterator[None]:
        """Note that somebody looks on by a call that was taken: its connection is not idle, though he says nothing."""
        end = endpoint_of(peer)
        self._transports.play_begins(end)
        try:
            yield
        finally:
            self._transports.play_ends(end)

    def _refusal(self, context: grpc.aio.ServicerContext[Q, A]) -> str:
        """Return why a call is not answered, or nothing."""
        peer = context.peer()
        origin = origin_of(peer)
        refusal = self._objection(peer, origin)
        if refusal:
            self._telemetry.call_refused(origin, refusal)
        else:
            self._open[origin] += 1
            context.add_done_callback(partial(self._closed, origin))  # type: ignore[arg-type]  # the stubs know no functions
        return refusal

    def _objection(self, peer: str, origin: str) -> str:
        if not self._transports.call(endpoint_of(peer)):
            return TOO_MANY_ON_A_CONNECTION
        if self.for_one:
            return ""
        if self._open[origin] >= _OPEN_CALLS:
            return "too many calls from your address are open"
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
        """Return what answers its calls in grpc's thread, as far as the door takes them. It is called once."""
