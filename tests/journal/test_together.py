"""Choices of many matches are written in one go, all of them or none, and where none is each match is told."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
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
            page.enter([entry(seat)])


def told_of(page: MatchPage) -> list[Exception]:
    """Return what its match will be told of failures."""
    failures: list[Exception] = []
    page.on_failure(failures.append)
    return failures


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(journal_file.os, "write", lambda descriptor, data: write(descriptor, data[:-1]))
        yield


def test_what_is_entered_together_is_written_in_one_go(path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = Journal(path)
    pages = [journal.begin_match(match(name, 1)) for name in "mn"]
    failures = [told_of(page) for page in pages]
    write, writes = os.write, 0

    def counted(descriptor: int, data: bytes) -> int:
        nonlocal writes
        writes += 1
        return write(descriptor, data)

    monkeypatch.setattr(journal_file.os, "write", counted)
    with journal.together():
        for seat, page in enumerate((*pages, *pages)):
            page.enter([entry(seat)])
        assert not writes
    assert writes == 1
    pages[0].enter([entry(7)])
    with journal.together():
        """Write nothing, not even that."""
    assert writes == 2
    assert failures == [[], []]
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 2, 7], [1, 3]]


@pytest.mark.parametrize("held", [False, True], ids=["nothing is held when it begins", "something is"])
def test_what_is_entered_together_during_a_compaction_is_in_both_files_once(path: Path, *, held: bool):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    told_of(page)
    if not held:
        journal.begin_compaction()
    with journal.together():
        page.enter([entry(0)])
        if held:
            journal.begin_compaction()
        page.enter([entry(1)])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 1]]
    journal.sync_compaction()
    journal.end_compaction()
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 1]]


def test_of_what_cannot_be_written_together_nothing_is_and_each_match_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    journal = Journal(path)
    pages = [journal.begin_match(match(name, 1)) for name in "lmn"]
    failures = [told_of(page) for page in pages]
    pages[0].enter([entry(0)])
    with full_disk(monkeypatch), journal.together():
        pages[0].enter([entry(1)])
        pages[1].enter([entry(2)])
    assert [len(told) for told in failures] == [1, 1, 0]
    assert all(isinstance(told[0], JournalError) for told in failures[:2])
    assert os.strerror(errno.ENOSPC) in str(failures[0][0])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0], [], []]
    pages[2].enter([entry(3)])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0], [], [3]]


def test_where_nobody_could_be_told_it_is_written_at_once(path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    with full_disk(monkeypatch), pytest.raises(JournalError, match=os.strerror(errno.ENOSPC)):
        enter_together(journal, page, 1, 2)
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[]]


def test_what_is_noted_meanwhile_is_written_at_once_behind_what_was_entered(path: Path):
    """Whoever begins a session or a match goes by whether it could be noted."""
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    told_of(page)
    with journal.together():
        page.enter([entry(0)])
        assert [seats_of(found) for found in alive_in_a_copy(path)] == [[]]
        journal.begin_match(match("n", 1))
        assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0], []]
        page.enter([entry(1)])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 1], []]


def test_one_within_another_leaves_it_to_that_one(path: Path):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    told_of(page)
    with journal.together():
        enter_together(journal, page, 0)
        assert [seats_of(found) for found in alive_in_a_copy(path)] == [[]]
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0]]


def fail_on_purpose(journal: Journal, page: MatchPage) -> None:
    with journal.together():
        page.enter([entry(0)])
        raise ValueError("on purpose")


def test_what_was_entered_is_written_though_what_goes_on_meanwhile_fails(path: Path):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    told_of(page)
    with pytest.raises(ValueError, match="on purpose"):
        fail_on_purpose(journal, page)
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0]]
