"""The places of a game's messages in the unions of the contract: options, view, action and event.

A game of Ordago has an arm of its name in each of them. The messages of a game from another package go into the arm
``other``, each as a ``google.protobuf.Any``: the full name of its type, and its bytes.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from ordago import v1
from ordago.wire.fields import Field, tag
from ordago.wire.mirror import DriftError

Union: TypeAlias = v1.GameOptions | v1.View | v1.Action | v1.Event
UnionT = TypeVar("UnionT", v1.GameOptions, v1.View, v1.Action, v1.Event)

_OTHER: Final = "other"
_TYPE_PREFIX: Final = "type.googleapis.com/"
"""The prefix that protobuf's ``Pack`` writes before the name of a type, in all languages. Readers ignore it."""


class Messages(NamedTuple):
    """The types of the messages of a game."""

    options: type[Message]
    view: type[Message]
    action: type[Message]
    event: type[Message]


def own_messages(name: str) -> Messages:
    """Return the message types of a game that has an arm of its name.

    Raises:
        DriftError: a union has no such arm.
    """
    unions: tuple[Message, ...] = (v1.GameOptions(), v1.View(), v1.Action(), v1.Event())
    for union in unions:
        if name not in union.DESCRIPTOR.fields_by_name:
            raise DriftError(f"{union.DESCRIPTOR.full_name} has no arm for the game {name!r}")
    return Messages(*(type(getattr(union, name)) for union in unions))


def arm_of(union: Union) -> str:
    """Return a readable name for the content of a union: its arm or, in ``other``, its type; empty for none."""
    arm = union.WhichOneof("game") or ""
    return union.other.TypeName() or arm if arm == _OTHER else arm


def content_of(union: Union) -> Message | None:
    """Return the content of a union, of whichever game; ``None`` if it is empty, or if no game here can read it."""
    arm = union.WhichOneof("game")
    if arm == _OTHER:
        return unpacked(union.other)
    return getattr(union, arm) if arm else None


def unpacked(packed: AnyMessage) -> Message | None:
    """Return the message in an ``Any``; ``None`` if its type is unknown here or its bytes are invalid."""
    try:
        content = GetMessageClass(Default().FindMessageTypeByName(packed.TypeName()))()
        return content if packed.Unpack(content) else None
    except (KeyError, DecodeError):
        return None


class Slot(Generic[UnionT]):
    """The place of one game's messages in one of the unions."""

    __slots__ = ("_field", "_head", "_is_other", "_message_type", "_name", "_type_url", "_union", "_value", "wanted")

    def __init__(self, union: type[UnionT], game: str, message_type: type[Message]) -> None:
        """Choose the arm for a message type: the one of the game's name if it holds that type, else ``other``."""
        full_name = message_type.DESCRIPTOR.full_name
        self._is_other = game not in union.DESCRIPTOR.fields_by_name or type(getattr(union(), game)) is not message_type
        self._name = _OTHER if self._is_other else game
        self._union: Callable[..., UnionT] = union
        self._message_type = message_type
        self._type_url = _TYPE_PREFIX + full_name
        self._field = Field(tag(union, self._name))
        self._head = AnyMessage(type_url=self._type_url).SerializeToString()
        self._value = Field(tag(AnyMessage, "value"))
        self.wanted = f"'{_OTHER}', with a {full_name}," if self._is_other else repr(game)
        """The field that has to be filled in, for error messages."""

    def of(self, serialized: bytes) -> bytes:
        """Return the serialized union that holds a serialized message."""
        if not self._is_other:
            return self._field.of(serialized)
        return self._field.of(self._head + self._value.of(serialized) if serialized else self._head)

    def filled(self, message: Message) -> UnionT:
        """Return the union that holds a message."""
        content: object = message
        if self._is_other:
            content = AnyMessage(type_url=self._type_url, value=message.SerializeToString())
        return self._union(**{self._name: content})

    def content(self, union: UnionT) -> Any:  # noqa: ANN401 - a message of the game's own type
        """Return the content of a union; ``None`` if it is no message of this game, or has invalid bytes."""
        if union.WhichOneof("game") != self._name:
            return None
        if not self._is_other:
            return getattr(union, self._name)
        message = self._message_type()
        try:
            return message if union.other.Unpack(message) else None
        except DecodeError:
            return None

    def trusted(self, union: UnionT) -> Any:  # noqa: ANN401 - as above
        """Return the content of a union from the server; an empty message if it is no message of this game."""
        content = self.content(union)
        return self._message_type() if content is None else content
