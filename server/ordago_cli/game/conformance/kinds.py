"""The kinds of actions and events, read from their messages: their enum values and flags, without cards and numbers."""

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar, final

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import v1

T = TypeVar("T", bound=Hashable)

_CARD: Final = v1.Card.DESCRIPTOR.full_name


def own_message(message: v1.Action | v1.Event | v1.View) -> Message:
    """Return the message of the game inside. Of a game from elsewhere it is a copy."""
    arm = message.WhichOneof("game")
    assert arm is not None, "a codec names its game"
    own: Message = getattr(message, arm)
    if not isinstance(own, Any):
        return own
    described = descriptor_pool.Default().FindMessageTypeByName(own.TypeName())
    inner = message_factory.GetMessageClass(described)()
    own.Unpack(inner)
    return inner


def is_card(field: FieldDescriptor) -> bool:
    """Return True if a field takes a card, or several."""
    return field.enum_type is not None and field.enum_type.full_name == _CARD


def kind_of(message: v1.Action | v1.Event) -> str:
    """Return the kind of an action or event, for instance ``MUS_ACTION_KIND_QUIERO binding``."""
    own = own_message(message)
    words = [_word(field, value) for field, value in own.ListFields()]
    return " ".join(word for word in words if word) or own.DESCRIPTOR.name


def _word(field: FieldDescriptor, value: int) -> str:
    if field.is_repeated or is_card(field):
        return ""
    if field.enum_type is not None:
        return str(field.enum_type.values_by_number[value].name)
    return field.name if field.type == FieldDescriptor.TYPE_BOOL else ""


@final
class Kinds(Generic[T]):
    """The kinds of values, each looked into once."""

    def __init__(self, message_of: Callable[[T], v1.Action | v1.Event]) -> None:
        """Begin with the function that returns the message of a value."""
        self._message_of = message_of
        self._known: dict[tuple[type, T], str] = {}

    def __getitem__(self, value: T) -> str:
        """Return the kind of a value."""
        # Values of two types may be equal.
        key = type(value), value
        if key not in self._known:
            self._known[key] = kind_of(self._message_of(value))
        return self._known[key]
