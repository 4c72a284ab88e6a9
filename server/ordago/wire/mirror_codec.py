"""The codec for games whose values mirror their messages.

A game overrides the methods that it implements in its own way.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple

from google.protobuf.message import Message

from ordago import v1
from ordago.build import mypyc_attr
from ordago.cache import Cache
from ordago.cards import sign_or_number
from ordago.game import ActionT, EventT, OptionError, OptionKind, OptionSpec, OptionsT, Rules, ViewT
from ordago.wire.codec import NoSuchActionError
from ordago.wire.mirror import DriftError, Mirror, is_card
from ordago.wire.slots import Messages, Slot, arm_of, own_messages
from ordago.wire.value_serializer import Serializer

_LONGEST_KEPT: Final = 64
"""The longest message of an action that is cached, in bytes. Honest ones are shorter in every game; others may be as
long as a frame, and thousands are cached.
"""


class _Known(NamedTuple):
    """The numbers that a field of an action can hold."""

    field: str
    numbers: frozenset[int]
    is_repeated: bool
    is_card: bool
    sentence: str
    """The error for any other number, with a placeholder ``{found}``."""

    def refuse_others(self, said: Any) -> None:  # noqa: ANN401 - the action message of any game
        """Raise ``NoSuchActionError`` for a number that is not known."""
        found = getattr(said, self.field)
        for number in found if self.is_repeated else (found,):
            if number not in self.numbers:
                name = sign_or_number(number) if self.is_card else str(number)
                raise NoSuchActionError(self.sentence.format(found=name), field=self.field)


@mypyc_attr(allow_interpreted_subclasses=True)
class MirrorCodec(Generic[ActionT, EventT, ViewT, OptionsT]):
    """Converts the values of a game to messages and back."""

    def __init__(
        self,
        rules: Rules[ActionT, EventT, ViewT, OptionsT],
        *,
        options: type[OptionsT],
        view: type[ViewT],
        action: type[ActionT],
        event: type[EventT],
        pack: Collection[int],
        unknown: Mapping[str, str] = MappingProxyType({}),
        messages: Messages | None = None,
    ) -> None:
        """Check the values of a game against its messages, and prepare the conversion.

        Args:
            rules: the rules.
            options: the type of the options of a match.
            view: the type of the view of a seat; its ``seat`` is not in the message.
            action: the type of an action. The cards of a list are sorted.
            event: the type of an event.
            pack: the cards of the game.
            unknown: errors for numbers or cards that the game does not have, by field, where the standard one does not
                fit, with a placeholder ``{found}``. These fields are checked first, in order.
            messages: the messages of a game from another package, which go into the arm ``other`` of each union;
                ``None`` for those that have an arm of the game's name.

        Raises:
            DriftError: values and messages do not mirror each other.
        """
        self._rules = rules
        options_type, view_type, action_type, event_type = messages or own_messages(rules.name)
        self._options_slot = Slot(v1.GameOptions, rules.name, options_type)
        self._options = Mirror(options, options_type)
        _refuse_lost_zeros(rules.option_specs, options_type)
        self._view_slot = Slot(v1.View, rules.name, view_type)
        self._view = Mirror(view, view_type, aside=("seat",))
        self._view_fields = Serializer(self._view, view_type)
        self._action_slot = Slot(v1.Action, rules.name, action_type)
        self._action = Mirror(action, action_type, pack=pack)
        self._known = tuple(_known_of(self._action, action_type, title=rules.title, unknown=unknown))
        self._event_slot = Slot(v1.Event, rules.name, event_type)
        self._event = Mirror(event, event_type)
        self._event_fields = Serializer(self._event, event_type)
        self._action_messages = Cache(self._action_message)
        self._actions = Cache(self._read_action)
        self._event_messages = Cache(self._event_message)

    def options(self, options: OptionsT) -> v1.GameOptions:
        """Return options as a complete message."""
        return self._options_slot.filled(self._options.write(options))

    def options_from(self, message: v1.GameOptions) -> OptionsT:
        """Return the options of a message, with defaults for those that are not set.

        Raises:
            OptionError: a value that the option cannot take, or the options of another game.
        """
        said, name = self._options_slot.content(message), self._rules.name
        if said is None and (other := arm_of(message)):
            raise OptionError(other, f"these are options of another game, {other!r}; wanted are those of {name!r}")
        given = {field.name: value for field, value in said.ListFields()} if said is not None else {}
        for option, members in self._options.members.items():
            if option in given:
                given[option] = members.get(given[option], given[option])
        return self._rules.options(given)

    def views(self) -> Callable[[ViewT], bytes]:
        """Return a function that serializes the views of a match. They do not name the seat: the decision does."""
        succession, slot = self._view_fields.succession(), self._view_slot
        return lambda view: slot.of(succession.next(view))

    def view_from(self, message: v1.View, *, seat: int) -> ViewT:
        """Return the view of a seat from the message that a server sent it with a decision."""
        return self._view.read(self._view_slot.trusted(message), seat)

    def action(self, action: ActionT) -> v1.Action:
        """Return the message of an action. It may be shared: do not change it."""
        return self._action_messages[action]

    def serialized_action(self, action: ActionT) -> bytes:
        """Return the message of an action, serialized."""
        return self.action(action).SerializeToString()

    def action_from(self, message: v1.Action) -> ActionT:
        """Return the action of a message from a bot, with the cards of a list sorted.

        Raises:
            NoSuchActionError: the message names no action of this game.
        """
        return self.action_from_bytes(message.SerializeToString())

    def action_from_bytes(self, serialized: bytes) -> ActionT:
        """Return the action of a serialized message from a bot, with the cards of a list sorted.

        Raises:
            NoSuchActionError: the message names no action of this game.
        """
        return self._actions[serialized] if len(serialized) <= _LONGEST_KEPT else self._read_action(serialized)

    def _read_action(self, serialized: bytes) -> ActionT:
        return self._action_from(v1.Action.FromString(serialized))

    def _action_from(self, message: v1.Action) -> ActionT:
        said = self._action_slot.content(message)
        if said is None:
            wanted = self._action_slot.wanted
            raise NoSuchActionError(f"This is a match of {self._rules.title}: fill in {wanted} of the action.")
        return self.action_of(said)

    def action_of(self, said: Any) -> ActionT:  # noqa: ANN401 - the action message of the game
        """Return the action of the game's own message.

        Raises:
            NoSuchActionError: it names no action.
        """
        try:
            return self._action.read(said)
        except KeyError:
            for known in self._known:
                known.refuse_others(said)
            raise

    def event(self, event: EventT) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""
        return self._event_messages[event]

    def serialized_event(self, event: EventT) -> bytes:
        """Return the message of an event, serialized."""
        return self._event_slot.of(self._event_fields.serialized(event))

    def event_from(self, message: v1.Event) -> EventT:
        """Return the event of a message from a server.

        Raises:
            KeyError: it contains a number that is unknown here.
        """
        return self._event.read(self._event_slot.trusted(message))

    def _action_message(self, action: ActionT) -> v1.Action:
        return self._action_slot.filled(self._action.write(action))

    def _event_message(self, event: EventT) -> v1.Event:
        return self._event_slot.filled(self._event.write(event))


def _refuse_lost_zeros(specs: Sequence[OptionSpec], message_type: type[Message]) -> None:
    """Refuse options that could not be set to zero, since zero stands for a different default."""
    for spec in specs:
        least = spec.min if spec.min is not None else 0
        takes_zero = 0 in spec.choices if spec.choices else spec.kind is not OptionKind.WORD and least <= 0
        if spec.default and takes_zero and not message_type.DESCRIPTOR.fields_by_name[spec.name].has_presence:
            raise DriftError(
                f"{message_type.DESCRIPTOR.full_name}.{spec.name} has to be optional: zero is not its default"
            )


def _known_of(
    action: Mirror[Any], message_type: type[Message], *, title: str, unknown: Mapping[str, str]
) -> Iterator[_Known]:
    """Yield the fields of an action in which not every number is known, first those with a sentence of their own."""
    fields = message_type.DESCRIPTOR.fields_by_name
    for name in dict.fromkeys((*unknown, *action.members)):
        members, of_cards = action.members[name], is_card(fields[name])
        sentence = f"{{found}} is no card of {title}."
        if not of_cards:
            names = ", ".join(member.name for member in members.values() if member is not None)
            sentence = f"{{found}} is no {name} of {title}; there are {names}."
        yield _Known(name, frozenset(members), fields[name].is_repeated, of_cards, unknown.get(name, sentence))
