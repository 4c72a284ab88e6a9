"""Matches of bots that take only so many decisions at once."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import trio
from support.connections import FakeConnection, Lobby, default
from support.frames import choice
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.play import play

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]


async def many_matches(
    *, matches: int, limit: int, script: Callable[[FakeConnection, Bot], Any], **terms: Any
) -> tuple[FakeConnection, Sequence[v1.MatchRecord]]:
    """Play matches in which seat 0 is always the same bot, by a script."""
    lobby = Lobby()
    connection, bot = lobby.enter(max_open_decisions=limit)
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    records: list[v1.MatchRecord] = []

    async def one() -> None:
        records.append((await play(match_terms(**terms), [seated.take_seat() for seated in (bot, *others)])).message)

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
    record = (await play(match_terms(decision_ms=1), [seated.take_seat() for seated in (bot, *others)])).message
    assert {entry.choice.fault for entry in record.entries} == {v1.FAULT_UNSPECIFIED, v1.FAULT_TOO_LATE}
