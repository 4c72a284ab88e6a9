"""Small tables: one snapshot for all visitors, of what spectators see and of nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import trio
from support.site import Visitor
from web.live.test_tables import END, EVENTS, START, Server, told

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.access.turns import ASKER, Turns
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.live.tables import LiveTables
from ordago_web.pages import Pages
from ordago_web.site import site

PLACE = "/live/tables.json"


def match(name: str, stage: "v1.MatchStage" = v1.MATCH_STAGE_RUNNING, ended: int = 0) -> v1.LadderMatch:
    made = v1.LadderMatch(match_id=name, game="mittlere", stage=stage, ended=ended)
    for seat in range(3):
        made.seats.add(name=f"{name} {seat}")
    return made


class Servers:
    """A server with as many matches as a test says, each told by a ``Server`` of its own."""

    def __init__(self) -> None:
        self.running: list[v1.LadderMatch] = []
        self.finished: list[v1.LadderMatch] = []
        self.matches: dict[str, Server] = {}
        self.calls = 0

    def begin(self, *names: str) -> None:
        for name in names:
            self.running.append(match(name))
            self.matches[name] = Server()
            self.matches[name].responses.put(START)
            self.matches[name].responses.put(told(*EVENTS[:3]))

    def end(self, name: str) -> None:
        self.running = [each for each in self.running if each.match_id != name]
        self.matches[name].responses.put(END)

    @contextmanager
    def opened(self) -> Iterator["Watcher"]:
        watched: list[Server] = []
        yield Watcher(self, watched)
        for each in watched:
            each.responses.put(CallError("CANCELLED", "closed"))

    def ask(self, request: Any, _answer: object) -> Any:
        self.calls += 1
        if isinstance(request, v1.ListMatchesRequest):
            return v1.ListMatchesResponse(matches=self.running if request.running else self.finished)
        if isinstance(request, v1.ListEpochsRequest):
            return v1.ListEpochsResponse()
        # Its numbers are the version of the ladder.
        return v1.GetLadderResponse(delay_seconds=5, running=len(self.running), matches=self.calls)


class Watcher:
    """A connection that watches one match."""

    def __init__(self, servers: Servers, used: list[Server]) -> None:
        self._servers, self._used = servers, used

    def listen(self, request: v1.WatchMatchRequest, answer: object) -> Iterator[v1.WatchMatchResponse]:
        if request.match_id not in self._servers.matches:
            raise CallError("NOT_FOUND", "there is no such match")
        server = self._servers.matches[request.match_id]
        server.streams += 1
        self._used.append(server)
        yield from server.listen(request, answer)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let snapshots be old soon."""
    for module in ("live.small_tables", "ladder_source"):
        monkeypatch.setattr(f"ordago_web.{module}._FRESH_SECONDS", 0.05)


@pytest.fixture
def servers() -> Servers:
    return Servers()


@pytest.fixture
async def visitor(nursery: trio.Nursery, servers: Servers) -> Visitor:
    live, turns = LiveTables(servers.opened), Turns(at_once=4)
    await nursery.start(live.run)
    return Visitor(site(AppContext(pages=Pages(), ladder=LadderSource(servers, turns=turns), live=live, turns=turns)))


async def tables(visitor: Visitor, **headers: str) -> list[dict[str, Any]]:
    answer = await visitor.get(PLACE, **headers)
    assert answer.status == 200
    shown: list[dict[str, Any]] = answer.json()["tables"]
    return shown


async def until(visitor: Visitor, holds: Any) -> list[dict[str, Any]]:
    with trio.fail_after(30):
        while not holds(shown := await tables(visitor)):  # noqa: ASYNC110 - it happens in other threads
            await trio.sleep(0.02)
    return shown


async def test_what_another_server_plays_cannot_be_shown(visitor: Visitor, servers: Servers):
    servers.begin("a", "b")
    servers.running[0].lane = "west"
    assert [table["matchId"] for table in await tables(visitor)] == ["b"]


async def test_at_most_four_are_shown_as_spectators_see_them(visitor: Visitor, servers: Servers):
    servers.begin("a", "b", "c", "d", "e")
    shown = await until(visitor, lambda found: all(table.get("told") for table in found))
    assert [table["matchId"] for table in shown] == ["a", "b", "c", "d"]
    assert all({"scene", "seats", "faces"} <= table.keys() and "end" not in table for table in shown)
    page = (await visitor.get("/live")).text
    assert page.count('aria-hidden="true"></div><p></p></li>') == 4


async def test_all_visitors_and_languages_share_one_stream_for_a_match(visitor: Visitor, servers: Servers, monkeypatch):
    servers.begin("a")
    await until(visitor, lambda found: found[0].get("told"))
    monkeypatch.setattr("ordago_web.live.small_tables._FRESH_SECONDS", 60.0)
    before = servers.calls
    words = {(await tables(visitor, accept_language=language))[0]["told"] for language in ("en", "de", "zh") * 9}
    assert len(words) == 3
    assert servers.matches["a"].streams == 1
    assert servers.calls - before < 9


async def test_a_browser_that_has_the_snapshot_is_told_so(visitor: Visitor, servers: Servers):
    servers.begin("a")
    await until(visitor, lambda found: found[0].get("told"))
    tag = (await visitor.get(PLACE)).headers["etag"]
    again = await visitor.get(PLACE, if_none_match=tag)
    assert (again.status, again.body) == (304, b"")


async def test_a_match_that_ends_shows_its_result_and_leaves_its_place(visitor: Visitor, servers: Servers, monkeypatch):
    monkeypatch.setattr("ordago_web.live.small_tables._END_SECONDS", 0.2)
    servers.begin("a", "b", "c", "d")
    await until(visitor, lambda found: len(found) == 4)
    servers.end("b")
    servers.begin("e")
    shown = await until(visitor, lambda found: "end" in found[1])
    assert shown[1]["end"]["outcome"]["scores"] == [3, 2, 1]
    shown = await until(visitor, lambda found: found[1]["matchId"] != "b")
    assert [table["matchId"] for table in shown] == ["a", "e", "c", "d"]


async def test_a_match_goes_on_for_spectators_while_its_end_is_delayed(visitor: Visitor, servers: Servers, monkeypatch):
    monkeypatch.setattr("ordago_web.live.small_tables._END_SECONDS", 0.0)
    servers.begin("a", "b", "c", "d", "e")
    await until(visitor, lambda found: all(table.get("told") for table in found))
    servers.running = [each for each in servers.running if each.match_id != "a"]
    await trio.sleep(0.2)
    assert (await tables(visitor))[0]["matchId"] == "a"


async def test_where_nobody_plays_what_has_just_finished_is_shown(visitor: Visitor, servers: Servers):
    servers.begin("old", "older")
    for name in ("old", "older"):
        servers.end(name)
    servers.finished = [match("old", v1.MATCH_STAGE_OVER, 2), match("older", v1.MATCH_STAGE_OVER, 1)]
    shown = await until(visitor, lambda found: all("end" in table for table in found))
    assert [table["matchId"] for table in shown] == ["old", "older"]


async def test_a_match_that_cannot_be_watched_leaves_its_place(visitor: Visitor, servers: Servers):
    servers.begin("a", "b", "c", "d", "e")
    del servers.matches["a"]
    shown = await until(visitor, lambda found: found[0]["matchId"] != "a")
    assert [table["matchId"] for table in shown] == ["e", "b", "c", "d"]


async def test_somebody_who_asks_too_much_spoils_it_for_nobody(visitor: Visitor, servers: Servers, monkeypatch):
    """A visitor with a full queue gets the list of all tables instead of an error, and others do not wait."""
    servers.begin("a")
    monkeypatch.setattr("ordago_web.access.turns._MOST_WAITING", 0)
    ASKER.set("many")
    with trio.fail_after(5):
        assert await until(visitor, lambda found: found[0].get("told"))


async def test_a_server_that_is_away_is_told_of_in_words(visitor: Visitor, servers: Servers, monkeypatch):
    def away(*_asked: object) -> None:
        raise CallError("UNAVAILABLE", "the server is away")

    monkeypatch.setattr(servers, "ask", away)
    answer = await visitor.get(PLACE, accept="application/json")
    assert (answer.status, answer.json()["detail"]) == (503, "the server is away")


async def test_a_site_without_viewers_watches_nothing(visitor: Visitor, servers: Servers, monkeypatch):
    monkeypatch.setattr("ordago_web.live.tables.LINGER_SECONDS", 0.0)
    servers.begin("a")
    await until(visitor, lambda found: found[0].get("scene"))
    await trio.sleep(0.2)
    streams = servers.matches["a"].streams
    await trio.sleep(0.2)
    assert servers.matches["a"].streams == streams
