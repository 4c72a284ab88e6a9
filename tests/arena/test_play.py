"""Matches between bots with connections: who is asked and answered what, and what it costs."""

import gc
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
import trio
from support.connections import Lobby, default, first_legal, silent
from support.frames import choice
from support.matches import match_terms
from support.played_match import forfeits, playing
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.arena.connection import Status
from ordago.arena.play import MatchFailedError, RunningMatch, play
from ordago.arena.referees.pooled_match import PooledMatch
from ordago.journal import JournalError
from ordago.record import faults_of, verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]


async def test_a_match_between_bots() -> None:
    lobby = Lobby()
    entered = [lobby.enter(answering=answering) for answering in (first_legal, default, first_legal)]
    record = (await play(match_terms(), [bot.take_seat() for _, bot in entered])).message
    assert not verify(record)
    for seat, (connection, bot) in enumerate(entered):
        assert connection.of(v1.MatchStart)[0].seat == seat
        assert len(connection.of(v1.Decision)) == 36
        assert connection.heard[-1].outcome == record.outcome
        assert not connection.of(v1.Refused)
        assert bot.matches == 0
    assert faults_of(record) == ((), (), ())


async def test_the_time_is_charged_that_the_bot_took() -> None:
    async with playing() as match:
        await trio.sleep(1.234)
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=1234)]
    assert match.choices[0].charged_ms == 1234


async def test_the_clock_starts_when_the_decision_has_left() -> None:
    async with playing() as match:
        await trio.sleep(2)
        match.connection.departures[-1].at = trio.current_time()
        await trio.sleep(9.5)
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=9500)]


async def test_an_answer_is_as_old_as_its_arrival() -> None:
    """The server was busy: what arrived in time is in time, however late it is looked at."""
    async with playing(decision_ms=1000) as match:
        arrived = trio.current_time() + 0.99
        await trio.sleep(1.01)
        match.connection.say(choice(1, 1), at=arrived)
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=990)]


async def test_an_answer_that_is_older_than_the_question_costs_nothing() -> None:
    """A bot may guess that it will be asked; its answer then comes in before the question has left."""
    async with playing() as match:
        match.connection.say(choice(1, 1), at=trio.current_time() - 3)
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1)]


class FullJournal:
    """A choice_log that keeps choices, but has no room for a forfeit."""

    def enter(self, entries: Sequence[bytes]) -> None:
        if any(noted.HasField("forfeit") for noted in v1.MatchRecord.FromString(b"".join(entries)).entries):
            raise JournalError("no room")

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Say it at once."""


async def test_a_forfeit_that_cannot_be_noted_makes_one_match_void_and_ends_nothing_else() -> None:
    lobby = Lobby()
    entered = [lobby.enter() for _ in range(3)]
    failures: list[MatchFailedError] = []

    async def run() -> None:
        seats = [bot.take_seat() for _, bot in entered]
        try:
            await play(match_terms(decision_ms=1_000_000), seats, choice_log=FullJournal())
        except MatchFailedError as failure:
            failures.append(failure)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await wait_all_tasks_blocked()
        absent = next(connection for connection, _ in entered if not connection.open_decisions)
        absent.vanish()
    [failure] = failures
    assert trio.current_time() == pytest.approx(RESUME_WINDOW_SECONDS)
    assert isinstance(failure.__cause__, JournalError)
    for connection, bot in entered:
        assert not connection.of(v1.Forfeited)
        assert bot.matches == 0
        if connection is not absent:
            assert "the server failed" in connection.last(v1.MatchEnd).sentence
            assert connection.status is None


class LateJournal:
    """A choice_log that keeps what it is told only later, with what others enter."""

    def __init__(self, *, fails_at: int = 0) -> None:
        self.entries = 0
        self._fails_at = fails_at

    def enter(self, entries: Sequence[bytes]) -> None:
        self.entries += len(entries)
        if self.entries == self._fails_at > 0:
            self.fail(JournalError("no room"))

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        self.fail = fail


async def test_a_match_that_is_over_is_gone_without_a_collection_of_garbage() -> None:
    """Full collections are rare, and the memory of protobuf's messages does not bring one nearer."""
    lobby, log = Lobby(), LateJournal()
    entered = [lobby.enter(answering=default) for _ in range(3)]
    gc.collect()
    gc.disable()
    try:
        await play(match_terms(), [bot.take_seat() for _, bot in entered], choice_log=log)
        assert log.entries > 0
        del log
        assert not [one for one in gc.get_objects() if isinstance(one, RunningMatch | PooledMatch)]
    finally:
        gc.enable()


async def test_choices_that_could_not_be_kept_after_all_make_their_match_void_and_no_other() -> None:
    lobby, journals = Lobby(), [LateJournal(), LateJournal()]
    tables = [[lobby.enter(answering=silent) for _ in range(3)] for _ in journals]
    failures: list[tuple[int, MatchFailedError]] = []

    async def run(number: int) -> None:
        seats = [bot.take_seat() for _, bot in tables[number]]
        try:
            await play(match_terms(), seats, choice_log=journals[number])
        except MatchFailedError as failure:
            failures.append((number, failure))

    def answer(number: int) -> None:
        [asked] = [connection for connection, _ in tables[number] if connection.open_decisions]
        asked.say(choice(1, 1))

    async with trio.open_nursery() as nursery:
        for number in range(len(journals)):
            nursery.start_soon(run, number)
        await wait_all_tasks_blocked()
        answer(0)
        journals[0].fail(JournalError("no room"))
        await wait_all_tasks_blocked()
        [(failed, failure)] = failures
        assert failed == 0
        assert isinstance(failure.__cause__, JournalError)
        for connection, bot in tables[0]:
            assert "the server failed" in connection.last(v1.MatchEnd).sentence
            assert bot.matches == 0
        answer(1)
        await wait_all_tasks_blocked()
        assert journals[1].entries == 1
        nursery.cancel_scope.cancel()


async def test_a_match_whose_last_choice_could_not_be_kept_is_void() -> None:
    """Whoever was told how it ended would see it go on after a restart."""
    lobby, journal = Lobby(), LateJournal(fails_at=108)
    entered = [lobby.enter(answering=default) for _ in range(3)]
    with pytest.raises(MatchFailedError) as failed:
        await play(match_terms(), [bot.take_seat() for _, bot in entered], choice_log=journal)
    assert isinstance(failed.value.__cause__, JournalError)
    assert journal.entries == 108
    for connection, _ in entered:
        assert not connection.last(v1.MatchEnd).HasField("outcome")


@pytest.mark.parametrize("last", [0, 1, 2])
async def test_a_bot_with_all_seats_may_leave_at_the_last_decision(last: int) -> None:
    """The match ends while its seats are given up one by one."""
    lobby = Lobby()
    connection, bot = lobby.enter(answering=lambda decision: None if count() == 108 else decision.default_answer)

    def count() -> int:
        return len(connection.of(v1.Decision))

    seats = [bot.take_seat() for _ in range(3)]
    noted: list[bytes] = []
    choice_log = SimpleNamespace(enter=noted.extend, on_failure=lambda _fail: None)
    records: list[v1.MatchRecord] = []

    async def run() -> None:
        records.append((await play(match_terms(), [*seats[last:], *seats[:last]], choice_log=choice_log)).message)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await wait_all_tasks_blocked()
        assert count() == 108
        connection.say(v1.Goodbye())
    assert connection.status is Status.OK
    [record] = records
    assert (
        b"".join(noted)
        == v1.MatchRecord(
            entries=[entry for entry in record.entries if entry.HasField("choice") or entry.HasField("forfeit")]
        ).SerializeToString()
    ), "nothing is noted of a match that is over"


async def test_an_answer_that_arrives_too_late_is_told_so_at_once() -> None:
    async with playing(decision_ms=1000) as match:
        sent_at = trio.current_time()
        await trio.sleep(1.1)
        accepted = match.connection.last(v1.Accepted)
        assert (accepted.fault, accepted.charged_ms) == (v1.FAULT_TOO_LATE, 1000)
        assert accepted.answer == match.connection.of(v1.Decision)[0].default_answer
        match.connection.say(choice(1, 1), at=sent_at + 1.09)
        [refused] = match.connection.of(v1.Refused)
        assert (refused.match_handle, refused.number, refused.fault) == (1, 1, v1.FAULT_TOO_LATE)
        assert refused.time_left_ms == 0
        assert refused.sentence


async def test_an_answer_just_after_the_time_is_too_late_even_while_the_server_still_waits() -> None:
    async with playing(decision_ms=1000) as match:
        await trio.sleep(1.01)
        assert not match.connection.of(v1.Accepted)
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted)[0].fault == v1.FAULT_TOO_LATE


async def test_the_same_answer_again_is_accepted_again() -> None:
    async with playing(others=silent) as match:
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        match.connection.say(choice(1, 1), choice(1, 1))
        first, *again = match.connection.of(v1.Accepted)
        assert again == [first, first]
        match.connection.say(choice(1, 1, legal_action=2))
        assert match.connection.last(v1.Refused).fault == v1.FAULT_TOO_LATE


async def test_an_answer_to_nothing_is_stale() -> None:
    async with playing() as match:
        match.connection.say(choice(1, 2), choice(7, 1), choice(0, 0))
        assert [refused.fault for refused in match.connection.of(v1.Refused)] == [v1.FAULT_STALE] * 3
        assert match.connection.open_decisions == {(1, 1)}


async def test_an_illegal_answer_leaves_the_decision_open_and_its_clock_running() -> None:
    async with playing() as match:
        await trio.sleep(1)
        match.connection.say(choice(1, 1, legal_action=99))
        await wait_all_tasks_blocked()
        [refused] = match.connection.of(v1.Refused)
        assert (refused.match_handle, refused.number, refused.fault) == (1, 1, v1.FAULT_ILLEGAL)
        assert (refused.strikes, refused.strikes_left, refused.time_left_ms) == (1, 2, 9000)
        await trio.sleep(1)
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=2000)]


async def test_silence_after_a_refusal_costs_no_more_than_the_time_of_the_decision() -> None:
    async with playing(decision_ms=1000) as match:
        await trio.sleep(0.7)
        match.connection.say(choice(1, 1, legal_action=99))
        await trio.sleep(0.4)
        assert match.connection.last(v1.Accepted).fault == v1.FAULT_TOO_LATE
        assert match.connection.last(v1.Accepted).charged_ms == 1000


async def test_after_too_many_faults_the_seat_is_forfeited() -> None:
    async with playing(decision_ms=1_000, forfeit_after=3) as match:
        begun = trio.current_time()
        await trio.sleep(2.9)
        assert not match.connection.of(v1.Forfeited)
    assert trio.current_time() < begun + 4, "nobody waits for it any more"
    assert [accepted.faults_left for accepted in match.connection.of(v1.Accepted)] == [2, 1, 0]
    [forfeited] = match.connection.of(v1.Forfeited)
    assert forfeited.fault == v1.FAULT_TOO_LATE
    assert "3 default answers" in forfeited.sentence
    assert forfeits(match.record) == [(0, v1.FAULT_TOO_LATE)]
    assert [chosen.charged_ms for chosen in match.choices] == [1_000] * 3 + [0] * 33
    assert match.connection.last(v1.MatchEnd).forfeits == [v1.Forfeit(seat=0, fault=v1.FAULT_TOO_LATE)]
    assert not verify(match.record)


async def test_time_that_the_server_lost_is_not_charged() -> None:
    async with playing(decision_ms=1_000) as match:
        await trio.sleep(0.25)
        match.lobby.server.clock.lost += 0.5
        await trio.sleep(1.2)
        match.connection.say(choice(1, 1), at=match.lobby.server.clock.now())
        await wait_all_tasks_blocked()
        accepted = match.connection.last(v1.Accepted)
        assert (accepted.charged_ms, accepted.lost_ms, accepted.fault) == (950, 500, v1.FAULT_UNSPECIFIED)
        match.connection.vanish()
    assert match.choices[0].lost_ms == 500


async def test_a_decision_is_asked_again_if_the_server_lost_too_much_time() -> None:
    async with playing(decision_ms=1_000) as match:
        match.lobby.server.clock.lost += 30
        await trio.sleep(31.1)
        first, again = match.connection.of(v1.Decision)
        assert first == again
        await trio.sleep(0.9)
        match.connection.say(choice(1, 1), at=match.lobby.server.clock.now())
        await wait_all_tasks_blocked()
        accepted = match.connection.last(v1.Accepted)
        assert (accepted.fault, accepted.lost_ms) == (v1.FAULT_UNSPECIFIED, 30_000)
        assert accepted.charged_ms < 1_000
        match.cancel_scope.cancel()


async def test_the_bank_is_used_up_and_grows() -> None:
    async with playing(decision_ms=1_000, bank_ms=2_000, increment_ms=100) as match:
        for thinks, charged_ms, bank_ms in ((0.5, 500, 2_100), (2.5, 2_500, 700), (1.7, 1_700, 100)):
            await trio.sleep(thinks)
            number = match.connection.last(v1.Decision).number
            match.connection.say(choice(1, number))
            await wait_all_tasks_blocked()
            accepted = match.connection.last(v1.Accepted)
            assert (accepted.charged_ms, accepted.bank_ms, accepted.fault) == (charged_ms, bank_ms, 0)
        assert match.connection.last(v1.Decision).clock == v1.ClockState(decision_ms=1_000, bank_ms=100)
        await trio.sleep(1.2)
        assert match.connection.last(v1.Accepted).fault == v1.FAULT_TOO_LATE
        assert match.connection.last(v1.Accepted).charged_ms == 1_100
        match.cancel_scope.cancel()


async def test_a_match_that_is_stopped_is_void_and_all_are_told() -> None:
    async with playing() as match:
        match.cancel_scope.cancel()
    [end] = match.connection.of(v1.MatchEnd)
    assert end.match_handle == 1
    assert not end.HasField("outcome")
    assert [bot.matches for bot in (match.bot, *match.others)] == [0, 0, 0]
    match.connection.say(choice(1, 1))
    assert match.connection.last(v1.Refused).fault == v1.FAULT_STALE


async def test_an_answer_that_crosses_with_the_goodbye_of_the_server_does_no_harm() -> None:
    async with playing() as match:
        match.lobby.server.sessions.close("that is all")
        match.cancel_scope.cancel()
        await wait_all_tasks_blocked()
        match.connection.say(choice(1, 1))
    assert isinstance(match.connection.heard[-1], v1.Goodbye)


async def test_a_seat_of_a_bot_that_never_came_is_played_by_the_default() -> None:
    lobby = Lobby()
    connection, absent = lobby.enter(answering=silent)
    connection.vanish()
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    record = (await play(match_terms(), [seated.take_seat() for seated in (absent, *others)])).message
    faults = [entry.choice.fault for entry in record.entries if entry.HasField("choice")]
    assert faults.count(v1.FAULT_DISCONNECTED) == 36
