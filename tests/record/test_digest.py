import hashlib
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from ordago import v1
from ordago.record import DIGEST_BYTES, digest


def _kinds(message: Descriptor, seen: set[str]) -> Iterator[FieldDescriptor]:
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        yield field
        if field.message_type is not None:
            yield from _kinds(field.message_type, seen)


# The example of docs/record-digest.md.
_EXAMPLE = v1.MatchRecord(
    format_version=1,
    match_id="é",
    seats=[v1.RecordSeat(name="ana"), v1.RecordSeat()],
    clock=v1.ClockTerms(),
    secret=b"\x00\xff",
    outcome=v1.Outcome(scores=[-2, 0]),
)
_EXAMPLE_ENCODED = """
    00000001 00000001 0000000000000001
    00000002 00000001 00000002 c3a9
    00000007 00000002 0000000f
        00000001 00000001 00000003 616e61
        00000000
    00000008 00000001 00000000
    0000000a 00000001 00000002 00ff
    0000000d 00000001 00000018
        00000002 00000002 fffffffffffffffe 0000000000000000
"""
_PAGE = Path(__file__).parents[2] / "docs" / "record-digest.md"


def test_the_example_follows_from_the_description_by_hand():
    by_hand = b"ordago-record-digest-1\n" + bytes.fromhex(_EXAMPLE_ENCODED)
    assert digest(_EXAMPLE) == hashlib.sha256(by_hand).digest()
    assert digest(v1.MatchRecord()) == hashlib.sha256(b"ordago-record-digest-1\n").digest()


def test_the_page_shows_the_example():
    page = _PAGE.read_text(encoding="utf-8")
    assert all(line.strip() in page for line in _EXAMPLE_ENCODED.splitlines())
    assert digest(_EXAMPLE).hex() in page


def test_presence_counts_and_a_default_does_not():
    absent, present = v1.MatchRecord(), v1.MatchRecord(clock=v1.ClockTerms())
    written = v1.MatchRecord(attempt=0, match_id="")
    assert digest(absent) != digest(present)
    assert digest(absent) == digest(written)
    nobody = v1.MatchRecord(entries=[v1.RecordEntry(event=v1.Event(mittlere=v1.MittlereEvent()))])
    seat_0 = v1.MatchRecord(entries=[v1.RecordEntry(event=v1.Event(mittlere=v1.MittlereEvent(seat=0)))])
    assert digest(nobody) != digest(seat_0)


def test_the_order_on_the_wire_and_unknown_fields_do_not_count():
    first, second = v1.MatchRecord(match_id="one"), v1.MatchRecord(attempt=7)
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
    of_events = [digest(v1.MatchRecord(entries=[v1.RecordEntry(event=event)] * times)) for times in (1, 2, 1)]
    of_actions, of_known = (
        digest(v1.MatchRecord(entries=[v1.RecordEntry(choice=v1.RecordedChoice(action=one))]))
        for one in (action, known)
    )
    assert of_events[0] == of_events[2] != of_events[1]
    assert of_actions == of_known
    assert action.ByteSize() > known.ByteSize()


def test_moving_content_between_fields_is_seen():
    records = [
        v1.MatchRecord(match_id="ab", game=""),
        v1.MatchRecord(match_id="a", game="b"),
        v1.MatchRecord(match_id="", game="ab"),
        v1.MatchRecord(commitment=b"ab"),
        v1.MatchRecord(secret=b"ab"),
        v1.MatchRecord(seats=[v1.RecordSeat(name="a"), v1.RecordSeat(name="b")]),
        v1.MatchRecord(seats=[v1.RecordSeat(name="a", version="b")]),
        v1.MatchRecord(seats=[v1.RecordSeat(name="b"), v1.RecordSeat(name="a")]),
        v1.MatchRecord(seats=[v1.RecordSeat(), v1.RecordSeat()]),
        v1.MatchRecord(seats=[v1.RecordSeat()]),
    ]
    digests = {digest(record) for record in records}
    assert len(digests) == len(records)
    assert all(len(value) == DIGEST_BYTES for value in digests)


def test_a_number_that_no_name_is_known_for_is_a_number_all_the_same():
    known, unknown = v1.Outcome(), v1.Outcome()
    known.MergeFromString(b"\x08\x01")
    unknown.MergeFromString(b"\x08\x63")
    assert digest(v1.MatchRecord(outcome=known)) != digest(v1.MatchRecord(outcome=unknown))


def test_records_have_only_fields_that_the_encoding_has_something_for():
    floating = {FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT}
    for field in _kinds(v1.MatchRecord.DESCRIPTOR, set()):
        assert field.cpp_type not in floating, field.full_name
        assert field.message_type is None or not field.message_type.GetOptions().map_entry, field.full_name
