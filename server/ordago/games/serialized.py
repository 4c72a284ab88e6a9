"""Values as serialized messages, without the messages: each field from what was made of the same value before.

Most fields of a view stay the same from one decision to the next, or are the same few again and again. What is made of
a field is kept by its value, and of fields that are no lists and stand side by side by their values together; cards and
members of enumerations, of which lists are new each time, are a byte each.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

from google.protobuf.message import Message

from ordago.fields import list_heads, tag
from ordago.games.mirror import Mirror
from ordago.kept import Kept

_Field: TypeAlias = Callable[[Any], bytes]  # only the games know the types of their values
_LONGEST: Final = 127
"""No list of cards is longer: the largest pack has fewer."""


def serializer(mirror: Mirror[Any], message_type: type[Message]) -> Callable[[Any], bytes]:
    """Return what serializes values, each as the message that a mirror makes of it.

    Args:
        mirror: what turns the values.
        message_type: the type of its messages.
    """
    places = {name: place for place, name in enumerate(mirror.turned, start=mirror.first)}
    of_name = message_type.DESCRIPTOR.fields_by_name
    names = sorted(places, key=lambda name: of_name[name].number)
    runs = [list(run) for _, run in groupby(names, key=lambda name: name if of_name[name].is_repeated else None)]
    # Of a single place it gets the value itself, of several a tuple, which is kept as one value.
    fields = tuple((itemgetter(*(places[name] for name in run)), _fields(run, mirror, message_type)) for run in runs)

    def serialize(value: Any) -> bytes:  # noqa: ANN401 - of the type that the mirror turns
        return b"".join([field(get(value)) for get, field in fields])

    return serialize


def _fields(run: Sequence[str], mirror: Mirror[Any], message_type: type[Message]) -> _Field:
    """Return what serializes a list, or singular fields that stand side by side."""
    if len(run) == 1:
        return _field(run[0], mirror, message_type)

    def made(values: Any) -> bytes:  # noqa: ANN401 - as above
        parts: dict[str, Any] = {name: _turned(mirror, name, value) for name, value in zip(run, values, strict=True)}
        return message_type(**parts).SerializeToString()

    return Kept(made).__getitem__


def _turned(mirror: Mirror[Any], name: str, value: Any) -> Any:  # noqa: ANN401 - as above
    turn = mirror.turned[name]
    return value if turn is None else turn(value)


def _field(name: str, mirror: Mirror[Any], message_type: type[Message]) -> _Field:
    field = message_type.DESCRIPTOR.fields_by_name[name]
    if field.is_repeated and field.enum_type is not None:
        return _packed(list_heads(tag(message_type, name), _LONGEST), mirror.turned[name])

    def made(value: Any) -> bytes:  # noqa: ANN401 - as above
        parts: dict[str, Any] = {name: _turned(mirror, name, value)}
        return message_type(**parts).SerializeToString()

    if field.is_repeated and field.message_type is not None:
        return _joined(Kept(lambda element: made((element,))))
    return Kept(made).__getitem__


def _packed(heads: tuple[bytes, ...], turn: Callable[[Any], Any] | None) -> _Field:
    """Return what serializes a list of members of an enumeration, all of whose numbers are below 128."""
    if turn is None:
        return lambda members: heads[len(members)] + bytes(members)
    return lambda members: heads[len(members)] + bytes(turn(members))


def _joined(kept: Kept[Any, bytes]) -> _Field:
    """Return what serializes a list that grows: each element by itself."""
    return lambda elements: b"".join([kept[element] for element in elements])
