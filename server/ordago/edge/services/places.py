"""Limits on long streams: their number at once, and the time that a client takes to read."""

from collections import Counter
from typing import Final

import grpc

from ordago.edge.operations import done_within
from ordago.edge.origins import origin_of
from ordago.edge.services.refusals import RefusedError
from ordago.edge.stream import Context

_COME_BACK_MS: Final = 1_000
_SLOWEST_SECONDS: Final = 30.0
"""The longest time for writing a response. Not measured: a client that reads at all takes it within a second."""


class Places:
    """A limited number of streams of one kind. Used in grpc's thread."""

    def __init__(self, *, at_once: int, of_one: int, who: str) -> None:
        """Set the limits in all and per address; ``who`` is the verb in refusals, for instance "look on"."""
        self._at_once = at_once
        self._of_one = of_one
        self._who = who
        self._open = Counter[str]()

    def enter(self, peer: str) -> None:
        """Take a place for a peer.

        Raises:
            RefusedError: all places are taken, or all of the peer's address.
        """
        origin = origin_of(peer)
        refusal = self._refusal(origin)
        if refusal:
            raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal, retry_after_ms=_COME_BACK_MS)
        self._open[origin] += 1

    def leave(self, peer: str) -> None:
        """Free the place of a peer."""
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
    """Write a response to a stream. If the client does not read, abort the stream with the advice ``again``."""
    if not await done_within(context.write(response), seconds=_SLOWEST_SECONDS):
        sentence = f"the messages were not read in time; {again} when you can"
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence)
