"""``EventService``: events beside the tables of a server, by calls over the wire.

What is asked is looked up in one thread, what changes something in another: to open an event takes longer. No thread
waits for the end of an event that is stopped, so an organiser whose events end slowly holds up no other. Streams are in
``event_streams.py``.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import grpc
from google.protobuf.message import Message

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.call_gate import CallGate
from ordago.edge.services.event_keeper import Caller, EventKeeper
from ordago.edge.services.event_streams import EventDownloads, EventWatching
from ordago.edge.services.ladder_handlers import Handler, LadderHandlers, ReaderThread
from ordago.edge.services.places import Places
from ordago.edge.services.refusals import RefusedError, check_pace, check_scope, good_holder, needed_token
from ordago.edge.stream import Context
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.telemetry.telemetry import Telemetry

EVENT_SERVICE: Final = "ordago.v1.EventService"
LONGEST_FILE_BYTES: Final = 65_536
"""How many bytes an event file may have: an entrant takes a hundred or two."""
_LONGEST_REQUEST_BYTES: Final = LONGEST_FILE_BYTES + 16 + 1024
"""A file, and a reason."""
_CHANGES_AT_ONCE: Final = 20
_CHANGES_PER_SECOND: Final = 0.2
"""Events that an account opens and stops, in vain or not: to read a file takes some milliseconds, to begin far more."""
_REMOVED_AT_ONCE: Final = 100
_REMOVED_PER_SECOND: Final = 1 / 600
"""Events that an account removes, in vain or not: each may leave a name that stays taken, and an entry in the log."""
_MOST_CHANGE: Final = 64
_OF_ONE_AT_ONCE: Final = 4
"""Calls from one address that wait to change something: else one organiser could have all others wait behind it."""
_LONGEST_WAIT_SECONDS: Final = 40.0
"""Who downloads waits until nobody publishes."""
_STOP_SECONDS: Final = 30.0
"""For so long it is waited for an event that is stopped: it commits what was played, and ends its bots."""
_LOOK_SECONDS: Final = 0.1
_RUNS: Final = (v1.HOSTED_EVENT_STAGE_CHECK_IN, v1.HOSTED_EVENT_STAGE_PLAYING)
_HOLDS_EVENTS: Final = (Scope.ORGANISE, Scope.ADMIN)
_SUBJECT: Final = "the events"


class _Change(NamedTuple):
    """A kind of calls that change something."""

    request: type[Message]
    answer: Callable[..., Message]
    """Is given the request, and as ``by`` who calls."""
    pace: Allowances
    """How often an account may make them that is no admin's."""


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
        self._removals = Allowances(per_second=_REMOVED_PER_SECOND, at_once=_REMOVED_AT_ONCE)
        self._places = Places(at_once=_MOST_CHANGE, of_one=_OF_ONE_AT_ONCE, who="change events")

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls in grpc's thread, as far as the door takes them."""
        keeper = self._keeper
        patient = (ReaderThread(longest_seconds=_LONGEST_WAIT_SECONDS) for _ in range(2))
        # Whoever reads a lot keeps nobody from hearing that an event has ended.
        reading, looking, changing, downloading = (
            LadderHandlers(thread, gate, telemetry, admits=_everybody, subject=_SUBJECT)
            for thread in (ReaderThread(), ReaderThread(), *patient)
        )
        handlers = {
            "OpenEvent": self._changes(changing, _Change(v1.OpenEventRequest, keeper.open_event, self._pace)),
            "StopEvent": self._stops(changing, looking),
            "RemoveEvent": self._changes(changing, _Change(v1.RemoveEventRequest, keeper.remove_event, self._removals)),
            "GetEvent": reading.handler(v1.GetEventRequest, keeper.get_event),
            "ListEvents": reading.handler(v1.ListEventsRequest, keeper.list_events),
            "ListEventResults": reading.handler(v1.ListEventResultsRequest, keeper.list_event_results),
            "WatchEvent": EventWatching(reading, keeper).handler,
            "DownloadEvent": EventDownloads(downloading, keeper).handler,
        }
        return grpc.method_handlers_generic_handler(EVENT_SERVICE, handlers)

    def _changes(self, calls: LadderHandlers, change: _Change) -> Handler:
        async def answer(asked: bytes, context: Context) -> bytes:
            answered = await self._changed(calls, change, asked, context)
            return bytes(answered.SerializeToString())

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    def _stops(self, calls: LadderHandlers, looking: LadderHandlers) -> Handler:
        """Return what stops events, and looks by other handlers whether they have ended."""
        change = _Change(v1.StopEventRequest, self._keeper.stop_event, self._pace)

        async def answer(asked: bytes, context: Context) -> bytes:
            answered = await self._changed(calls, change, asked, context)
            # It may take long, and a connection on which nothing is said meanwhile would be shut.
            with calls.gate.look_on(context.peer()):
                until = time.monotonic() + _STOP_SECONDS
                look = partial(self._keeper.get_event, v1.GetEventRequest(name=answered.event.name))
                while answered.event.stage in _RUNS and time.monotonic() < until:
                    await asyncio.sleep(_LOOK_SECONDS)
                    answered.event.CopyFrom((await looking.read(look, context)).event)
            return bytes(answered.SerializeToString())

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    async def _changed(self, calls: LadderHandlers, change: _Change, asked: bytes, context: Context) -> Any:  # noqa: ANN401 - the answer to any call
        """Return what comes of a call that changes something, or end it with the reason why it does not."""
        request: Any = await calls.let_in(change.request, asked, context, longest=_LONGEST_REQUEST_BYTES)
        try:
            token = needed_token(context)
        except RefusedError as error:
            await calls.refuse(context, error)
        async with calls.look_on(self._places, context):
            return await calls.read(partial(self._change, change, request, token), context)

    def _change(self, change: _Change, request: Message, token: str) -> Message:
        """Change what an account may. It blocks, and runs in a thread of its own."""
        holder = good_holder(self._accounts, token, now=self._now())
        check_scope(holder, *_HOLDS_EVENTS)
        caller = Caller(holder.account.name, is_admin=Scope.ADMIN in holder.scopes)
        # Admins tidy up after others.
        check_pace(self._pace if caller.is_admin else change.pace, caller.account, at=time.monotonic())
        return change.answer(request, by=caller)


def _everybody(_token: str | None) -> bool:
    return True
