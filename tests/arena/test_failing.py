"""A mistake of the server in one match, and records that cannot be kept: the others go on."""

import errno
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from support.carrying import running
from support.connections import Lobby, default
from support.halls import MITTLERE, Hall, UnpreparedRules, failing_game, game_by
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.connection import Status
from ordago.arena.play import play
from ordago.arena.tables import open_tables
from ordago.arena.upkeep import keep_up
from ordago.journal import NO_JOURNAL, Journal
from ordago.match import SeatTerms
from ordago.ops.web import health
from ordago.record import FinishedRecord

pytestmark = pytest.mark.virtual_time


async def test_a_match_that_fails_is_void_and_told_and_the_next_is_played(caplog: pytest.LogCaptureFixture) -> None:
    async def keep(record: FinishedRecord) -> None:
        await trio.lowlevel.checkpoint()
        hall.records.append(record.message)
        hall.tables.close()

    hall = Hall(failing_game(failures=1), keep=keep)
    async with hall.open():
        connections = hall.enter_all("ana", "ben", "cleo", answering=default)
        await wait_all_tasks_blocked()
        for connection in connections:
            [end] = connection.of(v1.MatchEnd)
            assert not end.HasField("outcome")
            assert "the server failed" in end.sentence
            assert connection.status is None, "the session goes on"
        assert not hall.records
        await trio.sleep(2)
    assert len(hall.records) == hall.tables.finished >= 1
    assert hall.tables.running == 0
    counters = hall.telemetry.counters.game("mittlere")
    assert (counters.matches_void, counters.matches_finished, counters.matches_running) == (1, len(hall.records), 0)
    [void] = [record for record in caplog.records if "void" in record.message]
    assert void.levelno == logging.ERROR
    assert void.exc_info is not None, "the mistake is told with its traceback"
    assert void.exc_info[1] is not None
    assert "a mistake in the rules" in str(void.exc_info[1].__cause__)


class FullDisk:
    """A disk that has no room for a journal until it is told otherwise."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        write = os.write

        def write_if_possible(descriptor: int, data: bytes) -> int:
            if self.is_full:
                raise OSError(errno.ENOSPC, "no room")
            return write(descriptor, data)

        async def run_here(function: Callable[[], object], **_options: object) -> object:
            await trio.lowlevel.checkpoint()
            return function()

        monkeypatch.setattr(os, "write", write_if_possible)
        # The mock clock does not see that a thread works, and would jump meanwhile.
        monkeypatch.setattr(trio.to_thread, "run_sync", run_here)


async def test_while_the_journal_cannot_be_written_no_match_begins_and_all_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk is no mistake of the program: it is told when it begins and when it ends, and matches go on."""
    disk = FullDisk(monkeypatch)
    async with running(tmp_path / "journal") as hall, trio.open_nursery() as nursery:
        nursery.start_soon(keep_up, hall.journal, hall.telemetry)
        counters, game = hall.telemetry.counters, hall.telemetry.counters.game("mittlere")
        counters.turned_at = time.monotonic()
        bots = [hall.enter(name, matches_in_all=1) for name in ("ana", "ben", "cleo")]
        disk.is_full = True
        await trio.sleep(125)
        assert (game.matches_begun, game.matches_void, hall.tables.running) == (0, 0, 0)
        status, sentence = health(counters)
        assert status == "503 Service Unavailable"
        assert sentence.startswith("the journal cannot be written: ")
        assert "no room" in sentence
        assert hall.enter("dora").status is Status.UNAVAILABLE
        disk.is_full = False
        await trio.sleep(3)
        assert (game.matches_begun, game.matches_void) == (1, 0)
        assert health(counters) == ("200 OK", "ok")
        await trio.sleep(120)
        nursery.cancel_scope.cancel()
    assert [bot.status for bot in bots] == [Status.OK] * 3, "the match that did not begin did not count"
    told = [(record.levelno, record.message) for record in caplog.records if "journal" in record.message]
    assert told == [
        (logging.ERROR, "the journal cannot be written"),
        (logging.WARNING, "the journal can be written again"),
    ]


async def test_matches_that_cannot_be_noted_any_more_are_void_and_the_cause_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    disk = FullDisk(monkeypatch)
    async with running(tmp_path / "journal") as hall:
        for number in range(9):
            hall.enter(f"bot {number}")
        await wait_all_tasks_blocked()
        disk.is_full = True
        await trio.sleep(60)
        assert hall.telemetry.counters.game("mittlere").matches_void == 3
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    told = ["the journal cannot be written"] + 3 * ["match void: the journal cannot be written"]
    assert [(error.message, error.exc_info) for error in errors] == [(sentence, None) for sentence in told]


async def test_a_game_that_always_fails_rests_between_two_matches() -> None:
    hall = Hall(failing_game(failures=1000))
    async with hall.open():
        hall.enter_all("ana", "ben", "cleo", answering=default)
        await trio.sleep(10.5)
    assert hall.telemetry.counters.game("mittlere").matches_begun == 11


@pytest.mark.parametrize("method", ["options", "new_match"])
@pytest.mark.parametrize("journaled", [False, True])
async def test_a_match_that_cannot_begin_keeps_nobody_waiting(tmp_path: Path, method: str, *, journaled: bool) -> None:
    journal = Journal(tmp_path / "journal") if journaled else NO_JOURNAL
    hall = Hall(game_by(UnpreparedRules(method)), journal=journal)
    async with hall.open():
        connections = hall.enter_all("ana", "ben", "cleo")
        await wait_all_tasks_blocked()
        assert [bot.matches for bot in hall.bots] == [0, 0, 0]
        await trio.sleep(2)
        assert hall.tables.running == 1
        assert all(connection.of(v1.MatchStart) for connection in connections)


async def test_a_match_that_fails_ends_no_other() -> None:
    hall = Hall(failing_game(failures=1000), MITTLERE, pause_seconds=0)
    async with hall.open():
        hall.enter_all("ana", "ben", "cleo", "dora", "emil", "fritz")
        await wait_all_tasks_blocked()
        assert hall.tables.running == 2
        await trio.sleep(200)
    assert hall.records, "it began while the others failed, and came to its end"
    assert hall.telemetry.counters.game("mittlere").matches_void >= 10


async def test_no_match_begins_while_too_many_records_wait_to_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_tables, "_MOST_UNKEPT", 3)
    disk_works = trio.Event()

    async def keep(record: FinishedRecord) -> None:
        assert record.match_id
        await disk_works.wait()

    hall = Hall(keep=keep)
    async with hall.open():
        [ana, _, _] = hall.enter_all("ana", "ben", "cleo", answering=default)
        await wait_all_tasks_blocked()
        assert hall.tables.running == 0
        assert hall.tables.finished == 0
        assert len(ana.of(v1.MatchEnd)) == 3
        disk_works.set()
        while not hall.tables.finished:
            await trio.lowlevel.checkpoint()
        hall.tables.close()
    assert hall.tables.finished >= 3


async def test_matches_that_are_stopped_are_void_and_told_so() -> None:
    hall = Hall()
    async with hall.open():
        connections = hall.enter_all("ana", "ben", "cleo")
        await wait_all_tasks_blocked()
    for connection in connections:
        assert connection.last(v1.MatchEnd) == v1.MatchEnd(match_handle=1, sentence="the match was stopped")
    counters = hall.telemetry.counters.game("mittlere")
    assert (counters.matches_void, counters.matches_running) == (1, 0)


async def test_who_comes_in_is_counted_by_how_he_leaves() -> None:
    hall = Hall()
    sessions = hall.telemetry.counters.sessions
    async with hall.open():
        lost, left, slow, refused, dismissed = hall.enter_all("ana", "ben", "cleo", "dora", "emil")
        assert (sessions.opened, sessions.connected) == (5, 5)
        lost = hall.enter("ana", resume=lost.resume)
        assert (sessions.resumed, sessions.superseded, sessions.connected) == (1, 1, 5)
        lost.vanish()
        left.say(v1.Goodbye())
        slow.cut_off = True
        slow.vanish()
        refused.say_bytes(b"\xff")
        hall.enter("fritz", nonce=b"")
        assert sessions.connected == 1
        hall.server.sessions.close("that is all")
        assert dismissed.last(v1.Goodbye).sentence == "that is all"
    endings = (sessions.lost, sessions.left, sessions.slow, sessions.refused, sessions.dismissed)
    assert endings == (1, 1, 1, 1, 1)
    assert (sessions.turned_away.total(), sessions.connected) == (1, 0)


async def test_decisions_are_counted_with_what_became_of_them() -> None:
    hall = Hall(decision_ms=1000)
    async with hall.open():
        hall.enter_all("ben", "cleo", answering=default)
        ana = hall.enter("ana")
        await wait_all_tasks_blocked()
        counters = hall.telemetry.counters.game("mittlere")
        assert ana.of(v1.Decision)
        await trio.sleep(0.3)
        decision = ana.last(v1.Decision)
        for legal_action in (77, 1):
            answer = v1.Answer(legal_action=legal_action)
            ana.say(v1.Choice(match_handle=1, number=decision.number, answer=answer))
            await wait_all_tasks_blocked()
        ana.say(v1.Choice(match_handle=1, number=99, answer=v1.Answer(legal_action=1)))
        assert counters.refused == 1
        assert hall.telemetry.counters.stale_choices == 1
        before = counters.charged_ms.count
        await trio.sleep(1.1)
        assert counters.faults[v1.FAULT_TOO_LATE] == 1
        assert counters.charged_ms.count > before
        assert counters.asked == counters.charged_ms.count + 1
        assert counters.charged_ms.bins[(300).bit_length()] == 1
        assert counters.charged_ms.bins[(1000).bit_length()] == 1
        assert counters.charged_ms.total == 1300


async def test_a_fault_is_told_once_for_each_seat_of_a_match(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    hall = Hall()
    async with hall.open():
        hall.enter_all("ben", "cleo", answering=default)
        hall.enter("ana").vanish()
        ana = hall.enter("ana")
        await wait_all_tasks_blocked()
        ana.vanish()
        hall.tables.close()
        await wait_all_tasks_blocked()
    counters = hall.telemetry.counters.game("mittlere")
    assert counters.faults[v1.FAULT_DISCONNECTED] == 10
    assert counters.forfeits[v1.FAULT_DISCONNECTED] == 1
    assert [record.message for record in caplog.records].count("seat forfeited") == 1
    [fault] = [record for record in caplog.records if record.message == "fault"]
    assert (fault.__dict__["bot"], fault.__dict__["fault"]) == ("ana", "disconnected")


async def test_a_match_that_cannot_begin_leaves_no_trace() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    with pytest.raises(ValueError, match="is played by 3"):
        await play(match_terms(seats=(SeatTerms("bot"),)), [bot.take_seat()])
    assert bot.matches == 0
    assert len(connection.heard) == 1
