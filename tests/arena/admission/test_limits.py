"""How many may come, from where, and how long they may keep silent."""

import pytest
import trio
from support.connections import FakeConnection, Lobby
from support.frames import from_bot, hello

from ordago import v1
from ordago.arena.admission.limits import Bounds
from ordago.arena.connection import Status

pytestmark = pytest.mark.virtual_time


def connect(lobby: Lobby, *, origin: str = "192.0.2.1") -> FakeConnection:
    """Connect without a word."""
    return FakeConnection(lobby.server, origin=origin)


def enter(lobby: Lobby, *, origin: str = "192.0.2.1") -> FakeConnection:
    """Connect and be welcomed."""
    connection = connect(lobby, origin=origin)
    connection.say(hello())
    return connection


async def test_a_full_server_turns_newcomers_away_until_somebody_leaves() -> None:
    lobby = Lobby(bounds=Bounds(max_connections=3))
    inside = [enter(lobby, origin=f"192.0.2.{number}") for number in range(3)]
    outside = connect(lobby, origin="192.0.2.9")
    assert outside.status is Status.RESOURCE_EXHAUSTED
    assert "the server is full" in outside.sentence
    assert outside.retry_after_ms > 0
    outside.vanish()
    assert connect(lobby).status is Status.RESOURCE_EXHAUSTED, "who was never inside leaves no room"
    inside[0].vanish()
    inside[0].vanish()
    assert enter(lobby).status is None
    assert connect(lobby).status is Status.RESOURCE_EXHAUSTED, "one who leaves makes room for one"


async def test_a_connection_counts_until_it_is_really_gone() -> None:
    """Its last words may still wait for a bot that does not read."""
    lobby = Lobby(bounds=Bounds(max_connections=1))
    connection = enter(lobby)
    connection.say(v1.Goodbye())
    assert connection.status is Status.OK
    assert connect(lobby).status is Status.RESOURCE_EXHAUSTED
    connection.vanish()
    assert enter(lobby).status is None


async def test_one_address_has_only_so_many_strangers() -> None:
    lobby = Lobby(bounds=Bounds(max_strangers=2))
    first, _ = connect(lobby), connect(lobby)
    third = connect(lobby)
    assert third.status is Status.RESOURCE_EXHAUSTED
    assert "have not said hello" in third.sentence
    assert connect(lobby, origin="198.51.100.1").status is None, "others are not to blame"
    first.say(hello())
    assert connect(lobby).status is None, "who was welcomed is no stranger"
    assert connect(lobby).status is Status.RESOURCE_EXHAUSTED


async def test_any_number_that_was_welcomed_may_stay() -> None:
    lobby = Lobby(bounds=Bounds(max_strangers=2))
    assert [enter(lobby).status for _ in range(10)] == [None] * 10


async def test_who_does_not_say_hello_has_to_go() -> None:
    lobby = Lobby(bounds=Bounds(hello_seconds=10, max_strangers=1))
    connection = connect(lobby)
    connection.say_bytes(b"")
    await trio.sleep(9.9)
    assert connection.status is None
    await trio.sleep(0.2)
    assert connection.status is Status.FAILED_PRECONDITION
    assert "no Hello came within 10 s" in connection.sentence
    connection.say_bytes(from_bot(hello()))
    assert not lobby.bots, "it is too late for that"
    assert connect(lobby).status is None


async def test_who_was_welcomed_may_keep_silent() -> None:
    lobby = Lobby(bounds=Bounds(hello_seconds=10))
    connection = enter(lobby)
    await trio.sleep(1000)
    assert connection.status is None
    assert lobby.bots[0].connected


async def test_new_sessions_come_at_a_rate() -> None:
    lobby = Lobby(bounds=Bounds(sessions_per_second=2, sessions_at_once=3))
    assert [enter(lobby).status for _ in range(3)] == [None] * 3
    refused = enter(lobby)
    assert refused.status is Status.RESOURCE_EXHAUSTED
    assert refused.retry_after_ms == 500
    assert "too many new sessions; come back in 500 ms" in refused.sentence
    assert enter(lobby, origin="198.51.100.1").status is None, "others are not to blame"
    await trio.sleep(0.5)
    assert enter(lobby).status is None
    assert enter(lobby).status is Status.RESOURCE_EXHAUSTED


async def test_to_resume_is_no_new_session() -> None:
    lobby = Lobby(bounds=Bounds(sessions_per_second=1, sessions_at_once=1))
    connection = enter(lobby)
    for _ in range(5):
        connection.vanish()
        connection = lobby.come_back(connection)
        assert connection.heard[0].resumed


async def test_those_who_came_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.arena.admission.limits._KEPT_ALLOWANCES", 10)
    lobby = Lobby(bounds=Bounds(sessions_per_second=1, sessions_at_once=1))
    for number in range(50):
        await trio.sleep(1)
        enter(lobby, origin=f"2001:db8:0:{number}::/64")
    assert len(lobby.server._limits._sessions) <= 10
    assert enter(lobby, origin="2001:db8:0:49::/64").status is Status.RESOURCE_EXHAUSTED, "but not who came just now"
