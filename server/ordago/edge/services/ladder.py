"""``LadderService``, which reads a ladder, and ``MatchService``, which also streams matches to watch.

No events are queued for a client that watches: each stream stores its client's position, and takes the next events when
the client has read those before. A match takes some ten kilobytes, so a client that reads nothing occupies no more than
that, and its stream ends after a while.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import grpc

from ordago import v1
from ordago.arena.tables.watched import LOOK_SECONDS, WatchedMatch, WatchedMatches, watched_end, watched_start
from ordago.edge.call_gate import CallGate, Service
from ordago.edge.services.faults import fault_handlers
from ordago.edge.services.ladder_handlers import Admits, Handler, LadderHandlers, LadderReader, ReaderThread
from ordago.edge.services.own_calls import Challenger, OwnCalls
from ordago.edge.services.places import Places, write
from ordago.edge.services.status import Status
from ordago.edge.stream import Context
from ordago.games import find_game
from ordago.record import from_file_bytes, replay
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.telemetry.telemetry import Telemetry

_MOST_AT_ONCE: Final = 256
"""The most clients that watch at once: each is served four times a second, which takes some 20 µs."""
_MOST_OF_ONE: Final = 16
"""The most of them from one address."""
_EVENTS_AT_ONCE: Final = 256
"""The most events in a response: some ten kilobytes."""
_AGAIN: Final = "watch the match again"


class Watching:
    """Handler of ``WatchMatch``. Used in grpc's thread."""

    def __init__(self, handlers: LadderHandlers, reader: LadderReader, watched: WatchedMatches) -> None:
        """Stream running matches, and those that ended by their records, open or not."""
        self._handlers = handlers
        self._reader = reader
        self._watched = watched
        of_one = _MOST_AT_ONCE if handlers.gate.for_one else _MOST_OF_ONE
        self._places = Places(at_once=_MOST_AT_ONCE, of_one=of_one, who="watch")
        self.handler: Handler = grpc.unary_stream_rpc_method_handler(self._watch)
        """The handler of its calls."""

    async def _watch(self, asked: bytes, context: Context) -> None:
        request = await self._handlers.let_in(v1.WatchMatchRequest, asked, context)
        async with self._handlers.look_on(self._places, context):
            match = self._watched.find(request.match_id)
            if match is not None:
                await _show(match, context)
            else:
                for response in await self._handlers.read(partial(self._responses, request.match_id), context):
                    await write(response, context, again=_AGAIN)

    def _responses(self, match_id: str) -> Sequence[bytes]:
        return list(watch_responses(from_file_bytes(self._reader.record_to_watch(match_id))))


async def _show(match: WatchedMatch, context: Context) -> None:
    """Stream a match from beginning to end, as far as it may be seen."""
    await write(v1.WatchMatchResponse(start=match.start).SerializeToString(), context, again=_AGAIN)
    shown = 0
    while True:
        events, end = match.seen(shown, at_most=_EVENTS_AT_ONCE)
        if events or end is not None:
            await write(_response(events, first=shown + 1, end=end), context, again=_AGAIN)
            shown += len(events)
        if end is not None:
            return
        if len(events) < _EVENTS_AT_ONCE:
            await asyncio.sleep(LOOK_SECONDS)


def _response(events: Sequence[bytes], *, first: int, end: v1.WatchedEnd | None) -> bytes:
    """Return a serialized response. The events come serialized as fields of it, so they only have to be joined."""
    rest = v1.WatchMatchResponse(first_event=first if events else 0, end=end)
    return b"".join((*events, rest.SerializeToString()))


def watch_responses(record: v1.MatchRecord) -> Iterator[bytes]:
    """Yield the responses for a match that ended, by its record: its public events only, as spectators saw them."""
    start = watched_start(record, delay_seconds=0)
    yield v1.WatchMatchResponse(start=start).SerializeToString()
    event_of, seen = find_game(record.game).codec.event, replay(record).public
    for first in range(0, len(seen), _EVENTS_AT_ONCE):
        events = [event_of(event) for event in seen[first : first + _EVENTS_AT_ONCE]]
        yield v1.WatchMatchResponse(first_event=first + 1, events=events).SerializeToString()
    yield v1.WatchMatchResponse(end=watched_end(record)).SerializeToString()


LADDER_SERVICE: Final = "ordago.v1.LadderService"
MATCH_SERVICE: Final = "ordago.v1.MatchService"

Handlers: TypeAlias = dict[str, Handler]


@dataclass(frozen=True, slots=True)
class _Offered:
    """A service whose handlers are made when its call gate is known."""

    name: str
    handlers: Callable[[LadderHandlers], Handlers]
    thread: ReaderThread
    admits: Admits

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return the handler of its calls."""
        calls = LadderHandlers(self.thread, gate, telemetry, admits=self.admits)
        return grpc.method_handlers_generic_handler(self.name, self.handlers(calls))


def _everybody(_token: str | None) -> bool:
    return True


def ladder_services(
    reader: LadderReader,
    watched: WatchedMatches,
    status: Status,
    *,
    admits: Admits = _everybody,
    accounts: Accounts | None = None,
    challenger: Challenger | None = None,
) -> Sequence[Service]:
    """Return the services of a ladder, for ``Edge.open``.

    Args:
        reader: the reader of the ladder.
        watched: the matches that can be watched.
        status: tells how the server is.
        admits: returns True if a token, or ``None``, may read; by default always. Called in grpc's thread.
        accounts: the accounts of the bots, each of which may read its own faults; ``None``: nobody may.
        challenger: the challenges of the ladder; ``None`` if it has none.
    """

    def ladder_handlers(calls: LadderHandlers) -> Handlers:
        handlers = {
            "GetLadder": calls.handler(v1.GetLadderRequest, reader.get_ladder),
            "GetStatus": calls.handler(v1.GetStatusRequest, status, waits=False),
            "ListStandings": calls.handler(v1.ListStandingsRequest, reader.list_standings),
            "GetBot": calls.handler(v1.GetBotRequest, reader.get_bot),
            "GetRatingCourse": calls.handler(v1.GetRatingCourseRequest, reader.get_rating_course),
            "GetHeadToHead": calls.handler(v1.GetHeadToHeadRequest, reader.get_head_to_head),
            "GetBotFigures": calls.handler(v1.GetBotFiguresRequest, reader.get_bot_figures),
            "ListEpochs": calls.handler(v1.ListEpochsRequest, reader.list_epochs),
            "ListSeasons": calls.handler(v1.ListSeasonsRequest, reader.list_seasons),
            **fault_handlers(calls, accounts, reader),
        }
        if challenger is not None:
            own = OwnCalls(calls, accounts, Scope.PLAY)
            handlers |= {
                "ChallengeBot": own.handler(v1.ChallengeBotRequest, challenger.challenge),
                "ListChallenges": own.handler(v1.ListChallengesRequest, challenger.list_challenges),
                "WithdrawChallenge": own.handler(v1.WithdrawChallengeRequest, challenger.withdraw),
            }
        return handlers

    def match_handlers(calls: LadderHandlers) -> Handlers:
        return {
            "ListMatches": calls.handler(v1.ListMatchesRequest, reader.list_matches),
            "GetMatch": calls.handler(v1.GetMatchRequest, reader.get_match),
            "GetRecord": calls.handler(v1.GetRecordRequest, reader.get_record),
            "WatchMatch": Watching(calls, reader, watched).handler,
        }

    thread = ReaderThread()
    return (
        _Offered(LADDER_SERVICE, ladder_handlers, thread, admits),
        _Offered(MATCH_SERVICE, match_handlers, thread, admits),
    )
