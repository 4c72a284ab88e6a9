"""Messages in protobuf's JSON form, as cases contain them, and in short form, as reports show them."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from google.protobuf import json_format, text_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.names import visible
from ordago.wire.fields import delimited, varint
from ordago.wire.slots import unpacked
from ordago_doctor.findings import ProblemError

Json: TypeAlias = Any
"""A part of a message in protobuf's JSON form."""
WrittenMessage: TypeAlias = dict[str, Json]
"""A message in protobuf's JSON form."""
Fill: TypeAlias = Callable[[str], Json]
"""A function that returns the value of a placeholder, given its name without the dollar sign."""

_PLACEHOLDER: Final = "$"
_LIKE: Final = "$like"
_UNKNOWN: Final = "$unknown"
_TYPE_OF_ANY: Final = "@type"
_HANDLE: Final = "match_handle"
_LENGTH_DELIMITED: Final = 2
"""The wire type of protobuf for bytes."""
NEWS: Final = b"from a newer server"
"""The content of the unknown field."""
_LONGEST: Final = 200
"""The most characters of a message that a report shows."""


class WrittenError(ValueError):
    """A case contains an invalid message or an unknown name. Its author erred."""


def objects(text: str) -> Iterator[WrittenMessage]:
    """Yield the JSON objects of a text, one after the other.

    Raises:
        WrittenError: the text is not JSON, or contains anything other than objects.
    """
    decoder, at = json.JSONDecoder(), 0
    while rest := text[at:].lstrip():
        try:
            found, used = decoder.raw_decode(rest)
        except json.JSONDecodeError as error:
            raise WrittenError(f"this is no JSON ({error.msg}): {rest[:60]!r}") from None
        if not isinstance(found, dict):
            raise WrittenError(f"a message is a JSON object, not {rest[:used]!r}")
        yield found
        at = len(text) - len(rest) + used


def filled(value: Json, fill: Fill) -> Json:
    """Return a message with all placeholders filled in.

    A list of a message that is like another is cut to the length that it has there: no game has a player too many.

    Raises:
        WrittenError: a placeholder is unknown.
    """
    if isinstance(value, str) and value.startswith(_PLACEHOLDER):
        return fill(value.removeprefix(_PLACEHOLDER))
    if isinstance(value, list):
        return [filled(part, fill) for part in value]
    if not isinstance(value, dict):
        return value
    base = fill(value[_LIKE]) if _LIKE in value else {}
    own = {key: filled(part, fill) for key, part in value.items() if key != _LIKE}
    return {**base, **{key: _cut(part, base.get(key)) for key, part in own.items()}}


def _cut(part: Json, like: Json) -> Json:
    return part[: len(like)] if isinstance(part, list) and isinstance(like, list) else part


def renumbered(value: Json, offset: int) -> Json:
    """Shift the match handles of a message, which count from 1 in each case, to those of the whole session."""
    if isinstance(value, list):
        return [renumbered(part, offset) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: part + offset if key == _HANDLE and isinstance(part, int) else renumbered(part, offset)
        for key, part in value.items()
    }


def frame_of(messages: list[WrittenMessage]) -> bytes:
    """Serialize messages as a frame of the server.

    Raises:
        WrittenError: one of them is invalid.
    """
    return v1.PlayResponse(messages=[message_of(message) for message in messages]).SerializeToString()


def message_of(written: WrittenMessage) -> v1.ServerMessage:
    """Parse a message. The value of ``$unknown`` is the number of a field to add, one that no client knows.

    Raises:
        WrittenError: there is no such message.
    """
    message = v1.ServerMessage()
    try:
        json_format.ParseDict(_known(written), message)
    except json_format.ParseError as error:
        raise WrittenError(f"this is no message of a server: {error}") from None
    _add_unknown(written, message)
    return message


def written_message(message: Message) -> WrittenMessage:
    """Convert a message to protobuf's JSON form, including fields with default values.

    Raises:
        ProblemError: it contains the message of an unknown game.
    """
    try:
        written: WrittenMessage = json_format.MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    except (TypeError, DecodeError) as error:
        raise ProblemError(f"it sent a message of an unknown game: {visible(str(error))}") from None
    return written


def unlike(pattern: Json, value: Json, path: str = "") -> str:
    """Return the first difference from a pattern, or an empty text if there is none.

    Fields that the pattern does not name may have any value. A field that is ``null`` in the pattern must be absent.
    """
    if pattern == "$any":
        return "" if value not in (None, "", []) else f"{path} is missing"
    if not isinstance(pattern, dict) or not isinstance(value, dict):
        return "" if pattern == value else f"{path} is {_brief(value)}, not {_brief(pattern)}"
    for key, part in pattern.items():
        within = f"{path}.{key}".lstrip(".")
        if part is None and value.get(key) in (None, "", []):
            continue
        if key not in value:
            return f"there is no {within}" if not path else f"{within} is missing"
        if part is None:
            return f"{within} is {_brief(value[key])}, and should be absent"
        if difference := unlike(part, value[key], within):
            return difference
    return ""


def short(message: v1.BotMessage | v1.ServerMessage) -> str:
    """Return a message in one line that is safe in a terminal."""
    kind = message.WhichOneof("body")
    if kind is None:
        return "a message of an unknown kind"
    body = getattr(message, kind)
    return f"{kind} {{{_summary(body) or brief(body)}}}"


def _summary(body: Message) -> str:
    if isinstance(body, v1.Decision):
        of = f"match {body.match_handle}, number {body.number}, seat {body.seat}"
        return f"{of}, {len(body.actions)} legal actions, {body.clock.decision_ms} ms"
    if isinstance(body, v1.MatchStart):
        return f"match {body.match_handle}, game {visible(body.game)}, last_decision {body.last_decision}"
    if isinstance(body, v1.Welcome):
        return f"session {visible(body.session_id)}{', resumed' if body.resumed else ''}"
    if isinstance(body, v1.Hello):
        return _hello_summary(body)
    if isinstance(body, v1.MatchEnd):
        return f"match {body.match_handle}{'' if body.HasField('outcome') else ', void'}"
    return ""


def _hello_summary(hello: v1.Hello) -> str:
    games = f", games {' '.join(map(visible, hello.games))}" if hello.games else ""
    nonce = f", a nonce of {len(hello.nonce)} bytes"
    if not hello.HasField("resume"):
        return f"{visible(hello.bot.name)}{games}{nonce}, no resume"
    known = ", ".join(f"match {known.match_handle} decision {known.last_decision}" for known in hello.resume.matches)
    return f"{visible(hello.bot.name)}{games}{nonce}, resume of {visible(hello.resume.session_id)} ({known})"[:_LONGEST]


def brief(body: Message) -> str:
    """Return the content of a message in one line, shortened and safe in a terminal."""
    try:
        text = visible(text_format.MessageToString(body, as_one_line=True)).strip()
    except DecodeError as error:
        text = f"an unreadable message: {visible(str(error))}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _brief(value: Json) -> str:
    text = visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _known(value: Json) -> Json:
    if isinstance(value, list):
        return [_known(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    return {key: _known(part) for key, part in value.items() if key != _UNKNOWN}


def _add_unknown(value: Json, message: Json) -> None:
    if isinstance(value, list):
        for part, inner in zip(value, message, strict=True):
            _add_unknown(part, inner)
    elif isinstance(message, AnyMessage):
        packed = unpacked(message)
        assert packed is not None, "it was packed here, by what stands in a case"
        _add_unknown({key: part for key, part in value.items() if key != _TYPE_OF_ANY}, packed)
        message.Pack(packed)
    elif isinstance(value, Mapping):
        if _UNKNOWN in value:
            message.MergeFromString(_unknown_field(value[_UNKNOWN]))
        for key, part in value.items():
            if isinstance(part, (dict, list)):
                _add_unknown(part, getattr(message, key))


def _unknown_field(number: object) -> bytes:
    if not isinstance(number, int) or not 0 < number < 1 << 29:
        raise WrittenError(f"{_UNKNOWN} is followed by the number of a field, not by {number!r}")
    return delimited(varint(number << 3 | _LENGTH_DELIMITED), NEWS)
