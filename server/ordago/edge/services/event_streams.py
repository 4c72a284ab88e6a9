"""Streams of ``EventService``: the progress of an event, and the files that it has published.

Slow readers cost little: a client that watches gets the present state when it has read the one before, and of files
only the next response is read from the disk. The bytes per second are limited for all downloads together, since sending
takes time that bots need.
"""

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from typing import Final

import grpc

from ordago import v1
from ordago.arena.allowance import Allowance
from ordago.edge.services.event_keeper import EventKeeper
from ordago.edge.services.ladder_handlers import Handler, LadderHandlers
from ordago.edge.services.places import Places, write
from ordago.edge.stream import Context

_MOST_LOOK_ON: Final = 256
_MOST_LOOK_ON_OF_ONE: Final = 16
_LOOK_SECONDS: Final = 1.0
"""The interval in which an event is read, however many clients watch."""
_MOST_DOWNLOAD: Final = 4
_MOST_DOWNLOAD_OF_ONE: Final = 2
"""The most downloads from one address. Each keeps all pages and tables of an event open, but no record."""
_BYTES_PER_SECOND: Final = 4 * 1024 * 1024
_BYTES_AT_ONCE: Final = 1024 * 1024
_LEAST_BYTES: Final = 4096
"""The bytes that a response counts at least."""
_LONGEST_DOWNLOAD_SECONDS: Final = 3600.0
"""The longest download. Within it all downloads together get 14 GiB."""
RUNS: Final = (v1.HOSTED_EVENT_STAGE_ENTRY, v1.HOSTED_EVENT_STAGE_CHECK_IN, v1.HOSTED_EVENT_STAGE_PLAYING)
"""The stages of an event that goes on by itself."""


class EventWatching:
    """Handler of ``WatchEvent``. Used in grpc's thread."""

    def __init__(self, handlers: LadderHandlers, keeper: EventKeeper) -> None:
        """Watch the events of a keeper."""
        self._handlers = handlers
        self._keeper = keeper
        self._places = Places(at_once=_MOST_LOOK_ON, of_one=_MOST_LOOK_ON_OF_ONE, who="watch")
        self._seen: dict[str, tuple[float, v1.HostedEvent]] = {}
        """The events that are watched, with the monotonic time of the last read."""
        self.handler: Handler = grpc.unary_stream_rpc_method_handler(self._watch)
        """The handler of its calls."""

    async def _watch(self, asked: bytes, context: Context) -> None:
        request = await self._handlers.let_in(v1.WatchEventRequest, asked, context)
        async with self._handlers.look_on(self._places, context):
            shown = None
            while shown is None or shown.stage in RUNS:
                event = await self._look(request.name, context)
                if event != shown:
                    await write(_watched(event), context, again="watch the event again")
                    shown = event
                if event.stage in RUNS:
                    await asyncio.sleep(_LOOK_SECONDS)

    async def _look(self, name: str, context: Context) -> v1.HostedEvent:
        """Return an event as it was at most a second ago."""
        looked_at, event = self._seen.get(name, (0.0, None))
        if event is None or time.monotonic() - looked_at >= _LOOK_SECONDS:
            request = v1.GetEventRequest(name=name)
            event = (await self._handlers.read(partial(self._keeper.get_event, request), context)).event
            self._seen = {**self._recent(), name: (time.monotonic(), event)}
        return event

    def _recent(self) -> dict[str, tuple[float, v1.HostedEvent]]:
        since = time.monotonic() - 2 * _LOOK_SECONDS
        return {name: seen for name, seen in self._seen.items() if seen[0] > since}


def _watched(event: v1.HostedEvent) -> bytes:
    return v1.WatchEventResponse(event=event).SerializeToString()


class EventDownloads:
    """Handler of ``DownloadEvent``. Used in grpc's thread."""

    def __init__(self, handlers: LadderHandlers, keeper: EventKeeper) -> None:
        """Offer the published files of a keeper's events."""
        self._handlers = handlers
        self._keeper = keeper
        self._places = Places(at_once=_MOST_DOWNLOAD, of_one=_MOST_DOWNLOAD_OF_ONE, who="download")
        self._pace = Allowance(per_second=_BYTES_PER_SECOND, at_once=_BYTES_AT_ONCE)
        self.handler: Handler = grpc.unary_stream_rpc_method_handler(self._download)
        """The handler of its calls."""

    async def _download(self, asked: bytes, context: Context) -> None:
        request = await self._handlers.let_in(v1.DownloadEventRequest, asked, context)
        async with self._handlers.look_on(self._places, context):
            responses = self._keeper.download_event(request)
            try:
                async with asyncio.timeout(_LONGEST_DOWNLOAD_SECONDS):
                    await self._send(responses, context)
            except TimeoutError:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "the download took too long; start it again")
            finally:
                # In the thread that may still be reading, and even if the call was cancelled.
                self._handlers.run_later(responses.close)

    async def _send(self, responses: Iterator[v1.DownloadEventResponse], context: Context) -> None:
        while (response := await self._handlers.read(partial(_next, responses), context)) is not None:
            amount = max(_LEAST_BYTES, len(response))
            while wait_seconds := self._pace.take(at=time.monotonic(), amount=amount):  # noqa: ASYNC110 - it is time alone that is waited for
                await asyncio.sleep(wait_seconds)
            await write(response, context, again="start the download again")


def _next(responses: Iterator[v1.DownloadEventResponse]) -> bytes | None:
    """Read the next response; ``None`` after the last."""
    response = next(responses, None)
    return None if response is None else response.SerializeToString()
