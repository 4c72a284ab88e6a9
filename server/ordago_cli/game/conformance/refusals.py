"""Answers that are to be refused: legal ones of other decisions, and changed ones."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import v1
from ordago.game import LegalAction, Parts, Violation
from ordago.games.definition import AnyGame
from ordago.match.answers import Offer, judge
from ordago_cli.game.conformance.draws import Draws
from ordago_cli.game.conformance.kinds import Kinds, is_card, own_message
from ordago_cli.game.conformance.steering import AnyState

_ASKED: Final = 0.25
"""The share of decisions that begin with refused answers."""
_RARE: Final = 150
"""The decisions of each kind, by what is legal, that all begin with refused answers: some kinds are rare."""
_MOST: Final = 2
"""The number of refused answers to a decision: a bot usually has as many before it loses the decision."""
_TRIES: Final = 12
"""The number of answers that are tried. Those are kept whose rules were broken least so far."""
_KEPT: Final = 100
"""The number of earlier actions that answers are made of."""
_NUMBERS: Final = (-1000, -3, -1, 0, 1, 2, 3, 5, 40, 1000)
"""Amounts to try: many games have a least, or a greatest below a thousand."""


class Refusal(NamedTuple):
    """An answer that breaks a rule."""

    answer: v1.Answer
    violation: Violation


@final
class Refusals:
    """The refused answers of a file."""

    def __init__(self, game: AnyGame, draws: Draws, kinds: Kinds[Any]) -> None:
        """Begin without any, with the kinds of the game's actions."""
        self._game = game
        self._draws = draws
        self._kinds = kinds
        self._decisions: Counter[str] = Counter()
        self._actions: list[v1.Action] = []
        """Actions of earlier decisions."""
        self.rules: Final[Counter[str]] = Counter()
        """The number of refusals by each rule."""

    def at(self, state: AnyState, offer: Offer, view: v1.View) -> list[Refusal]:
        """Return refused answers to a decision, each by another rule: at most two."""
        kind = " ".join(sorted({self._kinds[legal.action] for legal in offer.legal_actions}))
        self._decisions[kind] += 1
        if self._decisions[kind] > _RARE and not self._draws.chance(_ASKED):
            return []
        self._remember(offer.legal_actions)
        found: dict[str, Refusal] = {}
        for answer in self._answers(offer, view):
            violation = judge(answer.SerializeToString(), game=self._game, state=state, offer=offer).violation
            if violation is not None:
                found.setdefault(violation.rule, Refusal(answer, violation))
        rarest = sorted(found, key=self.rules.__getitem__)[:_MOST]
        self.rules.update(rarest)
        return [found[rule] for rule in rarest]

    def _remember(self, legal_actions: Any) -> None:  # noqa: ANN401 - legal actions of any game
        legal: LegalAction[Any] = self._draws.one_of(legal_actions)
        self._actions.append(self._game.codec.action(legal.action))
        if len(self._actions) > _KEPT:
            del self._actions[self._draws.below(len(self._actions))]

    def _answers(self, offer: Offer, view: v1.View) -> Iterator[v1.Answer]:
        yield self._by_number(offer, view)
        for _ in range(_TRIES):
            legal = self._draws.one_of(offer.legal_actions)
            if self._draws.chance(0.5):
                yield v1.Answer(action=self._misfilled(legal, view))
            else:
                action = self._draws.one_of(self._actions)
                yield v1.Answer(action=self._changed(action, view) if self._draws.chance(0.5) else action)

    def _by_number(self, offer: Offer, view: v1.View) -> v1.Answer:
        """Return an answer that names a number that there may not be, both ways or none, or parts that may not fit."""
        answer = v1.Answer()
        if self._draws.chance(0.9):
            number = answer.legal_action = self._draws.below(len(offer.legal_actions) + 2)
            if self._draws.chance(0.5) and 1 <= number <= len(offer.legal_actions):
                picks = offer.legal_actions[number - 1].picks
                cards = [card for pick in picks for card in self._draws.some_of(pick.cards, pick.max)]
                answer.cards.extend(self._mispicked(self._card(own_message(view)), cards))  # type: ignore[arg-type]  # the same numbers
        elif self._draws.chance(0.5):
            answer.action.CopyFrom(self._draws.one_of(self._actions))
        if self._draws.chance(0.5):
            answer.amount = self._draws.one_of(_NUMBERS)
        if self._draws.chance(0.25):
            answer.extra = 1 + self._draws.below(len(offer.extras) + 1)
        return answer

    def _misfilled(self, legal: LegalAction[Any], view: v1.View) -> v1.Action:
        """Return a legal action with wrong contents in its open parts, or with a field changed if it has none."""
        if not (legal.amount or legal.picks):
            return self._changed(self._game.codec.action(legal.action), view)
        cards = [card for pick in legal.picks for card in self._draws.some_of(pick.cards, pick.max)]
        amount = legal.amount.min if legal.amount else None
        filled = self._game.rules.fill(legal, Parts(amount, tuple(sorted(cards))))
        action = v1.Action.FromString(self._game.codec.serialized_action(filled))
        own, seen = own_message(action), own_message(view)
        for field, _ in own.ListFields():
            if is_card(field):
                wrong = self._card(seen)
                _fill(own, field, self._mispicked(wrong, cards) if field.is_repeated else wrong)
            elif legal.amount and field.enum_type is None:
                _fill(own, field, self._draws.one_of((legal.amount.min - 1, legal.amount.max + 1)))
        return _packed(action, own)

    def _mispicked(self, wrong: int, cards: list[int]) -> list[int]:
        """Return cards with another in place of one, mostly; or one card more or fewer."""
        return [wrong, *cards[self._draws.one_of((0, 1, 1, 1, 2)) :]]

    def _changed(self, action: v1.Action, view: v1.View) -> v1.Action:
        """Return a copy of an action with one field changed."""
        action = v1.Action.FromString(action.SerializeToString())
        own, seen = own_message(action), own_message(view)
        fields: Any = own.DESCRIPTOR.fields
        field: FieldDescriptor = self._draws.one_of(fields)
        if not field.is_repeated:
            _fill(own, field, self._value(field, seen))
            return _packed(action, own)
        values = list(getattr(own, field.name))
        if values and self._draws.chance(0.5):
            del values[self._draws.below(len(values))]
        values.append(self._draws.one_of(values) if values and self._draws.chance(0.2) else self._value(field, seen))
        _fill(own, field, values)
        return _packed(action, own)

    def _value(self, field: FieldDescriptor, view: Message) -> int | bool:
        if is_card(field):
            return self._card(view)
        if field.enum_type is not None:
            return int(self._draws.one_of(field.enum_type.values).number)
        if field.type == FieldDescriptor.TYPE_BOOL:
            return self._draws.chance(0.5)
        return self._draws.one_of(_NUMBERS)

    def _card(self, view: Message) -> int:
        """Return a card of the hand, which is a field of this name in all games; or one that is seen; or any card."""
        hand: list[int] = list(getattr(view, "hand", ()))
        seen = self._draws.one_of((hand, hand, list(_cards_in(view)), list(v1.Card.values())))
        return self._draws.one_of(seen or list(v1.Card.values()))


def _cards_in(message: Message) -> Iterator[int]:
    """Yield all cards in a message."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type is not None:
            for inner in values:
                yield from _cards_in(inner)
        elif is_card(field):
            yield from values


def _fill(own: Message, field: FieldDescriptor, value: int | list[int]) -> None:
    """Set a field, if the value fits its type: there are no negative numbers in an unsigned field."""
    own.ClearField(field.name)
    if isinstance(value, list):
        getattr(own, field.name).extend(value)
    elif value >= 0 or field.type == FieldDescriptor.TYPE_SINT32:
        setattr(own, field.name, value)


def _packed(action: v1.Action, own: Message) -> v1.Action:
    """Return the action with the message of its game, which is a copy in games from elsewhere."""
    if action.WhichOneof("game") == "other":
        action.other.Pack(own)
    return action
