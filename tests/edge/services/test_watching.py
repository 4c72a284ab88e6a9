"""The stream on which a match is watched, over real gRPC: what it shows, and who would wear the server down by it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import grpc
import pytest
import trio
from support.frames import from_bot, hello
from support.http2 import (
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    PREFACE,
    SETTINGS,
    frame,
    headers,
    message,
    setting,
)
from support.ladder_reader import FakeReader, open_ladder, stubs
from support.matches import match_terms
from support.players import FakePlayer, play_match
from support.processes import until
from support.raw_client import in_thread, raw_client

from ordago import v1
from ordago.arena.tables.watched import WatchedMatches, watched_end
from ordago.edge import call_gate
from ordago.edge.services import ladder, places
from ordago.edge.transports import TransportBounds
from ordago.match import record_heading
from ordago.store.errors import NotOpenError

MATCH = "0" * 32
WATCH = "/ordago.v1.MatchService/WatchMatch"


class Played:
    """A match that was played in a moment, and what those saw who looked on."""

    def __init__(self) -> None:
        self.news: list[bytes] = []
        self.record = play_match(match_terms(), [FakePlayer() for _ in range(3)], onlookers=[self])

    @property
    def events(self) -> list[v1.Event]:
        return list(v1.WatchMatchResponse.FromString(b"".join(self.news)).events)


@contextmanager
def watch(port: int, match_id: str = MATCH) -> Iterator[Any]:
    with stubs(port) as (_, matches):
        call = matches.WatchMatch(v1.WatchMatchRequest(match_id=match_id), timeout=20)
        yield call
        call.cancel()


def seen_out(port: int, match_id: str = MATCH) -> list[v1.WatchMatchResponse]:
    with watch(port, match_id) as call:
        return list(call)


def refusal(port: int, match_id: str = MATCH) -> tuple[str, str]:
    try:
        return "OK", f"{len(seen_out(port, match_id))} responses"
    except grpc.RpcError as error:
        return error.code().name, error.details()  # type: ignore[attr-defined]


async def test_a_match_is_seen_from_its_beginning_to_its_end() -> None:
    played, watched = Played(), WatchedMatches()
    async with open_ladder(FakeReader(), watched) as (edge, _):
        match = watched.begin(match_terms())
        with watch(edge.port) as call:
            assert (await in_thread(next, call)).start == match.start
            match.news += played.news[:10]
            first = await in_thread(next, call)
            assert (first.first_event, list(first.events)) == (1, played.events[:10])
            match.news += played.news[10:]
            match.over(played.record)
            rest = await in_thread(list, call)
        assert rest[0].first_event == 11
        assert [event for response in rest for event in response.events] == played.events[10:]
        assert [response.end for response in rest if response.HasField("end")] == [watched_end(played.record)]
        assert rest[-1].HasField("end")
        late = await in_thread(seen_out, edge.port)
        assert late[0].start == match.start
        assert [event for response in late for event in response.events] == played.events
        assert late[-1].end == watched_end(played.record)


async def test_what_is_seen_comes_in_parts_of_some_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "_EVENTS_AT_ONCE", 7)
    played, watched = Played(), WatchedMatches()
    async with open_ladder(FakeReader(), watched) as (edge, _):
        match = watched.begin(match_terms())
        match.news += played.news
        match.over(played.record)
        responses = await in_thread(seen_out, edge.port)
        assert max(len(response.events) for response in responses) == 7
        numbers = [response.first_event for response in responses if response.events]
        assert numbers == list(range(1, len(played.news) + 1, 7))
        assert [event for response in responses for event in response.events] == played.events


async def test_a_match_whose_record_is_open_is_seen_by_its_record() -> None:
    played, reader = Played(), FakeReader()
    reader.records = {MATCH: played.record, "1" * 32: NotOpenError("the record opens when epoch 1 is revealed")}
    async with open_ladder(reader) as (edge, _):
        responses = await in_thread(seen_out, edge.port)
        assert responses[0].start.match_id == record_heading(match_terms()).match_id
        assert [event for response in responses for event in response.events] == played.events
        assert responses[-1].end == watched_end(played.record)
        assert await in_thread(refusal, edge.port, "1" * 32) == (
            "FAILED_PRECONDITION",
            "the record opens when epoch 1 is revealed",
        )
        assert await in_thread(refusal, edge.port, "zz") == ("NOT_FOUND", "there is no match 'zz'")


async def test_a_match_that_is_forgotten_is_seen_by_its_record_before_that_is_open() -> None:
    played, reader = Played(), FakeReader()
    reader.records = {MATCH: played.record}
    reader.closed.add(MATCH)
    async with open_ladder(reader) as (edge, _):
        responses = await in_thread(seen_out, edge.port)
        with stubs(edge.port) as (_, matches), pytest.raises(grpc.RpcError) as refused:
            await in_thread(matches.GetRecord, v1.GetRecordRequest(match_id=MATCH))
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert [event for response in responses for event in response.events] == played.events
    assert responses[-1].end == watched_end(played.record)


async def test_only_so_many_look_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "_MOST_OF_ONE", 2)
    watched = WatchedMatches()
    async with open_ladder(FakeReader(), watched) as (edge, _):
        watched.begin(match_terms())
        with watch(edge.port) as first, watch(edge.port) as second:
            await in_thread(next, first)
            await in_thread(next, second)
            status, sentence = await in_thread(refusal, edge.port)
            assert (status, sentence) == (
                "RESOURCE_EXHAUSTED",
                "too many watch from your address; end one of the others first",
            )
            first.cancel()
            second.cancel()
            watched.begin(match_terms()).void("The server failed.")
            while (await in_thread(refusal, edge.port))[0] != "OK":  # noqa: ASYNC110 - no event crosses the wire
                await trio.sleep(0.05)


@pytest.mark.slow
async def test_256_from_16_addresses_see_a_match_which_writes_each_event_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (places, call_gate):
        # Each connection counts as an address of its own.
        monkeypatch.setattr(module, "origin_of", str)
    played, watched = Played(), WatchedMatches()
    async with open_ladder(FakeReader(), watched) as (edge, _):
        match = watched.begin(match_terms())
        match.news += played.news[:10]
        with ExitStack() as stack:
            channels = [stack.enter_context(stubs(edge.port))[1] for _ in range(16)]
            request = v1.WatchMatchRequest(match_id=MATCH)
            calls = [matches.WatchMatch(request, timeout=60) for matches in channels for _ in range(16)]
            await until(lambda: sum(edge._gate._open.values()) == len(calls) == 256)
            assert (await in_thread(refusal, edge.port))[1] == "too many watch already; try again later"
            match.news += played.news[10:]
            match.over(played.record)
            seen = await in_thread(lambda: [list(call) for call in calls])
    assert len(match.news) == len(played.news)
    for responses in seen:
        assert [event for response in responses for event in response.events] == played.events


@pytest.mark.slow
async def test_who_reads_nothing_is_cut_off_and_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attacker asks for a match and lets no byte of it come; the match goes on, and others see it."""
    monkeypatch.setattr(places, "_SLOWEST_SECONDS", 0.5)
    played, watched = Played(), WatchedMatches()
    async with open_ladder(FakeReader(), watched) as (edge, lobby):
        match = watched.begin(match_terms())
        match.news += played.news * 2_000
        match.over(played.record)
        deaf = await trio.open_tcp_stream("127.0.0.1", edge.port)
        async with deaf:
            await deaf.send_all(PREFACE + frame(SETTINGS, setting(INITIAL_WINDOW_SIZE, 0)))
            asked = v1.WatchMatchRequest(match_id=MATCH).SerializeToString()
            await deaf.send_all(frame(HEADERS, headers(WATCH), stream=1, flags=END_HEADERS))
            await deaf.send_all(frame(DATA, message(asked), stream=1, flags=END_STREAM))
            await until(lambda: sum(edge._gate._open.values()) == 1)
            async with raw_client(edge.port) as bot:
                bot.say(from_bot(hello()))
                assert isinstance((await in_thread(bot.hear))[0], v1.Welcome)
            status, _ = await in_thread(refusal, edge.port)
            assert status == "OK"
            assert lobby.bots
            # After some 6 s grpc itself would miss an answer to its pings.
            with trio.fail_after(3):
                await until(lambda: not edge._gate._open)


async def test_a_connection_on_which_somebody_looks_on_is_not_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.edge.server.TransportBounds", partial(TransportBounds, idle_seconds=0.3))
    watched = WatchedMatches()
    async with open_ladder(FakeReader(), watched) as (edge, _):
        match = watched.begin(match_terms())
        with watch(edge.port) as call:
            await in_thread(next, call)
            await trio.sleep(1.5)
            match.void("The server failed.")
            [last] = await in_thread(list, call)
            assert last.end.sentence == "The server failed."
