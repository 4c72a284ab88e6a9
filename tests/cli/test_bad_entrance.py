"""What an organiser is told whose entrance for remote entrants cannot be opened, or whom nobody comes in by."""

import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.commands import EVENT, assert_told, event_file, ordago


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


REMOTE = EVENT.replace('house = "random"', "remote = true")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (REMOTE, (), ("alpha, gamma connect from other machines", "--address")),
        (REMOTE, ("--address", "127.0.0.1:0"), ("remote entrants need tokens", "--tokens", "ordago token create")),
        (REMOTE, ("--address", "nowhere", "--tokens"), ("--address", "HOST:PORT")),
        (REMOTE, ("--address", "0.0.0.0:0", "--tokens", "--data", "data"), ("--tls-cert", "--insecure")),
        (REMOTE, ("--address", "127.0.0.1:0", "--tokens", "--data", "data", "--tls-key", "x"), ("--tls-cert",)),
        (EVENT, ("--address", "127.0.0.1:0", "--tokens"), ("no entrant is remote", "remote = true")),
    ],
)
def test_an_entrance_that_does_not_fit_the_event_is_told(
    folder: Path, text: str, options: Sequence[str], words: Sequence[str]
):
    assert_told(ordago("run", event_file(folder, text), *options), 2, *words)
    assert not (folder / "out").exists()


def test_a_port_for_remote_entrants_that_is_taken_is_told_and_the_event_can_go_on(folder: Path):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        options = ("--address", address, "--tokens", "--data", "data")
        assert_told(ordago("run", event_file(folder, REMOTE), *options), 3, address, "another")


@pytest.mark.slow
def test_who_is_remote_and_never_comes_is_named_and_the_event_can_go_on(folder: Path):
    path = event_file(folder, REMOTE.replace("start_timeout = 10.0", "begins = 2020-01-01T00:00:00Z"))
    options = ("--address", "127.0.0.1:0", "--tokens", "--data", "data", "--out", "out")
    assert_told(ordago("run", path, *options), 4, "'alpha' did not check in", "absentees_forfeit")


@pytest.mark.slow
def test_an_event_goes_on_without_who_is_remote_and_never_comes(folder: Path):
    """His matches are forfeited, the ledger tells so, and what is published verifies."""
    terms = "begins = 2020-01-01T00:00:00Z\nabsentees_forfeit = true\nsuspend_after = 6\nduplicates = false"
    text = EVENT.replace("start_timeout = 10.0", terms).replace('house = "random"', "remote = true", 1)
    options = ("--address", "127.0.0.1:0", "--tokens", "--data", "data", "--out", "out")
    result = ordago("run", event_file(folder, text), *options)
    assert_told(result, 0, "'alpha' did not check in", "'alpha' is suspended", "verified: 6 records, no findings")
    ledger = (folder / "out" / "ledger.jsonl").read_text()
    assert '"kind":"suspension"' in ledger
    assert "failed_to_start" in (folder / "out" / "ladder.json").read_text()
