"""What somebody is told who asks how an event goes."""

from collections.abc import Callable

import pytest

from ordago.record import FaultCount, SeatForfeit
from ordago.store import EventState, MatchResult
from ordago.store.event.rows import EventRow
from ordago_ladder.run.run_note import RunNote
from ordago_ladder.run.status import Status, status_of
from ordago_ladder.settings.settings import Settings

NOON = 1_700_000_000.0


@pytest.fixture
def event(make_event: Callable[..., Settings]) -> Settings:
    return make_event(entrants=4, terms="suspend_after = 1")


@pytest.fixture
def state(event: Settings, make_results: Callable[..., list[MatchResult]]) -> EventState:
    """Ten matches are played; in the first of them one seat is forfeited."""
    results = make_results(event, dict.fromkeys("abcd", 1500.0))[:10]
    faults = ((FaultCount("crashed", 3),), (), ())
    results[0] = results[0]._replace(
        result=results[0].result._replace(faults=faults, forfeits=(SeatForfeit(0, "crashed"),))
    )
    return EventState(EventRow("test", "", "", b""), [], [], results, [])


def test_it_tells_how_far_it_is_how_fast_it_goes_and_what_went_wrong(event: Settings, state: EventState) -> None:
    guilty = state.results[0].planned.entrants[0]
    assert status_of(event, state, run=RunNote(1, NOON, 6, 6, 24, NOON), now=NOON + 2) == Status(
        played=10,
        planned=24,
        finished=False,
        running=True,
        per_second=2.0,
        ends="2023-11-14T22:13:29+00:00",
        suspended=(guilty,),
        faults={guilty: {"crashed": 3}},
        forfeits={guilty: {"crashed": 1}},
    )


@pytest.mark.parametrize(
    "run",
    [None, RunNote(1, NOON, 10, 10, 24, NOON), RunNote(1, NOON + 60, 0, 0, 24, NOON)],
    ids=["no run", "new", "clock"],
)
def test_nobody_invents_a_speed(event: Settings, state: EventState, run: RunNote | None) -> None:
    found = status_of(event, state, run=run, now=NOON)
    assert (found.running, found.per_second, found.ends) == (run is not None, None, None)


def test_nobody_plays_an_event_that_is_over(event: Settings, state: EventState) -> None:
    over = state._replace(event=EventRow("test", "", "", b"", finished=True))
    found = status_of(event, over, run=RunNote(1, NOON, 6, 6, 24, NOON), now=NOON + 2)
    assert (found.finished, found.running, found.ends) == (True, False, None)
