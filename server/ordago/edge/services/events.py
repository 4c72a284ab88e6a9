"""``EventService``: events on a standing server, by calls over the wire.

One thread reads and another makes changes, since opening an event takes longer. No thread waits for the end of an event
that is stopped, so slow events of one organiser do not delay others. Streams are in ``event_streams.py``.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Final, NamedTuple

import grpc
from google.protobuf.message import Message

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.call_gate import CallGate
from ordago.edge.services.event_keeper import Caller, EventKeeper
from ordago.edge.services.event_streams import RUNS, EventDownloads, EventWatching
from ordago.edge.services.ladder_handlers import Handler, LadderHandlers, ReaderThread
from ordago.edge.services.places import Places
from ordago.edge.services.refusals import RefusedError, check_pace, check_scope, good_holder, needed_token
from ordago.edge.stream import Context
from ordago.names import composed
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.telemetry.telemetry import Telemetry

EVENT_SERVICE: Final = "ordago.v1.EventService"
LONGEST_FILE_BYTES: Final = 65_536
"""The longest event file: an entrant takes a hundred bytes or two."""
_LONGEST_REQUEST_BYTES: Final = LONGEST_FILE_BYTES + 16 + 1024
"""The longest request: a file and a reason."""
_CHANGES_AT_ONCE: Final = 20
_CHANGES_PER_SECOND: Final = 0.2
"""The rate of opening and stopping events by an account, failures included: reading a file takes some milliseconds, and
beginning an event far more."""
_REMOVED_AT_ONCE: Final = 100
_REMOVED_PER_SECOND: Final = 1 / 600
"""The rate of removals by an account, failures included: each may leave a name taken, and an entry in the log."""
_MOST_CHANGE: Final = 64
_OF_ONE_AT_ONCE: Final = 4
"""The most changes from one address that wait; otherwise one organiser could make all others wait."""
_MOST_ENTER: Final = 256
_OF_ONE_ENTER: Final = 64
"""The most entries from one address that wait: those of a class behind one address. Each takes some milliseconds."""
_LONGEST_WAIT_SECONDS: Final = 40.0
"""The longest wait for a change or for a part of a download. Downloads wait while events are being published."""
_STOP_SECONDS: Final = 30.0
"""The longest wait for an event that is stopped, while it commits its results and ends its bots."""
_LOOK_SECONDS: Final = 0.1
_HOLD: Final = (Scope.ORGANISE, Scope.ADMIN)
"""The scopes of which a token needs one to hold events."""
_SUBJECT: Final = "the events"


class _Change(NamedTuple):
    """A call that changes something."""

    request: type[Message]
    answer: Callable[..., Message]
    """The handler, called with the request and the caller as ``by``."""
    pace: Allowances
    """The rate limit of accounts without the role admin."""
    places: Places
    """The limit of waiting calls."""
    enough: Collection[Scope] = _HOLD
    """The scopes of which the token has to have one."""


class EventService:
    """Handler of ``EventService``. It is a ``call_gate.Service``, for ``Edge.open``."""

    name: Final = EVENT_SERVICE

    def __init__(self, keeper: EventKeeper, accounts: Accounts, *, now: Callable[[], float] = time.time) -> None:
        """Read events from a keeper, and change them for accounts with permission.

        Args:
            keeper: the keeper of the events.
            accounts: the accounts, with their tokens and scopes.
            now: returns the time in seconds since 1970, UTC.
        """
        self._keeper = keeper
        self._accounts = accounts
        self._now = now
        self._pace = Allowances(per_second=_CHANGES_PER_SECOND, at_once=_CHANGES_AT_ONCE)
        self._removals = Allowances(per_second=_REMOVED_PER_SECOND, at_once=_REMOVED_AT_ONCE)
        self._places = Places(at_once=_MOST_CHANGE, of_one=_OF_ONE_AT_ONCE, who="change events")
        self._entry_places = Places(at_once=_MOST_ENTER, of_one=_OF_ONE_ENTER, who="enter events")

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return the handler of its calls, which run in grpc's thread if the gate accepts them."""
        keeper = self._keeper
        patient = (ReaderThread(longest_seconds=_LONGEST_WAIT_SECONDS) for _ in range(2))
        # Threads of their own for waits on stopping events, so that many reads do not delay them, and for entries, so
        # that slower changes do not.
        reading, looking, entering, changing, downloading = (
            LadderHandlers(thread, gate, telemetry, admits=_everybody, subject=_SUBJECT)
            for thread in (ReaderThread(), ReaderThread(), ReaderThread(), *patient)
        )
        opens = _Change(v1.OpenEventRequest, keeper.open_event, self._pace, self._places)
        removes = _Change(v1.RemoveEventRequest, keeper.remove_event, self._removals, self._places)
        enters = _Change(v1.EnterEventRequest, self._enter, self._pace, self._entry_places, enough=(Scope.PLAY,))
        # With the role organise or admin, the account of an event takes out an entrant of another account.
        leaves = enters._replace(request=v1.LeaveEventRequest, answer=keeper.leave_event, enough=(Scope.PLAY, *_HOLD))
        handlers = {
            "OpenEvent": self._changes(changing, opens),
            "StopEvent": self._stops(changing, looking),
            "RemoveEvent": self._changes(changing, removes),
            "EnterEvent": self._changes(entering, enters),
            "LeaveEvent": self._changes(entering, leaves),
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
        """Return a handler that stops an event, and uses other handlers to wait for its end."""
        change = _Change(v1.StopEventRequest, self._keeper.stop_event, self._pace, self._places)

        async def answer(asked: bytes, context: Context) -> bytes:
            answered = await self._changed(calls, change, asked, context)
            # It may take long, and an idle connection would be shut meanwhile.
            with calls.gate.look_on(context.peer()):
                until = time.monotonic() + _STOP_SECONDS
                look = partial(self._keeper.get_event, v1.GetEventRequest(name=answered.event.name))
                while answered.event.stage in RUNS and time.monotonic() < until:
                    await asyncio.sleep(_LOOK_SECONDS)
                    answered.event.CopyFrom((await looking.read(look, context)).event)
            return bytes(answered.SerializeToString())

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    async def _changed(self, calls: LadderHandlers, change: _Change, asked: bytes, context: Context) -> Any:  # noqa: ANN401 - the answer to any call
        """Make a change and return its response, or abort the call with the reason."""
        request: Any = await calls.let_in(change.request, asked, context, longest=_LONGEST_REQUEST_BYTES)
        try:
            token = needed_token(context)
        except RefusedError as error:
            await calls.refuse(context, error)
        async with calls.look_on(change.places, context):
            return await calls.read(partial(self._change, change, request, token), context)

    def _change(self, change: _Change, request: Message, token: str) -> Message:
        """Check the account's permission and make a change. Blocks, and runs in a background thread."""
        holder = good_holder(self._accounts, token, now=self._now())
        check_scope(holder, *change.enough)
        caller = Caller(
            holder.account.name,
            is_admin=Scope.ADMIN in holder.scopes,
            may_organise=not holder.scopes.isdisjoint(_HOLD),
            bot=holder.token.bot,
        )
        # Admins remove many events of others, so the stricter limit on removals is not for them.
        check_pace(self._pace if caller.is_admin else change.pace, caller.account, at=time.monotonic())
        return change.answer(request, by=caller)

    def _enter(self, request: v1.EnterEventRequest, *, by: Caller) -> v1.EnterEventResponse:
        """Enter an entrant whose name is not, and does not look like, one of another account or its bots."""
        if by.bot not in ("", request.entrant):
            sentence = f"the token is for the bot {by.bot!r} only: enter under that name, or with another token"
            raise RefusedError(grpc.StatusCode.PERMISSION_DENIED, sentence)
        self._accounts.check_name(composed(request.entrant), by.account, now=self._now())
        return self._keeper.enter_event(request, by=by)


def _everybody(_token: str | None) -> bool:
    return True
