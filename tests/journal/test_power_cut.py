"""What a journal is after a power cut: all that it was told before it was synced."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.power_cut import Disk, failing_disk

from ordago.journal import Journal
from ordago.journal.file import JournalFile
from ordago.journal.frames import contents
from ordago.journal.v1 import JournaledSession


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with failing_disk(tmp_path) as disk:
        yield disk


@pytest.fixture
def at_replacement(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> list[list[bytes]]:
    """What would be read if the power were cut at once when a file takes the place of another, time after time."""
    replace, seen = os.replace, []

    def replace_and_look(source: Path, target: Path) -> None:
        replace(source, target)
        seen.append(contents(disk.possible()["journal"]))

    monkeypatch.setattr(os, "replace", replace_and_look)
    return seen


def test_a_journal_that_was_begun_survives_a_power_cut(disk: Disk, path: Path):
    JournalFile(path, [b"kept"]).close()
    assert contents(disk.certain()["journal"]) == [b"kept"]


def test_what_was_appended_survives_a_power_cut_when_it_was_synced(disk: Disk, path: Path):
    journal = JournalFile(path, [])
    journal.append(b"one")
    journal.sync()
    journal.append(b"two")
    assert contents(disk.certain()["journal"]) == [b"one"]
    journal.sync()
    assert contents(disk.certain()["journal"]) == [b"one", b"two"]
    journal.close()


@pytest.mark.usefixtures("disk")
def test_a_new_file_is_whole_before_it_takes_the_place_of_another(path: Path, at_replacement: list[list[bytes]]):
    JournalFile(path, [b"old"]).close()
    journal = JournalFile(path, [b"kept"])
    journal.begin_successor([b"kept", b"more"])
    journal.sync_successor()
    journal.append(b"meanwhile")
    journal.take_over()
    assert at_replacement == [[b"old"], [b"kept"], [b"kept", b"more"]]
    journal.close()


def test_the_name_of_a_new_file_is_synced_with_the_next_entries(disk: Disk, path: Path):
    journal = JournalFile(path, [])
    journal.begin_successor([b"kept"])
    journal.append(b"meanwhile")
    journal.sync_successor()
    journal.take_over()
    journal.sync()
    assert contents(disk.certain()["journal"]) == [b"kept", b"meanwhile"]
    journal.close()


def test_a_journal_brings_what_it_was_told_to_the_disk(disk: Disk, path: Path):
    journal = Journal(path)
    journal.begin_session(JournaledSession(session_id="s"))
    journal.sync()
    assert disk.certain()["journal"] == path.read_bytes()
    journal.begin_compaction()
    journal.sync_compaction()
    assert disk.possible()["journal.new"] == path.with_name("journal.new").read_bytes()
    journal.end_compaction()
    journal.close()
