"""Bots that need no word that their answers were taken: what they hear all the same, and that others hear all."""

from typing import Any

import pytest
import trio
from support.connections import FakeConnection, Lobby, default, first_legal
from support.frames import choice
from support.matches import match_terms
from support.played_match import playing
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.play import play
from ordago.protocol import TACIT_ACCEPTANCE
from ordago.record import faults_of, verify

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("referees_anywhere")]

TACIT = {"capabilities": [TACIT_ACCEPTANCE, "telepathy"]}


def numbers(connection: FakeConnection, kind: type[Any]) -> list[int]:
    return [body.number for body in connection.of(kind)]


async def test_only_who_asked_for_it_hears_nothing() -> None:
    lobby = Lobby()
    tacit, told = lobby.enter(answering=first_legal, **TACIT), lobby.enter(answering=first_legal)
    entered = [tacit, told, lobby.enter(answering=default, **TACIT)]
    record = (await play(match_terms(), [bot.take_seat() for _, bot in entered])).message
    assert not verify(record)
    assert faults_of(record) == ((), (), ())
    assert [len(connection.of(v1.Decision)) for connection, _ in entered] == [36, 36, 36]
    assert [len(connection.of(v1.Accepted)) for connection, _ in entered] == [0, 36, 0]
    assert tacit[0].of(v1.Welcome)[0].capabilities == [TACIT_ACCEPTANCE]
    assert not told[0].of(v1.Welcome)[0].capabilities


async def test_where_something_else_was_taken_it_is_told() -> None:
    async with playing(greeting=TACIT, decision_ms=1000) as match:
        await trio.sleep(1.5)
        [accepted] = match.connection.of(v1.Accepted)
        assert (accepted.number, accepted.fault, accepted.charged_ms) == (1, v1.FAULT_TOO_LATE, 1000)
        assert accepted.answer == match.connection.of(v1.Decision)[0].default_answer


async def test_a_refusal_and_the_answer_after_it() -> None:
    async with playing(greeting=TACIT) as match:
        match.connection.say(choice(1, 1, 99), choice(1, 1))
        await wait_all_tasks_blocked()
        assert numbers(match.connection, v1.Refused) == [1]
        assert not match.connection.of(v1.Accepted)
        assert match.connection.last(v1.Decision).number == 2


async def test_the_same_answer_again_is_confirmed() -> None:
    """Whoever sends it again is in doubt. Nobody else has answered yet, so no other decision is open."""
    async with playing(greeting=TACIT, others=lambda _: None) as match:
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert not match.connection.of(v1.Accepted)
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        assert numbers(match.connection, v1.Accepted) == [1]


@pytest.mark.parametrize("again", [TACIT, {}])
async def test_who_comes_back_is_told_what_was_taken_last_and_speaks_as_it_asks_then(again: dict[str, Any]) -> None:
    async with playing(greeting=TACIT, disconnect_bank_ms=60_000) as match:
        match.connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        match.connection.vanish()
        back = match.lobby.connect(resume=match.connection.resume, **again)
        assert back.of(v1.MatchStart)[0].last_decision == 1
        assert numbers(back, v1.Accepted) == [1], "an answer may have been lost with the connection"
        back.say(choice(1, 2))
        await wait_all_tasks_blocked()
        assert back.last(v1.Decision).number == 3
        assert numbers(back, v1.Accepted) == ([1] if again else [1, 2])


async def test_a_bot_that_is_told_nothing_has_no_more_decisions_open_for_that() -> None:
    lobby = Lobby()
    bots = [lobby.enter(answering=first_legal, max_open_decisions=1, **TACIT)[1] for _ in range(3)]
    records = []

    async def match() -> None:
        records.append((await play(match_terms(), [bot.take_seat() for bot in bots])).message)

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(match)
    assert [faults_of(record) for record in records] == [((), (), ())] * 3
