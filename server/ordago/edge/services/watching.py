"""The stream on which a match is watched: from the list that the match writes, or from its record once that is open.

Nothing is queued for anybody: each stream knows how far its client has read, and takes what comes next when the client
has taken what came before. A match is told in some ten kilobytes, so that a client who reads nothing at all keeps no
more than that of our memory, and he is cut off after a while.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import grpc

from ordago import v1
from ordago.arena.watched import LOOK_SECONDS, WatchedMatch, WatchedMatches, watched_end, watched_start
from ordago.edge.door import COME_BACK
from ordago.edge.origins import origin_of
from ordago.edge.services.desk import Desk, Handler
from ordago.edge.services.reader import LadderReader
from ordago.edge.stream import Context
from ordago.games import find_game
from ordago.record import from_file_bytes, replay

_MOST_AT_ONCE: Final = 256
"""So many may look on at once: each is served four times a second, which takes some 20 µs."""
_MOST_OF_ONE: Final = 16
"""So many of them from one address."""
_EVENTS_AT_ONCE: Final = 256
"""So many events go into a response: some ten kilobytes."""
_SLOWEST_SECONDS: Final = 30.0
"""For so long a response may wait to be taken. No measurement: who reads at all takes it within a second."""
_TOO_MANY: Final = "too many look on already; try again later"
_TOO_MANY_OF_ONE: Final = "too many look on from your address; end one of the others first"
_TOO_SLOW: Final = "what was sent is not read; watch the match again when there is time for it"


class Watching:
    """Answers ``WatchMatch``. It belongs to grpc's thread."""

    def __init__(self, desk: Desk, reader: LadderReader, watched: WatchedMatches) -> None:
        """Show what is watched, and what a reader has the open record of."""
        self._desk = desk
        self._reader = reader
        self._watched = watched
        self._open = Counter[str]()
        self.handler: Handler = grpc.unary_stream_rpc_method_handler(self._watch)
        """What answers its calls."""

    async def _watch(self, asked: bytes, context: Context) -> None:
        request = await self._desk.let_in(v1.WatchMatchRequest, asked, context)
        with self._place(origin_of(context.peer())) as refusal, self._desk.door.look_on(context.peer()):
            if refusal:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, refusal, COME_BACK)
            match = self._watched.find(request.match_id)
            if match is not None:
                await _show(match, context)
            else:
                for response in await self._desk.read(partial(self._told, request.match_id), context):
                    await _write(response, context)

    @contextmanager
    def _place(self, origin: str) -> Iterator[str]:
        """Keep a place for somebody who looks on, and return why there is none, or nothing."""
        full = self._open.total() >= _MOST_AT_ONCE
        refusal = _TOO_MANY if full else _TOO_MANY_OF_ONE if self._open[origin] >= _MOST_OF_ONE else ""
        self._open[origin] += 1
        try:
            yield refusal
        finally:
            self._open[origin] -= 1
            if not self._open[origin]:
                del self._open[origin]

    def _told(self, match_id: str) -> Sequence[bytes]:
        file = self._reader.get_record(v1.GetRecordRequest(match_id=match_id)).file
        return list(told_from_record(from_file_bytes(file)))


async def _show(match: WatchedMatch, context: Context) -> None:
    """Show a match from its beginning to its end, as it may be seen."""
    await _write(v1.WatchMatchResponse(start=match.start).SerializeToString(), context)
    shown = 0
    while True:
        events, end = match.seen(shown, at_most=_EVENTS_AT_ONCE)
        if events or end is not None:
            await _write(_response(events, first=shown + 1, end=end), context)
            shown += len(events)
        if end is not None:
            return
        if len(events) < _EVENTS_AT_ONCE:
            await asyncio.sleep(LOOK_SECONDS)


def _response(events: Sequence[bytes], *, first: int, end: v1.WatchedEnd | None) -> bytes:
    """Return a response. What a match hands out as an event of a decision is one of a response as it is."""
    rest = v1.WatchMatchResponse(first_event=first if events else 0, end=end)
    return b"".join((*events, rest.SerializeToString()))


async def _write(response: bytes, context: Context) -> None:
    try:
        await asyncio.wait_for(context.write(response), _SLOWEST_SECONDS)
    except TimeoutError:
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, _TOO_SLOW)


def told_from_record(record: v1.MatchRecord) -> Iterator[bytes]:
    """Return the responses to whoever watches a match whose record is open: what everybody could see of it."""
    start = watched_start(record, delay_seconds=0)
    yield v1.WatchMatchResponse(start=start).SerializeToString()
    event_of, seen = find_game(record.game).codec.event, replay(record).public
    for first in range(0, len(seen), _EVENTS_AT_ONCE):
        events = [event_of(event) for event in seen[first : first + _EVENTS_AT_ONCE]]
        yield v1.WatchMatchResponse(first_event=first + 1, events=events).SerializeToString()
    yield v1.WatchMatchResponse(end=watched_end(record)).SerializeToString()
