"""Records as files, binary or JSON. Both carry the digest, so that a file that was changed is noticed."""

from typing import Final

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from ordago import v1
from ordago.games import game_names
from ordago.record.digest import digest
from ordago.record.finished import FinishedRecord
from ordago.wire.fields import delimited, tag

_RECORD: Final = tag(v1.RecordFile, "record")
_DIGEST: Final = tag(v1.RecordFile, "digest")
_JSON_BEGINS: Final = b"{"


class RecordError(ValueError):
    """A file is not an intact record: it is damaged, was changed, or is something else."""


def record_file(record: v1.MatchRecord) -> v1.RecordFile:
    """Return a record with its digest. It shares nothing with the record."""
    return v1.RecordFile(record=record, digest=digest(record))


def to_file_bytes(record: v1.MatchRecord) -> bytes:
    """Return a record as a binary file."""
    return finished_file(FinishedRecord.of(record))


def finished_file(record: FinishedRecord) -> bytes:
    """Return a record that was just played as a binary file."""
    return delimited(_RECORD, record.serialized) + delimited(_DIGEST, record.digest)


def from_file_bytes(data: bytes) -> v1.MatchRecord:
    """Return the record of a binary file. Every change of the file is noticed.

    Raises:
        RecordError: the file is no record, or it was changed, or it holds more than this version knows.
    """
    try:
        file = v1.RecordFile.FromString(data)
    except DecodeError:
        raise RecordError("This is not a record: it is damaged, or a file of another kind.") from None
    file.DiscardUnknownFields()
    record = _checked(file)
    # The digest depends neither on unknown fields nor on how many bytes encode a known one.
    again = file.SerializeToString(deterministic=True)
    if len(again) != len(data):
        raise RecordError(
            f"The file has {len(data)} bytes, but its record only {len(again)}: "
            "something was added, or a newer version of Ordago wrote it."
        )
    # A field in a shorter encoding than it should have would leave room for hidden bytes.
    if again != data:
        raise RecordError("It is not encoded as records are: the file may contain hidden data.")
    return record


def to_json(record: v1.MatchRecord) -> str:
    """Return a record as a JSON file, with the names of the contract.

    Raises:
        RecordError: it holds messages of a game from elsewhere that is not installed.
    """
    game_names()  # JSON of an Any needs the messages of its game, which come with it.
    try:
        return json_format.MessageToJson(record_file(record), preserving_proto_field_name=True, ensure_ascii=False)
    except (TypeError, DecodeError):
        raise RecordError(
            "The record contains messages of a game that is not installed, so it cannot be shown as JSON."
        ) from None


def from_json(text: str) -> v1.MatchRecord:
    """Return the record of a JSON file. Every change of its content is detected; layout is free.

    Raises:
        RecordError: the file is no record, or it was changed, or it holds more than this version knows.
    """
    game_names()  # as above
    try:
        file = json_format.Parse(text, v1.RecordFile())
    except (json_format.ParseError, ValueError, RecursionError) as error:
        raise RecordError(f"This is not a record in JSON: {_first_line(error)}") from None
    return _checked(file)


def read_record(data: bytes) -> v1.MatchRecord:
    """Return the record of a file, JSON where it begins with a brace and binary where it does not.

    Raises:
        RecordError: the file is no record, or it was changed, or it holds more than this version knows.
    """
    # No binary record begins with a brace: it would be a field of a kind that the contract does not have.
    if not data.startswith(_JSON_BEGINS):
        return from_file_bytes(data)
    try:
        return from_json(data.decode())
    except UnicodeDecodeError:
        raise RecordError("This is not a record in JSON: it is not UTF-8.") from None


def _checked(file: v1.RecordFile) -> v1.MatchRecord:
    if not file.HasField("record") or not file.digest:
        raise RecordError("This is not a record: it needs a record and its digest.")
    if file.digest != digest(file.record):
        raise RecordError("The record was changed after it was written: its digest does not match.")
    return file.record


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
