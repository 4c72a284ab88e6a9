"""How many sessions a server bears, and who makes room when it bears no more."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import trio
from support.accounts import TokenLobby
from support.connections import FakeConnection, Lobby
from support.frames import hello
from support.halls import Hall
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.authenticator import Admission, AllowEverybody, Share
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.connection import Status

pytestmark = pytest.mark.virtual_time


def bound(**bounds: int) -> ConnectionBounds:
    return ConnectionBounds(**{"max_sessions": 4, "max_sessions_each": 3, **bounds})


def coming_from(lobby: Lobby, origin: str, **fields: object) -> FakeConnection:
    connection = FakeConnection(lobby.server, origin=origin)
    connection.say(hello(**fields))
    return connection


def is_gone(lobby: Lobby, connection: FakeConnection) -> bool:
    """Say whether the session of a connection cannot be resumed any more."""
    return lobby.come_back(connection).status is Status.UNAUTHENTICATED


async def test_room_is_made_by_the_bot_that_has_been_away_longest() -> None:
    lobby = Lobby(bounds=bound(max_sessions_each=4))
    first, second, *_ = [lobby.connect() for _ in range(4)]
    second.vanish()
    first.vanish()
    assert lobby.connect().status is None
    assert is_gone(lobby, second)
    assert not is_gone(lobby, first)


async def test_where_all_are_here_a_newcomer_is_told_to_come_later() -> None:
    lobby = Lobby(bounds=bound(max_sessions_each=5))
    [lobby.connect() for _ in range(4)]
    one_too_many = lobby.connect()
    assert one_too_many.status is Status.RESOURCE_EXHAUSTED
    assert one_too_many.sentence == "the server is full; come back later"
    assert one_too_many.retry_after_ms > 0


async def test_an_address_has_its_bound_within_that_of_all() -> None:
    lobby = Lobby(bounds=bound())
    here = [coming_from(lobby, "192.0.2.7") for _ in range(3)]
    refused = coming_from(lobby, "192.0.2.7")
    assert refused.status is Status.RESOURCE_EXHAUSTED
    assert "from your address" in refused.sentence
    assert coming_from(lobby, "192.0.2.8").status is None
    here[0].vanish()
    assert coming_from(lobby, "192.0.2.7").status is None, "its own absent bot makes room"
    assert is_gone(lobby, here[0])


async def test_who_fills_the_server_pushes_out_his_own_absent_bots_and_nobody_elses() -> None:
    lobby = Lobby(bounds=bound(max_sessions=40, max_sessions_each=30))
    honest = coming_from(lobby, "192.0.2.1")
    honest.vanish()
    for number in range(500):
        coming_from(lobby, f"198.51.100.{number % 3}").vanish()
    assert not is_gone(lobby, honest)


async def test_an_account_is_bounded_whatever_addresses_its_bots_come_from(tmp_path: Path) -> None:
    crowd = TokenLobby(tmp_path, bounds=bound())
    ana, ben = crowd.token("ana"), crowd.token("ben")
    assert [crowd.connect(ana, name=f"ana's {number}").status for number in range(3)] == [None] * 3
    assert crowd.connect(ana, name="one too many").status is Status.RESOURCE_EXHAUSTED
    assert crowd.connect(ben, name="ben's").status is None
    crowd.accounts.close()


async def test_the_bot_that_makes_room_forfeits_what_it_plays() -> None:
    opened = Hall(bounds=ConnectionBounds(max_sessions=3))
    async with opened.open():
        lost, *others = opened.enter_all("ana", "ben", "cleo")
        await wait_all_tasks_blocked()
        lost.vanish()
        newcomer = opened.enter("dora")
        assert newcomer.status is None
        await trio.sleep(60)
        end = others[0].of(v1.MatchEnd)[0]
        assert end.forfeits[0].fault == v1.FAULT_DISCONNECTED


async def test_no_more_matches_begin_than_are_borne_and_the_oldest_absent_player_makes_room() -> None:
    opened = Hall(bounds=ConnectionBounds(max_matches=2), pause_seconds=0)
    async with opened.open():
        first = opened.enter_all("ana", "ben", "cleo")
        opened.enter_all("dora", "emil", "fritz")
        await wait_all_tasks_blocked()
        for connection in first:
            connection.vanish()
        waiting = opened.enter_all("gina", "hans", "ida")
        await wait_all_tasks_blocked()
        assert opened.tables.running == 2
        assert opened.telemetry.counters.sessions.given_up == 1
        while not waiting[0].of(v1.MatchStart):
            assert opened.tables.running <= 2
            await trio.sleep(1)
        assert trio.current_time() < 60


@dataclass(frozen=True)
class ShareOf(AllowEverybody):
    """Admits every bot for one account, whose other sessions are at other servers."""

    share: Share

    def admit(self, token: str | None, bot: v1.Software) -> Admission:  # noqa: ARG002 - nothing is asked for
        return Admission(self.arrived, account="ana", share=self.share)


@pytest.mark.parametrize(
    ("share", "let_in"),
    [
        (Share(bots=2, sessions=9), "aabb"),
        (Share(bots=2, sessions=9, elsewhere=Counter({"b": 1})), "aabb"),
        (Share(bots=2, sessions=9, elsewhere=Counter({"d": 1})), "aa"),
        (Share(bots=2, sessions=9, elsewhere=Counter({"b": 1, "d": 1})), "bb"),
        (Share(bots=9, sessions=3), "aab"),
        (Share(bots=9, sessions=3, elsewhere=Counter({"a": 2})), "a"),
        (Share(bots=9, sessions=3, elsewhere=Counter({"a": 2, "d": 2})), ""),
    ],
)
async def test_sessions_at_other_servers_count_towards_the_limits_of_an_account(share: Share, let_in: str) -> None:
    lobby = Lobby(admitting=partial(ShareOf, share=share))
    found = [(name, lobby.connect(bot=v1.Software(name=name))) for name in "aabbcc"]
    assert "".join(name for name, connection in found if connection.status is None) == let_in
    assert {connection.status for _, connection in found} <= {None, Status.RESOURCE_EXHAUSTED}


async def test_an_absent_bot_makes_room_within_the_limits_of_all_servers() -> None:
    lobby = Lobby(admitting=partial(ShareOf, share=Share(bots=9, sessions=3, elsewhere=Counter({"b": 1}))))
    first, _ = lobby.connect(), lobby.connect()
    assert lobby.connect().status is Status.RESOURCE_EXHAUSTED
    first.vanish()
    assert lobby.connect().status is None
    assert is_gone(lobby, first)
    assert lobby.connect().status is Status.RESOURCE_EXHAUSTED
