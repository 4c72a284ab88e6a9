"""Events beside what a server always plays: who comes in for which, by name, and what becomes of all others."""

from collections.abc import Iterator

import pytest
from support.connections import FakeConnection, Lobby
from support.frames import hello

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody, Refusal
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.arena.event_router import EventEntry, EventRouter
from ordago.arena.server import Server

pytestmark = pytest.mark.virtual_time

FRIDAY = v1.DescribeEventResponse(event="friday")


class Town:
    """A server with two events, each with a server of its own, and who came to which."""

    def __init__(self, *, bounds: ConnectionBounds | None = None) -> None:
        self.lobby = Lobby(bounds=bounds)
        self.router = EventRouter(self.lobby.server, lambda: v1.DescribeEventResponse(event="tables"))
        self.friday: list[Bot] = []
        self.cup: list[Bot] = []

    def entry(self, came: list[Bot], name: str) -> EventEntry:
        server = Server(AllowEverybody(came.append), games=["mittlere"], clock=self.router.clock)
        return EventEntry(server, v1.DescribeEventResponse(event=name))

    def come(self, event: str = "", **fields: object) -> FakeConnection:
        connection = FakeConnection(self.router, event=event)
        if connection.status is None:
            connection.say(hello(**fields))
        return connection


@pytest.fixture
def town() -> Iterator[Town]:
    town = Town()
    with (
        town.router.opened("friday", town.entry(town.friday, "friday")),
        town.router.opened("cup", town.entry(town.cup, "cup")),
    ):
        yield town


async def test_each_comes_in_where_he_says_and_who_says_nothing_for_what_is_always_played(town: Town) -> None:
    for event in ("friday", "cup", "cup", ""):
        assert town.come(event).last(v1.Welcome)
    assert (len(town.friday), len(town.cup), len(town.lobby.bots)) == (1, 2, 1)


@pytest.mark.parametrize("event", ["saturday", "Friday", "friday ", "../friday", "x" * 5_000])
async def test_who_names_an_event_that_is_not_open_is_told_where_he_finds_those_that_are(
    town: Town, event: str
) -> None:
    connection = town.come(event)
    assert connection.status is Status.NOT_FOUND
    assert "ordago event list" in connection.sentence
    assert len(connection.sentence) < 200, "what he says is not told again at any length"
    assert not [*town.friday, *town.cup, *town.lobby.bots]


async def test_a_session_is_resumed_where_it_began_and_nowhere_else(town: Town) -> None:
    connection = town.come("friday")
    resume = connection.resume
    connection.vanish()
    assert town.come("cup", resume=resume).status is Status.UNAUTHENTICATED
    assert town.come("", resume=resume).status is Status.UNAUTHENTICATED
    assert town.come("friday", resume=resume).last(v1.Welcome).session_id == resume.session_id


async def test_a_flood_of_names_that_nobody_knows_is_counted_as_any_other() -> None:
    """A stranger who keeps such connections open is sent away like one who keeps silent, and nobody else is."""
    town = Town(bounds=ConnectionBounds(max_connections=8, max_connections_of_one=4))
    flood = [town.come(f"nothing-{number}") for number in range(100)]
    assert {connection.status for connection in flood[:4]} == {Status.NOT_FOUND}
    assert {connection.status for connection in flood[4:]} == {Status.RESOURCE_EXHAUSTED}
    assert town.lobby.server.telemetry.counters.sessions.turned_away.total() == 100
    elsewhere = FakeConnection(town.router, origin="192.0.2.7")
    elsewhere.say(hello())
    assert elsewhere.last(v1.Welcome)


async def test_what_is_promised_asks_to_come_again_and_is_forgotten_in_the_end(town: Town) -> None:
    town.router.promise("soon")
    connection = town.come("soon")
    assert (connection.status, connection.retry_after_ms) == (Status.UNAVAILABLE, 1_000)
    assert isinstance(told := town.router.described("soon"), Refusal)
    assert told.status is Status.UNAVAILABLE
    town.router.forget("soon")
    assert town.come("soon").status is Status.NOT_FOUND


async def test_who_is_there_when_an_event_stops_is_told_to_come_back(town: Town) -> None:
    with town.router.opened("short", town.entry([], "short")):
        connection = town.come("short")
    assert connection.status is Status.UNAVAILABLE
    assert town.come("short").status is Status.UNAVAILABLE


async def test_each_event_is_described_by_its_name(town: Town) -> None:
    assert town.router.described("friday") == FRIDAY
    assert town.router.described("") == v1.DescribeEventResponse(event="tables")
    assert isinstance(unknown := town.router.described("saturday"), Refusal)
    assert unknown.status is Status.NOT_FOUND


async def test_a_leave_that_is_not_good_any_more_ends_at_all_events(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections = [town.come(event) for event in ("", "friday", "cup")]
    gone = Refusal(Status.UNAUTHENTICATED, "the token was revoked")
    monkeypatch.setattr(AllowEverybody, "review", lambda *_: gone)
    town.router.review()
    assert [connection.status for connection in connections] == [Status.UNAUTHENTICATED] * 3
