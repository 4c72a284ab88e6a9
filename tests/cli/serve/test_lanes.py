"""Several servers of one ladder: killed and stopped, they lose and double nothing, and each publishes the same."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.ladder_server import SHORT
from support.lanes import Lane
from support.postgresql import Server as Database
from support.tls_servers import forwarded

from ordago.addresses import parse_address
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import MatchFilter
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.tables import other_lanes

LONGEST_SECONDS = 60
LADDER = SHORT.replace("deals = 3", "deals = 24")
# Nobody waits for two minutes here until a lane is given up.
SERVE = """
import sys
from ordago_ladder.standing.tables import other_lanes
other_lanes._LOOK_SECONDS = 0.5
other_lanes.OtherLanes.__init__.__kwdefaults__["give_up_seconds"] = 15.0
from ordago_cli.program import program
program(sys.argv[1:])
"""


def await_it(condition: Callable[[], object], lane: Lane) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while not condition():
        assert time.monotonic() < deadline, lane.server.log.read_text()
        time.sleep(0.05)


def await_more(event: str, lane: Lane) -> None:
    """Wait until an event is logged twice more."""
    lane.server.await_logged(event, times=len(lane.server.logged(event)) + 2)


@contextmanager
def bots(address: str, *names: str) -> Iterator[None]:
    """Let bots play at an address. They come back where they can."""
    with ExitStack() as stack:
        for name in names:
            command = [sys.executable, "-m", "ordago_bot", "random", "--name", name, "--address", address]
            process = stack.enter_context(subprocess.Popen(command, stderr=subprocess.DEVNULL))  # noqa: S603 - ours
            stack.callback(process.kill)
        yield


@pytest.fixture
def place(postgresql: Database, monkeypatch: pytest.MonkeyPatch) -> str:
    place = postgresql.place()
    monkeypatch.setenv("ORDAGO_STORE", place)
    return place


@pytest.fixture
def lanes(tmp_path: Path, place: str) -> Iterator[tuple[Lane, Lane]]:  # noqa: ARG001 - their database
    ladder = tmp_path / "short.toml"
    ladder.write_text(LADDER)
    east, west = (Lane(ladder, name, "--grace", "30", program=SERVE) for name in ("east", "west"))
    with ExitStack() as stack:
        for lane in (east, west):
            lane.start()
            stack.callback(lane.close)
        yield east, west


def opened(lane: Lane) -> set[str]:
    """Return the names of the bots that have begun a session at a server."""
    return {line["bot"] for line in lane.server.logged("session opened")}


def given_up(place: str) -> int:
    """Return the number of matches that became void since their lane had no server."""
    with LadderQueries.open(place) as queries:
        return sum(match.void == other_lanes._GONE for match in queries.matches(size=500).matches)


def ledgers(lane: Lane) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in lane.archive.glob("epochs/*/ledger.jsonl")}


@pytest.mark.torture
def test_lanes_are_killed_and_stopped_and_one_ladder_is_proved(lanes: tuple[Lane, Lane], place: str) -> None:
    east, west = lanes
    with bots(east.address, "ana", "ben"), bots(west.address, "carl", "dora"):
        for lane in lanes:
            await_more("match ended", lane)
        # One that is started again at once goes on with its matches.
        east.end(signal.SIGKILL)
        east.start()
        for lane in lanes:
            await_more("match ended", lane)
        await_it(lambda: len(east.server.logged("session resumed")) >= 2, east)
        assert given_up(place) == 0
        # Those of one that stays away become void.
        west.end(signal.SIGKILL)
        await_it(lambda: given_up(place), east)
        await_more("match ended", east)
        west.start()
        for lane in lanes:
            await_more("match ended", lane)
        for lane in lanes:
            assert lane.end(signal.SIGTERM) == 0
    # Each publishes at its start what the other has written since.
    for lane in lanes:
        lane.start().end(signal.SIGTERM)
    with LadderInspection.open(place) as inspection, LadderQueries.open(place) as queries:
        epochs = inspection.check()
        assert len(epochs) > 1
        assert queries.matches(MatchFilter(running=True)).matches == ()
    # The one that stopped last may have ended an epoch, and begun another one, since the other stopped.
    told = ledgers(west)
    assert all(told[epoch].startswith(ledger) for epoch, ledger in ledgers(east).items())
    assert len(told) == len(epochs)
    assert_told(ordago("verify", west.archive), 6, "unfinished", f"Epochs 1 to {len(epochs)} follow one another")


def test_bots_of_a_server_that_is_stopped_play_on_at_another(lanes: tuple[Lane, Lane], place: str) -> None:
    east, west = lanes
    let_in_by = [east]
    with forwarded(lambda: parse_address(let_in_by[-1].address)) as way, bots(f"{way.host}:{way.port}", "ana", "ben"):
        for name in ("ana", "ben"):
            east.server.await_played(name, times=1, besides=set())
        let_in_by.append(west)
        assert east.end(signal.SIGTERM) == 0
        for name in ("ana", "ben"):
            west.server.await_played(name, times=1, besides=set())
        assert west.end(signal.SIGTERM) == 0
    with LadderQueries.open(place) as queries:
        assert not any(match.void for match in queries.matches(size=500).matches)


def test_limits_of_an_account_hold_over_all_servers_that_are_there(
    postgresql: Database, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDAGO_ACCOUNTS", postgresql.place())
    with Accounts.open(os.environ["ORDAGO_ACCOUNTS"], create=True) as accounts:
        secret, _ = accounts.create_token(account="ana", scopes=[Scope.PLAY], now=time.time())
        accounts.set_limits("ana", bots=2, now=time.time())
    monkeypatch.setenv("ORDAGO_TOKEN", secret)
    (tmp_path / "short.toml").write_text(LADDER)
    east, west = (Lane(tmp_path / "short.toml", name, "--tokens", program=SERVE) for name in ("east", "west"))
    with ExitStack() as stack:
        stack.callback(east.close)
        stack.enter_context(bots(east.start().address, "ana 1", "ana 2"))
        east.server.await_logged("session opened", times=2)
        with LadderStore.open(place) as store:
            await_it(lambda: store.sessions_elsewhere() == {"ana": {"ana 1": 1, "ana 2": 1}}, east)
        stack.callback(west.close)
        # A bot that is counted already may be at several servers.
        stack.enter_context(bots(west.start().address, "ana 1", "ana 3"))
        refused = west.server.await_logged("bot turned away")
        assert "2 bots of your account" in refused["reason"]
        await_it(lambda: "ana 1" in opened(west), west)
        assert "ana 3" not in opened(west)
        east.end(signal.SIGKILL)
        await_it(lambda: "ana 3" in opened(west), west)


@pytest.mark.usefixtures("place")
def test_a_lane_is_taken_once(lanes: tuple[Lane, Lane], tmp_path: Path) -> None:
    east, _ = lanes
    again = ("serve", "--ladder", tmp_path / "short.toml", "--data", tmp_path / "again", "--address", "127.0.0.1:0")
    for taken in (("--lane", "east"), ()):
        assert_told(ordago(*again, *taken), 3, "Another run uses the standing ladder in the database")
        assert_told(ordago(*again, *taken, "--check"), 3, "Another run uses the standing ladder in the database")
    assert_told(ordago(*again, "--lane", "north", "--check"), 0, "goes on in epoch ")
    assert east.end(signal.SIGTERM) == 0


def test_mistakes_are_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "short.toml").write_text(LADDER)
    serve = ("serve", "--ladder", tmp_path / "short.toml", "--data", tmp_path)
    monkeypatch.delenv("ORDAGO_STORE", raising=False)
    assert_told(ordago(*serve, "--lane", "East!"), 2, "letters a to z, digits and hyphens")
    assert_told(ordago(*serve, "--lane", "east"), 2, "need the ladder in PostgreSQL: add --store")
    monkeypatch.setenv("ORDAGO_STORE", "postgresql://ana@127.0.0.1:9/ladder")
    assert_told(ordago(*serve, "--lane", "east", "--tokens"), 2, "need the accounts in PostgreSQL: set ORDAGO_ACCOUNTS")
    monkeypatch.setenv("ORDAGO_ACCOUNTS", "sqlite:///here")
    assert_told(ordago(*serve, "--lane", "east", "--tokens"), 2, "ORDAGO_ACCOUNTS takes postgresql://USER@HOST/NAME")
    assert_told(ordago("serve", "--tables", "mus", "--lane", "east"), 2, "--lane is for a ladder")
