"""A tiny game that has what Mittlere has not: an open amount, picks, extras, and two kinds of actions.

Two seats get four cards each of eight. Each in turn bids an even amount, or throws some cards away, or stays; and may
nod or wink as it does. Who bids more wins.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from google.protobuf.wrappers_pb2 import StringValue

from ordago import v1
from ordago.game import (
    CHANCE,
    FINISHED,
    AmountRange,
    Event,
    LegalAction,
    Outcome,
    OutcomeReason,
    Parts,
    Pick,
    Shuffle,
    Violation,
    outcome_of,
)
from ordago.games.definition import Game
from ordago.scene import Offer, Scene, Staging, Telling, sentence
from ordago.wire.codec import NoSuchActionError

LOW, HIGH = (1, 2, 3, 4), (5, 6, 7, 8)
PACK = LOW + HIGH
HAND_CARDS = 4


# Values of these two types are equal where their fields are: whoever keeps actions in a table has to mind the type.
class Stay(NamedTuple):
    """Does nothing."""

    number: int = 0
    signal: str = ""


class Bid(NamedTuple):
    """Bids an amount."""

    number: int = 0
    signal: str = ""


class Throw(NamedTuple):
    """Throws cards away."""

    cards: tuple[int, ...] = ()
    signal: str = ""


Action = Stay | Bid | Throw
_KINDS = {kind.__name__: kind for kind in (Stay, Bid, Throw)}


class Said(NamedTuple):
    """Reports what a seat did; the cards that it threw are seen by itself alone."""

    seat: int
    action: Action | None


class HaggleState:
    """A match of one round."""

    def __init__(self) -> None:
        self.actor = CHANCE
        self.outcome: Outcome | None = None
        self.hands: list[tuple[int, ...]] = [(), ()]
        self.bids = [0, 0]

    def shuffle_due(self) -> Shuffle:
        return Shuffle(0, 0, PACK)

    def supply(self, cards: Sequence[int]) -> Sequence[Event[Said]]:
        self.hands = [tuple(sorted(cards[:HAND_CARDS])), tuple(sorted(cards[HAND_CARDS:]))]
        self.actor = 0
        return ()

    def legal_actions(self) -> Sequence[LegalAction[Action]]:
        low, high = (tuple(card for card in self.hands[self.actor] if card in group) for group in (LOW, HIGH))
        picks = (Pick(low, 0, len(low)), Pick(high, 0, min(1, len(high))))
        return (LegalAction(Stay()), LegalAction(Bid(), amount=AmountRange(-2, 9)), LegalAction(Throw(), picks=picks))

    def extras(self) -> Sequence[Action]:
        return (Stay(signal="nod"), Stay(signal="wink"))

    def check(self, action: Action) -> Violation | None:
        if isinstance(action, Bid) and action.number % 2:
            return Violation("even", "Bid an even amount.", "number")
        if isinstance(action, Throw) and not action.cards:
            return Violation("nothing", "Throw at least one card.", "cards")
        if isinstance(action, Throw) and not set(action.cards) <= set(self.hands[self.actor]):
            return Violation("not_in_hand", "Throw cards of your hand.", "cards")
        return None

    def apply(self, action: Action) -> Sequence[Event[Said]]:
        seat = self.actor
        self.bids[seat] = action.number if isinstance(action, Bid) else 0
        self.actor = 1 if seat == 0 else FINISHED
        if self.actor == FINISHED:
            self.outcome = outcome_of(OutcomeReason.DEALS_PLAYED, scores=self.bids, sides=(0, 1))
        return (Event(Said(seat, action), audience=1 << seat, redacted=Said(seat, None)),)

    def default_action(self) -> Action:
        return Stay()

    def view(self, seat: int) -> tuple[int, ...]:
        return self.hands[seat]

    def clone(self) -> "HaggleState":
        twin = HaggleState()
        twin.actor, twin.outcome, twin.hands, twin.bids = self.actor, self.outcome, self.hands.copy(), self.bids.copy()
        return twin


class HaggleRules:
    """The rules."""

    name, title, version = "haggle", "Haggle", 1
    seat_counts = (2,)
    option_specs = ()

    def options(self, values: Mapping[str, object]) -> None:
        assert not values

    def sides(self, seats: int) -> tuple[int, ...]:
        return tuple(range(seats))

    def new_match(self, *, seats: int, options: None) -> HaggleState:
        assert (seats, options) == (2, None)
        return HaggleState()

    def fill(self, legal: LegalAction[Action], parts: Parts[Action]) -> Action:
        signal = parts.extra.signal if parts.extra else ""
        if isinstance(legal.action, Bid):
            assert parts.amount is not None
            return Bid(parts.amount, signal)
        return Throw(parts.cards, signal) if isinstance(legal.action, Throw) else Stay(signal=signal)


def _serialized_view(view: tuple[int, ...]) -> bytes:
    message = v1.View()
    message.other.Pack(StringValue(value=repr(view)))
    return message.SerializeToString()


class HaggleCodec:
    """Writes everything as a text, as a game from elsewhere may."""

    def options(self, options: None) -> v1.GameOptions:
        assert options is None
        return v1.GameOptions()

    def options_from(self, message: v1.GameOptions) -> None:
        assert message == v1.GameOptions()

    def views(self) -> Callable[[tuple[int, ...]], bytes]:
        return _serialized_view

    def view_from(self, message: v1.View, *, seat: int) -> tuple[int, ...]:
        raise NotImplementedError(message)

    def action(self, action: Action) -> v1.Action:
        message = v1.Action()
        cards_or_number = "+".join(map(str, action.cards)) if isinstance(action, Throw) else action.number
        message.other.Pack(StringValue(value=f"{type(action).__name__}:{cards_or_number}:{action.signal}"))
        return message

    def serialized_action(self, action: Action) -> bytes:
        return self.action(action).SerializeToString()

    def action_from(self, message: v1.Action) -> Action:
        text = StringValue()
        if not message.other.Unpack(text):
            raise NoSuchActionError("This is no action of Haggle.")
        kind, value, signal = text.value.split(":")
        if kind not in _KINDS:
            raise NoSuchActionError(f"There is no {kind}.", field="kind")
        if kind == "Throw":
            return Throw(tuple(int(card) for card in value.split("+") if card), signal)
        return _KINDS[kind](int(value), signal)  # type: ignore[return-value]  # the three kinds are the actions

    def action_from_bytes(self, serialized: bytes) -> Action:
        return self.action_from(v1.Action.FromString(serialized))

    def event(self, event: Said) -> v1.Event:
        message = v1.Event()
        said = "something" if event.action is None else self.action(event.action).other.value.decode()
        message.other.Pack(StringValue(value=f"{event.seat} {said}"))
        return message

    def serialized_event(self, event: Said) -> bytes:
        return self.event(event).SerializeToString()


class Untold:
    """Says and shows nothing."""

    def __init__(self, **_terms: object) -> None:
        """Begin with whatever is played."""

    def apply(self, _event: object) -> Telling:
        return Telling()

    def scene(self) -> Scene:
        return Scene(())


UNTOLD: Staging[Any, Any, Any] = Staging(begin=Untold, offer=lambda _legal: Offer(sentence("Haggle")))
GAME = Game(rules=HaggleRules(), codec=HaggleCodec(), staging=UNTOLD)  # type: ignore[arg-type]  # unions as actions
