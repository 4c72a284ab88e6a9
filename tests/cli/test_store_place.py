"""Events that are kept in PostgreSQL, and stores that are not where they should be."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.cells import why_not
from support.figures import Size
from support.postgresql import PASSWORD, Server

from ordago.store import StoreError
from ordago.store.event.store import Store
from ordago_cli.program import program
from ordago_ladder.folder import EventFolder
from ordago_ladder.verification.event import verify_folder

EVENT = """
[event]
name = "kept"
isolation = "none"
repetitions = {repetitions}
# Few processes are enough for what is shown.
duplicates = false
parallel = 2
decision_ms = 60_000
secret = "{secret}"

[[game]]
name = "mittlere"
options = {{ deals = {deals} }}
"""
ENTRANT = """
[[entrant]]
name = "{name}"
house = "random"
env = {{ ORDAGO_NONCE = "{nonce}" }}
"""
MATCHES = 6
LONGEST_SECONDS = 120


@pytest.fixture(autouse=True)
def nothing_is_said_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORDAGO_STORE", raising=False)


def written(folder: Path, *, repetitions: int = 1, deals: int = 3) -> Path:
    text = EVENT.format(repetitions=repetitions, deals=deals, secret="5e" * 32)
    text += "".join(ENTRANT.format(name=name, nonce=name * 32) for name in "abc")
    path = folder / "event.toml"
    path.write_text(text, encoding="utf-8")
    return path


def ordago(*arguments: object, store: str = "") -> Result:
    environment = {"ORDAGO_STORE": store} if store else {}
    return CliRunner().invoke(program, [str(argument) for argument in arguments], env=environment)


def assert_told(result: Result, exit_code: int, *words: str) -> None:
    assert result.exit_code == exit_code, result.output
    assert "Traceback" not in result.output
    assert PASSWORD not in result.output
    for word in words:
        assert word in result.output


@pytest.mark.parametrize("command", ["run", "status", "report"])
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("cups", ("--store", "takes postgresql://USER@HOST/NAME")),
        ("postgresql://host:port/cup", ("--store", "takes postgresql://USER@HOST/NAME")),
        ("sqlite:///cup.db", ("--store", "without it a file in a folder is used")),
        (f"postgresql://ana:{PASSWORD}@host/cup", ("--store", "shows a password to all users", "ORDAGO_STORE")),
        (f"postgresql://host/cup?password={PASSWORD}", ("--store", "shows a password to all users", "ORDAGO_STORE")),
    ],
)
def test_a_place_that_is_none_is_told_with_exit_code_2(tmp_path: Path, command: str, url: str, words: tuple[str, ...]):
    assert_told(ordago(command, written(tmp_path), "--out", tmp_path / "out", "--store", url), 2, *words)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("command", "words"), [("run", ("Nothing is lost: fix it and run again.",)), ("status", ()), ("report", ())]
)
def test_a_server_that_is_away_is_told_in_a_sentence(tmp_path: Path, command: str, words: tuple[str, ...]):
    away = f"postgresql://ana:{PASSWORD}@/cup?host={tmp_path}"
    result = ordago(command, written(tmp_path), "--out", tmp_path / "out", store=away)
    assert_told(result, 3, "The database cannot be used", "No such file or directory", *words)


def test_an_event_is_kept_where_the_organiser_says(tmp_path: Path, postgresql: Server):
    event, place, out = written(tmp_path), postgresql.place(), tmp_path / "out"
    assert_told(ordago("run", event, "--out", out, store=place), 0, f"verified: {MATCHES} records, no findings")
    assert not EventFolder(out).store.exists()
    assert_told(ordago("status", event, "--out", out, store=place), 0, f"{MATCHES} of {MATCHES} matches played")
    EventFolder(out).ladder.unlink()
    assert_told(ordago("report", event, "--out", out, store=place), 0)
    assert verify_folder(out).findings == ()
    everything = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in everything
    assert place.encode() not in everything


def test_another_event_in_the_same_place_is_refused(tmp_path: Path, postgresql: Server):
    event, place = written(tmp_path), postgresql.place()
    assert_told(ordago("run", event, "--out", tmp_path / "out", store=place), 0)
    other = written(tmp_path, deals=6)
    for command in ("run", "status", "report"):
        told = ordago(command, other, "--out", tmp_path / "other", store=place)
        assert_told(told, 3, "'kept' has changed since it began", "'options' was")


def test_an_event_that_runs_elsewhere_does_not_run_here(tmp_path: Path, postgresql: Server):
    place = postgresql.place()
    with Store.open(place, create=True) as store, store.held():
        told = ordago("run", written(tmp_path), "--out", tmp_path / "out", store=place)
    assert_told(told, 3, "Another run uses the event in the database: wait for it, or stop it first.")


def test_an_event_whose_store_has_gone_is_not_run_again(tmp_path: Path, postgresql: Server):
    """It would have another secret than the one that is committed to, or look as if it had never been played."""
    event, folder = written(tmp_path), EventFolder(tmp_path / "out")
    assert_told(ordago("run", event, "--out", folder.path), 0)
    published = {path: path.read_bytes() for path in folder.path.rglob("*.*") if folder.private not in path.parents}
    folder.store.rename(tmp_path / "copy")
    for store in ("", postgresql.place()):
        told = ordago("run", event, "--out", folder.path, store=store)
        assert_told(told, 3, "ledger.jsonl is of a run whose store is missing", "restore it from a copy")
        assert not folder.store.exists()
    assert {path: path.read_bytes() for path in published} == published
    (tmp_path / "copy").rename(folder.store)
    assert_told(ordago("run", event, "--out", folder.path), 0)


def results_in(place: str) -> int:
    try:
        with Store.open(place) as store:
            return len(store.state().results)
    except StoreError:
        return 0


@pytest.mark.slow
def test_a_run_whose_database_is_killed_goes_on_by_the_same_command(tmp_path: Path, postgresql: Server, size: Size):
    # Enough for each kill to come after six matches more, and to leave some.
    repetitions = size(3, 6)
    event, place, out = written(tmp_path, repetitions=repetitions), postgresql.place(), tmp_path / "disturbed"
    assert_told(ordago("run", event, "--out", tmp_path / "undisturbed"), 0)
    command = [sys.executable, "-m", "ordago", "run", str(event), "--out", str(out)]
    for _ in range(size(1, 10)):
        before = results_in(place)
        run = subprocess.Popen(  # noqa: S603 - ours
            command,
            env=os.environ | {"ORDAGO_STORE": place},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        deadline = time.monotonic() + LONGEST_SECONDS
        while results_in(place) < before + size(MATCHES, 2):
            assert run.poll() is None, "the event is over"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        postgresql.stop(signal.SIGKILL)
        told, _ = run.communicate(timeout=LONGEST_SECONDS)
        postgresql.start()
        assert run.returncode == 3, told
        last = told.rstrip().splitlines()[-1]
        assert last.startswith("ordago: The database cannot be used: "), told
        assert last.endswith("Nothing is lost: fix it and run again."), told
        assert "Traceback" not in told
    assert MATCHES <= results_in(place) < repetitions * MATCHES
    assert_told(ordago("run", event, "--out", out, store=place), 0, "no findings")
    assert (out / "ladder.json").read_bytes() == (tmp_path / "undisturbed" / "ladder.json").read_bytes()


SPY = """
import glob, os, socket, sys
for path in glob.glob("/proc/*/environ"):
    try:
        print(open(path, "rb").read())
    except OSError:
        pass
print(dict(os.environ), sys.argv)
try:
    socket.socket(socket.AF_UNIX).connect({socket!r})
    print("it is connected")
except OSError:
    pass
print("that was all")
"""


def test_a_bot_finds_neither_the_password_nor_the_server(tmp_path: Path, postgresql: Server):
    if why_not("bubblewrap"):
        pytest.skip(why_not("bubblewrap"))
    place, folder = postgresql.place(), EventFolder(tmp_path / "out")
    socket = next(postgresql.folder.glob(".s.PGSQL.*[0-9]"))
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "spy.py").write_text(SPY.format(socket=str(socket)), encoding="utf-8")
    event = written(tmp_path)
    spy = f'command = "{sys.executable} spy.py"\nfolder = "{bot}"'
    text = event.read_text(encoding="utf-8").replace('isolation = "none"\n', "").replace('house = "random"', spy, 1)
    event.write_text(text, encoding="utf-8")
    assert_told(ordago("run", event, "--out", folder.path, store=place), 4, "'a' exited at once")
    [log] = folder.logs.glob("a.*.log")
    found = log.read_text(encoding="utf-8")
    assert "that was all" in found
    assert PASSWORD not in found
    assert "ORDAGO_STORE" not in found
    assert "it is connected" not in found
