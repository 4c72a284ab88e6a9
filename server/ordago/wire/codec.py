"""The interface between a game and the wire: a codec, which converts its values to messages and back."""

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeAlias

from ordago import v1
from ordago.game import ActionT, EventT, OptionsT, ViewT


class NoSuchActionError(ValueError):
    """A typed action of a bot is no action of the game: the bot is at fault."""

    def __init__(self, sentence: str, *, field: str = "") -> None:
        """Take a sentence on what is wrong, and the field of the action message at fault."""
        super().__init__(sentence)
        self.field = field


class Codec(Hashable, Protocol[ActionT, EventT, ViewT, OptionsT]):
    """Converts the values of a game to messages and back. Values handed in are trusted, messages are not."""

    def options(self, options: OptionsT) -> v1.GameOptions:
        """Return options as a complete message."""

    def options_from(self, message: v1.GameOptions) -> OptionsT:
        """Return the options of a message.

        Raises:
            OptionError: a value that the option cannot take.
        """

    def views(self) -> Callable[[ViewT], bytes]:
        """Return a function that serializes the views of one match, in order of its decisions, each as a ``v1.View``.

        The bytes go into a decision unchanged. Most of a view equals the one before, whichever seat saw that.
        """

    def view_from(self, message: v1.View, *, seat: int) -> ViewT:
        """Return the view of a seat from the message that a server sent it with a decision."""

    def action(self, action: ActionT) -> v1.Action:
        """Return the message of an action. It may be shared: do not change it."""

    def serialized_action(self, action: ActionT) -> bytes:
        """Return the message of an action, serialized."""

    def action_from(self, message: v1.Action) -> ActionT:
        """Return the action of a message from a bot; the same object for equal messages, where that costs little.

        Raises:
            NoSuchActionError: the message names no action of this game.
        """

    def action_from_bytes(self, serialized: bytes) -> ActionT:
        """Return the action of a serialized message; see ``action_from``.

        Raises:
            NoSuchActionError: the message names no action of this game.
        """

    def event(self, event: EventT) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""

    def serialized_event(self, event: EventT) -> bytes:
        """Return the message of an event, serialized as it stands in decisions and in records."""

    def event_from(self, message: v1.Event) -> EventT:
        """Return the event of a message from a server.

        Raises:
            KeyError: it contains a number that is unknown here.
        """


# The type for the engine, which hands values of a game to its codec without looking inside.
AnyCodec: TypeAlias = Codec[Any, Any, Any, Any]
