"""Values as serialized messages, without the messages: each field from what was made of the same value before.

Most fields of a view stay the same from one decision to the next, or are the same few again and again. What is made of
a field is kept by its value, and of fields that are no lists and stand side by side by their values together; cards and
members of enumerations, of which lists are new each time, are a byte each.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias, final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import IS_COMPILED
from ordago.cache import Cache
from ordago.wire.fields import headed, joined, list_heads, tag
from ordago.wire.mirror import Mirror

_Make: TypeAlias = Callable[[Any], bytes]  # only the games know the types of their values
_LONGEST: Final = 127
"""Hardly any list of cards, or of seats, is longer: the largest pack has fewer, but what a seat of Mus discarded in a
deal with very many exchanges has more."""
_OF_SEATS: Final = 5
"""The most seats that a game has: a list of one number for each of them is no longer."""
_IS_COMPILED: Final[bool] = IS_COMPILED
"""As a constant of this module. To call a function costs the sources as much as what it does."""
_AS_THEY_ARE: Final = frozenset({FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_INT32})
"""Numbers of these types stand on the wire as they are."""


@final
class _Part:
    """How one field of a value is serialized, or some that stand side by side.

    Attributes:
        first: where it begins in the value.
        end: where it ends there: the place behind it.
        heads: what a list of cards begins with, by its length, whose cards follow as bytes, up to ``_LONGEST``;
            ``None`` where it is none.
        grows: whether it is a list of messages, of which each element is serialized by itself.
        make: serializes what is no list of cards, or a longer one; it takes the content of one field, or a tuple of
            those of several.
        known: the same by its value, where it is kept as a whole; else ``None``.
    """

    __slots__ = ("end", "first", "grows", "heads", "known", "make")

    def __init__(
        self,
        first: int,
        make: _Make,
        *,
        fields: int = 1,
        heads: tuple[bytes, ...] | None = None,
        is_kept: bool = False,
        grows: bool = False,
    ) -> None:
        """Take the parts, as they are called above."""
        self.first: Final = first
        self.end: Final = first + fields
        self.heads: Final = heads
        self.grows: Final = grows
        self.make: Final = make
        self.known: Final[Cache[Any, bytes] | None] = Cache(make) if is_kept else None

    def of(self, values: tuple[Any, ...]) -> bytes:
        """Return the part of a value, serialized."""
        content = values[self.first] if self.end == self.first + 1 else values[self.first : self.end]
        known = self.known
        if known is not None:
            return known[content]
        if not content:
            return b""  # All others are lists, and most lists of an event are empty.
        heads = self.heads
        if heads is None or len(content) > _LONGEST:
            return self.make(content)
        return headed(heads[len(content)], content)

    def after(self, before: tuple[Any, ...], serialized: bytes, values: tuple[Any, ...]) -> bytes:
        """Return the part of a value, serialized after another one, where it is no list of cards and no more the same.

        Args:
            before: the value before.
            serialized: what its part was serialized to.
            values: the value.
        """
        if self.end == self.first + 1:
            content, former = values[self.first], before[self.first]
            if content == former:
                return serialized
            if self.grows and content[: len(former)] == former:
                return serialized + self.make(content[len(former) :])
        else:
            # Fields side by side are looked up as quickly as they are compared.
            content = values[self.first : self.end]
        known = self.known
        return self.make(content) if known is None else known[content]


@final
class Succession:
    """Serializes values that come one after the other, each much like the one before, as the views of a match are.

    What stayed the same is not even looked up, and of a list of messages that has grown only what is new.
    """

    __slots__ = ("_before", "_fields", "_parts")

    def __init__(self, parts: tuple[_Part, ...]) -> None:
        """Begin before the first value. Use ``Serializer``."""
        self._parts: Final = parts
        self._begin()

    def _begin(self) -> None:
        # An empty list is serialized to nothing, and all else differs from one.
        self._before: tuple[Any, ...] = ((),) * max([part.end for part in self._parts], default=0)
        self._fields: list[bytes] = [b""] * len(self._parts)

    def next(self, value: Any) -> bytes:  # noqa: ANN401 - of the type that the mirror turns
        """Return the next value, serialized."""
        values: tuple[Any, ...] = value
        before, fields = self._before, self._fields
        try:
            for number, part in enumerate(self._parts):
                place, end = part.first, part.end
                while place < end and values[place] is before[place]:
                    place += 1
                if place == end:
                    continue
                heads, content = part.heads, values[place]
                if heads is None:
                    fields[number] = part.after(before, fields[number], values)
                # Cards are serialized as quickly as they are compared, and here, since they are most of what changes.
                elif len(content) <= _LONGEST:
                    head = heads[len(content)]
                    fields[number] = headed(head, content) if _IS_COMPILED else head + bytes(content)
                else:
                    fields[number] = part.make(content)
        except Exception:
            # Some fields are those of the value that was refused.
            self._begin()
            raise
        self._before = values
        return joined(fields)


@final
class Serializer:
    """Serializes values, each as the message that a mirror makes of it."""

    __slots__ = ("_parts",)

    def __init__(self, mirror: Mirror[Any], message_type: type[Message]) -> None:
        """Find out what there is to serialize.

        Args:
            mirror: what turns the values.
            message_type: the type of its messages.
        """
        self._parts: Final = tuple(_parts(mirror, message_type))

    def serialized(self, value: Any) -> bytes:  # noqa: ANN401 - of the type that the mirror turns
        """Return a value, serialized."""
        values: tuple[Any, ...] = value
        return joined([part.of(values) for part in self._parts])

    def succession(self) -> Succession:
        """Return what serializes values that come one after the other."""
        return Succession(self._parts)


def _parts(mirror: Mirror[Any], message_type: type[Message]) -> Iterator[_Part]:
    """Go through the parts of a message in the order of its fields."""
    places = {name: place for place, name in enumerate(mirror.turned, start=mirror.first)}
    of_name = message_type.DESCRIPTOR.fields_by_name
    runs: list[list[str]] = []
    for name in sorted(places, key=lambda name: of_name[name].number):
        before = runs[-1][-1] if runs else name
        stands_beside = places[name] == places[before] + 1
        if stands_beside and not of_name[before].is_repeated and not of_name[name].is_repeated:
            runs[-1].append(name)
        else:
            runs.append([name])
    for run in runs:
        first = places[run[0]]
        if len(run) == 1:
            yield _single(run[0], first, mirror, message_type)
        else:
            yield _Part(first, _joint(run, mirror, message_type), fields=len(run), is_kept=True)


def _joint(names: Sequence[str], mirror: Mirror[Any], message_type: type[Message]) -> _Make:
    """Return what serializes singular fields that stand side by side."""

    def made(values: Any) -> bytes:  # noqa: ANN401 - as above
        parts: dict[str, Any] = {name: _turned(mirror, name, value) for name, value in zip(names, values, strict=True)}
        return message_type(**parts).SerializeToString()

    return made


def _turned(mirror: Mirror[Any], name: str, value: Any) -> Any:  # noqa: ANN401 - as above
    turn = mirror.turned[name]
    return value if turn is None else turn(value)


def _single(name: str, place: int, mirror: Mirror[Any], message_type: type[Message]) -> _Part:
    """Return how a list, or a field that stands alone, is serialized."""
    field = message_type.DESCRIPTOR.fields_by_name[name]
    joint, turn = _joint([name], mirror, message_type), mirror.turned[name]

    def made(content: Any) -> bytes:  # noqa: ANN401 - as above
        return joint((content,))

    if field.is_repeated and field.enum_type is not None:
        heads = list_heads(tag(message_type, name), _LONGEST)
        if turn is None:
            return _Part(place, made, heads=heads)
        return _Part(place, lambda members: heads[len(members)] + bytes(turn(members)))
    if field.is_repeated and field.type in _AS_THEY_ARE and turn is None:
        return _Part(place, _numbers(list_heads(tag(message_type, name), _LONGEST), made))
    if field.is_repeated and field.message_type is not None:
        return _Part(place, _joined(Cache(lambda element: made((element,)))), grows=True)
    return _Part(place, made, is_kept=True)


def _numbers(heads: tuple[bytes, ...], larger: _Make) -> _Make:
    """Return what serializes a list of numbers: of seats, or of one for each seat, as a rule.

    Args:
        heads: what the list begins with, by its length, where all of them are a byte each.
        larger: serializes it where one is not, or where it is longer.
    """

    def made(numbers: Any) -> bytes:  # noqa: ANN401 - as above
        try:
            serialized = bytes(numbers)
        except ValueError:
            return larger(numbers)
        is_short = serialized.isascii() and len(serialized) < len(heads)
        return heads[len(serialized)] + serialized if is_short else larger(numbers)

    # One for each seat are the same few again and again. Of lists that grow there are too many to know them all.
    known = Cache(made)
    return lambda numbers: known[numbers] if len(numbers) <= _OF_SEATS else made(numbers)


def _joined(kept: Cache[Any, bytes]) -> _Make:
    """Return what serializes a list that grows: each element by itself."""
    return lambda elements: b"".join([kept[element] for element in elements])
