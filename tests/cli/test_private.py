"""What is private is closed to other users of the machine from its first moment, whatever else they may read."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago.files import private_file, private_folder
from ordago.store.event.store import Store
from ordago_cli.program import program
from ordago_cli.serve.journals import opened_journal

EVENT = """
[event]
name = "event"
[[game]]
name = "mittlere"
[[entrant]]
name = "ana"
house = "default"
[[entrant]]
name = "ben"
house = "default"
[[entrant]]
name = "cleo"
house = "default"
"""


@pytest.fixture(autouse=True)
def _generous() -> Iterator[None]:
    """Let others do everything with what is made, as far as nobody says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(program, arguments, catch_exceptions=False)


def open_to_others(folder: Path) -> list[str]:
    """Return what other users can reach of a folder, the folder itself included."""
    found = [folder, *folder.rglob("*")]
    return [f"{path.name} {stat.S_IMODE(path.stat().st_mode):o}" for path in found if path.stat().st_mode & 0o077]


@pytest.mark.slow
def test_of_an_event_others_see_what_is_published(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(EVENT)
    command = ("run", str(tmp_path / "event.toml"), "--out", str(tmp_path / "out"))
    assert run(*command).exit_code == 0
    private = tmp_path / "out" / "private"
    assert {"event.db", "journal", "lock", "logs"} <= {path.name for path in private.iterdir()}
    assert open_to_others(private) == []
    assert stat.S_IMODE((tmp_path / "out" / "ladder.json").stat().st_mode) == 0o666, "or the test shows nothing"


@pytest.mark.slow
def test_what_an_older_ordago_left_open_is_closed(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(EVENT)
    private = tmp_path / "out" / "private"
    private.mkdir(parents=True)
    (private / "event.db").touch()
    assert open_to_others(private) == ["private 777", "event.db 666"]
    assert run("run", str(tmp_path / "event.toml"), "--out", str(tmp_path / "out")).exit_code == 0
    assert open_to_others(private) == []


def test_the_files_beside_a_database_are_closed_too(tmp_path: Path) -> None:
    private_folder(tmp_path / "new")
    with Store.open(tmp_path / "new" / "event.db", create=True):
        assert {path.name for path in (tmp_path / "new").iterdir()} == {"event.db", "event.db-wal", "event.db-shm"}
        assert open_to_others(tmp_path / "new") == []


def test_the_accounts_and_the_journal_of_a_server_are_closed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    assert run("token", "create", "--account", "ana", "--scope", "play", "--data", str(data)).exit_code == 0
    with opened_journal(data):
        assert {"accounts.sqlite", "journal", "journal.lock"} <= {path.name for path in data.iterdir()}
        assert open_to_others(data) == []


def test_a_folder_of_another_user_that_is_open_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    (tmp_path / "data").mkdir()
    monkeypatch.setattr(os, "chmod", refuse)
    ended = run("token", "create", "--account", "ana", "--scope", "play", "--data", str(tmp_path / "data"))
    assert ended.exit_code == 3
    assert "it belongs to another user, and others can read it; name another one with --data" in ended.output


def test_a_file_that_is_there_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("something")
    private_file(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "something"
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
