"""What an operator says to all bots: each hears it once for each connection; and sessions that an operator ends."""

import pytest
import trio
from support.connections import FakeConnection, Lobby
from support.frames import hello
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.arena.event_router import EventEntry, EventRouter
from ordago.arena.live_sessions import LiveSessions
from ordago.arena.server import Server

from .test_tables import hall

pytestmark = pytest.mark.virtual_time
SOON = v1.Announcement(number=1, sentence="maintenance at 20:00 UTC", made_at=1_800_000_000)
PAUSE = v1.Announcement(number=2, sentence="paused", made_at=1_800_000_000, pauses_seating=True)


class Hosted:
    """A router with standing tables and an event, and the bots that came to them."""

    def __init__(self) -> None:
        self.lobby = Lobby()
        self.router = EventRouter(self.lobby.server)
        self.guests: list[Bot] = []
        event = Server(AllowEverybody(self.guests.append), games=["mittlere"], clock=self.router.clock)
        self.entry = EventEntry(event, v1.DescribeEventResponse(event="friday"))

    def come(self, event: str = "", **fields: object) -> FakeConnection:
        connection = FakeConnection(self.router, event=event)
        connection.say(hello(**fields))
        return connection


async def test_whoever_is_there_or_comes_later_hears_it_once_in_events_too() -> None:
    hosted = Hosted()
    before = hosted.come()
    hosted.router.announce([SOON])
    with hosted.router.opened("friday", hosted.entry):
        after, guest = hosted.come(), hosted.come("friday")
        hosted.router.announce([SOON])
        for connection in (before, after, guest):
            assert connection.of(v1.Announcement) == [SOON]
        hosted.router.announce([SOON, PAUSE])
        assert [connection.of(v1.Announcement) for connection in (before, guest)] == [[SOON, PAUSE]] * 2
    hosted.router.announce([PAUSE])
    assert hosted.come().of(v1.Announcement) == [PAUSE], "nobody hears what does not stand any more"


async def test_a_bot_that_ignores_it_plays_on_and_hears_it_again_when_it_comes_back() -> None:
    hosted = Hosted()
    connection = hosted.come()
    hosted.router.announce([SOON])
    connection.vanish()
    again = hosted.come(resume=connection.resume)
    assert again.last(v1.Welcome).resumed
    assert again.of(v1.Announcement) == [SOON]
    assert again.status is None


async def test_in_a_pause_no_match_begins_and_running_ones_go_on() -> None:
    async with hall() as opened:
        first = [opened.enter(name, max_matches=1) for name in ("ana", "ben", "cleo")]
        await wait_all_tasks_blocked()
        opened.tables.pause(paused=True)
        later = [opened.enter(name, max_matches=1) for name in ("dora", "emil", "fred")]
        await trio.sleep(3)
        assert opened.tables.running == 1
        assert not [connection for connection in later if connection.of(v1.MatchStart)]
        assert all(connection.of(v1.Decision) or connection.of(v1.MatchStart) for connection in first)
        opened.tables.pause(paused=False)
        await wait_all_tasks_blocked()
        assert opened.tables.running == 2
        assert all(connection.of(v1.MatchStart) for connection in later)


async def test_a_session_that_is_ended_says_goodbye_forfeits_and_cannot_be_resumed() -> None:
    hosted = Hosted()
    with hosted.router.opened("friday", hosted.entry):
        bad, good, guest = hosted.come(), hosted.come(bot=v1.Software(name="good")), hosted.come("friday")
        hosted.lobby.bots[0].take_seat()
        live = LiveSessions(hosted.router)
        assert [event for event, _ in await in_thread(live.bots)] == ["", "", "friday"]
        for connection in (bad, guest):
            await in_thread(live.end, connection.resume.session_id, "it floods")
            assert connection.last(v1.Goodbye) == v1.Goodbye(sentence="it floods")
            assert connection.status is Status.OK
        assert hosted.lobby.bots[0].loss is not None
        assert good.status is None
        refused = hosted.come(resume=bad.resume)
        assert refused.status is Status.UNAUTHENTICATED
        await in_thread(live.end, bad.resume.session_id, "once more")
        assert [bot.identity.name for _, bot in await in_thread(live.bots)] == ["good"]
        assert hosted.come().status is None, "a new session is let in: only a ban keeps an account out"


async def in_thread(call, *arguments):
    return await trio.to_thread.run_sync(call, *arguments)
