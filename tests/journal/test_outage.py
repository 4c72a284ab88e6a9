"""What a journal tells of the time without a server."""

import os
import time
from pathlib import Path

import pytest

from ordago.journal import Journal, Outage
from ordago.journal.v1 import JournaledSession


def outage(path: Path) -> Outage:
    journal = Journal(path)
    journal.close()
    return journal.outage


def written(path: Path, *, seconds_ago: float) -> None:
    then = time.time() - seconds_ago
    os.utime(path, (then, then))


def test_it_lasts_since_something_new_was_written(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    assert outage(path).seconds < 5
    written(path, seconds_ago=100)
    for _ in range(2):
        assert outage(path).seconds == pytest.approx(100, abs=5), "to open it says nothing new"
    journal = Journal(path)
    journal.begin_session(JournaledSession(session_id="s"))
    journal.close()
    assert outage(path).seconds < 5


def test_nothing_is_lost_where_the_machine_runs_since_before_that(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    outage(path)
    assert outage(path).machine_stayed_up
    written(path, seconds_ago=time.monotonic() + 60)
    assert not outage(path).machine_stayed_up


def test_with_a_clock_that_was_set_back_it_lasts_no_time(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    outage(path)
    written(path, seconds_ago=-1_000)
    assert outage(path) == Outage(0.0, machine_stayed_up=True)
