"""Records that were published with the digest of format 1 are read for ever."""

import hashlib
from pathlib import Path

import pytest
from support.digest_example import digest_example

from ordago import v1
from ordago.record import RecordError, digest, read_record, record_file
from ordago.wire.fields import delimited, tag

CORPUS = Path(__file__).parents[1] / "corpus"
EXAMPLE = digest_example(format_version=1)
ENCODED = """
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


def test_the_example_follows_from_the_description_by_hand():
    by_hand = b"ordago-record-digest-1\n" + bytes.fromhex(ENCODED)
    assert digest(EXAMPLE) == hashlib.sha256(by_hand).digest()
    assert digest(EXAMPLE).hex() == "7a74dcc0f335926c5cb0ab1f964a508322ba1f41f9ac575e0dde58bd016d7b90"
    assert digest(v1.MatchRecord()) == hashlib.sha256(b"ordago-record-digest-1\n").digest()


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.record")), ids=lambda path: path.stem)
def test_what_was_published_has_the_digest_that_it_was_published_with(path: Path):
    published = v1.RecordFile.FromString(path.read_bytes())
    record = read_record(path.read_bytes())
    assert digest(record) == published.digest
    assert record_file(record) == published


def test_the_version_of_the_format_says_which_digest_a_record_has():
    """So nobody can give a record the digest of another format without changing the record."""
    assert digest(digest_example(format_version=2)) != digest(EXAMPLE)


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_with_the_digest_of_the_other_format_is_refused(version: int):
    record, other = digest_example(format_version=version), digest_example(format_version=3 - version)
    written = record.SerializeToString(deterministic=True)
    name = b"ordago-record-digest-2\n" if version == 1 else b"ordago-record-digest-1\n"
    forged = (hashlib.sha256(name + written).digest(), digest(other))
    for found in forged:
        file = delimited(tag(v1.RecordFile, "record"), written) + delimited(tag(v1.RecordFile, "digest"), found)
        with pytest.raises(RecordError, match="digest does not fit"):
            read_record(file)


def test_unknown_fields_do_not_count():
    unknown = v1.MatchRecord.FromString(EXAMPLE.SerializeToString() + b"\xfa\x3e\x01x")
    assert unknown.ByteSize() > EXAMPLE.ByteSize()
    assert digest(unknown) == digest(EXAMPLE)
