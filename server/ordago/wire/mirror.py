"""Mirrors: values and messages with fields of the same names.

A value is a NamedTuple. Its type hints determine the fields of its message:

===============================  ====================================================================
``int``                          a 32-bit number, or a ``Card``; with ``| None`` an ``optional`` one
``bool``                         ``bool``; with ``| None`` an ``optional`` one
an enumeration                   an enum of the same names, and of the same numbers if it is one of numbers
an enumeration ``| None``        the same, where unspecified is ``None``
a NamedTuple, or one ``| None``  a message that mirrors it
``tuple[..., ...]`` of these     ``repeated``
===============================  ====================================================================

The unspecified number 0 of the contract may have any name in an enumeration here, or none.

All of this is checked once, when a mirror is made; a mismatch is refused then. Which fields have to be converted, and
how, is worked out at the same time, so that later conversions inspect no types.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum, IntEnum
from operator import attrgetter
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from ordago import v1
from ordago.cache import Cache
from ordago.cards import NO_CARD

ValueT = TypeVar("ValueT")
_Turn: TypeAlias = Callable[[Any], Any]  # only the games know the types of their values

_NUMBERS: Final = frozenset({FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_SINT32})
_NO_MEMBERS: Final[Mapping[int, Any]] = MappingProxyType({})


class DriftError(TypeError):
    """A type of values and its message do not mirror each other: one was changed without the other."""


class _Turns(NamedTuple):
    """The conversion of a field, or of each element of a repeated one; ``None`` where both sides have equal values."""

    write: _Turn | None = None
    read: _Turn | None = None
    members: Mapping[int, Any] = _NO_MEMBERS
    """The meanings of the numbers, where not every number is known."""


class _Shape(NamedTuple):
    """The shape of a field according to its type hint."""

    where: str
    """The field, for people."""
    element: type
    """The type of the field, or of each of its elements."""
    is_optional: bool = False
    is_repeated: bool = False
    default: object = None
    """The value where a writer leaves the field out; ``None`` for one without."""

    @property
    def may_be_absent(self) -> bool:
        """True if ``None`` is an absent field. For enumerations it is the unspecified number."""
        return self.is_optional and not issubclass(self.element, Enum)


class Mirror(Generic[ValueT]):
    """Converts values of one type to messages of one type, and back."""

    __slots__ = ("first", "members", "read", "turned", "write")

    def __init__(
        self,
        value_type: type[ValueT],
        message_type: type[Message],
        *,
        aside: Sequence[str] = (),
        pack: Collection[int] | None = None,
    ) -> None:
        """Check that a type of values mirrors its message, and prepare the conversion.

        Args:
            value_type: a NamedTuple.
            message_type: the type of its messages.
            aside: the first fields of the value, which are left out of the message because its reader knows them.
            pack: for messages of bots, the cards that they may hold, and no card where that is the default. The
                cards of a list are sorted. ``None`` for trusted messages, whose cards are taken as they are.

        Raises:
            DriftError: the two do not mirror each other.
        """
        shapes = _shapes(value_type, aside)
        _compare_names(value_type, message_type, shapes)
        turns = {}
        for name, shape in shapes.items():
            default = getattr(value_type, "_field_defaults", {}).get(name)
            cards = pack if pack is None or default != NO_CARD else (NO_CARD, *pack)
            turns[name] = _field(shape, message_type.DESCRIPTOR.fields_by_name[name], cards)
        self.first = len(aside)
        """The position of the first field that is in the message."""
        self.turned = {name: turn.write for name, turn in turns.items()}
        """The conversion for writing each of these fields, in order; ``None`` where both sides have the same value."""
        self.members = {name: turn.members for name, turn in turns.items() if turn.members}
        """The meanings of the numbers of a field, where not every number is known."""
        self.write: Callable[[ValueT], Any] = _writer(message_type, turns, first=len(aside))
        """Return the message of a value."""
        self.read: Callable[..., ValueT] = _reader(value_type, turns, shapes)
        """Return the value of a message, given after it the values of the fields that stand aside.

        Raises:
            KeyError: a number that is not known.
        """


def is_card(field: Any) -> bool:  # noqa: ANN401 - descriptors of protobuf are of two types that only stubs know
    """Return True if a field holds a card, or cards."""
    return field.enum_type is not None and field.enum_type.full_name == v1.Card.DESCRIPTOR.full_name


def _shapes(value_type: type, aside: Sequence[str]) -> dict[str, _Shape]:
    hints = get_type_hints(value_type)
    if [*hints][: len(aside)] != [*aside]:
        raise DriftError(f"{value_type.__name__} has to begin with {', '.join(aside)}")
    defaults = getattr(value_type, "_field_defaults", {})
    return {
        name: _shape(f"{value_type.__name__}.{name}", hints[name])._replace(default=defaults.get(name))
        for name in hints
        if name not in aside
    }


def _shape(where: str, hint: Any) -> _Shape:  # noqa: ANN401 - type hints have no type in common
    if get_origin(hint) is tuple:
        return _Shape(where, get_args(hint)[0], is_repeated=True)
    if get_origin(hint) is UnionType:
        return _Shape(where, next(each for each in get_args(hint) if each is not NoneType), is_optional=True)
    return _Shape(where, hint)


def _compare_names(value_type: type, message_type: type[Message], names: Collection[str]) -> None:
    value, message = value_type.__name__, message_type.DESCRIPTOR.full_name
    for name in names:
        if name not in message_type.DESCRIPTOR.fields_by_name:
            raise DriftError(f"{value} has a field {name!r} that {message} has not")
    for name in message_type.DESCRIPTOR.fields_by_name:
        if name not in names:
            raise DriftError(f"{message} has a field {name!r} that {value} has not")


def _field(shape: _Shape, field: Any, cards: Collection[int] | None) -> _Turns:  # noqa: ANN401 - a descriptor
    _compare_labels(shape, field)
    turns, is_ordered = _element(shape, field), False
    if cards is not None:
        if field.message_type is not None:
            raise DriftError(f"{shape.where} is a part, but a refusal can name only a field: messages of bots are flat")
        if is_card(field):
            known = {card: card for card in cards}
            turns, is_ordered = _Turns(None, known.__getitem__, known), True
    if shape.is_repeated:
        return turns._replace(write=_each(turns.write), read=_all(turns.read, is_ordered=is_ordered))
    if shape.may_be_absent:
        return turns._replace(write=_unless_none(turns.write), read=_unless_none(turns.read))
    return turns


def _compare_labels(shape: _Shape, field: Any) -> None:  # noqa: ANN401 - a descriptor
    if shape.is_repeated != field.is_repeated:
        raise DriftError(f"{shape.where} asks for a field that is {'' if shape.is_repeated else 'not '}repeated")
    # A message can always be absent, and a number whose default is not zero is optional so that it can be set to zero.
    is_option = bool(shape.default) and field.has_presence
    if field.message_type is None and shape.may_be_absent != field.has_presence and not is_option:
        raise DriftError(f"{shape.where} asks for a field that is {'' if shape.may_be_absent else 'not '}optional")


def _element(shape: _Shape, field: Any) -> _Turns:  # noqa: ANN401 - a descriptor
    element = shape.element
    if element is int and (field.type in _NUMBERS or is_card(field)):
        return _Turns()
    if element is bool and field.type == FieldDescriptor.TYPE_BOOL:
        return _Turns()
    if issubclass(element, Enum) and field.enum_type is not None:
        return _enumeration(shape, element, field.enum_type)
    if hasattr(element, "_fields") and field.message_type is not None:
        mirror: Mirror[Any] = Mirror(element, GetMessageClass(field.message_type))
        # Parts of values are small and seldom change, so they are cached.
        return _Turns(Cache(mirror.write).__getitem__, mirror.read)
    raise DriftError(f"{shape.where} is of another type than {field.full_name}")


def _enumeration(shape: _Shape, enumeration: type[Enum], contract: EnumDescriptor) -> _Turns:
    prefix = contract.values_by_number[0].name.removesuffix("UNSPECIFIED")
    there = {value.name.removeprefix(prefix): value.number for value in contract.values if value.number}
    here = {member.name: member.value for member in enumeration if member.value != 0}
    is_of_numbers = issubclass(enumeration, IntEnum)
    if here.keys() != there.keys() or (is_of_numbers and here != there):
        raise DriftError(f"{shape.where}: {enumeration.__name__} has other names or numbers than {contract.full_name}")
    members: dict[int, Enum | None] = {number: enumeration[name] for name, number in there.items()}
    members |= {member.value: member for member in enumeration if member.value == 0}
    if shape.is_optional and members.setdefault(0, None) is not None:
        raise DriftError(f"{shape.where} can be None, but {enumeration.__name__} has a name for 0")
    numbers = {member: number for number, member in members.items()}
    return _Turns(None if is_of_numbers else numbers.__getitem__, members.__getitem__, members)


def _each(turn: _Turn | None) -> _Turn | None:
    return turn and (lambda elements: [turn(element) for element in elements])


def _all(turn: _Turn | None, *, is_ordered: bool) -> _Turn:
    if is_ordered and turn is not None:
        return lambda elements: tuple(sorted(map(turn, elements))) if elements else ()
    return tuple if turn is None else lambda elements: tuple(map(turn, elements))


def _unless_none(turn: _Turn | None) -> _Turn | None:
    return turn and (lambda part: None if part is None else turn(part))


def _writer(message_type: type[Message], turns: Mapping[str, _Turns], *, first: int) -> Callable[[Any], Message]:
    names = tuple(turns)
    turned = tuple((name, turn.write) for name, turn in turns.items() if turn.write is not None)

    def write(value: Any) -> Message:  # noqa: ANN401 - of the type compared
        parts = dict(zip(names, value[first:], strict=True))
        for name, turn in turned:
            parts[name] = turn(parts[name])
        return message_type(**parts)

    return write


def _reader(
    value_type: Any,  # noqa: ANN401 - a NamedTuple
    turns: Mapping[str, _Turns],
    shapes: Mapping[str, _Shape],
) -> Callable[..., Any]:
    names = tuple(turns)
    # With a single name attrgetter returns no tuple, so the first name is listed twice.
    parts_of = attrgetter(*names, names[0])
    absent = tuple((place, name) for place, name in enumerate(names) if shapes[name].may_be_absent)
    turned = tuple((place, turn.read) for place, turn in enumerate(turns.values()) if turn.read is not None)

    def value_of(parts: Sequence[Any], *aside: object) -> Any:  # noqa: ANN401 - of the type compared
        found = [*parts]
        found.pop()
        for place, turn in turned:
            found[place] = turn(found[place])
        return value_type._make((*aside, *found))

    def read(message: Message, *aside: object) -> Any:  # noqa: ANN401 - of the type compared
        parts = [*parts_of(message)]
        for place, name in absent:
            if not message.HasField(name):
                parts[place] = None
        return value_of(parts, *aside)

    if absent or any(shape.is_repeated or hasattr(shape.element, "_fields") for shape in shapes.values()):
        return read
    kept = Cache(value_of)
    return lambda message: kept[parts_of(message)]
