"""``EventService``: events beside the tables of a server, by calls over the wire.

What is asked is looked up in one thread, what changes something in another: to open an event takes longer. Streams are
in ``event_streams.py``.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import grpc
from google.protobuf.message import Message

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.door import Door
from ordago.edge.services.desk import Desk, Handler, ReaderThread
from ordago.edge.services.event_keeper import EventKeeper
from ordago.edge.services.event_streams import EventDownloads, EventWatching
from ordago.edge.services.refusals import RefusedError, check_pace, check_scope, good_holder, needed_token
from ordago.edge.stream import Context
from ordago.store.account_rows import Scope
from ordago.store.accounts import Accounts
from ordago.telemetry.telemetry import Telemetry

EVENT_SERVICE: Final = "ordago.v1.EventService"
LONGEST_FILE_BYTES: Final = 65_536
"""How many bytes an event file may have: an entrant takes a hundred or two."""
_LONGEST_REQUEST_BYTES: Final = LONGEST_FILE_BYTES + 16
_CHANGES_AT_ONCE: Final = 20
_CHANGES_PER_SECOND: Final = 0.2
"""Events that an account opens and stops, in vain or not: to read a file takes some milliseconds, to begin far more."""
_LONGEST_WAIT_SECONDS: Final = 40.0
"""An event that is stopped commits what was played, and ends its bots; who downloads waits until nobody publishes."""
_HOLDS_EVENTS: Final = (Scope.ORGANISE, Scope.ADMIN)
_SUBJECT: Final = "the events"


class _Change(NamedTuple):
    """A kind of calls that change something."""

    request: type[Message]
    answer: Callable[..., Message]
    """Is given the request, and as ``by`` the account that calls."""


class EventService:
    """Answers ``EventService``. It is a ``service.Service``, for ``Edge.open``."""

    name: Final = EVENT_SERVICE

    def __init__(self, keeper: EventKeeper, accounts: Accounts, *, now: Callable[[], float] = time.time) -> None:
        """Answer what a keeper can tell, and let him do what an account may ask.

        Args:
            keeper: keeps the events.
            accounts: who may open and stop some.
            now: the time, in seconds since 1970, UTC.
        """
        self._keeper = keeper
        self._accounts = accounts
        self._now = now
        self._pace = Allowances(per_second=_CHANGES_PER_SECOND, at_once=_CHANGES_AT_ONCE)

    def handler(self, door: Door, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls in grpc's thread, as far as the door takes them."""
        keeper = self._keeper
        patient = (ReaderThread(longest_seconds=_LONGEST_WAIT_SECONDS) for _ in range(2))
        reading, changing, downloading = (
            Desk(thread, door, telemetry, admits=_everybody, subject=_SUBJECT) for thread in (ReaderThread(), *patient)
        )
        handlers = {
            "OpenEvent": self._changes(changing, _Change(v1.OpenEventRequest, keeper.open_event)),
            "StopEvent": self._changes(changing, _Change(v1.StopEventRequest, keeper.stop_event)),
            "GetEvent": reading.handler(v1.GetEventRequest, keeper.get_event),
            "ListEvents": reading.handler(v1.ListEventsRequest, keeper.list_events),
            "ListEventResults": reading.handler(v1.ListEventResultsRequest, keeper.list_event_results),
            "WatchEvent": EventWatching(reading, keeper).handler,
            "DownloadEvent": EventDownloads(downloading, keeper).handler,
        }
        return grpc.method_handlers_generic_handler(EVENT_SERVICE, handlers)

    def _changes(self, desk: Desk, change: _Change) -> Handler:
        async def answer(asked: bytes, context: Context) -> bytes:
            request: Any = await desk.let_in(change.request, asked, context, longest=_LONGEST_REQUEST_BYTES)
            try:
                token = needed_token(context)
            except RefusedError as error:
                await desk.refuse(context, error)
            # It may take long, and a connection on which nothing is said meanwhile would be shut.
            with desk.door.look_on(context.peer()):
                answered = await desk.read(partial(self._change, change, request, token), context)
            return answered.SerializeToString()

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    def _change(self, change: _Change, request: Message, token: str) -> Message:
        """Change what an account may. It blocks, and runs in a thread of its own."""
        holder = good_holder(self._accounts, token, now=self._now())
        check_scope(holder, *_HOLDS_EVENTS)
        check_pace(self._pace, holder.account.name, at=time.monotonic())
        return change.answer(request, by=holder.account.name)


def _everybody(_token: str | None) -> bool:
    return True
