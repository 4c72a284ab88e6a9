"""Requests to services, built from the query parameters of an address."""

import re
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago.names import quoted
from ordago.scene import english

RequestT = TypeVar("RequestT", bound=Message)
Value: TypeAlias = str | bool | int
"""The types that fields of these requests have."""

MOST_CHARACTERS: Final = 512
"""The longest text of a field: names have at most 64 characters, and page tokens are short."""
TEXT_PATTERN: Final = (
    r"^[^\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff]*$"
)
"""The texts without characters that are invisible or reverse a line, as ECMAScript and Python both read it."""
PAGE_PATTERN: Final = r"^([0-9a-f]{24})?$"
"""The page tokens of all lists."""
PAGE_PARAMETER: Final = "pageToken"
"""The parameter that takes one, in all calls."""
_TEXT: Final = re.compile(TEXT_PATTERN)
_PAGE: Final = re.compile(PAGE_PATTERN)
_HIGHEST: Final = 2**32 - 1
"""The largest value of a uint32."""
_DIGITS: Final = len(str(_HIGHEST))


class ParameterError(Exception):
    """An unknown or repeated parameter, or one with a bad value. The message says what is right."""


def request_of(kind: type[RequestT], parameters: Iterable[tuple[str, str]]) -> RequestT:
    """Build a request from parameters: the names of its fields in JSON, and their values.

    Raises:
        ParameterError: a parameter is unknown, given twice, or has a bad value.
    """
    fields = {field.json_name: field for field in kind.DESCRIPTOR.fields}
    values: dict[str, Value] = {}
    for name, text in parameters:
        if name not in fields:
            there = ", ".join(fields) or "none"
            raise ParameterError(
                english("There is no parameter {name} here. There are: {names}.", name=quoted(name), names=there)
            )
        if fields[name].name in values:
            raise ParameterError(english("The parameter {name} is given twice.", name=name))
        values[fields[name].name] = _value(name, fields[name].type, text)
    return kind(**values)


def _value(name: str, kind: int, text: str) -> Value:
    """Parse the value of a field."""
    if len(text) > MOST_CHARACTERS:
        raise ParameterError(
            english("The parameter {name} has at most {most} characters.", name=name, most=MOST_CHARACTERS)
        )
    return _READS[kind](name, text)


def _text(name: str, text: str) -> str:
    if name == PAGE_PARAMETER and not _PAGE.fullmatch(text):
        raise ParameterError(english("The page token is not one of a list: begin with the first page."))
    if not _TEXT.fullmatch(text):
        raise ParameterError(
            english("The parameter {name} contains invisible characters: {text}.", name=name, text=quoted(text))
        )
    return text


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ParameterError(
            english("The parameter {name} is true or false, and not {text}.", name=name, text=quoted(text))
        )
    return text == "true"


def _number(name: str, text: str) -> int:
    # int() would also accept signs, spaces, underscores and the digits of all scripts.
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) <= _HIGHEST:
        return int(text)
    raise ParameterError(
        english(
            "The parameter {name} is a whole number from 0 to {most}, and not {text}.",
            name=name,
            most=_HIGHEST,
            text=quoted(text),
        )
    )


_READS: Final[dict[int, Callable[[str, str], Value]]] = {
    FieldDescriptor.TYPE_STRING: _text,
    FieldDescriptor.TYPE_BOOL: _truth,
    FieldDescriptor.TYPE_UINT32: _number,
}
"""The parsers of values, by the types of fields."""
