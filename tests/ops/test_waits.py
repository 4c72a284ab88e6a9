"""What is waited for in vain is told within seconds, and once it is answered no more."""

import logging
import threading
import time
from concurrent.futures import wait

import pytest

from ordago.arena.stall_detector import look_at_thread_of_matches
from ordago.edge.services.worker import Worker
from ordago.ops.web import health
from ordago.telemetry.telemetry import Telemetry, Waits
from ordago.telemetry.troubles import Trouble


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def telemetry() -> Telemetry:
    telemetry = Telemetry()
    telemetry.counters.turned_at = time.monotonic()
    return telemetry


def test_what_takes_long_is_told_once_until_it_is_answered(
    telemetry: Telemetry, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    waits = Waits(telemetry, now=clock)
    with waits.waiting(Trouble.RECORDS, "their disk"):
        for clock.seconds in (1, 4, 6, 9):
            waits.look()
        sentence = "records cannot be saved: their disk has not answered for 9 s"
        assert health(telemetry.counters) == ("503 Service Unavailable", sentence)
    for _ in range(2):
        waits.look()
    assert health(telemetry.counters)[0] == "200 OK"
    told = [(record.levelno, record.message) for record in caplog.records]
    assert told == [(logging.ERROR, "records cannot be saved"), (logging.WARNING, "records are saved again")]


def test_whoever_waited_in_vain_and_says_why_is_believed(telemetry: Telemetry) -> None:
    clock, waited = Clock(), 6.0
    waits = Waits(telemetry, now=clock)
    with waits.watching(Trouble.STORE, "its database", lambda: waited):
        waits.look()
        waited = 0.0
        waits.look()
        telemetry.begins(Trouble.STORE, "it is away")
        waits.look()
        waits.look()
    assert telemetry.counters.troubles == {"the ladder cannot be written": "it is away"}


def test_a_thread_of_the_matches_that_hangs_is_told_though_it_can_tell_nothing(telemetry: Telemetry) -> None:
    turned_at = telemetry.counters.turned_at
    look_at_thread_of_matches(telemetry, now=turned_at + 4)
    assert not telemetry.counters.troubles
    look_at_thread_of_matches(telemetry, now=turned_at + 6)
    assert telemetry.is_in(Trouble.HELD_UP)
    look_at_thread_of_matches(telemetry, now=turned_at + 0.1)
    assert not telemetry.counters.troubles


def test_a_worker_does_one_thing_after_the_other_in_a_thread_that_no_end_waits_for() -> None:
    worker, begun, goes_on, done = Worker("worker"), threading.Event(), threading.Event(), list[int]()

    def hang() -> bool:
        begun.set()
        return goes_on.wait() and threading.current_thread().daemon

    hanging = worker.submit(hang)
    others = [worker.submit(done.append, number) for number in range(3)]
    assert others[1].cancel()
    assert begun.wait(30)
    assert not done
    goes_on.set()
    wait(others, timeout=30)
    assert hanging.result() is True
    assert done == [0, 2]
    with pytest.raises(ZeroDivisionError):
        worker.submit(lambda: 1 / 0).result(30)
