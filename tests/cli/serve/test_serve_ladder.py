"""``ordago serve --ladder`` on real processes: an author's first match, kills, and one sentence for each bad input."""

import signal
import socket
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from support.commands import assert_told, ordago
from support.kept_ladder import KeptLadder
from support.ladder_server import SHORT, Server, a_bot
from support.postgresql import PASSWORD
from support.postgresql import Server as Database

from ordago.store.ladder.queries import LadderQueries
from ordago_cli.errors import EXIT_UNFINISHED

LONGEST_SECONDS = 120


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    """Those that are started, and that none of them outlives its test."""
    started: list[Server] = []
    yield started
    for server in started:
        server.process.kill()
        server.process.wait()
        assert server.process.stdout is not None
        server.process.stdout.close()


@pytest.mark.slow
def test_a_first_rated_match_begins_within_five_seconds_and_the_ladder_shows_it(
    servers: list[Server], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    servers.append(server := Server("demo", data))
    with a_bot(server.address, "ana"):
        came = server.await_logged("session opened")
        begun, _ = server.await_logged("match begun"), server.await_logged("match ended")
        assert came["bot"] == "ana"
        assert "ana" in begun["bots"]
        assert _seconds(begun) - _seconds(came) < 5
        _await_text(lambda: ordago("ladder", "--server", server.address).output, "ana")
        assert server.end(signal.SIGTERM) == 0
    assert (data / "ladders" / "demo" / "archive" / "ladder.json").exists()


def _await_text(look: Callable[[], str], text: str) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while text not in (shown := look()):
        assert time.monotonic() < deadline, shown
        # Whoever asks all the time is told to come later.
        time.sleep(0.2)


def _seconds(line: dict[str, Any]) -> float:
    return datetime.fromisoformat(line["timestamp"]).timestamp()


@pytest.mark.slow
def test_killed_again_and_again_a_ladder_loses_no_match_and_its_archive_is_proved(
    servers: list[Server], tmp_path: Path
) -> None:
    """Whatever goes on, another season begins after the last kill, and the standing of the one before is proved."""
    file, data = tmp_path / "short.toml", tmp_path / "data"
    file.write_text(SHORT)
    servers.append(server := Server(str(file), data))
    begun_before = set[str]()
    with a_bot(server.address, "ana"):
        for kills in (1, 2):
            # Those that were begun before play on, and count for the epoch in which they were.
            server.await_played("ana", times=3, besides=begun_before)
            server.end(signal.SIGKILL)
            begun_before = server.matches_begun()
            file.write_text(SHORT.replace("epoch_hours", f'season = "after-{kills}"\nepoch_hours'))
            servers.append(server := Server(str(file), data, "--next-epoch", address=server.address))
        _await_text(lambda: ordago("ladder", "--season", "after-1", "--server", server.address).output, "ana")
        shown = ordago("ladder", "--seasons", "--server", server.address)
        assert [line.split()[0] for line in shown.output.splitlines()] == ["season", "after-2", "after-1", "-"]
        assert server.end(signal.SIGTERM) == 0
    folder = data / "ladders" / "short"
    with LadderQueries.open(folder / "ladder.sqlite") as queries:
        epochs = queries.epochs()
        assert sum(epoch.matches for epoch in epochs) == sum(epoch.results + epoch.voids for epoch in epochs)
    verified = ordago("verify", folder / "archive")
    assert verified.exit_code == EXIT_UNFINISHED, verified.output
    assert "the others are void" in verified.output
    assert "proved: seasons/after-1/ladder.json, the standing in the season 'after-1' by " in verified.output
    assert "proved: ladder.toml says what epoch" in verified.output


@pytest.mark.slow
def test_a_ladder_in_postgresql_goes_on_after_a_kill_and_bears_no_second_server(
    servers: list[Server], tmp_path: Path, postgresql: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = postgresql.place()
    monkeypatch.setenv("ORDAGO_STORE", place)
    file, data = tmp_path / "short.toml", tmp_path / "data"
    file.write_text(SHORT.replace("0.002", "24"))
    servers.append(server := Server(str(file), data))
    with a_bot(server.address, "ana"):
        server.await_played("ana", times=2, besides=set())
        other = ordago("serve", "--ladder", file, "--data", tmp_path / "other", "--address", "127.0.0.1:0")
        assert_told(other, 3, "Another run uses", "in the database: wait for it, or stop it first")
        assert PASSWORD not in other.output
        server.end(signal.SIGKILL)
        servers.append(server := Server(str(file), data, address=server.address))
        # By their names: a match whose result was not committed before the kill ends once more.
        server.await_played("ana", times=4, besides=set())
        assert server.end(signal.SIGTERM) == 0
    with LadderQueries.open(place) as queries:
        [epoch] = queries.epochs()
        assert epoch.matches == epoch.results + epoch.voids
        assert epoch.results >= 4
    assert not (data / "ladders" / "short" / "ladder.sqlite").exists()


@pytest.mark.slow
def test_a_second_signal_stops_a_server_whose_bots_of_the_house_play(servers: list[Server], tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    file.write_text(SHORT.replace("deals = 3", "deals = 300"))
    servers.append(server := Server(str(file), tmp_path / "data"))
    with a_bot(server.address, "ana"):
        server.await_logged("match begun")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout is not None
        # Two that come at once are one.
        assert server.process.stdout.readline().startswith("shutting down when")
        assert server.end(signal.SIGTERM) == 0
        assert "go on at the next start" in server.process.stdout.readline()
        server.await_logged("match stopped: it goes on later")


@pytest.mark.slow
def test_a_server_gives_up_old_records_by_itself_once_they_are_proved(servers: list[Server], tmp_path: Path) -> None:
    kept = KeptLadder(tmp_path / "data")
    file = tmp_path / "demo.toml"
    file.write_text(SHORT.replace('"short"', '"demo"\nkeep_records_days = 30').replace("0.002", "24"))
    servers.append(server := Server(str(file), kept.data))
    assert server.await_logged("old records deleted")["epochs"] == 2
    assert kept.pruned() == [1, 2]
    assert server.end(signal.SIGTERM) == 0
    assert len(list(kept.archive.glob("epochs/00000[12]/records/*.record"))) == 2, "what is published stays"


def test_bad_input_is_told_in_a_sentence(tmp_path: Path) -> None:
    file, serve = tmp_path / "short.toml", ("serve", "--data", tmp_path / "data", "--address", "127.0.0.1:0")
    file.write_text(SHORT.replace("lone_seconds", "lonely_seconds"))
    assert_told(ordago(*serve, "--ladder", file), 2, "lonely_seconds", "did you mean 'lone_seconds'?")
    assert_told(ordago(*serve, "--ladder", tmp_path / "none.toml"), 2, "none.toml", "check the path")
    file.write_text(SHORT)
    assert_told(ordago(*serve), 2, "--tables GAME, or --ladder FILE")
    assert_told(ordago(*serve, "--ladder", file, "--tables", "mus"), 2, "--tables GAME, or --ladder FILE")
    assert_told(ordago(*serve, "--ladder", file, "--strikes", 2), 2, "--strikes is for casual tables")
    assert_told(ordago(*serve, "--tables", "mus", "--next-epoch"), 2, "--next-epoch is for a ladder")
    outside = ("serve", "--ladder", file, "--data", tmp_path / "data", "--address", "0.0.0.0:0", "--insecure")
    assert_told(ordago(*outside), 2, "add --tokens")


@pytest.mark.slow
def test_a_check_tells_each_problem_with_its_subject_and_a_house_that_is_too_small(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    check = ("serve", "--check", "--data", tmp_path / "data", "--address", "127.0.0.1:0", "--ladder", file)
    file.write_text(SHORT)
    assert "warn   house" not in ordago(*check).output
    file.write_text(SHORT + '\n[[game]]\nname = "taihe"\nseats = 5\n')
    told = ordago(*check)
    assert told.exit_code == 0
    assert "warn   house: a single bot has to wait at taihe for 5: 2 house bots" in told.output
    assert "add 2 as [[house]]" in told.output
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        start = ("serve", "--data", tmp_path / "data", "--ladder", file)
        told = ordago(*start, "--address", f"127.0.0.1:{busy.getsockname()[1]}")
    assert told.exit_code == 3, "it came as far as to listen"
    assert "worth a look subject=house what='a single bot has to wait at taihe" in told.output.replace('"', "'")
    file.write_text(SHORT.replace("epoch_hours = 0.002", "epoch_hours = 0\nlonely = 1"))
    told = ordago(*check)
    assert told.exit_code == 2
    wrong = [line for line in told.output.splitlines() if "[ladder]" in line]
    assert len(wrong) == 2
    assert all(line.startswith("wrong  tables: ") for line in wrong)


@pytest.mark.slow
def test_other_terms_wait_for_the_next_epoch_and_a_second_server_is_refused(
    servers: list[Server], tmp_path: Path
) -> None:
    file, data = tmp_path / "short.toml", tmp_path / "data"
    file.write_text(SHORT.replace("0.002", "24"))
    servers.append(server := Server(str(file), data))
    start = ("serve", "--ladder", file, "--data", data, "--address", "127.0.0.1:0")
    assert_told(ordago(*start), 3, "another server uses the folder")
    assert ordago(*start, "--check").exit_code == 3
    server.end(signal.SIGTERM)
    file.write_text(file.read_text().replace("deals = 3", "deals = 6"))
    assert_told(ordago(*start), 3, "have changed since epoch 1 began", "--next-epoch")
    checked = ordago(*start, "--check")
    assert checked.exit_code == 3
    assert "have changed since epoch 1 began" in checked.output
    assert "goes on in epoch 1" in ordago(*start, "--check", "--next-epoch").output
