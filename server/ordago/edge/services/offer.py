"""The services that tell of a ladder, put together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import grpc

from ordago import v1
from ordago.arena.tables.watched import WatchedMatches
from ordago.edge.door import Door, Service
from ordago.edge.services.desk import Admits, Desk, Handler, LadderReader, ReaderThread
from ordago.edge.services.watching import Watching
from ordago.telemetry.telemetry import Telemetry

LADDER_SERVICE: Final = "ordago.v1.LadderService"
MATCH_SERVICE: Final = "ordago.v1.MatchService"

Handlers: TypeAlias = dict[str, Handler]


@dataclass(frozen=True, slots=True)
class _Offered:
    """A service whose handlers are made when it is known who lets calls in."""

    name: str
    handlers: Callable[[Desk], Handlers]
    thread: ReaderThread
    admits: Admits

    def handler(self, door: Door, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls."""
        desk = Desk(self.thread, door, telemetry, admits=self.admits)
        return grpc.method_handlers_generic_handler(self.name, self.handlers(desk))


def _everybody(_token: str | None) -> bool:
    return True


def ladder_services(reader: LadderReader, watched: WatchedMatches, *, admits: Admits = _everybody) -> Sequence[Service]:
    """Return the services that tell of a ladder, for ``Edge.open``.

    Args:
        reader: reads the ladder.
        watched: the matches that can be watched.
        admits: says by a token, or ``None``, who may read; as a rule everybody. It is asked in grpc's thread.
    """

    def ladder_handlers(desk: Desk) -> Handlers:
        return {
            "GetLadder": desk.handler(v1.GetLadderRequest, reader.get_ladder),
            "ListStandings": desk.handler(v1.ListStandingsRequest, reader.list_standings),
            "GetBot": desk.handler(v1.GetBotRequest, reader.get_bot),
            "GetRatingCourse": desk.handler(v1.GetRatingCourseRequest, reader.get_rating_course),
            "GetHeadToHead": desk.handler(v1.GetHeadToHeadRequest, reader.get_head_to_head),
            "GetBotFigures": desk.handler(v1.GetBotFiguresRequest, reader.get_bot_figures),
            "ListEpochs": desk.handler(v1.ListEpochsRequest, reader.list_epochs),
            "ListSeasons": desk.handler(v1.ListSeasonsRequest, reader.list_seasons),
        }

    def match_handlers(desk: Desk) -> Handlers:
        return {
            "ListMatches": desk.handler(v1.ListMatchesRequest, reader.list_matches),
            "GetMatch": desk.handler(v1.GetMatchRequest, reader.get_match),
            "GetRecord": desk.handler(v1.GetRecordRequest, reader.get_record),
            "WatchMatch": Watching(desk, reader, watched).handler,
        }

    thread = ReaderThread()
    return (
        _Offered(LADDER_SERVICE, ladder_handlers, thread, admits),
        _Offered(MATCH_SERVICE, match_handlers, thread, admits),
    )
