"""Matches while connections break, are taken up again, or are left for good."""

import pytest
import trio
from support.connections import Lobby, default, silent
from support.frames import choice
from support.matches import match_terms
from support.played_match import forfeits, playing
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.sessions import RESUME_WINDOW_SECONDS
from ordago.arena.connection import Status
from ordago.arena.play import play
from ordago.record import verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]


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
        await wait_all_tasks_blocked()
        again = match.lobby.come_back(match.connection)
        again.say(choice(1, 1, legal_action=98))
        await wait_all_tasks_blocked()
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


async def test_a_bot_that_comes_back_before_the_match_begins_is_told_of_it_once() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    seats = [bot.take_seat(), *(lobby.enter(answering=default)[1].take_seat() for _ in range(2))]
    connection.vanish()
    again = lobby.come_back(connection, answering=default)
    await play(match_terms(), seats)
    assert len(again.of(v1.MatchStart)) == 1
