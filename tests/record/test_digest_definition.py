"""Digests are made of what protobuf serializes; here word for word as docs/record-digest.md says it."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import v1
from ordago.game import Outcome, OutcomeReason, Shuffle
from ordago.record import FORMAT_VERSION, RecordBuilder, digest, read_record, to_file_bytes
from ordago.record.files import record_file
from ordago.wire.entries import event_entry

CORPUS = Path(__file__).parents[1] / "corpus"
UNKNOWN = (b"\xfa\x3e\x01x", b"\xf8\x3e\x05", b"\xf3\x3e\xf8\x3e\x01\xf4\x3e", b"\x0dabcd")
"""A field that no message has: as bytes, as a number, as a group; and the first one of each as four bytes."""


def defined(record: Message) -> bytes:
    """Return the digest of a record by its definition."""
    return hashlib.sha256(b"ordago-record-digest-1\n" + _message(record)).digest()


def _message(message: Message) -> bytes:
    return b"".join(_field(field, value) for field, value in message.ListFields())


def _field(field: FieldDescriptor, value) -> bytes:
    if field.type not in NUMBERS:
        contents = [_content(each) for each in (value if field.is_repeated else [value])]
    elif field.is_repeated:
        contents = [b"".join(_number(field, each) for each in value)]
    else:
        return _varint(field.number * 8) + _number(field, value)
    return b"".join(_varint(field.number * 8 + 2) + _varint(len(content)) + content for content in contents)


def _content(value) -> bytes:
    return _message(value) if isinstance(value, Message) else value.encode() if isinstance(value, str) else value


def _number(field: FieldDescriptor, value: int) -> bytes:
    if field.type in ZIGZAG:
        return _varint(2 * value if value >= 0 else -2 * value - 1)
    return _varint(int(value) % (1 << 64))


def _varint(number: int) -> bytes:
    *firsts, last = [number >> shift & 0x7F for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(first | 0x80 for first in firsts), last])


ZIGZAG = (FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64)
NUMBERS = (
    *ZIGZAG,
    *(FieldDescriptor.TYPE_BOOL, FieldDescriptor.TYPE_ENUM, FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64),
    *(FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_UINT64),
)
RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}
TEXTS = ("", "a", "é 10♥", "x" * 200)


def fill(message: Message, rng: Random, *, depth: int = 5, more: Callable[[Message], None] = lambda _: None) -> None:
    """Fill in some fields of a message by chance, with what is hard to write right, and those of messages in it."""
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.5:
            continue
        times = rng.choice((1, 1, 2, 130)) if field.is_repeated and field.message_type is None else rng.randint(1, 2)
        for _ in range(times if field.is_repeated else 1):
            _fill_once(message, field, rng, depth=depth, more=more)
    more(message)


def _fill_once(message: Message, field: FieldDescriptor, rng: Random, *, depth: int, more) -> None:
    if field.message_type is not None:
        if depth:
            part = getattr(message, field.name)
            fill(part.add() if field.is_repeated else part, rng, depth=depth - 1, more=more)
            if not field.is_repeated:
                part.SetInParent()
        return
    value = _any_value(field, rng)
    if field.is_repeated:
        getattr(message, field.name).append(value)
    else:
        setattr(message, field.name, value)


def _any_value(field: FieldDescriptor, rng: Random):
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        text = rng.choice(TEXTS)
        return text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
    low, high = RANGES[field.cpp_type]
    return rng.choice([0, 1, 127, 128, 300, low, high, max(low, -1), rng.randint(low, high)])


@pytest.mark.slow
def test_records_have_the_digest_of_the_definition():
    paths = sorted(CORPUS.rglob("*.record"))
    assert len(paths) > 14
    assert not [path for path in paths if not has_the_defined_digest(read_record(path.read_bytes()))]


def has_the_defined_digest(record: v1.MatchRecord) -> bool:
    record.format_version = FORMAT_VERSION
    return digest(record) == defined(record)


def test_whatever_a_record_holds_its_digest_is_that_of_the_definition():
    for seed in range(60):
        record = v1.MatchRecord()
        fill(record, Random(seed))
        assert has_the_defined_digest(record), seed
        assert v1.RecordFile.FromString(to_file_bytes(record)) == record_file(record), seed
        assert to_file_bytes(record) == record_file(record).SerializeToString(deterministic=True), seed


@pytest.mark.parametrize("seed", range(20))
def test_what_is_unknown_does_not_count_wherever_it_stands(seed):
    rng, record = Random(seed), v1.MatchRecord()

    def add_unknown(message: Message) -> None:
        if rng.random() < 0.3:
            message.MergeFromString(rng.choice(UNKNOWN))

    fill(record, Random(seed), more=add_unknown)
    record.format_version = FORMAT_VERSION
    record.MergeFromString(rng.choice(UNKNOWN))
    known = v1.MatchRecord.FromString(record.SerializeToString())
    known.DiscardUnknownFields()
    assert known.ByteSize() < record.ByteSize()
    assert digest(record) == digest(known) == defined(known) == defined(record)


@pytest.mark.parametrize("seed", range(60))
def test_a_record_that_was_just_made_has_the_digest_of_the_definition(seed):
    """It is that of its bytes, so nothing unknown may be in these, though it is in messages that they are made of."""
    rng, heading = Random(seed), v1.MatchRecord()
    unknown = UNKNOWN if seed % 2 else (b"",)

    def filled(message: Message) -> Message:
        fill(message, rng, more=lambda part: part.MergeFromString(rng.choice((b"", *unknown))))
        return message

    filled(heading)
    heading.format_version = FORMAT_VERSION
    heading.ClearField("entries")
    heading.ClearField("outcome")
    builder = RecordBuilder(heading)
    for _ in range(rng.randint(0, 8)):
        match rng.randrange(6):
            case 0:
                builder.shuffled(Shuffle(rng.randrange(300), rng.randrange(3), (1, 2, 3)), (3, 1, 2))
            case 1:
                builder.happened(filled(v1.Event()))
            case 2:
                event = v1.Event()
                fill(event, rng)
                builder.add(event_entry(event.SerializeToString(deterministic=True)))
            case 3:
                builder.forfeited(filled(v1.Forfeit()))
            case 4:
                builder.recall(filled(v1.RecordedChoice()))
            case _:
                some = {name: rng.choice((0, 1, 300)) for name in ("charged_ms", "lag_ms", "lost_ms", "away_ms")}
                rules, fault = ("a", "é") * rng.randrange(2), rng.choice((v1.FAULT_UNSPECIFIED, v1.FAULT_TOO_LATE))
                action = v1.Action()
                fill(action, rng)
                done = action.SerializeToString(deterministic=True)
                builder.chosen(rng.randrange(4), done, broken_rules=rules, fault=fault, **some)
    finished = builder.finish(Outcome(OutcomeReason.DEALS_PLAYED, (-1, 1), (2, 1)))
    record = v1.MatchRecord.FromString(finished.serialized)
    assert finished.digest == defined(record) == digest(record)
    record.DiscardUnknownFields()
    assert record.ByteSize() == len(finished.serialized)
