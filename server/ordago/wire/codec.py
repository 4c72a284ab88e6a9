"""What every game offers to the wire: a codec, which turns its values into messages and back."""

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeAlias

from ordago import v1
from ordago.game import ActionT, EventT, OptionsT, ViewT


class NoSuchActionError(ValueError):
    """A typed action of a bot that names no action of the game. The bot erred."""

    def __init__(self, sentence: str, *, field: str = "") -> None:
        """Say in one sentence what is wrong, and in which field of the action message."""
        super().__init__(sentence)
        self.field = field


class Codec(Hashable, Protocol[ActionT, EventT, ViewT, OptionsT]):
    """Turns the values of a game into messages and back. Values handed in are trusted, messages are not."""

    def options(self, options: OptionsT) -> v1.GameOptions:
        """Return the message of some options, complete."""

    def options_from(self, message: v1.GameOptions) -> OptionsT:
        """Return the options of a message.

        Raises:
            OptionError: a value that the option cannot take.
        """

    def views(self) -> Callable[[ViewT], bytes]:
        """Return what serializes the views of one match, in the order of its decisions, each as a ``v1.View``.

        A view goes into a decision as it is. Most of it is as in the one before, whichever seat saw that.
        """

    def view_from(self, message: v1.View, *, seat: int) -> ViewT:
        """Return the view of a seat from the message that a server sent it with a decision."""

    def action(self, action: ActionT) -> v1.Action:
        """Return the message of an action. It may be shared: do not change it."""

    def serialized_action(self, action: ActionT) -> bytes:
        """Return the same, serialized."""

    def action_from(self, message: v1.Action) -> ActionT:
        """Return the action of a message that a bot sent; the same object again and again, where that costs little.

        Raises:
            NoSuchActionError: the message names no action of this game.
        """

    def action_from_bytes(self, serialized: bytes) -> ActionT:
        """Return the action of a message that is serialized; see ``action_from``.

        Raises:
            NoSuchActionError: the message names no action of this game.
        """

    def event(self, event: EventT) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""

    def serialized_event(self, event: EventT) -> bytes:
        """Return the same, serialized: so it stands in decisions and in records."""

    def event_from(self, message: v1.Event) -> EventT:
        """Return the event of a message that a server sent.

        Raises:
            KeyError: a number in it is not known here.
        """


# What the engine holds: it hands values of a game to its codec without looking inside.
AnyCodec: TypeAlias = Codec[Any, Any, Any, Any]
