"""``ordago event`` as it is typed, at a server that keeps events."""

import json
from pathlib import Path

import pytest
import trio
from support.commands import assert_told, event_file, ordago
from support.connections import Lobby
from support.offices import FRIDAY, OPENED, open_event_server, played_event, state_of
from support.organiser import Organiser
from support.raw_client import in_thread

from ordago.edge import Edge
from ordago.edge.services import event_streams
from ordago.edge.services.events import LONGEST_FILE_BYTES
from ordago.store.accounts.rows import Scope
from ordago_ladder.hosted.events_api import EventRefusedError, HostedStage, HostedState, NotYoursError

SHOWN = "\N{REPLACEMENT CHARACTER}"
"""What is shown in place of a character that would control a terminal."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> HostedState:
    """An event that is over and published. It is not changed."""
    return played_event(Organiser().play(), tmp_path_factory.mktemp("events"))


async def test_who_opens_an_event_is_told_what_comes_next(tmp_path: Path) -> None:
    file = event_file(tmp_path, FRIDAY)
    async with open_event_server(tmp_path) as server:
        token = server.token_file(Scope.ORGANISE)
        told = await server.ordago("open", file, "--token-file", token)
        assert_told(
            told,
            0,
            f"friday is open at {server.address}",
            "Friday night (friday): check-in",
            "begins when everybody is here",
            "not here: deep, sota",
            f"entrants connect with: python my_bot.py --address {server.address} --token-file FILE --event friday",
            f"follow it: ordago event show friday --server {server.address} --follow",
        )
        server.office.refusal = EventRefusedError("[[entrant]] 1: a server starts no 'command'")
        refused = await server.ordago("open", file, "--token-file", token)
        assert_told(refused, 2, "ordago: [[entrant]] 1: a server starts no 'command'")
        for scope in (Scope.PLAY, Scope.OBSERVE):
            other = server.token_file(scope, account="ben")
            assert_told(
                await server.ordago("stop", "friday", "--token-file", other), 3, "it lacks the scope 'organise'"
            )
        assert_told(await server.ordago("stop", "friday"), 3, "this call requires a token")
        stopped = await server.ordago("stop", "friday", "--token-file", token)
        assert_told(stopped, 0, "friday: stopped by ana; it goes on when it is opened again")


async def test_who_removes_an_event_is_told_what_is_gone_and_what_is_not(tmp_path: Path) -> None:
    played = state_of("cup", tmp_path, stage=HostedStage.OVER, planned=4, played=4, size=3 * 1024 * 1024 + 1)
    waiting = state_of("friday", tmp_path, check_in_ends=OPENED + 60, missing=("deep",))
    async with open_event_server(tmp_path, played, waiting) as server:
        assert_told(
            await server.ordago("show", "friday"),
            0,
            "begins when everybody is here; check-in ends 2027-01-15 08:01:00 UTC",
        )
        words = ["--token-file", server.token_file(Scope.ORGANISE), "--why", "tidy up"]
        gone = await server.ordago("remove", "cup", *words)
        assert_told(gone, 0, "Cup (cup) is removed: 7 files, 4 MiB", "no other event can have the name cup")
        unplayed = await server.ordago("remove", "friday", *words)
        assert "no other event" not in unplayed.output
        assert server.office.whys == ["tidy up", "tidy up"]
        assert_told(await server.ordago("remove", "cup", *words), 3, "There is no event 'cup'")
        server.office.refusal = NotYoursError("the event 'x' belongs to the account 'ben'")
        for refused in ("open", event_file(tmp_path, FRIDAY)), ("remove", "x"):
            assert_told(await server.ordago(*refused, *words), 3, "'x' belongs to the account 'ben'")


def test_what_is_no_event_file_is_not_even_sent(tmp_path: Path) -> None:
    huge, binary = tmp_path / "huge.toml", tmp_path / "binary.toml"
    huge.write_bytes(b"#" * (LONGEST_FILE_BYTES + 1))
    binary.write_bytes(b"\xff")
    assert_told(ordago("event", "open", huge), 2, "has more than 65,536 bytes, the most that a server accepts")
    assert_told(ordago("event", "open", binary), 2, "is not UTF-8 text")
    assert_told(ordago("event", "open", tmp_path / "none.toml"), 3, "cannot read")


@pytest.mark.slow
async def test_events_are_listed_and_shown(tmp_path: Path, small: HostedState) -> None:
    playing = state_of(
        "cup\x1b[2J", tmp_path, stage=HostedStage.PLAYING, played=1200, planned=4000, here=("deep",), missing=("a\nb",)
    )
    async with open_event_server(tmp_path, small, playing) as server:
        listed = await server.ordago("list")
        assert_told(
            listed,
            0,
            "A small event",
            "over",
            "1,200 of 4,000",
            "2027-01-15 08:00:00 UTC",
            r"cup\x1b[2J",
        )
        assert "\x1b" not in listed.output
        page = await server.ordago("list", "--rows", 1)
        assert_told(page, 0, "more: --page ")
        assert_told(await server.ordago("list", "--stage", "failed"), 0, "there are no such events")
        shown = await server.ordago("show", "cup\x1b[2J")
        assert_told(shown, 0, "playing, 1,200 of 4,000 matches", "checked in: deep", r"not here: a\nb")
        assert json.loads((await server.ordago("show", "small", "--json")).output)["event"]["opened_by"] == "root"
        none = await server.ordago("show", "none")
        assert_told(none, 3, "ordago: There is no event 'none' on this server; ordago event list shows all events.\n")
    async with open_event_server(tmp_path) as server:
        assert_told(await server.ordago("list"), 0, "there are no events yet: ordago event open FILE")


async def test_results_are_shown(tmp_path: Path, small: HostedState) -> None:
    assert small.ladder is not None
    async with open_event_server(tmp_path, small, state_of("begun", tmp_path)) as server:
        shown = await server.ordago("results", "small")
        heading = f"A small event (small): over, {small.played} of {small.planned} matches"
        assert_told(shown, 0, heading, "Standings in Mitaines:", "suspended")
        heads = "# entrant version Elo ± matches points faults forfeits"
        lines = [line.split() for line in shown.output.splitlines()]
        assert heads.split() in lines
        assert lines[-4][0] == "1"
        assert_told(
            await server.ordago("results", "small", "--game", "mus"), 3, "does not play 'mus': it plays mitaines"
        )
        assert_told(await server.ordago("results", "small", "--game", "unheardof"), 2, "there is no game 'unheardof'")
        assert_told(await server.ordago("results", "begun"), 0, "no standings yet")
        told = json.loads((await server.ordago("results", "small", "--rows", 2, "--json")).output)
        assert [row["rank"] for row in told["standings"]] == [line.rank for line in small.ladder.overall.lines[:2]]
        assert told["next_page_token"]


@pytest.mark.slow
async def test_an_event_is_followed_to_its_end(
    tmp_path: Path, small: HostedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "_LOOK_SECONDS", 0.05)
    changes = (
        {"here": ("deep", "sota"), "missing": ()},
        {"stage": HostedStage.PLAYING, "planned": 100},
        {"played": 1},
        {"played": 50},
        {"stage": HostedStage.OVER, "played": 100, "ladder": small.ladder},
    )
    waiting = state_of("friday", tmp_path, here=("deep",), missing=("sota",))
    async with open_event_server(tmp_path, waiting) as server, trio.open_nursery() as nursery:

        async def go_on() -> None:
            for changed in changes:
                await trio.sleep(0.5)
                server.office.set("friday", **changed)

        nursery.start_soon(go_on)
        shown = await server.ordago("show", "friday", "--follow")
    assert_told(shown, 0)
    assert shown.output.splitlines()[1:7] == [
        "opened 2027-01-15 08:00:00 UTC by root",
        "check-in: 1 of 2 are here; not here: sota",
        "check-in: 2 of 2 are here",
        "playing, 0 of 100 matches",
        "playing, 50 of 100 matches",
        "over, 100 of 100 matches",
    ]
    assert "Standings in Mitaines:" in shown.output


@pytest.mark.parametrize("stage", [HostedStage.STOPPED, HostedStage.FAILED])
async def test_what_is_to_go_on_has_an_exit_code_of_its_own(tmp_path: Path, stage: HostedStage) -> None:
    state = state_of("friday", tmp_path, stage=stage, sentence="the disk is full")
    async with open_event_server(tmp_path, state) as server:
        assert_told(await server.ordago("show", "friday", "--follow"), 6, f"{stage.value}: the disk is full")
        lines = (await server.ordago("show", "friday", "--follow", "--json")).output.splitlines()
        assert [json.loads(line)["event"]["sentence"] for line in lines] == ["the disk is full"]


@pytest.mark.slow
async def test_what_is_downloaded_is_proved_by_verify(tmp_path: Path, small: HostedState) -> None:
    out = tmp_path / "copies" / "small"
    async with open_event_server(tmp_path, small) as server:
        told = await server.ordago("download", "small", "--out", out)
        assert_told(told, 0, "files, ", f" are in {out}; check them with: ordago verify {out}")
        assert_told(ordago("verify", out), 0, "clean: ", "proved: deals, games and results")
        again = await server.ordago("download", "small", "--out", out)
        assert_told(again, 3, f"ordago: {out} exists and is not empty: choose another folder")
        (empty := tmp_path / "empty").mkdir()
        told = await server.ordago("download", "small", "--out", empty, "--json")
        assert json.loads(told.output)["files"] == sum(path.is_file() for path in out.rglob("*"))
        assert sorted(path.name for path in empty.iterdir()) == sorted(path.name for path in out.iterdir())


async def test_a_server_without_events_is_told_apart() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        shown = await in_thread(ordago, "event", "list", "--server", f"127.0.0.1:{edge.port}")
        assert_told(shown, 3, "holds no events: start it with --tokens and --data")
