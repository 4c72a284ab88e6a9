"""Values for the pages of matches, epochs and seasons, converted from answers of the server."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago import v1
from ordago.names import visible
from ordago.scene import Sentence, sentence
from ordago_web.ladder.places import Link, Time, author_link, bot_link, game_link, match_place, place_with, time_of

_STAGES: Final = {
    v1.MATCH_STAGE_RUNNING: sentence("running"),
    v1.MATCH_STAGE_OVER: sentence("over"),
    v1.MATCH_STAGE_VOID: sentence("void"),
}
_UNKNOWN: Final = sentence("unknown")


class SeatCell(NamedTuple):
    """A seat of a match: its bot and result."""

    bot: Link
    version: str
    author: Link
    side: int
    """Counted from 1."""
    placing: int
    """Zero while the match runs, or if it is void."""
    score: int | None
    forfeited: bool


class MatchRow(NamedTuple):
    """A match."""

    match_id: str
    place: str
    game: Link
    game_name: str
    """The short name of the game."""
    epoch: int
    number: int
    stage: Sentence
    running: bool
    over: bool
    """True if it came to its end and counts."""
    seats: Sequence[SeatCell]
    begun: Time | None
    ended: Time | None
    record: str
    """The address of its record; empty while it is not open."""
    digest: str
    void: str
    unrated: bool
    lane: str
    """The lane of another server that plays it; empty if it is over, or played at this one."""

    @property
    def sides(self) -> bool:
        """True if several seats play for one side."""
        return len({seat.side for seat in self.seats}) < len(self.seats)


class EpochRow(NamedTuple):
    """An epoch."""

    epoch: int
    season: str
    began: Time | None
    matches: int
    results: int
    voids: int
    running: int
    pruned: bool
    secret_digest: str
    settings_digest: str
    link: str
    """Empty until it is revealed."""
    opens: Time | None
    """About the time of its end, with which its records open; ``None`` if it has ended, or will as soon as can be."""
    ledger_length: int
    ledger_head: str
    listed: str
    """The address of the list of its matches."""


class SeasonRow(NamedTuple):
    """A season."""

    name: str
    """``-`` for the season without a name."""
    place: str
    """The address of its ladder."""
    epochs: tuple[int, int]
    began: Time | None
    ended: Time | None
    """``None`` while it goes on."""
    matches: int


def match_row(match: v1.LadderMatch) -> MatchRow:
    """Convert a match."""
    return MatchRow(
        match_id=visible(match.match_id),
        place=match_place(match.match_id),
        game=game_link(match.game),
        game_name=match.game,
        epoch=match.epoch,
        number=match.number,
        stage=_STAGES.get(match.stage, _UNKNOWN),
        running=match.stage == v1.MATCH_STAGE_RUNNING,
        over=match.stage == v1.MATCH_STAGE_OVER,
        seats=[_seat(seat) for seat in match.seats],
        begun=time_of(match.begun),
        ended=time_of(match.ended),
        record=f"/api/v1{match_place(match.match_id)}/record" if match.record_open else "",
        digest=match.record_digest.hex(),
        void=visible(match.void_reason),
        unrated=match.unrated,
        lane=visible(match.lane),
    )


def _seat(seat: v1.LadderSeat) -> SeatCell:
    return SeatCell(
        bot=bot_link(seat.name),
        version=visible(seat.version),
        author=author_link(seat.account),
        side=seat.side + 1,
        placing=seat.placing,
        score=seat.score if seat.HasField("score") else None,
        forfeited=seat.forfeited,
    )


def is_seen_out(match: v1.LadderMatch, ladder: v1.GetLadderResponse, *, now: float) -> bool:
    """Return True if a match is over, and its end has been shown to spectators by now."""
    # Times are whole seconds, and the server notices ends every quarter of a second.
    return match.stage == v1.MATCH_STAGE_OVER and match.ended + ladder.delay_seconds + 2 <= now


def opening(epoch: v1.Epoch, ladder: v1.GetLadderResponse, *, now: float) -> Time | None:
    """Return about when the running epoch ends and its records open; ``None`` for one that has ended, or is overdue."""
    end = epoch.began + ladder.epoch_seconds
    return time_of(end) if epoch.epoch == ladder.epoch and end > now else None


def epoch_row(epoch: v1.Epoch, ladder: v1.GetLadderResponse, *, now: float) -> EpochRow:
    """Convert an epoch of a ladder."""
    return EpochRow(
        epoch=epoch.epoch,
        season=visible(epoch.season),
        began=time_of(epoch.began),
        matches=epoch.matches,
        results=epoch.results,
        voids=epoch.voids,
        running=max(epoch.matches - epoch.results - epoch.voids, 0),
        pruned=epoch.pruned,
        secret_digest=epoch.secret_digest.hex(),
        settings_digest=epoch.settings_digest.hex(),
        link=epoch.link.hex(),
        opens=opening(epoch, ladder, now=now),
        ledger_length=epoch.ledger_length,
        ledger_head=epoch.ledger_head.hex(),
        listed=place_with("/matches", epoch=epoch.epoch),
    )


def season_row(season: v1.Season) -> SeasonRow:
    """Convert a season."""
    return SeasonRow(
        name=visible(season.name),
        place=place_with("/", season=season.name),
        epochs=(season.first_epoch, season.last_epoch),
        began=time_of(season.began),
        ended=time_of(season.ended),
        matches=season.matches,
    )
