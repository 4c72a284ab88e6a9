"""``EventService`` over real gRPC: who may open and stop events, what is told of them, and what is refused."""

import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
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
from support.offices import FRIDAY, OPENED, open_event_server, played_event, state_of
from support.organiser import Organiser
from support.processes import until
from support.raw_client import in_thread

from ordago import v1
from ordago.edge.services import event_streams, events, places
from ordago.files import write_whole
from ordago.store.accounts.rows import Scope
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted import published_files
from ordago_ladder.hosted.events_api import (
    EventRefusedError,
    HostedStage,
    HostedState,
)
from ordago_ladder.verification.event import verify_folder

WATCH = v1.WatchEventRequest(name="friday")
PAGE = v1.ListEventsRequest(page_token="%%%")  # noqa: S106 - of a page
RESULTS_PAGE = v1.ListEventResultsRequest(name="small", page_token="\0")  # noqa: S106 - of a page
DOWNLOAD = v1.DownloadEventRequest(name="small")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> HostedState:
    """An event that is over and published. It is not changed."""
    return played_event(Organiser().play(), tmp_path_factory.mktemp("events"))


# What is refused


@pytest.mark.parametrize(
    ("request_", "status", "sentence"),
    [
        (v1.GetEventRequest(name="none"), "NOT_FOUND", "There is no event 'none' on this server; ordago event list"),
        (v1.GetEventRequest(name="../x\x1b[2J"), "NOT_FOUND", "There is no event '../x\\x1b[2J' on this server"),
        (v1.GetEventRequest(name="x" * 3000), "NOT_FOUND", f"There is no event '{'x' * 64}…' on this server"),
        (PAGE, "INVALID_ARGUMENT", "The page token is unknown: begin with the first page."),
        (RESULTS_PAGE, "INVALID_ARGUMENT", "The page token is unknown"),
        (v1.ListEventResultsRequest(name="small", game="m\n"), "NOT_FOUND", "The event 'small' does not play 'm\\n'"),
    ],
)  # fmt: skip
async def test_what_cannot_be_is_refused_in_a_sentence(
    tmp_path: Path, small: HostedState, request_: v1.GetEventRequest, status: str, sentence: str
) -> None:
    async with open_event_server(tmp_path, small) as server:
        told = await server.ask(request_, v1.GetEventResponse)
        assert told[0] == status
        assert told[1].startswith(sentence)


async def test_a_file_has_its_bounds_and_a_refusal_its_sentence(tmp_path: Path) -> None:
    """The attacker is an organiser: a file that is too large is not even looked at."""
    async with open_event_server(tmp_path) as server:
        token = server.lobby.token("ana", scope=Scope.ORGANISE)
        huge = v1.OpenEventRequest(file="#" * (events.LONGEST_FILE_BYTES + 2000))
        status, sentence = await server.ask(huge, v1.OpenEventResponse, token=token)
        assert (status, sentence[:35]) == ("INVALID_ARGUMENT", "a request has at most 66576 bytes, ")
        assert not server.office.asked
        server.office.refusal = EventRefusedError("entrant 'deep': 'command' is not for a server " + "!" * 1000)
        fits = v1.OpenEventRequest(file="#" * events.LONGEST_FILE_BYTES)
        status, sentence = await server.ask(fits, v1.OpenEventResponse, token=token)
        assert (status, len(sentence)) == ("INVALID_ARGUMENT", 500)
        assert sentence.startswith("entrant 'deep': 'command' is not for a server")
        server.office.refusal = None
        await server.ask(v1.OpenEventRequest(file=FRIDAY), v1.OpenEventResponse, token=token)
        again = await server.ask(v1.OpenEventRequest(file=FRIDAY), v1.OpenEventResponse, token=token)
        assert again == ("FAILED_PRECONDITION", "there is an event 'friday' already")


# What is told


async def test_events_are_listed_newest_first_in_pages_that_stay_good(tmp_path: Path) -> None:
    states = [state_of(f"e{number}", tmp_path, opened=OPENED + number, here=("x",)) for number in range(5)]
    async with open_event_server(tmp_path, *states) as server:
        request, seen = v1.ListEventsRequest(page_size=2), []
        while True:
            page = await server.ask(request, v1.ListEventsResponse)
            seen += page.events
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
            newer = state_of(f"new{len(seen)}", tmp_path, opened=OPENED + 100)
            server.office.events[newer.name] = newer
        assert [event.name for event in seen] == ["e4", "e3", "e2", "e1", "e0"]
        assert not seen[0].here
        server.office.set("e2", stage=HostedStage.OVER)
        over = v1.ListEventsRequest(stages=[v1.HOSTED_EVENT_STAGE_OVER, v1.HOSTED_EVENT_STAGE_FAILED])
        assert [event.name for event in (await server.ask(over, v1.ListEventsResponse)).events] == ["e2"]


async def test_results_are_those_of_the_ladder(tmp_path: Path, small: HostedState) -> None:
    assert small.ladder is not None
    lines = small.ladder.overall.lines
    async with open_event_server(tmp_path, small) as server:
        whole = await server.ask(v1.ListEventResultsRequest(name="small"), v1.ListEventResultsResponse)
        assert [(row.rank, row.entrant, row.elo, row.rating_note) for row in whole.standings] == [
            (line.rank, line.entrant, line.rating.elo, line.rating.known.note) for line in lines
        ]
        assert {row.version for row in whole.standings} == {"1.0"}
        [dan] = [row for row in whole.standings if row.entrant == "dan"]
        assert (dan.suspended, dan.forfeits) == (
            True,
            next(line for line in lines if line.entrant == "dan").conduct.forfeits,
        )
        assert all(row.HasField("points") for row in whole.standings)
        assert list(whole.event.games) == ["mitaines"]
        request = v1.ListEventResultsRequest(name="small", game="mitaines", page_size=3)
        first = await server.ask(request, v1.ListEventResultsResponse)
        request.page_token = first.next_page_token
        second = await server.ask(request, v1.ListEventResultsResponse)
        assert [*first.standings, *second.standings] == [*whole.standings]
        begun = state_of("begun", tmp_path)
        server.office.events["begun"] = begun
        none_yet = await server.ask(v1.ListEventResultsRequest(name="begun"), v1.ListEventResultsResponse)
        assert not none_yet.standings


async def test_an_event_is_watched_until_it_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "_LOOK_SECONDS", 0.05)
    async with open_event_server(tmp_path, state_of("friday", tmp_path, missing=("deep",))) as server:
        heard: list[v1.WatchEventResponse] = []
        changes = (
            {"missing": (), "here": ("deep",)},
            {"stage": HostedStage.PLAYING, "planned": 6},
            {"played": 6},
            {"stage": HostedStage.OVER},
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(in_thread, server.listen, WATCH, v1.WatchEventResponse, heard)
            for number, changed in enumerate(changes, start=1):
                await until(lambda number=number: len(heard) == number)  # type: ignore[misc]  # it is bound
                server.office.set("friday", **changed)
        told = [response.event for response in heard]
        assert [list(event.missing) for event in told][:2] == [["deep"], []]
        assert [(event.stage, event.played) for event in told[2:]] == [
            (v1.HOSTED_EVENT_STAGE_PLAYING, 0),
            (v1.HOSTED_EVENT_STAGE_PLAYING, 6),
            (v1.HOSTED_EVENT_STAGE_OVER, 6),
        ]
        assert await in_thread(server.listen, WATCH, v1.WatchEventResponse) == heard[-1:]


async def test_an_event_is_looked_up_once_for_all_who_watch_and_only_so_many_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "_LOOK_SECONDS", 3600)
    monkeypatch.setattr(event_streams, "_MOST_LOOK_ON_OF_ONE", 5)
    looked: list[str] = []
    heard: list[list[Any]] = [[] for _ in range(5)]
    async with trio.open_nursery() as nursery, open_event_server(tmp_path, state_of("friday", tmp_path)) as server:
        state = server.office.state
        monkeypatch.setattr(server.office, "state", lambda name: looked.append(name) or state(name))  # type: ignore[func-returns-value]  # it is said on purpose
        for one in heard:
            nursery.start_soon(in_thread, server.listen, WATCH, v1.WatchEventResponse, one)
            await until(lambda one=one: one)  # type: ignore[misc]  # it is bound
        assert looked == ["friday"]
        assert (await in_thread(server.listen, WATCH, v1.WatchEventResponse))[0] == (
            "RESOURCE_EXHAUSTED",
            "too many watch from your address; end one of the others first",
        )


# What is published


def fetched(heard: Sequence[v1.DownloadEventResponse]) -> dict[str, bytes]:
    """Return the files of a download."""
    files: dict[str, bytes] = {}
    name = ""
    for part in (part for response in heard[1:] for part in response.parts):
        name = part.path or name
        assert bool(part.path) is (name not in files)
        files[name] = files.get(name, b"") + part.data
    return files


@pytest.mark.slow
async def test_what_is_published_can_be_fetched_and_nothing_else(tmp_path: Path, small: HostedState) -> None:
    """What is private, half written, hidden, linked to, or put there by hand is not given."""
    event = shutil.copytree(small.folder.path, tmp_path / "small", symlinks=True)
    (event / "notes.txt").write_text("secret")
    (event / "index.html.part").write_text("half")
    (event / "records" / ".hidden.record").write_text("secret")
    (event / "records" / "notes.txt").write_text("secret")
    (event / "deeper").mkdir()
    (event / "deeper" / "index.html").write_text("secret")
    async with open_event_server(tmp_path, replace(small, folder=EventFolder(event))) as server:
        heard = await in_thread(server.listen, DOWNLOAD, v1.DownloadEventResponse)
        files = fetched(heard)
        assert heard[0].files == len(files)
        assert {"event.toml", "ladder.json", "ledger.jsonl", "index.html"} < set(files)
        own = {path.relative_to(small.folder.path).as_posix(): path for path in small.folder.path.rglob("*.*")}
        published = {name: path.read_bytes() for name, path in own.items() if not name.startswith("private/")}
        assert files == published
        for name, content in files.items():
            (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "copy" / name).write_bytes(content)
    assert not verify_folder(tmp_path / "copy").findings


@pytest.mark.parametrize("linked", ["index.html", "records", "ladder.json"])
async def test_no_link_is_followed(tmp_path: Path, small: HostedState, linked: str) -> None:
    """The attacker can write into the folder, and links to what only the server may read."""
    event = shutil.copytree(small.folder.path, tmp_path / "small")
    outside = tmp_path / "outside"
    (event / linked).rename(outside)
    (event / linked).symlink_to(outside)
    async with open_event_server(tmp_path, replace(small, folder=EventFolder(event))) as server:
        heard = await in_thread(server.listen, DOWNLOAD, v1.DownloadEventResponse)
    [(status, sentence)] = heard
    assert status == "UNAVAILABLE"
    assert sentence.endswith("the events cannot be read at the moment; try again later")


async def test_nothing_is_fetched_before_there_is_anything(tmp_path: Path) -> None:
    async with open_event_server(tmp_path, state_of("small", tmp_path)) as server:
        heard = await in_thread(server.listen, DOWNLOAD, v1.DownloadEventResponse)
        assert [status for status, _ in heard] == ["FAILED_PRECONDITION"]
        other = await in_thread(server.listen, v1.DownloadEventRequest(name="none"), v1.DownloadEventResponse)
        assert [status for status, _ in other] == ["NOT_FOUND"]


def test_what_is_given_is_of_one_time_though_it_is_published_anew_meanwhile(tmp_path: Path, small: HostedState) -> None:
    folder = EventFolder(shutil.copytree(small.folder.path, tmp_path / "small"))
    before = folder.page.read_bytes()
    responses = published_files.download(folder)
    next(responses)
    write_whole(folder.page, b"another")
    write_whole(folder.ladder, b"another")
    assert fetched([v1.DownloadEventResponse(), *responses])["index.html"] == before


async def test_a_large_file_comes_in_parts_at_a_bounded_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who downloads waits for those who play: of 600 KB the last come after most of a second."""
    monkeypatch.setattr(event_streams, "_BYTES_PER_SECOND", 400_000)
    monkeypatch.setattr(event_streams, "_BYTES_AT_ONCE", 300_000)
    folder = EventFolder(tmp_path / "small")
    folder.private.mkdir(parents=True)
    folder.ladder.write_bytes(os.urandom(600_000))
    folder.page.touch()
    async with open_event_server(tmp_path, state_of("small", tmp_path)) as server:
        begun = time.monotonic()
        heard = await in_thread(server.listen, DOWNLOAD, v1.DownloadEventResponse)
        assert time.monotonic() - begun > 0.7
    assert fetched(heard) == {"index.html": b"", "ladder.json": folder.ladder.read_bytes()}
    assert max(len(response.SerializeToString()) for response in heard) < 263_000


async def test_who_reads_no_file_is_cut_off_and_only_so_many_download(
    tmp_path: Path, small: HostedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attacker begins downloads and lets nothing come: each keeps some files open."""
    monkeypatch.setattr(event_streams, "_MOST_DOWNLOAD_OF_ONE", 1)
    monkeypatch.setattr(places, "_SLOWEST_SECONDS", 0.5)
    async with open_event_server(tmp_path, small) as server:
        deaf = await trio.open_tcp_stream("127.0.0.1", server.edge.port)
        async with deaf:
            await deaf.send_all(PREFACE + frame(SETTINGS, setting(INITIAL_WINDOW_SIZE, 0)))
            path = "/ordago.v1.EventService/DownloadEvent"
            await deaf.send_all(frame(HEADERS, headers(path), stream=1, flags=END_HEADERS))
            await deaf.send_all(frame(DATA, message(DOWNLOAD.SerializeToString()), stream=1, flags=END_STREAM))
            await until(lambda: sum(server.edge._gate._open.values()) == 1)
            assert (await in_thread(server.listen, DOWNLOAD, v1.DownloadEventResponse))[0] == (
                "RESOURCE_EXHAUSTED",
                "too many download from your address; end one of the others first",
            )
            await until(lambda: not server.edge._gate._open)
        assert isinstance(
            (await in_thread(server.listen, DOWNLOAD, v1.DownloadEventResponse))[-1], v1.DownloadEventResponse
        )
