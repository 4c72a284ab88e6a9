"""Matches whose referee is elsewhere: what goes on while a reply is on its way, and what is left when he is lost."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import trio
from support import far_referees
from support.connections import Lobby, default
from support.far_referees import FarReferees, referees_far_away
from support.frames import choice
from support.matches import match_terms
from support.played_match import forfeits, playing
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.play import MatchFailedError, play, play_untold
from ordago.arena.referees.pooled_match import hear
from ordago.arena.referees.steps import Call
from ordago.journal import JournalError
from ordago.record import verify

pytestmark = pytest.mark.virtual_time


class Seen:
    """An onlooker."""

    def __init__(self) -> None:
        self.news: list[bytes] = []


async def played_to_its_end(match: Any) -> None:
    """Take the default answers of the first seat from now on."""
    while match.record is None:
        for handle, number in match.connection.open_decisions:
            answer = match.connection.last(v1.Decision).default_answer
            match.connection.say(v1.Choice(match_handle=handle, number=number, answer=answer))
        await wait_all_tasks_blocked()


async def failing(lobby: Lobby, failures: list[MatchFailedError]) -> None:
    """Play a match that fails."""
    try:
        await play(match_terms(), [lobby.enter(answering=default)[1].take_seat() for _ in range(3)])
    except MatchFailedError as error:
        failures.append(error)


async def played_here() -> v1.MatchRecord:
    lobby = Lobby()
    return (await play(match_terms(), [lobby.enter(answering=default)[1].take_seat() for _ in range(3)])).message


async def test_a_match_is_the_same_wherever_its_referee_is() -> None:
    here = await played_here()
    with referees_far_away():
        assert await played_here() == here


async def test_a_match_goes_on_with_another_referee_and_nobody_is_told_anything_twice(far: FarReferees) -> None:
    async with playing() as match:
        for number in range(1, 37):
            far.lose()
            await wait_all_tasks_blocked()
            assert match.connection.open_decisions == {(1, number)}
            answer = match.connection.last(v1.Decision).default_answer
            match.connection.say(v1.Choice(match_handle=1, number=number, answer=answer))
            await wait_all_tasks_blocked()
    assert match.record == await played_here()
    heard = match.connection.heard
    assert [type(body) for body in heard].count(v1.MatchStart) == 1
    assert [body.number for body in match.connection.of(v1.Accepted)] == list(range(1, 37))


async def test_a_match_whose_referee_is_lost_before_it_begins(far: FarReferees) -> None:
    lobby, far.held = Lobby(), True
    async with trio.open_nursery() as nursery:
        entered = [lobby.enter(answering=default) for _ in range(3)]
        nursery.start_soon(play, match_terms(), [bot.take_seat() for _, bot in entered])
        await wait_all_tasks_blocked()
        far.lose()
        far.let_go()
    assert [len(connection.of(v1.MatchStart)) for connection, _ in entered] == [1, 1, 1]
    assert all(connection.last(v1.MatchEnd).HasField("outcome") for connection, _ in entered)


@pytest.mark.parametrize("heard", [False, True])
async def test_a_reply_that_a_lost_referee_did_nothing_with_is_given_once_more(
    far: FarReferees, *, heard: bool
) -> None:
    async with playing() as match:
        await trio.sleep(2)
        far.held = not heard
        match.connection.say(choice(1, 1))
        far.lose()
        await trio.sleep(3)
        far.let_go()
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=2000)]
        await played_to_its_end(match)
    assert not verify(match.record)


async def test_a_match_that_ends_its_referees_is_void_and_the_others_go_on(far: FarReferees) -> None:
    lobby = Lobby()
    async with playing() as match:
        far.held = True
        async with trio.open_nursery() as nursery:
            failures: list[MatchFailedError] = []
            nursery.start_soon(failing, lobby, failures)
            for _ in range(3):
                await wait_all_tasks_blocked()
                far.lose()
        [failed] = failures
        assert "3 processes ended while they played this match" in str(failed.__cause__)
        far.let_go()
        await played_to_its_end(match)
    assert not verify(match.record)


async def test_an_answer_in_time_is_in_time_however_long_its_way_is(far: FarReferees) -> None:
    async with playing(decision_ms=1000) as match:
        await trio.sleep(0.9)
        far.held = True
        match.connection.say(choice(1, 1))
        await trio.sleep(5)
        far.let_go()
        await wait_all_tasks_blocked()
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=900)]
        match.cancel_scope.cancel()


async def test_time_runs_on_while_a_refusal_is_on_its_way(far: FarReferees) -> None:
    async with playing(decision_ms=1000) as match:
        await trio.sleep(0.9)
        far.held = True
        match.connection.say(choice(1, 1, legal_action=99))
        await trio.sleep(5)
        far.let_go()
        await trio.sleep(0.1)
        accepted = match.connection.of(v1.Accepted)[0]
        assert (accepted.charged_ms, accepted.fault) == (1000, v1.FAULT_TOO_LATE)
        match.cancel_scope.cancel()


async def test_of_the_choices_after_one_that_is_refused_the_next_counts(far: FarReferees) -> None:
    async with playing() as match:
        far.held = True
        for action, seconds in ((99, 1), (1, 1), (2, 1)):
            await trio.sleep(seconds)
            match.connection.say(choice(1, 1, legal_action=action))
        far.let_go()
        await wait_all_tasks_blocked()
        assert [refused.fault for refused in match.connection.of(v1.Refused)] == [v1.FAULT_ILLEGAL]
        assert match.connection.of(v1.Accepted) == [v1.Accepted(match_handle=1, number=1, charged_ms=2000)]
        match.cancel_scope.cancel()


@pytest.mark.parametrize(("action", "fault"), [(1, v1.FAULT_UNSPECIFIED), (99, v1.FAULT_DISCONNECTED)])
async def test_a_bot_that_leaves_while_its_answer_is_judged(far: FarReferees, action: int, fault: v1.Fault) -> None:
    async with playing(disconnect_bank_ms=60_000) as match:
        await trio.sleep(0.5)
        far.held = True
        match.connection.say(choice(1, 1, legal_action=action))
        match.connection.say(v1.Goodbye())
        far.let_go()
    assert (match.choices[0].fault, match.choices[0].charged_ms) == (fault, 500)
    assert forfeits(match.record) == [(0, v1.FAULT_DISCONNECTED)]


@pytest.mark.parametrize("away", [0.5, 5])
async def test_a_bot_that_is_away_while_its_answer_is_refused(far: FarReferees, away: float) -> None:
    async with playing(disconnect_bank_ms=2_000, forfeit_after=1) as match:
        far.held = True
        match.connection.say(choice(1, 1, legal_action=99))
        match.connection.vanish()
        await trio.sleep(0.25)
        far.let_go()
        await trio.sleep(away)
        back = match.lobby.come_back(match.connection)
        await wait_all_tasks_blocked()
        assert back.open_decisions == ({(1, 1)} if away < 2 else set())
        match.cancel_scope.cancel()


async def test_a_seat_that_was_lost_before_is_forfeited_by_the_next_referee(far: FarReferees) -> None:
    async with playing() as match:
        far.held = True
        match.connection.say(v1.Goodbye())
        far.lose()
        far.let_go()
    assert forfeits(match.record) == [(0, v1.FAULT_DISCONNECTED)]
    assert not verify(match.record)


async def test_onlookers_are_told_everything_once(far: FarReferees) -> None:
    lobby, seen, seen_again = Lobby(), Seen(), Seen()
    for onlooker in (seen, seen_again):
        seats = [lobby.enter(answering=default)[1].take_seat() for _ in range(3)]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: play_untold(match_terms(), seats, onlookers=[onlooker]))  # noqa: B023 - at once
            for _ in range(20 if onlooker is seen_again else 0):
                await trio.lowlevel.checkpoint()
                await trio.lowlevel.checkpoint()
            if onlooker is seen_again:
                far.lose()
    assert len(seen.news) > 100
    assert seen_again.news == seen.news


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("onlookers", [0, 1])
async def test_what_comes_of_an_answer_is_one_call(monkeypatch: pytest.MonkeyPatch, onlookers: int) -> None:
    names: Counter[object] = Counter()

    def heard(calls: Sequence[Call], matches: Any, *, journal: Any) -> None:
        names.update(call[0] for call in calls)
        hear(calls, matches, journal=journal)

    monkeypatch.setattr(far_referees, "hear", heard)
    lobby = Lobby()
    seats = [lobby.enter(answering=default)[1].take_seat() for _ in range(3)]
    await play_untold(match_terms(), seats, onlookers=[Seen() for _ in range(onlookers)])
    assert names == {"begun": 1, "step": 109}, "one for each of 108 decisions, and the first question"


async def test_a_match_that_its_journal_does_not_take_is_void_and_forgotten(far: FarReferees) -> None:
    class FullJournal:
        def enter(self, _entries: Sequence[bytes]) -> None:
            raise JournalError("no space left on the device")

        def on_failure(self, fail: Callable[[Exception], None]) -> None:
            """Say it at once."""

    lobby = Lobby()
    seats = [lobby.enter(answering=default)[1].take_seat() for _ in range(3)]
    with pytest.raises(MatchFailedError) as failed:
        await play(match_terms(), seats, choice_log=FullJournal())
    assert isinstance(failed.value.__cause__, JournalError)
    await wait_all_tasks_blocked()
    assert not far.worker.plays


async def test_what_the_referee_fails_at_is_told_with_its_traceback(far: FarReferees) -> None:
    lobby, far.held = Lobby(), True
    failures: list[MatchFailedError] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(failing, lobby, failures)
        await wait_all_tasks_blocked()
        far.send(("answer", 0, b"no answer is like that", 0.0, 0, None, 0.0, 0.0))
        far.let_go()
    [failed] = failures
    assert "DecodeError" in str(failed.__cause__)
    assert all(not bot.matches for bot in lobby.bots)


async def test_calls_about_matches_that_are_over_are_of_no_interest(far: FarReferees) -> None:
    far.worker.hear([("answer", 9, None, 0.0, 0, None, 0.0, 0.0), ("lost", 9, 0, 0, ""), ("drop", 9)])
    assert not far.worker.said
