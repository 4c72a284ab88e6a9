"""The services that tell of a ladder, put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import grpc

from ordago import v1
from ordago.arena.tables.watched import WatchedMatches
from ordago.edge.call_gate import CallGate, Service
from ordago.edge.services.ladder_handlers import Admits, Handler, LadderHandlers, LadderReader, ReaderThread
from ordago.edge.services.watching import Watching
from ordago.telemetry.telemetry import Telemetry

LADDER_SERVICE: Final = "ordago.v1.LadderService"
MATCH_SERVICE: Final = "ordago.v1.MatchService"

Handlers: TypeAlias = dict[str, Handler]


@dataclass(frozen=True, slots=True)
class _Offered:
    """A service whose handlers are made when it is known who lets calls in."""

    name: str
    handlers: Callable[[LadderHandlers], Handlers]
    thread: ReaderThread
    admits: Admits

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls."""
        calls = LadderHandlers(self.thread, gate, telemetry, admits=self.admits)
        return grpc.method_handlers_generic_handler(self.name, self.handlers(calls))


def _everybody(_token: str | None) -> bool:
    return True


def ladder_services(reader: LadderReader, watched: WatchedMatches, *, admits: Admits = _everybody) -> Sequence[Service]:
    """Return the services that tell of a ladder, for ``Edge.open``.

    Args:
        reader: reads the ladder.
        watched: the matches that can be watched.
        admits: says by a token, or ``None``, who may read; as a rule everybody. It is asked in grpc's thread.
    """

    def ladder_handlers(calls: LadderHandlers) -> Handlers:
        return {
            "GetLadder": calls.handler(v1.GetLadderRequest, reader.get_ladder),
            "ListStandings": calls.handler(v1.ListStandingsRequest, reader.list_standings),
            "GetBot": calls.handler(v1.GetBotRequest, reader.get_bot),
            "GetRatingCourse": calls.handler(v1.GetRatingCourseRequest, reader.get_rating_course),
            "GetHeadToHead": calls.handler(v1.GetHeadToHeadRequest, reader.get_head_to_head),
            "GetBotFigures": calls.handler(v1.GetBotFiguresRequest, reader.get_bot_figures),
            "ListEpochs": calls.handler(v1.ListEpochsRequest, reader.list_epochs),
            "ListSeasons": calls.handler(v1.ListSeasonsRequest, reader.list_seasons),
        }

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
