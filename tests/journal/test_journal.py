"""What a journal was told is there when it is opened again, and nothing more than that."""

import errno
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.journals import alive, alive_in_a_copy, entry, match, seats_of, session
from support.matches import match_terms

from ordago import v1
from ordago.journal import NO_JOURNAL, Journal, JournalError
from ordago.journal import file as journal_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def test_a_new_journal_is_empty_and_for_its_owner_alone(path: Path):
    assert alive(path) == ([], [])
    assert not Journal(path).is_overgrown
    assert path.stat().st_mode & 0o777 == 0o600


def test_sessions_and_matches_are_there_when_it_is_opened_again(path: Path):
    journal = Journal(path)
    begun = path.stat().st_size
    journal.begin_session(session(0))
    journal.begin_session(session(1))
    page = journal.begin_match(match("m", 3, 7))
    for seat in (0, 1, 1, 0):
        page.enter([entry(seat)])
    assert [kept.choice.seat for kept in page.past] == [0, 1, 1, 0]
    assert journal.written_bytes == path.stat().st_size - begun > 0
    # It was not closed: the process may have been killed here.
    sessions, [found] = alive(path)
    assert [each.session_id for each in sessions] == ["s0", "s1"]
    assert list(sessions[0].games) == ["mus", "taihe"]
    assert seats_of(found) == [0, 1, 1, 0]
    assert found.record.secret == b"s" * 32
    assert [seat.match_handle for seat in found.seats] == [3, 7]
    assert alive(path) == (sessions, [found]), "opening it has changed nothing"


def test_what_is_over_is_gone(path: Path):
    journal = Journal(path)
    journal.begin_session(session(0))
    journal.begin_match(match("m", 1)).enter([entry(0)])
    journal.begin_match(match("n", 2)).enter([entry(1)])
    journal.end_match("m")
    journal.end_match("unheard of")
    journal.end_session("unheard of")
    assert [found.record.match_id for found in alive(path)[1]] == ["n"]
    journal = Journal(path)
    journal.end_match("n")
    journal.end_session("s0")
    assert alive(path) == ([], [])
    assert path.stat().st_size < 100


def test_handles_of_matches_that_are_over_are_remembered(path: Path):
    journal = Journal(path)
    journal.begin_session(session(0))
    for handle in (1, 3, 2):
        journal.begin_match(match(f"m{handle}", handle))
        journal.end_match(f"m{handle}")
    for _ in range(2):
        [found], matches = alive(path)
        assert (found.last_match_handle, matches) == (3, [])
        assert list(found.games) == ["mus", "taihe"]


@pytest.mark.slow
def test_a_journal_that_is_torn_at_any_byte_gives_all_whole_entries(path: Path):
    journal = Journal(path)
    begun = path.stat().st_size
    page = journal.begin_match(match("m", 1))
    sizes = [path.stat().st_size]
    for number in range(12):
        page.enter([entry(number % 3, charged_ms=number)])
        sizes.append(path.stat().st_size)
    whole = path.read_bytes()
    for length in range(begun, len(whole) + 1):
        path.write_bytes(whole[:length])
        kept = [len(found.record.entries) for found in alive(path)[1]]
        assert kept == ([sum(size <= length for size in sizes) - 1] if length >= sizes[0] else [])


def test_a_journal_that_is_damaged_is_told_in_one_sentence_and_left_as_it_is(path: Path):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    for _ in range(5):
        page.enter([entry(1)])
    damaged = bytearray(path.read_bytes())
    damaged[60] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(JournalError, match=r"^cannot read the journal .*: it is damaged at byte \d+; restore .*$"):
        Journal(path)
    assert path.read_bytes() == damaged


def test_entries_of_another_version_are_told(path: Path):
    journal = Journal(path)
    journal.enter(b"\xff\xff", None)
    with pytest.raises(JournalError, match="not written by this version"):
        Journal(path)


def test_ten_thousand_entries_of_many_matches(path: Path):
    rng = Random(5)
    journal = Journal(path)
    expected: dict[str, list[int]] = {}
    for _ in range(10_000):
        match_id = f"m{rng.randrange(50)}"
        if match_id not in expected:
            expected[match_id] = []
            journal.begin_match(match(match_id, 1, 2))
        if rng.random() < 0.01:
            del expected[match_id]
            journal.end_match(match_id)
            continue
        expected[match_id].append(rng.randrange(2))
        journal.page(match_id).enter([entry(expected[match_id][-1])])
    assert {found.record.match_id: seats_of(found) for found in alive(path)[1]} == expected


def test_a_match_that_begins_anew_forgets_what_was(path: Path):
    journal = Journal(path)
    journal.begin_match(match("m", 1)).enter([entry(0)])
    assert not journal.begin_match(match("m", 2)).past
    [found] = alive(path)[1]
    assert seats_of(found) == []
    assert [seat.match_handle for seat in found.seats] == [2]


def test_the_page_for_terms_goes_on_unless_the_terms_are_others(path: Path):
    terms = match_terms()
    page = Journal(path).page_for(terms)
    page.enter([entry(2)])
    assert len(Journal(path).page_for(terms).past) == 1
    assert len(Journal(path).page_for(match_terms(attempt=1)).past) == 0
    assert len(Journal(path).page_for(terms).past) == 0, "the deals of another attempt are others"


def test_it_is_compacted_while_it_is_written(path: Path):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    long = v1.MatchRecord(entries=[v1.RecordEntry(event=v1.Event())] * 20_000).SerializeToString()
    for number in range(30):
        journal.begin_match(match(f"n{number}", 1)).enter([long])
        journal.end_match(f"n{number}")
    page.enter([entry(0)])
    assert journal.is_overgrown
    before = path.stat().st_size
    journal.begin_compaction()
    page.enter([entry(1)])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0, 1]], "a kill here costs nothing"
    journal.sync_compaction()
    page.enter([entry(2)])
    journal.end_compaction()
    page.enter([entry(3)])
    journal.sync()
    assert not journal.is_overgrown
    assert path.stat().st_size < before / 100
    assert path.stat().st_mode & 0o777 == 0o600
    assert [seats_of(found) for found in alive(path)[1]] == [[0, 1, 2, 3]]


def test_what_was_appended_during_one_compaction_is_not_appended_again_by_the_next(path: Path):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    for seat in range(3):
        journal.begin_compaction()
        page.enter([entry(seat)])
        journal.sync_compaction()
        journal.end_compaction()
    assert [seats_of(found) for found in alive(path)[1]] == [[0, 1, 2]]


@pytest.mark.parametrize(("spent_bytes", "overgrown"), [(1_000_000, False), (1_100_000, True)])
def test_a_mebibyte_that_is_not_alive_is_nothing_to_compact_for(path: Path, spent_bytes: int, *, overgrown: bool):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    page.enter([v1.MatchRecord(deal_seed="x" * spent_bytes).SerializeToString()])
    journal.end_match("m")
    assert journal.is_overgrown is overgrown


def test_four_times_what_is_alive_is_nothing_to_compact_for(path: Path):
    journal = Journal(path)
    journal.begin_match(match("m", 1)).enter([v1.MatchRecord(deal_seed="x" * 1_000_000).SerializeToString()])
    sizes = []
    while not journal.is_overgrown:
        sizes.append(path.stat().st_size)
        journal.begin_match(match("n", 1)).enter([v1.MatchRecord(deal_seed="x" * 500_000).SerializeToString()])
        journal.end_match("n")
    assert sizes[-1] < (1 << 20) + 4 * 1_000_000 < path.stat().st_size


def test_a_disk_that_is_full_loses_nothing_that_was_written(path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = Journal(path)
    page = journal.begin_match(match("m", 1))
    page.enter([entry(0)])
    write = os.write
    monkeypatch.setattr(journal_file.os, "write", lambda descriptor, data: write(descriptor, data[:5]))
    with pytest.raises(JournalError, match=f"cannot write the journal {path}: {os.strerror(errno.ENOSPC)}"):
        page.enter([entry(1)])
    journal.end_match("m")
    monkeypatch.undo()
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0]]
    journal.begin_match(match("n", 1)).enter([entry(2)])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[0], [2]]
    assert journal.is_overgrown, "the end of the first match could not be written"
    journal.begin_compaction()
    journal.sync_compaction()
    journal.end_compaction()
    assert [seats_of(found) for found in alive(path)[1]] == [[2]]


def test_an_end_that_could_not_be_written_is_not_forgotten_by_a_compaction_that_fails(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    journal = Journal(path)
    journal.begin_match(match("m", 1))
    with monkeypatch.context() as full:
        full.setattr(journal_file.os, "write", _write_nothing)
        journal.end_match("m")
        with pytest.raises(JournalError):
            journal.begin_compaction()
    assert len(alive_in_a_copy(path)) == 1
    assert journal.is_overgrown, "it is to be tried again"


def test_a_match_does_not_begin_anew_behind_an_end_that_could_not_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What was decided at the attempt before would be taken for what was decided at this one."""
    journal = Journal(path)
    journal.page_for(match_terms()).enter([entry(0)])
    write, failures = os.write, [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))]

    def write_but_once(descriptor: int, data: bytes) -> int:
        if failures:
            raise failures.pop()
        return write(descriptor, data)

    monkeypatch.setattr(journal_file.os, "write", write_but_once)
    with pytest.raises(JournalError):
        journal.page_for(match_terms(attempt=1))
    journal.page_for(match_terms(attempt=1)).enter([entry(2)])
    assert [seats_of(found) for found in alive_in_a_copy(path)] == [[2]]


def test_an_end_that_comes_while_a_full_disk_is_compacted_is_made_up_for_by_the_next(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    journal = Journal(path)
    journal.begin_match(match("m", 1))
    journal.begin_compaction()
    with monkeypatch.context() as full:
        full.setattr(journal_file.os, "write", _write_nothing)
        journal.end_match("m")
    journal.sync_compaction()
    journal.end_compaction()
    assert len(alive_in_a_copy(path)) == 1
    assert journal.is_overgrown
    journal.begin_compaction()
    journal.sync_compaction()
    journal.end_compaction()
    assert not journal.is_overgrown
    assert alive_in_a_copy(path) == []


def test_compactions_that_fail_leave_no_file_open(path: Path, monkeypatch: pytest.MonkeyPatch):
    opened: set[int] = set()
    closed: set[int] = set()
    really_open, really_close = os.open, os.close

    def note_open(*arguments: Any) -> int:
        opened.add(descriptor := really_open(*arguments))
        closed.discard(descriptor)
        return descriptor

    def note_close(descriptor: int) -> None:
        closed.add(descriptor)
        really_close(descriptor)

    monkeypatch.setattr(journal_file.os, "open", note_open)
    monkeypatch.setattr(journal_file.os, "close", note_close)
    journal = Journal(path)
    with monkeypatch.context() as full:
        full.setattr(journal_file.os, "write", _write_nothing)
        for _ in range(5):
            with pytest.raises(JournalError):
                journal.begin_compaction()
    assert len(opened - closed) <= 2
    journal.begin_match(match("m", 1))
    journal.close()
    assert opened == closed
    assert len(alive(path)[1]) == 1


def _write_nothing(_descriptor: int, _data: bytes) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_no_journal_keeps_nothing():
    NO_JOURNAL.begin_session(session(0))
    page = NO_JOURNAL.begin_match(match("m", 1))
    page.enter([entry(0)])
    assert not page.past
    NO_JOURNAL.end_match("m")
    NO_JOURNAL.end_session("s0")
    assert not NO_JOURNAL.lasts
