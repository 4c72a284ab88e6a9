"""Serialize values without making their messages: fields with the same value as before are reused.

Most fields of a view stay the same from one decision to the next, or recur. The bytes of a field are cached by its
value; adjacent fields that are no lists are cached together. Lists of cards and of members of enumerations are new
each time, but take one byte for each element.
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
"""The longest list with a prepared head. Hardly any list of cards or seats is longer: the largest pack has fewer cards,
but a seat of Mus may discard more in a deal with very many exchanges.
"""
_OF_SEATS: Final = 5
"""The most seats that a game has, and so the length of a list with one number for each seat."""
_IS_COMPILED: Final[bool] = IS_COMPILED
"""A constant of this module, since a function call costs the interpreted code as much as the function's own work."""
_AS_THEY_ARE: Final = frozenset({FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_INT32})
"""The types of numbers that are not converted for the wire."""


@final
class _Part:
    """The serialization of one field of a value, or of several adjacent ones.

    Attributes:
        first: the position of its first field in the value.
        end: the position after its last field.
        heads: for a list of cards, the bytes before the cards, by the length of the list, up to ``_LONGEST``; ``None``
            for anything else.
        grows: True for a list of messages, of which each element is serialized by itself.
        make: serializes anything but a list of cards, or a longer one; it takes the content of one field, or a tuple
            of the contents of several.
        known: the results of ``make`` by value, where they are cached; else ``None``.
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
        """Take the values that are described above."""
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
        """Return the part of a value, given the value before it. Not for lists of cards, nor where nothing has changed.

        Args:
            before: the value before.
            serialized: the serialized part of the value before.
            values: the value.
        """
        if self.end == self.first + 1:
            content, former = values[self.first], before[self.first]
            if content == former:
                return serialized
            if self.grows and content[: len(former)] == former:
                return serialized + self.make(content[len(former) :])
        else:
            # Adjacent fields are looked up as fast as they are compared.
            content = values[self.first : self.end]
        known = self.known
        return self.make(content) if known is None else known[content]


@final
class Succession:
    """Serializes consecutive values, each much like the one before, such as the views of a match.

    Unchanged fields are not even looked up; of a list of messages that has grown only the new ones are serialized.
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
                # Lists of cards are serialized as fast as they are compared, inline since most changes are in them.
                elif len(content) <= _LONGEST:
                    head = heads[len(content)]
                    fields[number] = headed(head, content) if _IS_COMPILED else head + bytes(content)
                else:
                    fields[number] = part.make(content)
        except Exception:
            # Some fields belong to the value that was refused, so nothing may be reused.
            self._begin()
            raise
        self._before = values
        return joined(fields)


@final
class Serializer:
    """Serializes values, each as the message that a mirror makes of it."""

    __slots__ = ("_parts",)

    def __init__(self, mirror: Mirror[Any], message_type: type[Message]) -> None:
        """Prepare the serialization.

        Args:
            mirror: the conversion of the values.
            message_type: the type of its messages.
        """
        self._parts: Final = tuple(_parts(mirror, message_type))

    def serialized(self, value: Any) -> bytes:  # noqa: ANN401 - of the type that the mirror turns
        """Return a value, serialized."""
        values: tuple[Any, ...] = value
        return joined([part.of(values) for part in self._parts])

    def succession(self) -> Succession:
        """Return a serializer for consecutive values."""
        return Succession(self._parts)


def _parts(mirror: Mirror[Any], message_type: type[Message]) -> Iterator[_Part]:
    """Yield the parts of a message in the order of its fields."""
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
    """Return a function that serializes adjacent singular fields."""

    def made(values: Any) -> bytes:  # noqa: ANN401 - as above
        parts: dict[str, Any] = {name: _turned(mirror, name, value) for name, value in zip(names, values, strict=True)}
        return message_type(**parts).SerializeToString()

    return made


def _turned(mirror: Mirror[Any], name: str, value: Any) -> Any:  # noqa: ANN401 - as above
    turn = mirror.turned[name]
    return value if turn is None else turn(value)


def _single(name: str, place: int, mirror: Mirror[Any], message_type: type[Message]) -> _Part:
    """Return the part of a list, or of a field without adjacent ones."""
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
    """Return a function that serializes a list of numbers: usually of seats, or with one number for each seat.

    Args:
        heads: the bytes before the numbers, by their count, where each takes one byte.
        larger: serializes longer lists, and lists with larger numbers.
    """

    def made(numbers: Any) -> bytes:  # noqa: ANN401 - as above
        try:
            serialized = bytes(numbers)
        except ValueError:
            return larger(numbers)
        is_short = serialized.isascii() and len(serialized) < len(heads)
        return heads[len(serialized)] + serialized if is_short else larger(numbers)

    # Lists with one number for each seat recur. Growing lists are too many to cache.
    known = Cache(made)
    return lambda numbers: known[numbers] if len(numbers) <= _OF_SEATS else made(numbers)


def _joined(kept: Cache[Any, bytes]) -> _Make:
    """Return a function that serializes a growing list, each element by itself."""
    return lambda elements: b"".join([kept[element] for element in elements])
