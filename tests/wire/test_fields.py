"""Fields that are put together by hand are those that protobuf writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordago import v1
from ordago.wire import fields

# Around the lengths at which numbers take another byte.
NUMBERS = [1, 127, 128, 16_383, 16_384, 2**21, 2**32 - 1]


@pytest.mark.parametrize("number", [0, *NUMBERS])
def test_numbers(number: int) -> None:
    written = fields.number(fields.tag(v1.Decision, "first_event"), number)
    assert written == v1.Decision(first_event=number).SerializeToString()


@pytest.mark.parametrize("number", [0, 2047, 2048, *NUMBERS])
def test_a_number_that_is_written_often(number: int) -> None:
    often = fields.numbers(fields.tag(v1.Decision, "first_event"))
    assert often[number] == v1.Decision(first_event=number).SerializeToString()


def test_nothing_is_written_for_what_is_no_number() -> None:
    often = fields.numbers(fields.tag(v1.Decision, "first_event"))
    for write in (fields.varint, often.__getitem__):
        with pytest.raises(ValueError, match="range"):
            write(-1)


@given(st.integers(0, 2**32 - 1))
def test_numbers_of_all_lengths(number: int) -> None:
    assert fields.number(fields.tag(v1.Decision, "number"), number) == v1.Decision(number=number).SerializeToString()


@pytest.mark.parametrize("length", [1, 127, 128, 1023, 1024, 20_000])
def test_texts_and_bytes(length: int) -> None:
    text = "x" * length
    written = fields.delimited(fields.tag(v1.MatchRecord, "deal_seed"), text.encode())
    assert written == v1.MatchRecord(deal_seed=text).SerializeToString()
    written = fields.delimited(fields.tag(v1.MatchRecord, "secret"), text.encode())
    assert written == v1.MatchRecord(secret=text.encode()).SerializeToString()


def test_messages() -> None:
    view = v1.View(mittlere=v1.MittlereView(deal=3))
    written = fields.delimited(fields.tag(v1.Decision, "view"), view.SerializeToString())
    assert written == v1.Decision(view=view).SerializeToString()


@given(st.lists(st.integers(0, 127), max_size=300))
def test_lists_of_cards(cards: list[int]) -> None:
    written = fields.headed(fields.list_heads(fields.tag(v1.MittlereView, "played"), 300)[len(cards)], tuple(cards))
    assert written == v1.MittlereView(played=cards).SerializeToString()  # type: ignore[arg-type]  # cards are codes


@given(st.lists(st.binary(max_size=2_000), max_size=40))
def test_fields_one_behind_the_other(parts: list[bytes]) -> None:
    assert fields.joined(parts) == b"".join(parts)


def test_nothing_stays_of_a_list_that_was_refused() -> None:
    with pytest.raises((ValueError, OverflowError)):
        fields.headed(b"head", (1, 2, 300))
    assert fields.headed(b"h", (3,)) == b"h\x03"
    assert fields.joined([b"a", b"", b"bc"]) == b"abc"


def test_a_field_that_is_written_often() -> None:
    choice, entries = fields.tag(v1.RecordEntry, "choice"), fields.tag(v1.MatchRecord, "entries")
    for length in (*range(300), 20_000):
        content = bytes(length)
        alone = fields.delimited(choice, content)
        assert fields.Field(choice).of(content) == alone
        assert fields.Field(choice, within=entries).of(content) == fields.delimited(entries, alone)


def test_an_enum_is_a_number() -> None:
    written = fields.number(fields.tag(v1.Accepted, "fault"), v1.FAULT_TOO_LATE)
    assert written == v1.Accepted(fault=v1.FAULT_TOO_LATE).SerializeToString()


@pytest.mark.parametrize("number", [0, *NUMBERS, 2**64 - 1])
def test_numbers_are_read_as_they_are_written(number: int) -> None:
    assert fields.read_varint(b"x" + fields.varint(number) + b"\xff", 1) == (number, 1 + len(fields.varint(number)))


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff" * 9, b"\xff" * 10 + b"\x01", b"\xff" * 1_000_000])
def test_a_number_that_does_not_end_costs_no_time(data: bytes) -> None:
    """Where it went on for a megabyte, to read it took half a minute."""
    with pytest.raises(IndexError):
        fields.read_varint(data, 0)
