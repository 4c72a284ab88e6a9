"""What many referees decided is written in one go, before anybody is told of it, and in the order in which it came."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import trio
from support.connections import Lobby, default, silent
from support.far_referees import FarReferees
from support.frames import choice
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.play import MatchFailedError, play
from ordago.journal import JournalError

pytestmark = pytest.mark.virtual_time


def no_match(failure: Exception) -> None:
    """Say that nobody plays from it."""
    raise AssertionError(failure)


class Log:
    """A choice log that keeps what it was told."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.fail: Callable[[Exception], None] = no_match

    def enter(self, entries: Sequence[bytes]) -> None:
        self.entries += entries

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        self.fail = fail

    @property
    def kept(self) -> list[v1.RecordEntry]:
        return list(v1.MatchRecord.FromString(b"".join(self.entries)).entries)


class Witness:
    """What a front asks of its journal, with something done whenever it was written."""

    def __init__(self, written: Callable[[], None]) -> None:
        self._written = written

    @contextmanager
    def together(self) -> Iterator[None]:
        yield
        self._written()


def decided(record: v1.MatchRecord) -> list[v1.RecordEntry]:
    """Return the choices and forfeits of a record."""
    return [entry for entry in record.entries if entry.WhichOneof("entry") in {"choice", "forfeit"}]


async def test_nobody_is_told_of_a_choice_that_is_not_written(far: FarReferees) -> None:
    lobby, log = Lobby(), Log()
    entered = [lobby.enter(answering=default) for _ in range(3)]
    written, told = [], []

    def note() -> None:
        written.append(len(log.entries))
        told.append(sum(len(connection.of(v1.Accepted)) for connection, _ in entered))

    far.journal = Witness(note)
    finished = await play(match_terms(), [bot.take_seat() for _, bot in entered], choice_log=log)
    assert written[-1] == len(log.entries) == 108
    assert all(accepted < choices for accepted, choices in zip(told, written, strict=True) if choices)
    assert log.kept == decided(finished.message)


async def test_where_it_cannot_be_written_the_matches_in_it_are_void_and_the_others_go_on(far: FarReferees) -> None:
    lobby, failures, records = Lobby(), [], []
    bots = [[lobby.enter(answering=silent) for _ in range(3)] for _ in range(3)]
    logs = [Log() for _ in bots]

    async def run(number: int) -> None:
        seats = [bot.take_seat() for _, bot in bots[number]]
        try:
            records.append(await play(match_terms(), seats, choice_log=logs[number]))
        except MatchFailedError as error:
            failures.append((number, error.__cause__))

    def fail() -> None:
        for log in logs:
            if log.entries:
                log.fail(JournalError("no space left on the device"))

    async with trio.open_nursery() as nursery:
        for number in range(3):
            nursery.start_soon(run, number)
        await wait_all_tasks_blocked()
        far.journal = Witness(fail)
        for seats in bots[:2]:
            asked(seats).say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert sorted(number for number, _ in failures) == [0, 1]
        assert all(isinstance(cause, JournalError) for _, cause in failures)
        assert not any(connection.of(v1.Accepted) for seats in bots[:2] for connection, _ in seats)
        assert not logs[2].entries
        for log in logs:
            log.entries.clear()
        far.journal = Witness(lambda: None)
        asked(bots[2]).say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert len(logs[2].entries) == 1
        nursery.cancel_scope.cancel()


def asked(seats: Any) -> Any:
    """Return the connection of the seat that is asked."""
    [connection] = [connection for connection, _ in seats if connection.open_decisions]
    return connection


async def test_a_forfeit_and_a_choice_of_one_frame_are_entered_in_their_order(far: FarReferees) -> None:
    lobby, log, records = Lobby(), Log(), []
    entered = [lobby.enter(answering=silent), *(lobby.enter(answering=default) for _ in range(2))]

    async def run() -> None:
        records.append(await play(match_terms(), [bot.take_seat() for _, bot in entered], choice_log=log))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await wait_all_tasks_blocked()
        first, far.held = asked(entered), True
        far.send(("lost", 0, 1, v1.FAULT_DISCONNECTED, "it does not come back"))
        first.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert not log.entries
        far.let_go()
        while not records:
            await wait_all_tasks_blocked()
            for handle, number in first.open_decisions:
                first.say(v1.Choice(match_handle=handle, number=number, answer=v1.Answer(legal_action=1)))
    assert {entry.WhichOneof("entry") for entry in log.kept[:2]} == {"choice", "forfeit"}
    assert log.kept == decided(records[0].message)
