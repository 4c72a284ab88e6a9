"""A site that is served on this machine, over a ladder that is read in this process."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import trio

from ordago import v1
from ordago.edge.services.client import CallError, call_name
from ordago.edge.services.ladder import watch_responses
from ordago.record import from_file_bytes
from ordago.store.errors import NotFoundError, NotOpenError, PageTokenError
from ordago_web.access.bounds import AddressBounds, Limits
from ordago_web.access.turns import Turns
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.live.tables import LiveTables
from ordago_web.pages import DOCUMENTATION, LADDER, Pages
from ordago_web.serving.listener import Place, address_of, listening
from ordago_web.serving.server import serve_site
from ordago_web.site import site

_STATUSES: Final = {
    NotFoundError: "NOT_FOUND",
    NotOpenError: "FAILED_PRECONDITION",
    PageTokenError: "INVALID_ARGUMENT",
}


class ReadHere:
    """A server of matches, as a site knows it, that is a reader in this process."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.calls = 0
        self.status = v1.GetStatusResponse()
        """What the server says of itself, which no reader of a ladder knows."""

    def ask(self, request: Any, _answer: Any) -> Any:
        """Answer as the server would."""
        self.calls += 1
        try:
            if isinstance(request, v1.GetStatusRequest):
                return self.status
            if isinstance(request, v1.WatchMatchRequest):
                return v1.WatchMatchResponse.FromString(b"".join(self._watched(request)))
            return getattr(self._reader, _method(call_name(request)))(request)
        except tuple(_STATUSES) as error:
            raise CallError(_STATUSES[type(error)], str(error)) from None

    def _watched(self, request: v1.WatchMatchRequest) -> Iterator[bytes]:
        return watch_responses(from_file_bytes(self._reader.record_to_watch(request.match_id)))

    @contextmanager
    def opened(self) -> Iterator["ReadHere"]:
        """Watch a match, which has to be over."""
        yield self

    def listen(self, request: v1.WatchMatchRequest, _answer: Any) -> Iterator[v1.WatchMatchResponse]:
        """Tell a match as the server would."""
        try:
            yield from map(v1.WatchMatchResponse.FromString, self._watched(request))
        except tuple(_STATUSES) as error:
            raise CallError(_STATUSES[type(error)], str(error)) from None


def _method(call: str) -> str:
    """Return the name of the method of a reader that answers a call: ``get_bot`` for ``GetBot``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", call).lower()


class ServedSite:
    """Serves a site in a thread of its own: ``with ServedSite(reader) as site: site.url``."""

    def __init__(self, reader: Any, *, documentation: Path | None = None, now: Callable[[], float] = time.time) -> None:
        server = ReadHere(reader)
        # One call at a time, as at a server.
        self.source = LadderSource(
            server, turns=Turns(at_once=1), clock=lambda: trio.current_time() + self._ahead_seconds
        )
        self._ahead_seconds = 0.0
        # Tests, and who measures, ask for more than anybody who reads.
        limits = Limits(AddressBounds(reads_at_once=1e6, reads_per_second=1e6))
        pages = Pages([*LADDER, *DOCUMENTATION])
        self._live = LiveTables(server.opened)
        context = AppContext(
            pages=pages, now=now, ladder=self.source, live=self._live, limits=limits, documentation=documentation
        )
        self._application = site(context)
        self._place = Place(address="127.0.0.1:0")
        self._listener = listening(self._place.address)
        self._thread = threading.Thread(target=trio.run, args=(self._serve,), daemon=True)
        self._ending = trio.Event()
        self._ready = threading.Event()
        self._token: trio.lowlevel.TrioToken | None = None
        self.url = address_of(self._listener, self._place).rstrip("/")

    def forget(self) -> None:
        """Let so much time pass that all answers are old."""
        self._ahead_seconds += 60.0

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._token is not None
        self._token.run_sync_soon(self._ending.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        async with trio.open_nursery() as nursery:
            await nursery.start(self._live.run)
            self._ready.set()
            await serve_site(self._application, self._listener, self._place, until=self._ending.wait)
            nursery.cancel_scope.cancel()
