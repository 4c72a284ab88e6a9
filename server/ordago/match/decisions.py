"""Decisions put together from parts that are serialized already.

Most of a decision was part of others before it: actions, answers and events are the same few again and again. They are
serialized once and then joined, since to build and to serialize the message anew would cost more than to play the card.
"""

from collections.abc import Hashable, Sequence
from functools import cache
from typing import Final, final

from ordago import v1
from ordago.fields import Field, NumberField, delimited, joined, tag, varint
from ordago.fields import number as number_field
from ordago.game import Event, LegalAction
from ordago.games.folder import AnyGame
from ordago.kept import Kept, KeptParts
from ordago.match.answers import Offer
from ordago.match.clock import TimeLeft
from ordago.match.messages import legal_action_fields
from ordago.record import event_entry

_NUMBER: Final = NumberField(tag(v1.Decision, "number"))
_SEAT: Final = NumberField(tag(v1.Decision, "seat"))
_FIRST_EVENT: Final = NumberField(tag(v1.Decision, "first_event"))
_EVENTS: Final = Field(tag(v1.Decision, "events"))
_ACTIONS: Final = tag(v1.Decision, "actions")
_DEFAULT_ANSWER: Final = tag(v1.Decision, "default_answer")
_VIEW: Final = Field(tag(v1.Decision, "view"))
_ID: Final = tag(v1.LegalAction, "id")
_TYPED: Final = tag(v1.Answer, "action")
_NOT_LONG: Final = 128
"""Of legal actions of fewer bytes it is kept what stands before them."""
EVERYBODY: Final = -1
"""The audience of a public event: a bit mask of all seats."""


@final
class SerializedDecision:
    """A decision as a match puts it: a ``v1.Decision`` without the match handle, which is the connection's business.

    Attributes:
        number: the number of the decision among those of its seat, from 1.
        before_clock: the fields of the message before the clock, serialized.
        after_clock: the fields after it.
    """

    __slots__ = ("after_clock", "before_clock", "number")

    def __init__(self, number: int, before_clock: bytes, after_clock: bytes) -> None:
        """Take the parts, as they are called above."""
        self.number: Final = number
        self.before_clock: Final = before_clock
        self.after_clock: Final = after_clock

    def serialized(self, time: TimeLeft) -> bytes:
        """Return the message, serialized, with the time that the seat has when it is sent."""
        return self.before_clock + time.serialized() + self.after_clock

    def message(self, time: TimeLeft) -> v1.Decision:
        """Return the message with the time that the seat has when it is sent."""
        return v1.Decision.FromString(self.serialized(time))


@final
class EventParts:
    """What is told and recorded of an event.

    Attributes:
        entry: the entry of the record, as a serialized field.
        full: the event as a field of a decision, for those who see all of it.
        redacted: the same for the others; empty where they see nothing of it.
        audience: the seats that see all of it, as a bit mask, or ``EVERYBODY``.
    """

    __slots__ = ("audience", "entry", "full", "redacted")

    def __init__(self, entry: bytes, full: bytes, redacted: bytes, audience: int) -> None:
        """Take the parts, as they are called above."""
        self.entry: Final = entry
        self.full: Final = full
        self.redacted: Final = redacted
        self.audience: Final = audience


_heads: Final[list[list[bytes]]] = []
"""What stands before the fields of a legal action in a decision, by its place and their length: how long it is with its
number, and that number. Empty where it was not asked for yet.

To keep each action with each number that it ever has takes ten times as much room in the caches.
"""


def _head(place: int, length: int) -> bytes:
    """Make it, and keep it."""
    numbered = number_field(_ID, place + 1)
    head = _ACTIONS + varint(len(numbered) + length) + numbered
    if length < _NOT_LONG:
        _heads[place][length] = head
    return head


class DecisionParts:
    """The parts of the decisions of one game. Use ``decision_parts``."""

    def __init__(self, game: AnyGame) -> None:
        """Begin with nothing kept."""
        self._game = game
        self._public_events: KeptParts[Event[Hashable], EventParts] = KeptParts(self._event_parts)
        self._redacted: Kept[Hashable, bytes] = Kept(self._event_field)
        """What those are told who do not see all, which says little and comes again."""
        self._serialized_actions: KeptParts[Hashable, bytes] = KeptParts(game.codec.serialized_action)
        self._defaults: KeptParts[Hashable, bytes] = KeptParts(self._default_answer)
        self._legal: KeptParts[LegalAction[Hashable], bytes] = KeptParts(self._legal_action)

    def action(self, action: Hashable) -> bytes:
        """Return the ``v1.Action`` of an action, serialized."""
        return self._serialized_actions.of(action)

    def decision(
        self,
        *,
        number: int,
        seat: int,
        first_event: int,
        events: Sequence[bytes],
        offer: Offer,
        default: Hashable,
        view: bytes,
    ) -> SerializedDecision:
        """Return a decision.

        Args:
            number: the number of the decision among those of its seat, from 1.
            seat: the seat that is asked.
            first_event: the number of the first of the events among those of the seat, from 1.
            events: what the seat has yet to be told, from ``event``.
            offer: what the seat can answer.
            default: the default action.
            view: what the seat sees, from ``Codec.views``.
        """
        parts = [_NUMBER.of(number), _SEAT.of(seat) if seat else b"", _FIRST_EVENT.of(first_event)]
        parts += events
        self._add_actions(parts, offer.legal_actions)
        if offer.extras:
            parts += self._extras(offer.extras)
        parts.append(self._defaults.of(default))
        return SerializedDecision(number, joined(parts), _VIEW.of(view))

    def event(self, event: Event[Hashable]) -> EventParts:
        """Return what is told and recorded of an event."""
        # What only some see are cards, hardly ever the same twice: to keep it would push out what comes again.
        return self._public_events.of(event) if event.audience is None else self._event_parts(event)

    def _event_parts(self, event: Event[Hashable]) -> EventParts:
        full = self._game.codec.serialized_event(event.full)
        entry, field = event_entry(full), _EVENTS.of(full)
        if event.audience is None:
            return EventParts(entry, field, b"", EVERYBODY)
        redacted = b"" if event.redacted is None else self._redacted[event.redacted]
        return EventParts(entry, field, redacted, event.audience)

    def _event_field(self, event: Hashable) -> bytes:
        return _EVENTS.of(self._game.codec.serialized_event(event))

    def _add_actions(self, fields: list[bytes], actions: Sequence[LegalAction[Hashable]]) -> None:
        while len(_heads) < len(actions):
            _heads.append([b""] * _NOT_LONG)
        for place, legal in enumerate(actions):
            # What is to be picked from are the cards of a hand, hardly ever the same twice.
            part = self._legal_action(legal) if legal.picks else self._legal.of(legal)
            length = len(part)
            head = _heads[place][length] if length < _NOT_LONG else b""
            fields.append(head or _head(place, length))
            fields.append(part)

    def _legal_action(self, legal: LegalAction[Hashable]) -> bytes:
        return legal_action_fields(legal, self.action(legal.action))

    def _extras(self, extras: Sequence[Hashable]) -> list[bytes]:
        action_of = self._game.codec.action
        messages = (v1.Extra(id=number, action=action_of(extra)) for number, extra in enumerate(extras, start=1))
        return [v1.Decision(extras=[message]).SerializeToString() for message in messages]

    def _default_answer(self, action: Hashable) -> bytes:
        return delimited(_DEFAULT_ANSWER, delimited(_TYPED, self.action(action)))


@cache
def decision_parts(game: AnyGame) -> DecisionParts:
    """Return the parts of the decisions of a game, which all of its matches share."""
    return DecisionParts(game)
