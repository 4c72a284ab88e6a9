"""Commands that write where the user says: no file of something else is ever lost."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import assert_told, event_file, ordago

from ordago.record import read_record
from ordago_bot.receipts import ReceiptsFile

BOT = "import ordago_bot"
PLAY = ("play", "mittlere", *("--bot", "house:random") * 3, "--option", "deals=3")
RECEIPT = json.dumps({"kind": "event", "event": "friday"})


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    return path


def no_match(*_: Any) -> None:
    raise AssertionError("nothing is done before it is known where it goes")


@pytest.mark.slow
def test_a_record_replaces_a_record_and_nothing_else(taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("match.record", "match.json"):
        for _ in range(2):
            assert_told(ordago(*PLAY, "--record", tmp_path / name), 0)
        assert read_record((tmp_path / name).read_bytes()).game == "mittlere"
    assert_told(ordago(*PLAY, "--record", "/dev/null"), 0)
    with monkeypatch.context() as patched:
        patched.setattr("ordago_cli.match.play._play", no_match)
        assert_told(ordago(*PLAY, "--record", taken), 3, f"{taken} exists and is not a record", "--force")
        assert_told(ordago(*PLAY, "--record", tmp_path), 3, "is not a file")
        assert_told(ordago(*PLAY, "--record", tmp_path / "a" / "b"), 3, "there is no folder")
    assert taken.read_text() == BOT
    assert_told(ordago(*PLAY, "--record", taken, "--force"), 0)
    assert read_record(taken.read_bytes()).game == "mittlere"


@pytest.mark.slow
def test_a_record_that_cannot_be_written_in_the_end_is_kept_elsewhere():
    result = ordago(*PLAY, "--record", "/dev/full")
    assert_told(result, 3, "No space left on device; the record is in ")
    kept = Path(result.output.strip().rpartition(" ")[2])
    assert read_record(kept.read_bytes()).game == "mittlere"


def test_a_backup_replaces_a_backup_and_nothing_else(taken: Path, tmp_path: Path):
    data = tmp_path / "data"
    ordago("token", "create", "--account", "ana", "--scope", "play", "--data", data)
    beside = tmp_path / "monday.zip.copy"
    beside.write_text(BOT)
    for _ in range(2):
        assert_told(ordago("backup", tmp_path / "monday.zip", "--data", data), 0)
    assert_told(ordago("backup", taken, "--data", data), 3, f"{taken} exists and is not a backup")
    accounts = data / "accounts.sqlite"
    assert_told(ordago("backup", accounts, "--data", data, "--force"), 3, "is the input itself")
    assert_told(ordago("backup", "/dev/null", "--data", data), 0)
    assert (taken.read_text(), beside.read_text()) == (BOT, BOT)
    assert accounts.read_bytes().startswith(b"SQLite format 3")
    assert_told(ordago("backup", taken, "--data", data, "--force"), 0)
    assert_told(ordago("restore", taken, "--data", tmp_path / "restored"), 0)


def test_plots_replace_plots_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "latency.svg").write_text("<svg>mine</svg>")
    monkeypatch.setattr("ordago_cli.bench.command.measure_course", no_match)
    assert_told(ordago("bench", "plots", tmp_path), 3, "latency.svg exists and is not a plot of ours")
    assert [path.name for path in tmp_path.iterdir()] == ["latency.svg"]


@pytest.mark.parametrize("command", ["run", "trial"])
def test_an_event_takes_no_folder_of_something_else(tmp_path: Path, command: str):
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("mine")
    told = f"cannot use {site}: it exists and is not the folder of an event"
    assert_told(ordago(command, event_file(tmp_path), "--out", site), 3, told, "--out")
    assert {path.name: path.read_text() for path in site.iterdir()} == {"index.html": "mine"}


def test_tables_of_an_event_replace_their_like_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("pyarrow")
    (tmp_path / "results.parquet").write_text("mine")
    event = event_file(tmp_path)
    monkeypatch.setattr("ordago_cli.event.running.run_event", no_match)
    run = ordago("run", event, "--out", tmp_path / "out", "--parquet", tmp_path)
    assert_told(run, 3, "results.parquet exists and is not a table of an event")
    assert (tmp_path / "results.parquet").read_text() == "mine"


def test_receipts_are_appended_to_receipts_and_to_nothing_else(taken: Path, tmp_path: Path):
    with pytest.raises(FileExistsError, match="holds no receipts"):
        ReceiptsFile(taken)
    assert taken.read_text() == BOT
    kept = tmp_path / "receipts.jsonl"
    kept.write_text(f"{RECEIPT}\n")
    for path in (kept, tmp_path / "new.jsonl", Path("/dev/null")):
        for _ in range(2):
            receipts = ReceiptsFile(path)
            receipts.keep({"kind": "event"})
            receipts.close()
    assert kept.read_text().count("\n") == 3
