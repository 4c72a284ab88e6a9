"""Streams that last: how many of them there may be at once, and how long a client may take to read."""

import asyncio
from collections import Counter
from typing import Final

import grpc

from ordago.edge.origins import origin_of
from ordago.edge.services.refusals import RefusedError
from ordago.edge.stream import Context

_COME_BACK_MS: Final = 1_000
_SLOWEST_SECONDS: Final = 30.0
"""For so long a response may wait to be taken. No measurement: who reads at all takes it within a second."""


class Places:
    """The places of streams of a kind. They belong to grpc's thread."""

    def __init__(self, *, at_once: int, of_one: int, who: str) -> None:
        """Have so many places in all, and for one address, for those who do something: "look on", for instance."""
        self._at_once = at_once
        self._of_one = of_one
        self._who = who
        self._open = Counter[str]()

    def enter(self, peer: str) -> None:
        """Keep a place for somebody.

        Raises:
            RefusedError: there is none.
        """
        origin = origin_of(peer)
        refusal = self._refusal(origin)
        if refusal:
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal, retry_after_ms=_COME_BACK_MS)
        self._open[origin] += 1

    def leave(self, peer: str) -> None:
        """Give up the place of somebody who has one."""
        origin = origin_of(peer)
        self._open[origin] -= 1
        if not self._open[origin]:
            del self._open[origin]

    def _refusal(self, origin: str) -> str:
        if self._open.total() >= self._at_once:
            return f"too many {self._who} already; try again later"
        if self._open[origin] >= self._of_one:
            return f"too many {self._who} from your address; end one of the others first"
        return ""


async def write(response: bytes, context: Context, *, again: str) -> None:
    """Write a response to a stream; end the stream with what to do where nobody reads."""
    try:
        await asyncio.wait_for(context.write(response), _SLOWEST_SECONDS)
    except TimeoutError:
        sentence = f"what was sent is not read; {again} when there is time for it"
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence)
