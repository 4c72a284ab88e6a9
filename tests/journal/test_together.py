"""Choices of many matches are written in one go, all of them or none."""

import errno
import os
from pathlib import Path

import pytest
from support.journals import alive_in_a_copy, entry, match, seats_of

from ordago.journal import Journal, JournalError, MatchPage
from ordago.journal import file as journal_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def enter_together(journal: Journal, page: MatchPage, *seats: int) -> None:
    with journal.together():
        for seat in seats:
            page.entered(entry(seat))


def test_what_is_entered_together_is_written_in_one_go(path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = Journal(path)
    pages = [journal.begin_match(match(name, 1)) for name in "mn"]
    write, writes = os.write, 0

    def counted(descriptor: int, data: bytes) -> int:
        nonlocal writes
        writes += 1
        return write(descriptor, data)

    monkeypatch.setattr(journal_file.os, "write", counted)
    with journal.together():
        for seat, page in enumerate((*pages, *pages)):
            page.entered(entry(seat))
        assert not writes
    assert writes == 1
    pages[0].entered(entry(7))
    with journal.together():
        """Write nothing, not even that."""
    assert writes == 2
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 2, 7], [1, 3]]


def test_what_is_entered_together_during_a_compaction_is_in_both_files(path: Path):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    journal.begin_compaction()
    with journal.together():
        page.entered(entry(0))
        page.entered(entry(1))
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 1]]
    journal.sync_compaction()
    journal.end_compaction()
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 1]]


def test_of_what_cannot_be_written_together_nothing_is(path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    page.entered(entry(0))
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(journal_file.os, "write", lambda descriptor, data: write(descriptor, data[:-1]))
        with pytest.raises(JournalError, match=os.strerror(errno.ENOSPC)):
            enter_together(journal, page, 1, 2)
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0]]
    journal.begin_match(match("n", 1)).entered(entry(3))
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0], [3]]
