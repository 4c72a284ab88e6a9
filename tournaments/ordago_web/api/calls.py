"""Which calls of the contract there are under ``/api/v1/``, and where."""

from typing import Final, NamedTuple

from google.protobuf.message import Message

from ordago import v1

API_ROOT: Final = "/api/v1"
"""Where all calls begin. A change that old clients do not understand would begin elsewhere."""


class ApiCall(NamedTuple):
    """A call of a service, made by GET. Fields of the request that are not in its path are parameters of the query."""

    path: str
    """Below the root, with the fields in braces that stand in it, by their names in JSON."""
    request: type[Message]
    answer: type[Message]
    raw: str = ""
    """The field of the answer, bytes, that is sent as it is, as a file. Empty: the answer is sent, as JSON."""

    @property
    def method(self) -> str:
        """The name of the call in its service."""
        return self.request.DESCRIPTOR.name.removesuffix("Request")

    @property
    def path_fields(self) -> tuple[str, ...]:
        """The fields that stand in the path, by their names in JSON."""
        parts = self.path.split("/")
        return tuple(part[1:-1] for part in parts if part.startswith("{"))


CALLS: Final = (
    ApiCall("/ladder", v1.GetLadderRequest, v1.GetLadderResponse),
    ApiCall("/standings", v1.ListStandingsRequest, v1.ListStandingsResponse),
    ApiCall("/bots/{name}", v1.GetBotRequest, v1.GetBotResponse),
    ApiCall("/bots/{name}/figures", v1.GetBotFiguresRequest, v1.GetBotFiguresResponse),
    ApiCall("/players/{player}/course", v1.GetRatingCourseRequest, v1.GetRatingCourseResponse),
    ApiCall("/head-to-head", v1.GetHeadToHeadRequest, v1.GetHeadToHeadResponse),
    ApiCall("/epochs", v1.ListEpochsRequest, v1.ListEpochsResponse),
    ApiCall("/seasons", v1.ListSeasonsRequest, v1.ListSeasonsResponse),
    ApiCall("/matches", v1.ListMatchesRequest, v1.ListMatchesResponse),
    ApiCall("/matches/{matchId}", v1.GetMatchRequest, v1.GetMatchResponse),
    ApiCall("/matches/{matchId}/record", v1.GetRecordRequest, v1.GetRecordResponse, raw="file"),
)
"""All calls of LadderService and MatchService but ``WatchMatch``, which ``/matches/ID/live`` tells."""
