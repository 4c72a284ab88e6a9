"""Decisions joined from parts that are already serialized.

Most parts of a decision were in earlier ones: actions, answers and events are the same few again and again. They are
serialized once and then joined, since building and serializing a new message would cost more than playing the card.
"""

from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from typing import Final, final

from ordago import v1
from ordago.cache import Cache
from ordago.cards import LAST_CARD
from ordago.game import Event, LegalAction, Pick
from ordago.wire.codec import AnyCodec
from ordago.wire.entries import event_entry
from ordago.wire.fields import Field, delimited, joined, list_heads, numbers, tag, varint
from ordago.wire.fields import number as number_field
from ordago.wire.parts import CachedParts

_NUMBER: Final = numbers(tag(v1.Decision, "number"))
_SEAT: Final = numbers(tag(v1.Decision, "seat"))
_FIRST_EVENT: Final = numbers(tag(v1.Decision, "first_event"))
_EVENTS: Final = Field(tag(v1.Decision, "events"))
_ACTIONS: Final = tag(v1.Decision, "actions")
_DEFAULT_ANSWER: Final = tag(v1.Decision, "default_answer")
_VIEW: Final = Field(tag(v1.Decision, "view"))
_MAY_CONCEDE: Final = v1.Decision(may_concede=True).SerializeToString()
_CLOCK: Final = tag(v1.Decision, "clock")
_DECISION_MS: Final = tag(v1.ClockState, "decision_ms")
_BANK_MS: Final = tag(v1.ClockState, "bank_ms")
_LAG_CREDIT_MS: Final = tag(v1.ClockState, "lag_credit_ms")
_DISCONNECT_BANK_MS: Final = tag(v1.ClockState, "disconnect_bank_ms")
_ACCEPTED: Final = numbers(tag(v1.Accepted, "number"))
_CHARGED_MS: Final = numbers(tag(v1.Accepted, "charged_ms"))
_BANK_LEFT_MS: Final = tag(v1.Accepted, "bank_ms")
_LAG_MS: Final = tag(v1.Accepted, "lag_ms")
_LOST_MS: Final = tag(v1.Accepted, "lost_ms")
_ID: Final = tag(v1.LegalAction, "id")
_ACTION: Final = tag(v1.LegalAction, "action")
_PICKS: Final = tag(v1.LegalAction, "picks")
_CARDS: Final = list_heads(tag(v1.Pick, "cards"), LAST_CARD + 1)
_MIN: Final = tag(v1.Pick, "min")
_MAX: Final = tag(v1.Pick, "max")
_TYPED: Final = tag(v1.Answer, "action")
_NOT_LONG: Final = 128
"""Heads are kept for legal actions of fewer bytes than this."""
_PICKS_KEPT: Final = 4096
"""The number of picks that are kept."""
EVERYBODY: Final = -1
"""The audience of a public event: a bit mask of all seats."""


@final
class SerializedDecision:
    """A decision of a match: a ``v1.Decision`` without the match handle, which the connection adds.

    Attributes:
        number: the number of the decision among those of its seat, from 1.
        before_clock: the fields of the message before the clock, serialized.
        after_clock: the fields after it.
    """

    __slots__ = ("after_clock", "before_clock", "number")

    def __init__(self, number: int, before_clock: bytes, after_clock: bytes) -> None:
        """Take the values that are described above."""
        self.number: Final = number
        self.before_clock: Final = before_clock
        self.after_clock: Final = after_clock

    def serialized(self, clock: bytes) -> bytes:
        """Return the message, serialized, with the time of the seat when it is sent, from ``clock_field``."""
        return self.before_clock + clock + self.after_clock


@final
class EventParts:
    """The serialized forms of an event, for the record and for the seats.

    Attributes:
        entry: the entry of the record, as a serialized field.
        full: the event as a field of a decision, for the seats in ``audience``.
        redacted: the same for the other seats; empty where they see nothing of it.
        audience: the seats that see all of it, as a bit mask, or ``EVERYBODY``.
    """

    __slots__ = ("audience", "entry", "full", "redacted")

    def __init__(self, entry: bytes, full: bytes, redacted: bytes, audience: int) -> None:
        """Take the values that are described above."""
        self.entry: Final = entry
        self.full: Final = full
        self.redacted: Final = redacted
        self.audience: Final = audience


_heads: Final[list[list[bytes]]] = []
"""The bytes before the fields of a legal action in a decision, by its position and the length of those fields: the tag,
the length with its number, and the number. Empty until first used.
To cache each action with each number that it ever has takes ten times as much room in the processor's caches.
"""


def _head(place: int, length: int) -> bytes:
    """Build a head and keep it."""
    numbered = number_field(_ID, place + 1)
    head = _ACTIONS + varint(len(numbered) + length) + numbered
    if length < _NOT_LONG:
        _heads[place][length] = head
    return head


class DecisionParts:
    """The parts of the decisions of one game. Use ``decision_parts``."""

    def __init__(self, codec: AnyCodec) -> None:
        """Begin with nothing kept."""
        self._codec = codec
        self._public_events: CachedParts[Event[Hashable], EventParts] = CachedParts(self._event_parts)
        self._redacted: Cache[Hashable, bytes] = Cache(self._event_field)
        """The redacted events, which hold little and recur."""
        self._serialized_actions: CachedParts[Hashable, bytes] = CachedParts(codec.serialized_action)
        self._defaults: CachedParts[Hashable, bytes] = CachedParts(self._default_answer)
        self._extras: CachedParts[Sequence[Hashable], bytes] = CachedParts(self._extra_fields)
        self._legal: CachedParts[LegalAction[Hashable], bytes] = CachedParts(self._legal_action)

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
        legal_actions: Sequence[LegalAction[Hashable]],
        extras: Sequence[Hashable],
        default: Hashable,
        view: bytes,
        may_concede: bool = False,
    ) -> SerializedDecision:
        """Return a decision.

        Args:
            number: the number of the decision among those of its seat, from 1.
            seat: the seat that is asked.
            first_event: the number of the first of the events among those of the seat, from 1.
            events: the events that the seat has not been sent, from ``event``.
            legal_actions: the legal actions, in order.
            extras: the declarations that may be made along with some of them, in order.
            default: the default action.
            view: the view of the seat, from ``Codec.views``.
            may_concede: True if the answer may concede the match.
        """
        parts = [_NUMBER[number], _SEAT[seat], _FIRST_EVENT[first_event]]
        parts += events
        self._add_actions(parts, legal_actions)
        if extras:
            parts.append(self._extras.of(extras))
        parts.append(self._defaults.of(default))
        after_clock = _VIEW.of(view) + _MAY_CONCEDE if may_concede else _VIEW.of(view)
        return SerializedDecision(number, joined(parts), after_clock)

    def event(self, event: Event[Hashable]) -> EventParts:
        """Return the serialized forms of an event."""
        # Events that only some seats see hold cards, hardly ever the same twice: they would push recurring ones out.
        return self._public_events.of(event) if event.audience is None else self._event_parts(event)

    def _event_parts(self, event: Event[Hashable]) -> EventParts:
        full = self._codec.serialized_event(event.full)
        entry, field = event_entry(full), _EVENTS.of(full)
        if event.audience is None:
            return EventParts(entry, field, b"", EVERYBODY)
        redacted = b"" if event.redacted is None else self._redacted[event.redacted]
        return EventParts(entry, field, redacted, event.audience)

    def _event_field(self, event: Hashable) -> bytes:
        return _EVENTS.of(self._codec.serialized_event(event))

    def _add_actions(self, fields: list[bytes], actions: Sequence[LegalAction[Hashable]]) -> None:
        while len(_heads) < len(actions):
            _heads.append([b""] * _NOT_LONG)
        for place, legal in enumerate(actions):
            # Picks list the cards of a hand, hardly ever the same twice.
            part = self._legal_action(legal) if legal.picks else self._legal.of(legal)
            length = len(part)
            head = _heads[place][length] if length < _NOT_LONG else b""
            fields.append(head or _head(place, length))
            fields.append(part)

    def _legal_action(self, legal: LegalAction[Hashable]) -> bytes:
        return _legal_action_fields(legal, self.action(legal.action))

    def _extra_fields(self, extras: Sequence[Hashable]) -> bytes:
        action_of = self._codec.action
        messages = [v1.Extra(id=number, action=action_of(extra)) for number, extra in enumerate(extras, start=1)]
        return v1.Decision(extras=messages).SerializeToString()

    def _default_answer(self, action: Hashable) -> bytes:
        return delimited(_DEFAULT_ANSWER, delimited(_TYPED, self.action(action)))


@cache
def decision_parts(codec: AnyCodec) -> DecisionParts:
    """Return the parts of the decisions of a game, shared by all its matches, given its codec."""
    return DecisionParts(codec)


def _legal_action_fields(legal: LegalAction[Hashable], action: bytes) -> bytes:
    """Return a ``v1.LegalAction``, serialized without its number, which comes first.

    Args:
        legal: the legal action.
        action: its action as a ``v1.Action``, serialized.
    """
    fields = delimited(_ACTION, action)
    if legal.amount is not None:
        least, most = legal.amount
        fields += v1.LegalAction(amount=v1.AmountRange(min=least, max=most)).SerializeToString()
    if legal.picks:
        fields += b"".join([_pick_field(pick) for pick in legal.picks])
    return fields


# The picks of one hand recur, along with other actions.
@lru_cache(maxsize=_PICKS_KEPT)
def _pick_field(pick: Pick) -> bytes:
    # A card of the engine is the number of the card in the contract.
    cards, least, most = pick
    return delimited(_PICKS, _CARDS[len(cards)] + bytes(cards) + number_field(_MIN, least) + number_field(_MAX, most))


def clock_field(decision_ms: int, bank_ms: int, lag_credit_ms: int, disconnect_bank_ms: int) -> bytes:
    """Return the time of a seat as a serialized field of a decision: a ``v1.ClockState`` with these fields."""
    clock = number_field(_DECISION_MS, decision_ms) + number_field(_BANK_MS, bank_ms)
    clock += number_field(_LAG_CREDIT_MS, lag_credit_ms) + number_field(_DISCONNECT_BANK_MS, disconnect_bank_ms)
    return delimited(_CLOCK, clock)


def accepted_fields(number: int, charged_ms: int, bank_ms: int, lag_ms: int, lost_ms: int) -> bytes:
    """Return a ``v1.Accepted`` with these fields, serialized."""
    fields = _ACCEPTED[number] + _CHARGED_MS[charged_ms]
    if bank_ms:
        fields += number_field(_BANK_LEFT_MS, bank_ms)
    if lag_ms or lost_ms:
        fields += number_field(_LAG_MS, lag_ms) + number_field(_LOST_MS, lost_ms)
    return fields
