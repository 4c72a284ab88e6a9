"""The quick proof of records: it knows those that are whole, says the same of them, and of no others."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st
from support.matches import SECRET, match_terms
from support.players import FakePlayer, Thought, by_default, play_match

from ordago import v1
from ordago.games import find_game, game_names
from ordago.match import Question, Reply, audit
from ordago.record import (
    RecordError,
    digest,
    from_file_bytes,
    result_of,
    rewritten,
    to_file_bytes,
    to_json,
    verify,
)
from ordago.wire.fields import delimited, tag, varint

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.record"))
UNKNOWN = b"\xfa\x3e\x01x"
RECORD, DIGEST = tag(v1.RecordFile, "record"), tag(v1.RecordFile, "digest")
ENTRIES, CHOICE = tag(v1.MatchRecord, "entries"), tag(v1.RecordEntry, "choice")


def is_whole(data: bytes, *, secret: bytes | None = None) -> bool:
    """Say whether the quick way finds a file well, and see that then all is as the slow way finds it."""
    quick = rewritten(data, secret=secret)
    if quick is None:
        return False
    record = from_file_bytes(data)
    assert verify(record, secret=secret) == []
    assert to_file_bytes(record) == data
    assert quick.digest == digest(record)
    assert audit(quick.record, quick.turns) == audit(record)
    assert result_of(quick.record) == result_of(record)
    del quick.record.entries[:], record.entries[:]
    assert quick.record == record
    return True


def file_of(record: bytes) -> bytes:
    """Return a file of a serialized record as it is, with the digest that belongs to it."""
    found = digest(v1.MatchRecord.FromString(record))
    return delimited(RECORD, record) + delimited(DIGEST, found)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_records_of_all_games_are_whole(path: Path):
    assert is_whole(path.read_bytes())


class Wayward:
    """Answers by chance, now and then wrongly, not at all, or never again."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def __call__(self, decision: v1.Decision, _refusals: Sequence[v1.Refused]) -> Thought:
        chance = self._rng.random()
        if chance < 0.002:
            return v1.FAULT_CRASHED
        if chance < 0.02:
            return None
        if chance < 0.05:
            return v1.Answer(legal_action=99)
        return decision.default_answer


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", game_names())
def test_records_with_faults_strikes_forfeits_and_times_are_whole(name: str, seed: int):
    game = find_game(name)
    time = {"decision_ms": 500, "bank_ms": 4_000, "increment_ms": 100 * (seed % 2), "lag_credit_ms": 30}
    players = [FakePlayer(Wayward(seed * 9 + seat), thinks=0.3 * seat) for seat in range(game.rules.seat_counts[0])]
    record = play_match(match_terms(game, strikes=2, forfeit_after=4, **time), players)
    assert is_whole(to_file_bytes(record), secret=SECRET)
    assert is_whole(to_file_bytes(record))
    assert not is_whole(to_file_bytes(record), secret=SECRET[:-1] + b"t")
    assert any(result_of(record).faults)


class Saving(FakePlayer):
    """Takes no time for its first decisions, and for some after them more than each has."""

    def reply(self, question: Question) -> Reply:
        """Answer after a while."""
        self.thinks = 0.25 if 10 < question.decision.number <= 13 else 0.0
        return super().reply(question)


def test_what_increments_add_to_the_bank_is_counted_from_the_first_choice_on() -> None:
    record = play_match(match_terms(decision_ms=200, increment_ms=20), [Saving() for _ in range(3)])
    assert max(entry.choice.charged_ms for entry in record.entries) == 250
    assert not audit(record).problems
    assert is_whole(to_file_bytes(record))


def kinds(record: v1.MatchRecord) -> list[str | None]:
    return [entry.WhichOneof("entry") for entry in record.entries]


def test_a_shuffle_between_a_fault_and_its_forfeit_is_noticed() -> None:
    """The last choice of a deal forfeits a seat, and the forfeit is put off until cards are dealt again."""
    usual = play_match(match_terms(), [FakePlayer(by_default) for _ in range(3)])
    of_first_deal = usual.entries[: kinds(usual).index("shuffle", 1)]
    last = [entry.choice.seat for entry in of_first_deal if entry.HasField("choice")][-1]

    def gone_at_last(decision: v1.Decision, _refusals: Sequence[v1.Refused]) -> Thought:
        return v1.FAULT_DISCONNECTED if decision.number == 12 else decision.default_answer

    players = [FakePlayer(gone_at_last if seat == last else by_default) for seat in range(3)]
    record = play_match(match_terms(forfeit_after=1), players)
    assert not audit(record).problems
    at = kinds(record).index("forfeit")
    shuffle = kinds(record).index("shuffle", at)
    assert "choice" not in kinds(record)[at:shuffle]
    choice = kinds(record).index("choice", shuffle)
    entries = list(record.entries)
    del record.entries[:]
    record.entries.extend([*entries[:at], *entries[at + 1 : choice], entries[at], *entries[choice:]])
    assert [problem.entry for problem in audit(record).problems] == [shuffle - 1]
    assert is_whole(to_file_bytes(record))


def parts(record: v1.MatchRecord) -> tuple[bytes, list[bytes], bytes]:
    """Return a record serialized: what stands before its entries, the entries, and what stands after them."""
    entries = [delimited(ENTRIES, entry.SerializeToString()) for entry in record.entries]
    before, after = v1.MatchRecord(), v1.MatchRecord()
    before.CopyFrom(record)
    for name in ("entries", "outcome", "faults"):
        before.ClearField(name)
    after.outcome.CopyFrom(record.outcome)
    if record.HasField("faults"):
        after.faults.CopyFrom(record.faults)
    return before.SerializeToString(), entries, after.SerializeToString()


def choice_entry(*fields: bytes) -> bytes:
    return delimited(ENTRIES, delimited(CHOICE, b"".join(fields)))


def written_otherwise(record: v1.MatchRecord) -> Iterator[tuple[str, bytes]]:
    """Yield serialized records that say the same, or the same and more, in other bytes."""
    before, entries, after = parts(record)
    first = next(at for at, entry in enumerate(record.entries) if entry.HasField("choice") and entry.choice.seat)
    choice = record.entries[first].choice
    assert choice.charged_ms
    seat = v1.RecordedChoice(seat=choice.seat).SerializeToString()
    action = v1.RecordedChoice(action=choice.action).SerializeToString()
    charged = v1.RecordedChoice(charged_ms=choice.charged_ms).SerializeToString()
    assert choice_entry(seat, action, charged) == entries[first]

    def with_entry(entry: bytes) -> bytes:
        return before + b"".join([*entries[:first], entry, *entries[first + 1 :]]) + after

    longer = bytes([charged[-1] | 0x80, 0])
    seat_tag, charged_tag = seat[:1], charged[:1]
    action_tag = action[:1]
    unknown_in_action = delimited(action_tag, choice.action.SerializeToString() + UNKNOWN)
    events = [at for at, entry in enumerate(record.entries) if entry.HasField("event")]
    event = record.entries[events[0]].event.SerializeToString()
    yield "an unknown field of a choice", with_entry(choice_entry(seat, action, charged, UNKNOWN))
    yield "an unknown field of an entry", with_entry(delimited(ENTRIES, entries[first][2:] + UNKNOWN))
    yield "an unknown field of an action", with_entry(choice_entry(seat, unknown_in_action, charged))
    yield "fields of a choice out of order", with_entry(choice_entry(action, seat, charged))
    yield "a seat told twice", with_entry(choice_entry(seat_tag + b"\0", seat, action, charged))
    yield "a charge told twice", with_entry(choice_entry(seat, action, charged_tag + b"\7", charged))
    yield "an action told twice", with_entry(choice_entry(seat, action, action, charged))
    yield "an action in two parts", with_entry(choice_entry(seat, delimited(action_tag, b""), action, charged))
    yield "a charge before the action", with_entry(choice_entry(seat, charged, action))
    yield "a seat after the charge", with_entry(choice_entry(action, charged, seat))
    yield "an entry told twice in one", with_entry(delimited(ENTRIES, entries[first][2:] * 2))
    yield "a longer number", with_entry(choice_entry(seat, action, charged[:-1] + longer))
    yield "a length in two bytes", with_entry(ENTRIES + longer_length(entries[first][1]) + entries[first][2:])
    yield "a tag in two bytes", with_entry(longer_length(ENTRIES[0]) + entries[first][1:])
    yield "a zero written out", with_entry(choice_entry(seat, action, charged, b"\x20\0"))
    yield "an unknown field before the entries", before + UNKNOWN + b"".join(entries) + after
    yield "an unknown field after the entries", before + b"".join(entries) + UNKNOWN + after
    yield "an unknown field at the end", before + b"".join(entries) + after + UNKNOWN
    yield "the outcome first", after + before + b"".join(entries)
    yield "the outcome before the entries", before + after + b"".join(entries)
    yield "the heading after the entries", b"".join(entries) + before + after
    yield (
        "a heading field after the outcome",
        before + b"".join(entries) + after + v1.MatchRecord(attempt=3).SerializeToString(),
    )
    yield "the game told twice", v1.MatchRecord(game="mus").SerializeToString() + before + b"".join(entries) + after
    yield "an outcome told twice", before + b"".join(entries) + after + after
    yield "an outcome among the entries", before + b"".join([*entries[:first], after, *entries[first:]]) + after
    yield "entries after the outcome", before + b"".join(entries[:-1]) + after + entries[-1]
    yield "an entry before the heading", entries[0] + before + b"".join(entries[1:]) + after
    yield (
        "an event with an unknown field",
        before
        + b"".join(
            [*entries[: events[0]], delimited(ENTRIES, delimited(b"\x1a", event + UNKNOWN)), *entries[events[0] + 1 :]]
        )
        + after,
    )


def test_choices_that_are_longer_than_others_are_read_in_the_same_way() -> None:
    """An answer that is refused again and again makes an entry whose length takes two bytes."""

    def stubborn(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        return v1.Answer(legal_action=99) if len(refusals) < 18 else decision.default_answer

    record = play_match(match_terms(strikes=20), [FakePlayer(stubborn, thinks=0.2) for _ in range(3)])
    before, entries, after = parts(record)
    first = next(at for at, entry in enumerate(record.entries) if entry.choice.strikes)
    entry, choice = entries[first], record.entries[first].choice.SerializeToString()
    length = varint(len(delimited(CHOICE, choice)))
    assert len(length) == 2
    assert is_whole(to_file_bytes(record))
    in_the_entry = {
        "a length in three bytes": length[:1] + longer_length(length[1]) + CHOICE + varint(len(choice)) + choice,
        "another tag": length + b"\x22" + varint(len(choice)) + choice,
        "a choice with a longer length": varint(len(choice) + 4) + CHOICE + long(varint(len(choice))) + choice,
        "a choice that is longer than its entry": length + CHOICE + varint(len(choice) + 1) + choice,
        "one that is shorter": length + CHOICE + varint(len(choice) - 1) + choice,
    }
    for name, told in in_the_entry.items():
        changed = before + b"".join([*entries[:first], ENTRIES + told, *entries[first + 1 :]]) + after
        data = delimited(RECORD, changed) + delimited(DIGEST, digest(record))
        assert rewritten(data) is None, name
    assert ENTRIES + length + CHOICE + varint(len(choice)) + choice == entry


def test_an_action_that_says_it_is_longer_than_its_entry_is_no_action(record: v1.MatchRecord) -> None:
    before, entries, after = parts(record)
    first = next(at for at, entry in enumerate(record.entries) if entry.HasField("choice") and entry.choice.seat)
    entry = entries[first]
    action = entry.index(v1.RecordedChoice(action=record.entries[first].choice.action).SerializeToString())
    for more in (2, 60, 200, 2**40):
        told = entry[: action + 1] + varint(entry[action + 1] + more) + entry[action + 2 :]
        changed = before + b"".join([*entries[:first], told, *entries[first + 1 :]]) + after
        assert rewritten(delimited(RECORD, changed) + delimited(DIGEST, digest(record))) is None


def long(number: bytes) -> bytes:
    """Return a number with a byte more than it needs."""
    return number[:-1] + longer_length(number[-1])


def longer_length(byte: int) -> bytes:
    return bytes([byte | 0x80, 0])


def test_what_is_written_otherwise_is_not_whole(record: v1.MatchRecord):
    assert is_whole(to_file_bytes(record))
    before, entries, after = parts(record)
    assert file_of(before + b"".join(entries) + after) == to_file_bytes(record)
    for name, serialized in written_otherwise(record):
        assert v1.MatchRecord.FromString(serialized), name
        assert not is_whole(file_of(serialized)), name


def test_a_file_around_a_record_is_nothing_else(record: v1.MatchRecord):
    data, serialized = to_file_bytes(record), record.SerializeToString()
    digest_field = data[len(RECORD + varint(len(serialized))) + len(serialized) :]
    length = varint(len(serialized))
    assert is_whole(RECORD + length + serialized + digest_field)
    assert not is_whole(RECORD + length[:-1] + longer_length(length[-1]) + serialized + digest_field)
    assert not is_whole(digest_field + RECORD + length + serialized)
    assert not is_whole(RECORD + length + serialized)
    assert not is_whole(data + UNKNOWN)
    assert not is_whole(data + digest_field)
    assert not is_whole(data[:-1] + bytes([data[-1] ^ 1]))
    assert not is_whole(to_json(record).encode())
    assert not is_whole(b"")
    assert not any(is_whole(data[:length]) for length in range(len(data)))


@pytest.mark.slow
@given(
    changes=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=3),
    more=st.binary(max_size=3),
    place=st.integers(0, 10_000),
)
def test_changed_bytes_are_whole_only_where_nothing_is_wrong(
    play_match: Callable[..., v1.MatchRecord], changes: list[tuple[int, int]], more: bytes, place: int
):
    """The digest is made anew, as whoever forges a record would do."""
    data = bytearray(play_match(deals=3).SerializeToString())
    for at, byte in changes:
        data[at % len(data)] = byte
    data[place % len(data) : place % len(data)] = more
    try:
        changed = file_of(bytes(data))
    except DecodeError:
        return
    if not is_whole(changed):
        try:
            record = from_file_bytes(changed)
        except RecordError:
            return
        assert verify(record) or to_file_bytes(record) != changed
