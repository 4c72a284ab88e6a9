"""Messages as they stand in a dialogue: protobuf's text form, abbreviated, and what differs from one that came."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from google.protobuf import text_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

ANYTHING = "…"
_TOKEN = re.compile(
    r"""(?P<space>[\s,;]+|\#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<word>[A-Za-z_]\w*)|(?P<variable>\$\w+)"""
    r"""|(?P<number>-?\d+)|(?P<sign>[{}\[\]:…])"""
)
_LONGEST_SHOWN = 300


class NotationError(Exception):
    """What stands in the text cannot be read. It says why."""


@dataclass
class Shape:
    """How a message looks."""

    fields: list[tuple[str, "Value"]] = field(default_factory=list)
    complete: bool = True
    """Whether no other field is set."""


@dataclass(frozen=True)
class Variable:
    """What came is kept under this name when it comes first, and is the same whenever it comes again."""

    name: str


@dataclass(frozen=True)
class Word:
    """A name of an enum's value, or true or false."""

    text: str


Value: TypeAlias = "Shape | Variable | Word | str | int | list[Value]"


def read_body(text: str) -> tuple[str, Shape]:
    """Return the kind of a message, and how it looks."""
    tokens = _Tokens(text)
    kind = tokens.take("word")
    shape = tokens.shape() if tokens.next == "{" else Shape()
    tokens.end()
    return kind, shape


class _Tokens:
    """Words and signs, from the first to the last."""

    def __init__(self, text: str) -> None:
        self._left = list(_tokens(text))

    @property
    def next(self) -> str:
        return self._left[0][1] if self._left else ""

    def take(self, kind: str = "", text: str = "") -> str:
        """Take the next token, which has to be of a kind or to be a given one."""
        if not self._left:
            raise NotationError(f"the message is not complete: {text or 'a ' + kind} is missing at its end")
        found, token = self._left.pop(0)
        if (kind and found != kind) or (text and token != text):
            raise NotationError(f"{text or 'a ' + kind} was expected where {token} stands")
        return token

    def end(self) -> None:
        if self._left:
            raise NotationError(f"{self.next} stands behind the end of the message")

    def shape(self) -> Shape:
        shape = Shape()
        self.take(text="{")
        while self.next != "}":
            if self.next == ANYTHING:
                self.take()
                shape.complete = False
            else:
                name = self.take("word")
                if self.next == ":":
                    self.take()
                shape.fields.append((name, self.value()))
        self.take(text="}")
        return shape

    def value(self) -> Value:
        if self.next == "{":
            return self.shape()
        if self.next == "[":
            return self._list()
        kind, token = self._left.pop(0) if self._left else ("", "")
        match kind:
            case "text":
                return str(ast.literal_eval(token))
            case "number":
                return int(token)
            case "word":
                return Word(token)
            case "variable":
                return Variable(token)
        if token == ANYTHING:
            return Variable(ANYTHING)
        raise NotationError(f"a value was expected where {token or 'the end'} stands")

    def _list(self) -> list[Value]:
        self.take(text="[")
        values = []
        while self.next != "]":
            values.append(self.value())
        self.take(text="]")
        return values


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotationError(f"this cannot be read: {text[at : at + 20]!r}")
        at, kind = found.end(), str(found.lastgroup)
        if kind != "space":
            yield kind, found[0]


def differences(shape: Shape, message: Message, path: str, known: dict[str, object]) -> Iterator[str]:
    """Yield a sentence for each way in which a message is not as it stands in the text."""
    wanted: dict[str, list[Value]] = {}
    for name, value in shape.fields:
        wanted.setdefault(name, []).append(value)
    for name, values in wanted.items():
        yield from _at_field(_field(message.DESCRIPTOR, name, path), values, message, f"{path}.{name}", known)
    if shape.complete:
        for descriptor, value in message.ListFields():
            if descriptor.name not in wanted:
                yield f"{path}.{descriptor.name} is {shown(descriptor, value)}, which the text leaves out"


def _field(descriptor: Descriptor, name: str, path: str) -> FieldDescriptor:
    if name not in descriptor.fields_by_name:
        raise NotationError(f"{path} has no field {name!r}, but {', '.join(descriptor.fields_by_name)}")
    return descriptor.fields_by_name[name]


def _at_field(
    descriptor: FieldDescriptor, wanted: Sequence[Value], message: Message, path: str, known: dict[str, object]
) -> Iterator[str]:
    came = getattr(message, descriptor.name)
    if descriptor.is_repeated:
        yield from _at_list(descriptor, wanted, list(came), path, known)
    elif len(wanted) > 1:
        raise NotationError(f"{path} stands in the text more than once")
    elif descriptor.has_presence and not message.HasField(descriptor.name):
        yield f"{path} is not set"
    else:
        yield from _at_value(descriptor, wanted[0], came, path, known)


def _at_list(
    descriptor: FieldDescriptor, wanted: Sequence[Value], came: list[Any], path: str, known: dict[str, object]
) -> Iterator[str]:
    if wanted == [Variable(ANYTHING)]:
        if not came:
            yield f"{path} is empty"
        return
    values = [one for value in wanted for one in (value if isinstance(value, list) else [value])]
    has_more = bool(values) and values[-1] == Variable(ANYTHING)
    values = values[:-1] if has_more else values
    if len(came) < len(values) or (len(came) > len(values) and not has_more):
        yield f"{path} has {len(came)} entries, where the text has {len(values)}"
        return
    for number, (value, one) in enumerate(zip(values, came, strict=False)):
        yield from _at_value(descriptor, value, one, f"{path}[{number}]", known)


def _at_value(
    descriptor: FieldDescriptor, wanted: Value, came: Any, path: str, known: dict[str, object]
) -> Iterator[str]:
    if isinstance(wanted, Variable):
        if wanted.name == ANYTHING:
            if not came and not descriptor.has_presence:
                yield f"{path} is empty"
        elif known.setdefault(wanted.name, came) != came:
            yield f"{path} is {shown(descriptor, came)}, where {wanted.name} was {known[wanted.name]!r} before"
    elif isinstance(wanted, list):
        raise NotationError(f"{path} is no list")
    elif isinstance(wanted, Shape) != (descriptor.message_type is not None):
        kind = "no message" if isinstance(wanted, Shape) else "a message"
        raise NotationError(f"{path} is {kind}, where the text has {_said(wanted)}")
    elif isinstance(wanted, Shape):
        yield from differences(wanted, came, path, known)
    elif _plain(descriptor, wanted, path) != came:
        yield f"{path} is {shown(descriptor, came)}, where the text has {_said(wanted)}"


def _plain(descriptor: FieldDescriptor, wanted: Value, path: str) -> object:
    """Return a value of the text as protobuf has it."""
    if isinstance(wanted, Word) and descriptor.enum_type is not None:
        if wanted.text not in descriptor.enum_type.values_by_name:
            raise NotationError(f"{path} cannot be {wanted.text}")
        return descriptor.enum_type.values_by_name[wanted.text].number
    if isinstance(wanted, Word):
        return {"true": True, "false": False}.get(wanted.text, wanted.text)
    return wanted.encode("latin-1") if descriptor.type == descriptor.TYPE_BYTES and isinstance(wanted, str) else wanted


def _said(wanted: Value) -> str:
    """Return what stands in the text."""
    if isinstance(wanted, Shape):
        return "{…}"
    if isinstance(wanted, Word):
        return wanted.text
    return f'"{wanted}"' if isinstance(wanted, str) else str(wanted)


def shown(descriptor: FieldDescriptor, value: Any) -> str:
    """Return a value as the text could have it."""
    if descriptor.is_repeated:
        ones = ", ".join(_shown_one(descriptor, one) for one in value)
        return _short(f"[{ones}]")
    return _shown_one(descriptor, value)


def _shown_one(descriptor: FieldDescriptor, value: Any) -> str:
    if isinstance(value, Message):
        return _short("{" + text_format.MessageToString(value, as_one_line=True) + "}")
    if descriptor.enum_type is not None:
        named = descriptor.enum_type.values_by_number.get(value)
        return named.name if named else str(value)
    return f'"{value}"' if isinstance(value, str) else str(value)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + ANYTHING


def filled(text: str, known: Mapping[str, object]) -> str:
    """Return what is sent: names of what came before stand for it.

    Raises:
        NotationError: nothing of such a name came before.
    """

    def value(found: re.Match[str]) -> str:
        if found[0] not in known:
            raise NotationError(f"nothing called {found[0]} came before")
        return f'"{known[found[0]]}"'

    return re.sub(r"\$\w+", value, text)
