"""What is known of an event on a server, as messages of its interface."""

from collections.abc import Mapping
from typing import Final

from ordago import v1
from ordago_ladder.hosted.office import HostedStage, HostedState
from ordago_ladder.rating.ladder import Ladder, LadderEntrant, Standing, Standings

_MIB: Final = 1024 * 1024
STAGES: Final[Mapping[HostedStage, v1.HostedEventStage]] = {
    HostedStage.CHECK_IN: v1.HOSTED_EVENT_STAGE_CHECK_IN,
    HostedStage.PLAYING: v1.HOSTED_EVENT_STAGE_PLAYING,
    HostedStage.OVER: v1.HOSTED_EVENT_STAGE_OVER,
    HostedStage.STOPPED: v1.HOSTED_EVENT_STAGE_STOPPED,
    HostedStage.FAILED: v1.HOSTED_EVENT_STAGE_FAILED,
}
"""How far an event has come, as the contract has it."""


def event_message(state: HostedState, *, with_entrants: bool = True) -> v1.HostedEvent:
    """Return an event, with those who have checked in and those who have not or without."""
    return v1.HostedEvent(
        name=state.name,
        title=state.title,
        stage=STAGES[state.stage],
        sentence=state.sentence,
        opened_at=state.opened,
        opened_by=state.opened_by,
        begins_at=state.begins,
        played=state.played,
        planned=state.planned,
        here=state.here if with_entrants else (),
        missing=state.missing if with_entrants else (),
        games=[game.name for game in state.ladder.games] if state.ladder else (),
        check_in_ends_at=state.check_in_ends,
        size_mib=-(-state.size // _MIB),
    )


def standing_messages(ladder: Ladder, standings: Standings) -> list[v1.EventStanding]:
    """Return the lines of one of the ladders of an event."""
    entrants = {entrant.name: entrant for entrant in ladder.entrants}
    return [_standing(line, entrants[line.entrant]) for line in standings.lines]


def _standing(line: Standing, entrant: LadderEntrant) -> v1.EventStanding:
    return v1.EventStanding(
        rank=line.rank,
        entrant=line.entrant,
        version=entrant.version,
        elo=line.rating.elo,
        low=line.rating.low,
        high=line.rating.high,
        matches=line.matches,
        points=line.mean_score,
        faults=line.conduct.faults,
        forfeits=line.conduct.forfeits,
        suspended=entrant.suspended,
    )
