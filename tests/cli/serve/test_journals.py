"""The journal of a server in its folder: who may use it, and what is said when it cannot be used."""

from pathlib import Path

import pytest
import trio

from ordago.arena import upkeep
from ordago.journal import Journal, JournalError
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_OUTSIDE, CommandError, run
from ordago_cli.serve.journals import keep_up_journal, opened_journal


def test_without_a_folder_there_is_none():
    with opened_journal(None) as journal:
        assert journal is None


def test_the_folder_is_made_for_the_user_alone(tmp_path: Path):
    with opened_journal(tmp_path / "new" / "data") as journal:
        assert journal is not None
        assert journal.matches == []
    assert (tmp_path / "new" / "data").stat().st_mode & 0o077 == 0


def test_two_servers_cannot_share_a_folder(tmp_path: Path):
    another = pytest.raises(CommandError, match="another server uses the folder")
    with opened_journal(tmp_path), another as refused, opened_journal(tmp_path):
        pass
    assert refused.value.exit_code == EXIT_OUTSIDE
    with opened_journal(tmp_path):
        pass


def test_a_damaged_journal_is_told_without_a_traceback(tmp_path: Path):
    (tmp_path / "journal").write_bytes(b"something else")
    with pytest.raises(CommandError, match="it is not a journal"), opened_journal(tmp_path):
        pass


def test_a_disk_that_fails_while_it_is_used_is_told_likewise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(_journal: Journal) -> None:
        raise JournalError("cannot write: the disk")

    async def main() -> None:
        with opened_journal(tmp_path) as journal:
            assert journal is not None
            async with trio.open_nursery() as nursery:
                nursery.start_soon(keep_up_journal, journal, Telemetry())

    monkeypatch.setattr(Journal, "sync", fail)
    monkeypatch.setattr(upkeep, "SYNC_SECONDS", 0)
    with pytest.raises(CommandError, match="the disk"):
        run(main)
