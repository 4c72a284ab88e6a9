"""Requests to services, built from the query parameters of an address."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago.names import quoted

RequestT = TypeVar("RequestT", bound=Message)
Value: TypeAlias = str | bool | int
"""The types that fields of these requests have."""

MOST_CHARACTERS: Final = 512
"""The longest text of a field: names have at most 64 characters, and page tokens are short."""
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
            raise ParameterError(f"There is no parameter {quoted(name)} here. There are: {there}.")
        if fields[name].name in values:
            raise ParameterError(f"The parameter {name} is given twice.")
        values[fields[name].name] = _value(name, fields[name].type, text)
    return kind(**values)


def _value(name: str, kind: int, text: str) -> Value:
    """Parse the value of a field."""
    if len(text) > MOST_CHARACTERS:
        raise ParameterError(f"The parameter {name} has at most {MOST_CHARACTERS} characters.")
    return _READS[kind](name, text)


def _text(name: str, text: str) -> str:
    if not text.isprintable():
        raise ParameterError(f"The parameter {name} contains invisible characters: {quoted(text)}.")
    return text


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ParameterError(f"The parameter {name} is true or false, and not {quoted(text)}.")
    return text == "true"


def _number(name: str, text: str) -> int:
    # int() would also accept signs, spaces, underscores and the digits of all scripts.
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) <= _HIGHEST:
        return int(text)
    raise ParameterError(f"The parameter {name} is a whole number from 0 to {_HIGHEST}, and not {quoted(text)}.")


_READS: Final[dict[int, Callable[[str, str], Value]]] = {
    FieldDescriptor.TYPE_STRING: _text,
    FieldDescriptor.TYPE_BOOL: _truth,
    FieldDescriptor.TYPE_UINT32: _number,
}
"""The parsers of values, by the types of fields."""
