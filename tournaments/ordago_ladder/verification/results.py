"""Results in the ``ladder.json`` of an unfinished event, whose records are not all open yet."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ordago.record import FaultCount, Result, SeatForfeit, StrikeCount
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago.version import __version__
from ordago_ladder.event_file.written_file import first_problem

_MOST: Final = 1 << 31
"""Numbers of the contract have 32 bits, one of them for the sign."""
_Count = Annotated[int, Field(ge=0, lt=_MOST)]
_Score = Annotated[int, Field(gt=-_MOST, lt=_MOST)]
_LONGEST_VERSION: Final = 64
_Counts = tuple[dict[str, _Count], ...]


class ResultsError(ValueError):
    """Results that do not fit a schedule. The message is one sentence."""


class _Stated(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _Forfeit(_Stated):
    seat: _Count
    fault: str


class _Match(_Stated):
    row: _Count
    match_id: str
    scores: tuple[_Score, ...]
    placings: tuple[_Count, ...]
    faults: _Counts
    forfeits: tuple[_Forfeit, ...]
    attempt: _Count
    strikes: _Counts = ()

    def result(self, planned: PlannedMatch) -> MatchResult:
        seats = len(planned.entrants)
        strikes = self.strikes or ({},) * seats
        if {len(self.scores), len(self.placings), len(self.faults), len(strikes)} != {seats}:
            raise ResultsError(f"The result of match {self.match_id} is not for {seats} seats.")
        if any(forfeit.seat >= seats for forfeit in self.forfeits) or not all(0 < p <= seats for p in self.placings):
            raise ResultsError(f"The result of match {self.match_id} names a seat or a placing that does not exist.")
        result = Result(
            scores=self.scores,
            placings=self.placings,
            faults=tuple(tuple(FaultCount(*count) for count in counts.items()) for counts in self.faults),
            forfeits=tuple(SeatForfeit(forfeit.seat, forfeit.fault) for forfeit in self.forfeits),
            strikes=tuple(tuple(StrikeCount(*count) for count in counts.items()) for counts in strikes),
        )
        return MatchResult(IssuedMatch(planned, self.match_id, self.attempt), result)


class _Ladder(_Stated):
    matches: tuple[_Match, ...]


class _Game(_Stated):
    name: str
    rules_version: _Count


class _Games(_Stated):
    games: tuple[_Game, ...]


class _Maker(_Stated):
    ordago: Annotated[str, Field(max_length=_LONGEST_VERSION)]


def stated_maker(content: bytes) -> str:
    """Return the version of Ordago that published, by a ``ladder.json``; this one where it says nothing of it."""
    try:
        return _Maker.model_validate_json(content).ordago
    except ValidationError:
        return __version__


def stated_versions(content: bytes) -> Mapping[str, int]:
    """Return the versions of the rules of each game in a ``ladder.json``; none where it says nothing of them."""
    try:
        return {game.name: game.rules_version for game in _Games.model_validate_json(content).games}
    except ValidationError:
        return {}


class StatedResults:
    """The results in a ``ladder.json``, checked against a schedule."""

    def __init__(self, content: bytes) -> None:
        """Read the file.

        Raises:
            ResultsError: it holds no results, or two of one match.
        """
        try:
            matches = _Ladder.model_validate_json(content).matches
        except ValidationError as error:
            raise ResultsError(f"It has no valid results: {first_problem(error)}.") from None
        self._matches = {match.row: match for match in matches}
        if len(self._matches) < len(matches) or len({match.match_id for match in matches}) < len(matches):
            raise ResultsError("It has two results of one match.")

    def of(self, planned: PlannedMatch) -> MatchResult | None:
        """Return the result of a match; ``None`` where the file has none.

        Raises:
            ResultsError: it does not fit the match.
        """
        match = self._matches.get(planned.row)
        return match.result(planned) if match is not None else None

    def all(self, schedule: Sequence[PlannedMatch]) -> dict[str, MatchResult]:
        """Return all results by match ID.

        Raises:
            ResultsError: one does not fit a match of this schedule.
        """
        if not self._matches.keys() <= {planned.row for planned in schedule}:
            raise ResultsError("It has a result of a match that is not in the schedule.")
        found = (self.of(planned) for planned in schedule)
        return {played.match.match_id: played for played in found if played is not None}
