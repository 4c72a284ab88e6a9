"""What the services of a ladder ask, and whoever keeps a ladder answers: requests of the contract, and its responses.

The responses are messages, so they are JSON as well, by ``google.protobuf.json_format``.
"""

from typing import Protocol

from ordago import v1


class LadderReader(Protocol):
    """Reads a ladder. It is called in a thread of its own, one call after the other, and holds up no match.

    Every method may raise ``NotFoundError``, ``NotOpenError`` and ``PageTokenError`` of the store, with a sentence for
    whoever asked, and any other ``StoreError`` where the store cannot be read for now.
    """

    def get_ladder(self, request: v1.GetLadderRequest, /) -> v1.GetLadderResponse:
        """Describe the ladder."""

    def list_standings(self, request: v1.ListStandingsRequest, /) -> v1.ListStandingsResponse:
        """List who stands where."""

    def get_bot(self, request: v1.GetBotRequest, /) -> v1.GetBotResponse:
        """Describe a bot."""

    def get_rating_course(self, request: v1.GetRatingCourseRequest, /) -> v1.GetRatingCourseResponse:
        """Tell how a rating went."""

    def get_head_to_head(self, request: v1.GetHeadToHeadRequest, /) -> v1.GetHeadToHeadResponse:
        """Tell how two bots did against each other."""

    def get_bot_figures(self, request: v1.GetBotFiguresRequest, /) -> v1.GetBotFiguresResponse:
        """Tell how a bot did."""

    def list_epochs(self, request: v1.ListEpochsRequest, /) -> v1.ListEpochsResponse:
        """List the epochs."""

    def list_seasons(self, request: v1.ListSeasonsRequest, /) -> v1.ListSeasonsResponse:
        """List the seasons."""

    def list_matches(self, request: v1.ListMatchesRequest, /) -> v1.ListMatchesResponse:
        """List matches."""

    def get_match(self, request: v1.GetMatchRequest, /) -> v1.GetMatchResponse:
        """Describe a match."""

    def get_record(self, request: v1.GetRecordRequest, /) -> v1.GetRecordResponse:
        """Give a record that is open."""
