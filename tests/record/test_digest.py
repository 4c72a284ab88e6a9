import hashlib
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from support.digest_example import digest_example

from ordago import v1
from ordago.record import DIGEST_BYTES, FORMAT_VERSION, digest


def _kinds(message: Descriptor, seen: set[str]) -> Iterator[FieldDescriptor]:
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        yield field
        if field.message_type is not None:
            yield from _kinds(field.message_type, seen)


def _record(**fields) -> v1.MatchRecord:
    return v1.MatchRecord(format_version=FORMAT_VERSION, **fields)


# The example of docs/record-digest.md.
_EXAMPLE = digest_example()
_EXAMPLE_WRITTEN = """
    08 01
    12 02 c3a9
    3a 05
        0a 03 616e61
    3a 00
    42 00
    52 02 00ff
    6a 04
        12 02 03 00
"""
_PAGE = Path(__file__).parents[2] / "docs" / "record-digest.md"


def test_the_example_follows_from_the_description_by_hand():
    by_hand = b"ordago-record-digest-1\n" + bytes.fromhex(_EXAMPLE_WRITTEN)
    assert digest(_EXAMPLE) == hashlib.sha256(by_hand).digest()


def test_the_page_shows_the_example():
    page = _PAGE.read_text(encoding="utf-8")
    assert all(line.strip() in page for line in _EXAMPLE_WRITTEN.splitlines())
    assert digest(_EXAMPLE).hex() in page


def test_presence_counts_and_a_default_does_not():
    absent, present = _record(), _record(clock=v1.ClockTerms())
    written = _record(attempt=0, match_id="")
    assert digest(absent) != digest(present)
    assert digest(absent) == digest(written)
    nobody = _record(entries=[v1.RecordEntry(event=v1.Event(mittlere=v1.MittlereEvent()))])
    seat_0 = _record(entries=[v1.RecordEntry(event=v1.Event(mittlere=v1.MittlereEvent(seat=0)))])
    assert digest(nobody) != digest(seat_0)


def test_the_order_on_the_wire_and_unknown_fields_do_not_count():
    first, second = _record(match_id="one"), _record(attempt=7)
    one_way = v1.MatchRecord.FromString(first.SerializeToString() + second.SerializeToString())
    other_way = v1.MatchRecord.FromString(second.SerializeToString() + first.SerializeToString())
    unknown = v1.MatchRecord.FromString(one_way.SerializeToString() + b"\xfa\x3e\x01x")
    assert digest(one_way) == digest(other_way) == digest(unknown)
    assert unknown.ByteSize() > one_way.ByteSize()


def test_what_comes_again_is_taken_for_what_it_is_there():
    # The same bytes as an event and as an action, which does not know the field of the seat.
    content = v1.Event(mittlere=v1.MittlereEvent(kind=v1.MITTLERE_EVENT_KIND_CARD_PLAYED, seat=2)).SerializeToString()
    event, action = v1.Event.FromString(content), v1.Action.FromString(content)
    known = v1.Action.FromString(content)
    known.DiscardUnknownFields()
    of_events = [digest(_record(entries=[v1.RecordEntry(event=event)] * times)) for times in (1, 2, 1)]
    of_actions, of_known = (
        digest(_record(entries=[v1.RecordEntry(choice=v1.RecordedChoice(action=one))])) for one in (action, known)
    )
    assert of_events[0] == of_events[2] != of_events[1]
    assert of_actions == of_known
    assert action.ByteSize() > known.ByteSize()


def test_moving_content_between_fields_is_seen():
    records = [
        _record(match_id="ab", game=""),
        _record(match_id="a", game="b"),
        _record(match_id="", game="ab"),
        _record(commitment=b"ab"),
        _record(secret=b"ab"),
        _record(seats=[v1.RecordSeat(name="a"), v1.RecordSeat(name="b")]),
        _record(seats=[v1.RecordSeat(name="a", version="b")]),
        _record(seats=[v1.RecordSeat(name="b"), v1.RecordSeat(name="a")]),
        _record(seats=[v1.RecordSeat(), v1.RecordSeat()]),
        _record(seats=[v1.RecordSeat()]),
    ]
    digests = {digest(record) for record in records}
    assert len(digests) == len(records)
    assert all(len(value) == DIGEST_BYTES for value in digests)


def test_a_number_that_no_name_is_known_for_is_a_number_all_the_same():
    known, unknown = v1.Outcome(), v1.Outcome()
    known.MergeFromString(b"\x08\x01")
    unknown.MergeFromString(b"\x08\x63")
    assert digest(_record(outcome=known)) != digest(_record(outcome=unknown))


def test_records_have_only_fields_that_the_encoding_has_something_for():
    floating = {FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT}
    for field in _kinds(v1.MatchRecord.DESCRIPTOR, set()):
        assert field.cpp_type not in floating, field.full_name
        assert field.message_type is None or not field.message_type.GetOptions().map_entry, field.full_name
