"""What somebody is told who asks how an event goes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ordago.record import FaultCount, SeatForfeit
from ordago.store import EventState, MatchResult
from ordago.store.event.rows import EventRow
from ordago_ladder.folder import EventFolder
from ordago_ladder.run.status import RunNote, Status, note_run, run_of, status_of
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
    assert status_of(event, state, run=RunNote(1, NOON, 6), now=NOON + 2) == Status(
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


@pytest.mark.parametrize("run", [None, RunNote(1, NOON, 10), RunNote(1, NOON + 60, 0)], ids=["no run", "new", "clock"])
def test_nobody_invents_a_speed(event: Settings, state: EventState, run: RunNote | None) -> None:
    found = status_of(event, state, run=run, now=NOON)
    assert (found.running, found.per_second, found.ends) == (run is not None, None, None)


def test_nobody_plays_an_event_that_is_over(event: Settings, state: EventState) -> None:
    over = state._replace(event=EventRow("test", "", "", b"", finished=True))
    found = status_of(event, over, run=RunNote(1, NOON, 6), now=NOON + 2)
    assert (found.finished, found.running, found.ends) == (True, False, None)


def test_a_run_is_known_by_its_note_as_long_as_it_lives(tmp_path: Path) -> None:
    folder = EventFolder(tmp_path)
    note_run(folder, RunNote(os.getpid(), NOON, 3))  # There is no private folder yet: nobody is troubled.
    assert run_of(folder) is None
    folder.private.mkdir()
    note_run(folder, RunNote(os.getpid(), NOON, 3))
    assert run_of(folder) == RunNote(os.getpid(), NOON, 3)
    assert run_of(folder, alive=lambda _: False) is None


@pytest.mark.parametrize(
    "written", ["", "[]", "{}", "{", '{"process": "x", "began": 1, "played": 1}', "9" * 5_000, '"' + "x" * 5_000 + '"']
)
def test_a_note_that_is_none_is_passed_over(tmp_path: Path, written: str) -> None:
    folder = EventFolder(tmp_path)
    folder.private.mkdir()
    folder.run_note.write_text(written, encoding="utf-8")
    assert run_of(folder) is None
