"""Tables that are watched: one stream from the server however many look on, each at his own pace."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from random import Random

import pytest
import trio
from support.processes import until
from support.site import Visitor
from torture.worlds import twins
from web.live.test_live_view import events_of, start_of

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.access.bounds import AddressBounds, Limits
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.live.tables import LiveTable, LiveTables
from ordago_web.pages import Pages
from ordago_web.site import site

PAIR = twins("mittlere", Random(3), deals_before=0)
EVENTS = events_of(PAIR, PAIR.first)
START = v1.WatchMatchResponse(start=start_of(PAIR))
END = v1.WatchMatchResponse(end=v1.WatchedEnd(outcome=v1.Outcome(scores=[3, 2, 1], placings=[1, 2, 3])))


def told(*events: v1.Event) -> v1.WatchMatchResponse:
    return v1.WatchMatchResponse(events=events)


class Server:
    """A server whose matches are told as a test says."""

    def __init__(self) -> None:
        self.streams = 0
        self.closed = False
        self.responses: Queue[v1.WatchMatchResponse | CallError] = Queue()
        self.running = [v1.LadderMatch(match_id="m1", game="mittlere", stage=v1.MATCH_STAGE_RUNNING)]
        self.running[0].seats.add(name="</script><b>\u202e")
        self.finished: list[v1.LadderMatch] = []
        self.now = 0.0

    @contextmanager
    def opened(self) -> Iterator["Server"]:
        self.streams += 1
        try:
            yield self
        finally:
            self.closed = True
            self.responses.put(CallError("CANCELLED", "closed"))

    def listen(self, _request: object, _answer: object) -> Iterator[v1.WatchMatchResponse]:
        while True:
            response = self.responses.get()
            if isinstance(response, CallError):
                raise response
            yield response
            if response.HasField("end"):
                return

    def ask(self, request: object, _answer: object) -> object:
        if isinstance(request, v1.GetLadderRequest):
            return v1.GetLadderResponse(delay_seconds=5)
        if isinstance(request, v1.GetMatchRequest):
            return v1.GetMatchResponse(match=self.running[0])
        if isinstance(request, v1.ListEpochsRequest):
            return v1.ListEpochsResponse()
        assert isinstance(request, v1.ListMatchesRequest)
        if request.by_end:
            ended = sorted(self.finished, key=lambda match: -match.ended)
            return v1.ListMatchesResponse(matches=ended[: request.page_size])
        return v1.ListMatchesResponse(matches=self.running if request.running else self.finished)


@pytest.fixture
async def visitor(nursery: trio.Nursery) -> Visitor:
    server = Server()
    live = LiveTables(server.opened)
    await nursery.start(live.run)
    limits = Limits(AddressBounds(streams_of_one=2))
    made = Visitor(
        site(AppContext(pages=Pages(), now=lambda: server.now, ladder=LadderSource(server), live=live, limits=limits))
    )
    made.server = server
    return made


class Reader:
    """Reads an event stream message by message."""

    def __init__(self, parts) -> None:
        self._parts = parts
        self._left: list[dict[str, str]] = []

    async def next(self) -> dict[str, str]:
        while not self._left:
            part = await anext(self._parts)
            blocks = [block for block in part.decode().split("\n\n") if block]
            self._left += [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
        return self._left.pop(0)

    async def data(self, event: str):
        while (message := await self.next()).get("event") != event:
            assert message.keys() == {"retry"}
        return json.loads(message["data"])


async def test_a_match_is_told_from_where_it_is_and_goes_on_to_its_end(visitor: Visitor):
    server = visitor.server
    server.responses.put(START)
    server.responses.put(told(*EVENTS[:3]))
    with trio.fail_after(5):
        async with visitor.opened("GET", "/matches/m1/live") as (head, parts):
            assert head.headers["content-type"].startswith("text/event-stream")
            reader = Reader(parts)
            scene = await reader.data("scene")
            assert scene["faces"] == "jass"
            server.responses.put(told(*EVENTS[3:5]))
            assert "patch" in await reader.data("step")
            server.responses.put(END)
            while (message := await reader.next())["event"] == "step":
                pass
            assert json.loads(message["data"])["outcome"]["scores"] == [3, 2, 1]


async def test_whoever_looks_on_later_hears_the_same_by_the_same_stream(visitor: Visitor):
    server = visitor.server
    server.responses.put(START)
    with trio.fail_after(5):
        async with visitor.opened("GET", "/matches/m1/live") as (_, first):
            await Reader(first).data("scene")
            server.responses.put(told(*EVENTS[:4]))
            async with visitor.opened("GET", "/matches/m1/live") as (_, second):
                await Reader(second).data("scene")
    assert server.streams == 1


async def test_a_browser_that_comes_back_is_told_what_it_missed(visitor: Visitor):
    server = visitor.server
    server.responses.put(START)
    server.responses.put(told(*EVENTS[:4]))
    with trio.fail_after(5):
        async with visitor.opened("GET", "/matches/m1/live", headers={"last-event-id": "0"}) as (_, parts):
            reader = Reader(parts)
            while (message := await reader.next()).get("event") != "step":
                pass
            number = int(message["id"])
        async with visitor.opened("GET", "/matches/m1/live", headers={"last-event-id": f"{number}"}) as (_, parts):
            assert int((await Reader(parts).next())["id"]) == number + 1


@pytest.mark.parametrize("strange", ["-1", "99999", "9" * 40, "٣", "x"])
async def test_whoever_says_strange_things_of_what_he_knows_is_shown_all(visitor: Visitor, strange: str):
    visitor.server.responses.put(START)
    headers = {"last-event-id": strange.encode().decode("latin-1")}
    with trio.fail_after(5):
        async with visitor.opened("GET", "/matches/m1/live", headers=headers) as (_, parts):
            assert await Reader(parts).data("scene")


async def test_an_address_watches_so_many_tables_and_no_more(visitor: Visitor):
    visitor.server.responses.put(START)
    with trio.fail_after(5):
        async with visitor.opened("GET", "/matches/m1/live") as (_, one), visitor.opened("GET", "/matches/m1/live"):
            await Reader(one).data("scene")
            refused = await visitor.get("/matches/m1/live")
            assert refused.status == 429
            assert "close one of them" in refused.text


async def test_a_match_that_cannot_be_watched_is_told_of_in_words(visitor: Visitor):
    visitor.server.responses.put(CallError("NOT_FOUND", "there is no such match"))
    answer = await visitor.get("/matches/m1/live", accept="text/event-stream")
    assert (answer.status, answer.json()["detail"]) == (404, "there is no such match")


@pytest.mark.slow
async def test_who_reads_too_slowly_is_shown_the_whole_table_again():
    table = LiveTable()
    table.take(START)
    _, number, _ = await table.after(None)
    for _ in range(2100):
        table.take(told(EVENTS[0]))
    behind, number, _ = await table.after(number)
    assert b"event: scene" in behind
    assert number == 2100


async def test_a_hostile_name_is_text_on_the_pages(visitor: Visitor):
    for address in ("/live", "/matches/m1/watch"):
        page = (await visitor.get(address)).text
        assert "&lt;/script&gt;&lt;b&gt;" in page
        assert "<b>" not in page
        assert "\u202e" not in page


async def test_what_has_just_finished_is_listed_with_its_result(visitor: Visitor):
    """As the server lists them: by their ends."""
    for number in range(14):
        match = v1.LadderMatch(match_id=f"f{number}", game="mittlere", stage=v1.MATCH_STAGE_OVER, ended=100 + number)
        match.seats.add(name=f"bot {number}", placing=1, score=7)
        visitor.server.finished.append(match)
    page = (await visitor.get("/live")).text
    assert re.findall(r'href="/matches/(\w+)">', page) == [f"f{number}" for number in range(13, 1, -1)]
    assert '<a href="/bots/bot%2013">bot 13</a> <small>1st, +7</small>' in page


async def test_the_table_of_a_match_that_is_over_is_there_until_its_end_was_shown(visitor: Visitor):
    match = visitor.server.running[0]
    match.stage, match.ended = v1.MATCH_STAGE_OVER, 100
    visitor.server.now = 106.9
    assert (await visitor.get("/matches/m1/watch")).status == 200
    assert 'href="/matches/m1/watch"' in (await visitor.get("/matches/m1")).text
    visitor.server.now = 107.0
    answer = await visitor.get("/matches/m1/watch")
    assert (answer.status, answer.headers["location"]) == (303, "/matches/m1")


async def test_the_stream_is_closed_when_nobody_looks_on_any_more(visitor: Visitor, monkeypatch):
    monkeypatch.setattr("ordago_web.live.tables.LINGER_SECONDS", 0.0)
    visitor.server.responses.put(START)
    with trio.fail_after(60):
        async with visitor.opened("GET", "/matches/m1/live") as (_, parts):
            await Reader(parts).data("scene")
        await until(lambda: visitor.server.closed)
    assert visitor.server.streams == 1


async def test_who_would_watch_what_another_server_plays_is_told_which_one(visitor: Visitor):
    visitor.server.running[0].lane = "<west>"
    for place in ("/live", "/matches?running=true"):
        page = (await visitor.get(place)).text
        assert "at &lt;west&gt;" in page
        assert "/watch" not in page
    answer = await visitor.get("/matches/m1/watch")
    assert (answer.status, answer.headers["location"]) == (303, "/matches/m1")
    assert "at the server &lt;west&gt;, whose own site shows it live" in (await visitor.get("/matches/m1")).text
