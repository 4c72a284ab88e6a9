"""How many may come, from where, and how long they may keep silent."""

import pytest
import trio
from support.connections import FakeConnection, Lobby
from support.frames import from_bot, hello

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LaunchTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.connection import Status
from ordago.arena.server import Server
from ordago.telemetry.telemetry import is_full

pytestmark = pytest.mark.virtual_time


class Launches:
    """A server for those who were launched."""

    def __init__(self, *, bounds: ConnectionBounds) -> None:
        self.tokens = LaunchTokens()
        self.server = Server(authenticator=self.tokens, games=["mittlere"], bounds=bounds)

    def launched(self) -> str:
        """Return the token of one who was launched."""
        return self.tokens.expect(Admission(lambda _bot: None))


def connect(lobby: Lobby | Launches, *, origin: str = "192.0.2.1", token: str | None = None) -> FakeConnection:
    """Connect without a word."""
    return FakeConnection(lobby.server, origin=origin, token=token)


def enter(lobby: Lobby | Launches, *, origin: str = "192.0.2.1", token: str | None = None) -> FakeConnection:
    """Connect and be welcomed."""
    connection = connect(lobby, origin=origin, token=token)
    connection.say(hello())
    return connection


async def test_a_full_server_turns_newcomers_away_until_somebody_leaves() -> None:
    lobby = Lobby(bounds=ConnectionBounds(max_connections=3))
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


async def test_a_server_for_so_many_bots_takes_half_of_them_from_one_address() -> None:
    lobby = Lobby(bounds=ConnectionBounds.for_bots(6, sessions_per_second=0))
    of_one = [enter(lobby, origin="192.0.2.1").status for _ in range(4)]
    assert of_one == [None, None, None, Status.RESOURCE_EXHAUSTED]
    of_others = [enter(lobby, origin=f"192.0.2.{number}").status for number in range(2, 6)]
    assert of_others == [None, None, None, Status.RESOURCE_EXHAUSTED]


def test_the_bounds_of_a_server_for_as_many_bots_as_usual_are_the_usual_ones() -> None:
    usual = ConnectionBounds()
    assert ConnectionBounds.for_bots(usual.max_connections, sessions_per_second=0) == usual


async def test_a_connection_counts_until_it_is_really_gone() -> None:
    """Its last words may still wait for a bot that does not read."""
    lobby = Lobby(bounds=ConnectionBounds(max_connections=1))
    connection = enter(lobby)
    connection.say(v1.Goodbye())
    assert connection.status is Status.OK
    assert connect(lobby).status is Status.RESOURCE_EXHAUSTED
    connection.vanish()
    assert enter(lobby).status is None


async def test_one_address_has_only_so_many_strangers_and_the_oldest_makes_room() -> None:
    lobby = Lobby(bounds=ConnectionBounds(max_strangers=2))
    first, second = connect(lobby), connect(lobby)
    assert connect(lobby, origin="198.51.100.1").status is None
    assert first.status is None, "others are not to blame"
    third = connect(lobby)
    assert first.status is Status.RESOURCE_EXHAUSTED
    assert "from your address have not said hello" in first.sentence
    assert first.retry_after_ms > 0
    second.say(hello())
    connect(lobby)
    assert (second.status, third.status) == (None, None), "who was welcomed is no stranger"
    connect(lobby)
    assert third.status is Status.RESOURCE_EXHAUSTED


async def test_however_many_keep_silent_whoever_says_hello_comes_in() -> None:
    lobby = Lobby(bounds=ConnectionBounds(max_strangers=5, max_connections=20))
    for number in range(100):
        connect(lobby, origin=f"192.0.2.{number % 10}")
        assert enter(lobby, origin="192.0.2.1").status is None
        lobby.bots[-1].channel.connection.vanish()  # type: ignore[union-attr]  # it is one of ours
    assert len(lobby.bots) == 100


async def test_who_is_sent_away_for_another_is_gone_at_once() -> None:
    """His connection ends a moment later; his place is taken, and he does not leave it twice."""
    lobby = Lobby(bounds=ConnectionBounds(max_strangers=1, max_connections=2))
    first, second = connect(lobby), connect(lobby)
    first.vanish()
    assert connect(lobby, origin="198.51.100.1").status is None
    assert second.status is None
    connect(lobby, origin="198.51.100.2")
    assert second.status is Status.RESOURCE_EXHAUSTED


# Those with a good token


async def test_strangers_without_a_token_are_in_nobodys_way_who_has_one() -> None:
    lobby = Launches(bounds=ConnectionBounds(max_strangers=2, max_connections=4))
    silent = [connect(lobby, token=token) for token in ("guessed", None, "guessed", None)]
    launched = [connect(lobby, token=lobby.launched()) for _ in range(4)]
    assert [one.status for one in launched] == [None] * 4
    assert {one.status for one in silent} == {Status.RESOURCE_EXHAUSTED}, "there is no room but theirs"
    late = connect(lobby)
    assert late.status is Status.RESOURCE_EXHAUSTED, "nobody without a good token takes the place of one with"
    assert "the server is full" in late.sentence


async def test_nobody_keeps_out_others_by_his_own_token_however_often_it_was_used() -> None:
    lobby = Launches(bounds=ConnectionBounds(max_strangers=2))
    used = lobby.launched()
    enter(lobby, token=used)
    own = [connect(lobby, token=used) for _ in range(5)]
    assert [one.status for one in own] == [Status.RESOURCE_EXHAUSTED] * 3 + [None] * 2
    assert "with your token have not said hello" in own[0].sentence
    assert enter(lobby, token=lobby.launched()).status is None


async def test_a_token_that_is_good_no_more_counts_as_none() -> None:
    lobby = Launches(bounds=ConnectionBounds(max_strangers=1))
    ended = lobby.launched()
    lobby.tokens.withdraw(ended)
    stranger = connect(lobby)
    connect(lobby, token=ended)
    assert stranger.status is Status.RESOURCE_EXHAUSTED


async def test_one_party_has_only_so_many_connections_in_all() -> None:
    lobby = Lobby(bounds=ConnectionBounds(max_connections_of_one=3))
    inside = [enter(lobby) for _ in range(2)]
    silent = connect(lobby)
    assert enter(lobby).status is None
    assert silent.status is Status.RESOURCE_EXHAUSTED, "the place was his"
    refused = enter(lobby)
    assert refused.status is Status.RESOURCE_EXHAUSTED
    assert "too many connections from your address; come back later" in refused.sentence
    assert enter(lobby, origin="198.51.100.1").status is None
    inside[0].vanish()
    assert enter(lobby).status is None


async def test_a_class_behind_one_address_comes_in_all_at_once() -> None:
    lobby = Lobby()
    crowd = [connect(lobby) for _ in range(100)]
    for one in crowd:
        one.say(hello())
    assert len(lobby.bots) == 100


async def test_a_full_server_says_so_to_whoever_watches() -> None:
    lobby = Lobby(bounds=ConnectionBounds(max_connections=1))
    counters = lobby.server.telemetry.counters
    enter(lobby)
    assert not is_full(counters)
    connect(lobby)
    assert is_full(counters)


async def test_any_number_that_was_welcomed_may_stay() -> None:
    lobby = Lobby(bounds=ConnectionBounds(max_strangers=2))
    assert [enter(lobby).status for _ in range(10)] == [None] * 10


async def test_who_does_not_say_hello_has_to_go() -> None:
    lobby = Lobby(bounds=ConnectionBounds(hello_seconds=10, max_strangers=1))
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
    lobby = Lobby(bounds=ConnectionBounds(hello_seconds=10))
    connection = enter(lobby)
    await trio.sleep(1000)
    assert connection.status is None
    assert lobby.bots[0].connected


async def test_new_sessions_come_at_a_rate() -> None:
    lobby = Lobby(bounds=ConnectionBounds(sessions_per_second=2, sessions_at_once=3))
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
    lobby = Lobby(bounds=ConnectionBounds(sessions_per_second=1, sessions_at_once=1))
    connection = enter(lobby)
    for _ in range(5):
        connection.vanish()
        connection = lobby.come_back(connection)
        assert connection.heard[0].resumed


async def test_those_who_came_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.arena.allowance._KEPT", 10)
    lobby = Lobby(bounds=ConnectionBounds(sessions_per_second=1, sessions_at_once=1))
    for number in range(50):
        await trio.sleep(1)
        enter(lobby, origin=f"2001:db8:0:{number}::/64")
    assert len(lobby.server._limits._sessions._of) <= 10
    assert enter(lobby, origin="2001:db8:0:49::/64").status is Status.RESOURCE_EXHAUSTED, "but not who came just now"
