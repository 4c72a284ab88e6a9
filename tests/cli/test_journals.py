"""The journal of a server in its folder: who may use it, and what is said when it cannot be used."""

from pathlib import Path

import pytest

from ordago.cli.complaints import EXIT_OUTSIDE, Complaint
from ordago.cli.journals import opened_journal
from ordago.journal import JournalError


def test_without_a_folder_there_is_none():
    with opened_journal(None) as journal:
        assert journal is None


def test_the_folder_is_made_for_the_user_alone(tmp_path: Path):
    with opened_journal(tmp_path / "new" / "data") as journal:
        assert journal is not None
        assert journal.matches == []
    assert (tmp_path / "new" / "data").stat().st_mode & 0o077 == 0


def test_two_servers_cannot_share_a_folder(tmp_path: Path):
    another = pytest.raises(Complaint, match="another server uses the folder")
    with opened_journal(tmp_path), another as refused, opened_journal(tmp_path):
        pass
    assert refused.value.exit_code == EXIT_OUTSIDE
    with opened_journal(tmp_path):
        pass


def test_a_damaged_journal_is_told_without_a_traceback(tmp_path: Path):
    (tmp_path / "journal").write_bytes(b"something else")
    with pytest.raises(Complaint, match="it is no journal"), opened_journal(tmp_path):
        pass


def test_a_disk_that_fails_while_it_is_used_is_told_likewise(tmp_path: Path):
    with pytest.raises(Complaint, match="the disk"), opened_journal(tmp_path):
        raise JournalError("cannot write: the disk")
