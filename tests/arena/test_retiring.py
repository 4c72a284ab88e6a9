"""Bots that take no more seats, since they said so or have played as many matches as they wanted to."""

import pytest
import trio
from support.connections import FakeConnection, Lobby, default, silent
from support.halls import Hall
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.connection import Status
from ordago.arena.play import play

pytestmark = pytest.mark.virtual_time


def has_left(connection: FakeConnection) -> bool:
    """Say whether a bot was let go in an orderly way."""
    if connection.status is None:
        return False
    assert (connection.status, connection.heard[-1].fault) == (Status.OK, v1.FAULT_UNSPECIFIED)
    assert "retired" in connection.heard[-1].sentence
    return True


async def gone(connection: FakeConnection) -> None:
    """Wait until a bot was let go."""
    with trio.fail_after(10_000):
        while not has_left(connection):  # noqa: ASYNC110 - it is the connection that is told
            await trio.sleep(0.1)


async def test_a_bot_that_plays_nothing_is_let_go_at_once() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    connection.say(v1.Retire())
    assert has_left(connection)
    assert bot.loss is not None
    assert lobby.connect(resume=connection.resume).status is Status.UNAUTHENTICATED


async def test_running_matches_are_played_to_their_end_and_no_other_begins() -> None:
    hall = Hall()
    async with hall.open():
        retiring, *others = hall.enter_all("ana", "ben", "cleo")
        await wait_all_tasks_blocked()
        retiring.say(v1.Retire())
        retiring.say(v1.Retire())
        await gone(retiring)
        await trio.sleep(10)
        assert [len(each.of(v1.MatchStart)) for each in (retiring, *others)] == [1] * 3
        assert hall.records[0].outcome.placings
        forfeits = {entry.forfeit.fault for entry in hall.records[0].entries if entry.HasField("forfeit")}
        assert forfeits == {v1.FAULT_TOO_LATE}, "for silence, and not for leaving"
        assert isinstance(retiring.heard[-2], v1.MatchEnd), "the end of the match comes before the goodbye"


async def test_a_bot_that_has_retired_is_never_seated() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    seat = bot.take_seat()
    connection.say(v1.Retire())
    async with trio.open_nursery() as nursery:
        got = []

        async def wait() -> None:
            got.append(await bot.seat_when_free())

        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        assert got == []
        seat.abandon("enough")
        await wait_all_tasks_blocked()
        assert got == [None]
    assert has_left(connection)


@pytest.mark.parametrize("more", [0, 1])
async def test_as_many_matches_are_played_as_were_wanted(more: int) -> None:
    hall = Hall()
    async with hall.open():
        wanted = hall.enter("ana", answering=silent, matches_in_all=2 + more)
        others = hall.enter_all("ben", "cleo", answering=default)
        await gone(wanted)
        assert [len(each.of(v1.MatchEnd)) for each in (wanted, *others)] == [2 + more] * 3


async def test_no_more_matches_begin_at_once_than_are_wanted_in_all() -> None:
    hall = Hall()
    async with hall.open():
        connections = [hall.enter(name, max_matches=9, matches_in_all=3) for name in ("ana", "ben", "cleo")]
        await wait_all_tasks_blocked()
        assert [len(each.of(v1.MatchStart)) for each in connections] == [3] * 3


async def test_retiring_holds_over_a_resume() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter(answering=silent)
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play, match_terms(), [seated.take_seat() for seated in (bot, *others)])
        await wait_all_tasks_blocked()
        connection.say(v1.Retire())
        connection.vanish()
        again = lobby.come_back(connection, answering=default)
        assert again.status is None
        assert not bot.has_room
    assert has_left(again)


async def test_a_bot_that_was_away_when_its_last_match_ended_hears_of_it_and_is_let_go() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    seat = bot.take_seat()
    seat.begin(v1.MatchStart(match_id="m", game="mittlere"))
    connection.say(v1.Retire())
    connection.vanish()
    seat.end(v1.MatchEnd(sentence="over"))
    assert bot.loss is None, "it may come back"
    again = lobby.come_back(connection)
    assert has_left(again)
    assert [type(body) for body in again.heard] == [v1.Welcome, v1.MatchStart, v1.MatchEnd, v1.Goodbye]


async def test_retiring_without_end_is_flooding() -> None:
    connection, bot = Lobby().enter()
    bot.take_seat()
    for _ in range(600):
        if connection.status is None:
            connection.say(v1.Retire())
    assert connection.status is Status.RESOURCE_EXHAUSTED


async def test_a_bot_that_retired_and_is_thrown_out_hears_why() -> None:
    """Giving up ends its last match, since all others have given up before."""
    hall = Hall()
    async with hall.open():
        leaving = hall.enter_all("ana", "ben")
        thrown_out = hall.enter("cleo")
        await wait_all_tasks_blocked()
        thrown_out.say(v1.Retire())
        for connection in leaving:
            connection.say(v1.Goodbye())
        thrown_out.say_bytes(b"\xff")
        await wait_all_tasks_blocked()
        assert thrown_out.status is Status.INVALID_ARGUMENT
        assert thrown_out.last(v1.Goodbye).fault == v1.FAULT_MALFORMED
        sessions = hall.telemetry.counters.sessions
        assert (sessions.opened, sessions.connected, sessions.dismissed) == (3, 0, 0)


async def test_what_stands_behind_a_retire_that_ends_the_session_is_not_taken_in() -> None:
    hall = Hall()
    async with hall.open():
        connection = hall.enter("ana")
        connection.say(v1.Retire(), v1.Goodbye())
        assert has_left(connection)
        sessions = hall.telemetry.counters.sessions
        assert (sessions.opened, sessions.connected, sessions.dismissed, sessions.left) == (1, 0, 1, 0)
