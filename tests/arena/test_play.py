"""Matches between bots with connections: clocks, limits, and connections that break and are taken up again."""

from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from support.connections import Answering, FakeConnection, Lobby, default, first_legal, silent
from support.frames import choice
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.arena.play import MatchFailedError, play
from ordago.journal import JournalError
from ordago.record import faults_of, verify

pytestmark = pytest.mark.virtual_time


def forfeits(record: v1.MatchRecord) -> list[tuple[int, int]]:
    return [(entry.forfeit.seat, entry.forfeit.fault) for entry in record.entries if entry.HasField("forfeit")]


class Match:
    """A match of seat 0, whom the test plays, against two who answer at once if nothing else is said."""

    def __init__(self, lobby: Lobby, *, others: Answering = default, **terms: Any) -> None:
        self.lobby = lobby
        self.connection, self.bot = lobby.enter()
        self.others = [lobby.enter(answering=others)[1] for _ in range(2)]
        self.terms = match_terms(**terms)
        self.record: v1.MatchRecord | None = None
        self.cancel_scope = trio.CancelScope()

    async def run(self) -> None:
        seats = [bot.take_seat() for bot in (self.bot, *self.others)]
        with self.cancel_scope:
            self.record = await play(self.terms, seats)

    @property
    def choices(self) -> list[v1.RecordedChoice]:
        """The choices of seat 0 in the record."""
        assert self.record is not None
        return [entry.choice for entry in self.record.entries if entry.HasField("choice") and not entry.choice.seat]


@asynccontextmanager
async def playing(**terms: Any) -> Any:
    """Begin a match, come to its first decision, and leave all others to the default at the end."""
    match = Match(Lobby(), **terms)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.run)
        await wait_all_tasks_blocked()
        assert match.connection.open_decisions == {(1, 1)}
        yield match


async def test_a_match_between_bots() -> None:
    lobby = Lobby()
    entered = [lobby.enter(answering=answering) for answering in (first_legal, default, first_legal)]
    record = await play(match_terms(), [bot.take_seat() for _, bot in entered])
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

    def entered(self, entry: bytes) -> None:
        [noted] = v1.MatchRecord.FromString(entry).entries
        if noted.HasField("forfeit"):
            raise JournalError("no room")


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


@pytest.mark.parametrize("last", [0, 1, 2])
async def test_a_bot_with_all_seats_may_leave_at_the_last_decision(last: int) -> None:
    """The match ends while its seats are given up one by one."""
    lobby = Lobby()
    connection, bot = lobby.enter(answering=lambda decision: None if count() == 108 else decision.default_answer)

    def count() -> int:
        return len(connection.of(v1.Decision))

    seats = [bot.take_seat() for _ in range(3)]
    noted: list[bytes] = []
    choice_log = SimpleNamespace(entered=noted.append)
    records: list[v1.MatchRecord] = []

    async def run() -> None:
        records.append(await play(match_terms(), [*seats[last:], *seats[:last]], choice_log=choice_log))

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


async def test_a_bot_that_is_lost_and_has_no_time_to_be_away_has_the_default_taken_for_it_at_once() -> None:
    async with playing(forfeit_after=0) as match:
        await trio.sleep(0.5)
        match.connection.vanish()
    assert {chosen.fault for chosen in match.choices} == {v1.FAULT_DISCONNECTED}
    assert [chosen.charged_ms for chosen in match.choices][:2] == [500, 0]
    assert not verify(match.record)
    assert match.bot.matches == 0


async def test_the_table_waits_for_a_bot_that_is_away_as_long_as_its_bank_lasts() -> None:
    async with playing(forfeit_after=0, disconnect_bank_ms=7_000) as match:
        await trio.sleep(0.5)
        match.connection.vanish()
        begun = trio.current_time()
    assert trio.current_time() == begun + 7
    first, second = match.choices[:2]
    assert (first.fault, first.charged_ms, first.away_ms) == (v1.FAULT_DISCONNECTED, 500, 7_000)
    assert (second.fault, second.charged_ms, second.away_ms) == (v1.FAULT_DISCONNECTED, 0, 0)


async def test_a_goodbye_in_a_match_forfeits_it() -> None:
    async with playing(disconnect_bank_ms=60_000) as match:
        match.connection.say(v1.Goodbye())
        assert match.connection.status is Status.OK
    assert {chosen.fault for chosen in match.choices} == {v1.FAULT_DISCONNECTED}
    assert forfeits(match.record) == [(0, v1.FAULT_DISCONNECTED)]


async def test_a_bot_that_does_not_come_back_in_time_forfeits() -> None:
    async with playing(disconnect_bank_ms=1_000_000) as match:
        match.connection.vanish()
        begun = trio.current_time()
    assert trio.current_time() == begun + RESUME_WINDOW_SECONDS
    assert forfeits(match.record) == [(0, v1.FAULT_DISCONNECTED)]
    assert match.choices[0].away_ms == RESUME_WINDOW_SECONDS * 1000
    assert match.lobby.come_back(match.connection).status is Status.UNAUTHENTICATED


async def test_a_bot_that_comes_back_is_asked_the_open_decision_once_more() -> None:
    async with playing(disconnect_bank_ms=5_000, bank_ms=1_000) as match:
        start, first = match.connection.last(v1.MatchStart), match.connection.last(v1.Decision)
        await trio.sleep(0.5)
        match.connection.vanish()
        await trio.sleep(2)
        again = match.lobby.come_back(match.connection)
        assert again.heard[0].resumed
        assert again.of(v1.MatchStart) == [start]
        [decision] = again.of(v1.Decision)
        left = v1.ClockState(decision_ms=9_500, bank_ms=1_000, disconnect_bank_ms=3_000)
        assert decision.clock == left
        decision.clock.CopyFrom(first.clock)
        assert decision == first, "all else is as it was"
        await trio.sleep(0.25)
        again.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert again.last(v1.Accepted).charged_ms == 750
        again.vanish()
    [chosen, after] = match.choices[:2]
    assert (chosen.fault, chosen.charged_ms, chosen.away_ms) == (v1.FAULT_UNSPECIFIED, 750, 2_000)
    assert (after.fault, after.away_ms) == (v1.FAULT_DISCONNECTED, 3_000), "the bank is for the whole match"


async def test_a_stall_that_is_seen_only_afterwards_makes_no_absence_shorter_than_none() -> None:
    """The connection breaks while the server stands still; when that is seen, the referee's clock goes back."""
    async with playing(disconnect_bank_ms=5_000) as match:
        match.connection.vanish()
        match.lobby.server.clock.lost += 30
        await trio.sleep(1)
        again = match.lobby.come_back(match.connection)
        again.say(choice(1, 1), at=match.lobby.server.clock.now())
        await wait_all_tasks_blocked()
        again.vanish()
    assert (match.choices[0].fault, match.choices[0].away_ms) == (v1.FAULT_UNSPECIFIED, 0)
    assert match.choices[1].away_ms == 5_000


async def test_what_was_accepted_while_the_bot_was_lost_is_told_when_it_comes_back() -> None:
    async with playing(disconnect_bank_ms=1_000, forfeit_after=0) as match:
        match.connection.vanish()
        await trio.sleep(1.5)
        again = match.lobby.come_back(match.connection)
        await wait_all_tasks_blocked()
    [start] = again.of(v1.MatchStart)
    end = again.last(v1.MatchEnd)
    assert start.last_decision == 12 * 3
    assert again.heard.index(start) < again.heard.index(end), "the match was over meanwhile"
    assert end.outcome == match.record.outcome
    assert match.bot.matches == 0


async def test_the_last_acceptance_is_repeated_after_a_resume() -> None:
    async with playing(others=silent, disconnect_bank_ms=60_000) as match:
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        accepted = match.connection.last(v1.Accepted)
        match.connection.vanish()
        again = match.lobby.come_back(match.connection)
        assert [type(heard) for heard in again.heard] == [v1.Welcome, v1.MatchStart, v1.Accepted]
        assert again.heard[1].last_decision == 1
        assert again.heard[2] == accepted
        match.cancel_scope.cancel()


async def test_a_connection_that_takes_over_in_a_decision_is_asked_it() -> None:
    async with playing() as match:
        again = match.lobby.come_back(match.connection, answering=default)
        assert match.connection.status is Status.ABORTED
        await wait_all_tasks_blocked()
        assert again.of(v1.Accepted)[0] == v1.Accepted(match_handle=1, number=1)
    assert len(match.choices) == 36
    assert not any(chosen.fault for chosen in match.choices)


async def test_strikes_stand_when_a_connection_takes_over() -> None:
    async with playing() as match:
        match.connection.say(choice(1, 1, legal_action=99))
        again = match.lobby.come_back(match.connection)
        again.say(choice(1, 1, legal_action=98))
        assert again.last(v1.Refused).strikes == 2
        match.cancel_scope.cancel()


async def test_many_resumes_ask_each_decision_by_one_number() -> None:
    async with playing(disconnect_bank_ms=60_000) as match:
        connection = match.connection
        asked: list[tuple[int, v1.View]] = []
        while match.bot.matches:
            decision = connection.last(v1.Decision)
            connection.vanish()
            connection = match.lobby.come_back(connection)
            assert connection.last(v1.Decision).number == decision.number
            assert connection.last(v1.Decision).view == decision.view
            asked.append((decision.number, decision.view))
            connection.say(v1.Choice(match_handle=1, number=decision.number, answer=decision.default_answer))
            await wait_all_tasks_blocked()
    assert [number for number, _ in asked] == list(range(1, 37))
    assert not any(chosen.fault for chosen in match.choices)


async def test_after_too_many_faults_the_seat_is_forfeited() -> None:
    async with playing(decision_ms=1_000, forfeit_after=3) as match:
        begun = trio.current_time()
        await trio.sleep(2.9)
        assert not match.connection.of(v1.Forfeited)
    assert trio.current_time() < begun + 4, "nobody waits for it any more"
    assert [accepted.faults_left for accepted in match.connection.of(v1.Accepted)] == [2, 1, 0]
    [forfeited] = match.connection.of(v1.Forfeited)
    assert forfeited.fault == v1.FAULT_TOO_LATE
    assert "3 decisions" in forfeited.sentence
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


async def test_a_bot_that_comes_back_before_the_match_begins_is_told_of_it_once() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    seats = [bot.take_seat(), *(lobby.enter(answering=default)[1].take_seat() for _ in range(2))]
    connection.vanish()
    again = lobby.come_back(connection, answering=default)
    await play(match_terms(), seats)
    assert len(again.of(v1.MatchStart)) == 1


async def test_a_match_that_is_stopped_is_void_and_all_are_told() -> None:
    async with playing() as match:
        match.cancel_scope.cancel()
    [end] = match.connection.of(v1.MatchEnd)
    assert end.match_handle == 1
    assert not end.HasField("outcome")
    assert [bot.matches for bot in (match.bot, *match.others)] == [0, 0, 0]
    match.connection.say(choice(1, 1))
    assert match.connection.last(v1.Refused).fault == v1.FAULT_STALE


async def test_a_match_that_cannot_begin_leaves_no_trace() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    with pytest.raises(ValueError, match="is played by 3"):
        await play(match_terms(), [bot.take_seat()])
    assert bot.matches == 0
    assert len(connection.heard) == 1


async def test_an_answer_that_crosses_with_the_goodbye_of_the_server_does_no_harm() -> None:
    async with playing() as match:
        match.lobby.server.sessions.close("that is all")
        match.cancel_scope.cancel()
        await wait_all_tasks_blocked()
        match.connection.say(choice(1, 1))
    assert isinstance(match.connection.heard[-1], v1.Goodbye)


async def many_matches(
    *, matches: int, limit: int, script: Callable[[FakeConnection, Bot], Any], **terms: Any
) -> tuple[FakeConnection, Sequence[v1.MatchRecord]]:
    """Play matches in which seat 0 is always the same bot, by a script."""
    lobby = Lobby()
    connection, bot = lobby.enter(max_open_decisions=limit)
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    records: list[v1.MatchRecord] = []

    async def one() -> None:
        records.append(await play(match_terms(**terms), [seated.take_seat() for seated in (bot, *others)]))

    async with trio.open_nursery() as nursery:
        for _ in range(matches):
            nursery.start_soon(one)
        await wait_all_tasks_blocked()
        await script(connection, bot)
    return connection, records


async def test_there_are_never_more_decisions_open_than_the_bot_asked_for() -> None:
    async def script(connection: FakeConnection, bot: Bot) -> None:
        while bot.matches:
            assert 0 < len(connection.open_decisions) <= 2
            for handle, number in sorted(connection.open_decisions):
                connection.say(choice(handle, number))
                assert len(connection.open_decisions) <= 2
            await wait_all_tasks_blocked()

    connection, records = await many_matches(matches=5, limit=2, script=script)
    assert len(records) == 5
    assert len(connection.of(v1.Decision)) == 5 * 36
    assert {accepted.charged_ms for accepted in connection.of(v1.Accepted)} == {0}


async def test_a_decision_whose_answer_was_refused_is_open_still() -> None:
    async def script(connection: FakeConnection, _: Bot) -> None:
        for legal_action in (99, 98):
            [(handle, number)] = connection.open_decisions
            connection.say(choice(handle, number, legal_action))
            await wait_all_tasks_blocked()
            assert connection.of(v1.Refused)
            assert connection.open_decisions == {(handle, number)}
        connection.vanish()

    await many_matches(matches=3, limit=1, script=script)


async def test_the_clock_of_a_decision_that_waits_for_room_has_not_started() -> None:
    async def script(connection: FakeConnection, _: Bot) -> None:
        for charged_ms in (900, 800):
            [(handle, number)] = connection.open_decisions
            await trio.sleep(charged_ms / 1000)
            connection.say(choice(handle, number))
            await wait_all_tasks_blocked()
            accepted = connection.last(v1.Accepted)
            assert (accepted.match_handle, accepted.charged_ms, accepted.fault) == (handle, charged_ms, 0)
        assert len({decision.match_handle for decision in connection.of(v1.Decision)}) == 2
        connection.vanish()

    await many_matches(matches=2, limit=1, decision_ms=1000, script=script)


@pytest.mark.parametrize("limit", [1, 3])
async def test_those_who_wait_for_room_at_a_bot_that_is_lost_do_not_wait_for_ever(limit: int) -> None:
    async def script(connection: FakeConnection, _: Bot) -> None:
        await trio.lowlevel.checkpoint()
        connection.vanish()

    begun = trio.current_time()
    _, records = await many_matches(matches=6, limit=limit, script=script)
    assert len(records) == 6
    assert trio.current_time() == begun


async def test_matches_that_are_stopped_give_their_room_back() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter(max_open_decisions=1)
    others = [lobby.enter(answering=default)[1] for _ in range(2)]

    async def one(scope: trio.CancelScope) -> None:
        with scope:
            await play(match_terms(), [seated.take_seat() for seated in (bot, *others)])

    scopes = [trio.CancelScope() for _ in range(3)]
    async with trio.open_nursery() as nursery:
        for scope in scopes:
            nursery.start_soon(one, scope)
        for scope in (*scopes[1:], scopes[0]):
            await wait_all_tasks_blocked()
            assert len(connection.open_decisions) == 1
            scope.cancel()
            await wait_all_tasks_blocked()
            ended = {end.match_handle for end in connection.of(v1.MatchEnd)}
            connection.heard = [heard for heard in connection.heard if getattr(heard, "match_handle", 0) not in ended]
    assert not connection.open_decisions
    record = await play(match_terms(decision_ms=1), [seated.take_seat() for seated in (bot, *others)])
    assert {entry.choice.fault for entry in record.entries} == {v1.FAULT_UNSPECIFIED, v1.FAULT_TOO_LATE}


async def test_a_seat_of_a_bot_that_never_came_is_played_by_the_default() -> None:
    lobby = Lobby()
    connection, absent = lobby.enter(answering=silent)
    connection.vanish()
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    record = await play(match_terms(), [seated.take_seat() for seated in (absent, *others)])
    faults = [entry.choice.fault for entry in record.entries if entry.HasField("choice")]
    assert faults.count(v1.FAULT_DISCONNECTED) == 36
