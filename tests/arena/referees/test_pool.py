"""Referees in processes of their own that are killed, hang, or cannot even start."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from support.connections import FakeConnection, Lobby, default
from support.matches import match_terms
from support.processes import children_of, is_running, until
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from ordago import v1
from ordago.arena.bot import BotSeat
from ordago.arena.play import MatchFailedError, play
from ordago.arena.referees import pool as pool_module
from ordago.arena.referees.pool import RefereePool, RefereesFailedError
from ordago.arena.referees.steps import Call, framed
from ordago.games import find_game
from ordago.record import verify
from ordago.telemetry.telemetry import Telemetry

LONG = find_game("mittlere").rules.options({"deals": 24})
"""864 decisions."""


def processes() -> list[int]:
    """Return the processes of referees that this one has started and that run."""
    return children_of("ordago.arena.referees.process")


def actions_of(record: v1.MatchRecord) -> list[v1.Action]:
    return [entry.choice.action for entry in record.entries if entry.HasField("choice")]


class Counter:
    """A choice log that only counts."""

    def __init__(self) -> None:
        self.choices = 0

    def enter(self, entries: Sequence[bytes]) -> None:
        self.choices += len(entries)

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Nothing fails."""


class Games:
    """Matches of bots that answer at once, played by a crew."""

    holds_at = 0
    """The number of the decision that no bot answers before ``go_on``; 0 for none."""

    def __init__(self, pool: RefereePool) -> None:
        self._pool = pool
        self._lobby = Lobby()
        self.records: list[v1.MatchRecord] = []
        self.logs: list[Counter] = []
        self.void = 0
        self._held: list[tuple[FakeConnection, v1.Decision]] = []

    def _seat(self) -> BotSeat:
        def answering(decision: v1.Decision) -> v1.Answer | None:
            if decision.number != self.holds_at:
                return default(decision)
            self._held.append((connection, decision))
            return None

        connection, bot = self._lobby.enter(answering=answering)
        return bot.take_seat()

    def go_on(self) -> None:
        """Answer what is held, and hold no more."""
        self.holds_at = 0
        for connection, decision in self._held:
            choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=default(decision))
            connection.say(choice)

    async def play(self, **terms: Any) -> None:
        seats = [self._seat() for _ in range(3)]
        self.logs.append(log := Counter())
        try:
            self.records.append((await play(match_terms(**terms), seats, choice_log=log, referees=self._pool)).message)
        except MatchFailedError:
            self.void += 1


class SilentProcess:
    """A process that says only what the test has it say."""

    def __init__(self) -> None:
        self._stream, self._far = memory_stream_pair()
        self.killed = False

    @asynccontextmanager
    async def started(self) -> AsyncIterator[tuple[trio.StapledStream[Any, Any], "SilentProcess"]]:
        yield self._stream, self

    def kill(self) -> None:
        self.killed = True

    async def says(self, calls: Sequence[Call]) -> None:
        await self._far.send_all(framed(calls))
        await wait_all_tasks_blocked()

    async def passes(self, clock: MockClock, seconds: float) -> None:
        """Let time pass for all at once."""
        await wait_all_tasks_blocked()
        clock.jump(seconds)
        await wait_all_tasks_blocked()


@asynccontextmanager
async def running(pool: RefereePool) -> AsyncIterator[trio.Nursery]:
    """Run a crew, and whatever else the test starts, to the end of the test."""
    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pool.run)
            yield nursery
            nursery.cancel_scope.cancel()
    await until(lambda: not processes())


@pytest.mark.slow
async def test_matches_are_played_by_all_processes_and_come_out_as_they_would_here() -> None:
    pool = RefereePool(2, Telemetry())
    games = Games(pool)
    async with running(pool) as nursery:
        for number in range(4):
            nursery.start_soon(lambda number=number: games.play(match_id=f"{number:032x}"))
        await until(lambda: len(games.records) == 4)
        assert len(processes()) == 2
    assert sorted(record.match_id for record in games.records) == [f"{number:032x}" for number in range(4)]
    assert not any(verify(record) for record in games.records)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_process_that_is_killed_or_hangs_loses_no_match(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pool_module, "_PING_SECONDS", 0.1)
    monkeypatch.setattr(pool_module, "_SILENT_PINGS", 50)
    pool = RefereePool(2, Telemetry())
    games = Games(pool)
    games.holds_at = 8
    async with running(pool) as nursery:
        for _ in range(4):
            nursery.start_soon(lambda: games.play(options=LONG))
        await until(lambda: len(games.logs) == 4 and all(log.choices > 10 for log in games.logs))
        victim = processes()[0]
        os.kill(victim, number)
        games.go_on()
        await until(lambda: len(games.records) == 4)
    assert not games.void
    assert not is_running(victim)
    first = games.records[0]
    assert not verify(first)
    assert all(actions_of(record) == actions_of(first) for record in games.records), "bots that answer alike play alike"
    told = ["a referee process does not answer", "all referee processes answer again"]
    ended = ["a referee process ended"]
    assert [record.message for record in caplog.records] == (told if number is signal.SIGSTOP else []) + ended


async def test_a_process_hangs_that_says_nothing_to_ten_pings_and_not_when_its_server_was_paused(
    monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    process = SilentProcess()
    monkeypatch.setattr(pool_module, "_started", process.started)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(RefereePool(1, Telemetry()).run)
        await process.passes(mock_clock, 3600)
        await process.says([])
        for _ in range(10):
            await process.passes(mock_clock, 2)
        assert not process.killed
        await process.passes(mock_clock, 2)
        assert process.killed
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_processes_that_cannot_start_are_not_started_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "_MODULE", "ordago.no_such_module")
    with pytest.raises(ExceptionGroup) as group:
        await RefereePool(1, Telemetry()).run()
    [error] = group.value.exceptions
    assert isinstance(error, RefereesFailedError)
    assert str(error) == "6 referee processes ended, one after the other"


@pytest.mark.slow
async def test_signals_for_all_processes_of_a_terminal_leave_the_referees_at_work() -> None:
    pool = RefereePool(1, Telemetry())
    games = Games(pool)
    async with running(pool) as nursery:
        nursery.start_soon(lambda: games.play())
        await until(lambda: games.records)
        [process] = processes()
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(process, number)
        await games.play()
        assert processes() == [process]
    assert len(games.records) == 2
