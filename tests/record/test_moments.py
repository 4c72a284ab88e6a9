"""A record shown moment by moment: which choice a moment came of, and what becomes of records that are wrong."""

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from google.protobuf.message import DecodeError

from ordago import v1
from ordago.record import read_record
from ordago.record.moments import moments
from ordago.record.opening import UnplayableError
from ordago.scene import Section

CORPUS = Path(__file__).parents[1] / "corpus"
RECORDS = sorted(CORPUS.glob("*.record"))
DAMAGED = 60


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_each_choice_of_a_sound_record_leads_to_one_moment(path: Path):
    record = read_record(path.read_bytes())
    choices = [place for place, entry in enumerate(record.entries) if entry.HasField("choice")]
    assert [moment.choice for moment in moments(record) if moment.choice is not None] == choices


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_moment_of_a_choice_is_about_whoever_chose(path: Path):
    record = read_record(path.read_bytes())
    whose = [(moment.seat, record.entries[moment.choice].choice.seat) for moment in moments(record) if moment.choice]
    assert whose
    assert all(seat == chooser for seat, chooser in whose)


def test_a_forfeit_changes_nothing_that_is_shown_but_the_places_of_later_entries(record: v1.MatchRecord):
    whole = list(moments(record))
    entries = list(record.entries)
    last = max(place for place, entry in enumerate(entries) if entry.HasField("choice"))
    other = (entries[last].choice.seat + 1) % len(record.seats)
    del record.entries[:]
    forfeit = v1.RecordEntry(forfeit=v1.Forfeit(seat=other, fault=v1.FAULT_TOO_LATE))
    record.entries.extend([*entries[:last], forfeit, *entries[last:]])
    later = [replace(moment, choice=last + 1) if moment.choice == last else moment for moment in whole]
    assert list(moments(record)) == later


def test_a_record_that_breaks_off_is_shown_up_to_there(record: v1.MatchRecord):
    whole = list(moments(record))
    del record.entries[DAMAGED:]
    broken = list(moments(record))
    assert 0 < len(broken) < len(whole)
    assert broken == whole[: len(broken)]


def test_a_record_whose_event_is_not_what_the_rules_say_is_shown_up_to_there(record: v1.MatchRecord):
    whole = list(moments(record))
    place = next(place for place, entry in enumerate(record.entries) if place > DAMAGED and entry.HasField("event"))
    record.entries[place].CopyFrom(v1.RecordEntry(event=v1.Event()))
    damaged = list(moments(record))
    assert 0 < len(damaged) < len(whole)
    assert damaged == whole[: len(damaged)]


@pytest.mark.parametrize(
    "change",
    [
        v1.MatchRecord(game="tarocchi"),
        v1.MatchRecord(format_version=99),
        v1.MatchRecord(rules_version=99),
        v1.MatchRecord(seats=[v1.RecordSeat(name="a fourth")]),
        v1.MatchRecord(options=v1.GameOptions(mus=v1.MusOptions())),
    ],
    ids=["game", "format", "rules", "seats", "options"],
)
def test_a_record_that_cannot_be_opened_is_refused_with_a_sentence(record: v1.MatchRecord, change: v1.MatchRecord):
    record.MergeFrom(change)
    with pytest.raises(UnplayableError, match=r"\.$"):
        list(moments(record))


def test_an_empty_record_is_refused():
    with pytest.raises(UnplayableError):
        list(moments(v1.MatchRecord()))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_nonsense_among_the_entries_raises_nothing_but_that_it_is_unplayable(path: Path):
    """Whoever writes a record can put anything into it; who shows it goes on."""
    sound, rng = read_record(path.read_bytes()), Random(path.stem)
    for _ in range(8):
        record = v1.MatchRecord()
        record.CopyFrom(sound)
        start = rng.randrange(min(150, len(record.entries) - 1))
        some = list(islice(record.entries, start, start + 40))
        del record.entries[start + 40 :]
        for entry in rng.sample(some, min(3, len(some))):
            entry.CopyFrom(damaged(entry, rng))
        with suppress(UnplayableError):
            assert all(moment.sentence.written() for moment in moments(record))


def damaged(entry: v1.RecordEntry, rng: Random) -> v1.RecordEntry:
    """Return an entry whose bytes were changed in some places, or an empty one where they can no longer be read."""
    content = bytearray(entry.SerializeToString())
    for _ in range(rng.randint(1, 3)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    try:
        return v1.RecordEntry.FromString(bytes(content))
    except DecodeError:
        return v1.RecordEntry()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_each_deal_begins_with_a_mark(path: Path):
    record = read_record(path.read_bytes())
    deals = [moment.mark.title for moment in moments(record) if moment.mark and moment.mark.section is Section.DEAL]
    assert deals
    assert len(set(deals)) == len(deals)
