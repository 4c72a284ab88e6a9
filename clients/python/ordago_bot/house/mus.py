"""Policy of ``solid`` for Mus.

It values a hand by the share of all possible hands that it beats, lance by lance. With a good hand it refuses mus;
otherwise it makes the discard with the best average hand afterwards. In the betting it draws hands that fit its view,
and counts those in which its side wins the lance. It takes the action with the greatest chance to win the game,
estimated from the points that both sides still need.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, combinations, islice, takewhile
from math import comb, prod
from random import Random
from typing import Final

from ordago.cards import card_set, cards_in, holds
from ordago.game import LegalAction
from ordago.games.mus.betting import bolder
from ordago.games.mus.hands import PACK, WHOLE_PACK, HandWorth, best_seat, hand_table
from ordago.games.mus.knowledge import knowledge_of
from ordago.games.mus.redealing import possible_hands
from ordago.games.mus.signals import signalling
from ordago.games.mus.values import (
    HAND,
    SEATS,
    SIDE_OF,
    ActionKind,
    Lance,
    MusAction,
    MusView,
    Phase,
    Signal,
    SignalsSeen,
    Statement,
)
from ordago_bot.house.weighing import Unit, Weighed, Weighing, best_of, known, tallied

_HANDS_A_WORLD: Final = 5
"""The number of draws of the hands for each world asked for: a draw costs less than a whole state."""
_REFILLS: Final = 6
"""The number of random refills by which a discard is judged."""
_GOOD: Final = 2.0
"""The least value of a hand that is kept. The average is about 1.9."""
_MARGIN_OF_VALUES: Final = 0.25
"""The least difference from ``_GOOD`` at which a call of mus, or its refusal, is clearly wrong."""
_FOLDS: Final = 0.4
"""The expected chance that the others refuse a bet or a raise."""
_FOLDS_TO_ORDAGO: Final = 0.6
"""The expected chance that the others refuse an órdago."""
_RESPECT: Final = 0.2
"""The loss of the chance to win a lance for each time that the others show strength."""
_TRUST: Final = 0.2
"""The gain of the chance to win a lance where the partner asks for more: as much as the others' strength costs."""
_TRUST_IN_CUTTING: Final = 1.0
"""The gain of the value of a hand where the partner asks to say no mus: a poor hand becomes as good as a kept one."""
_SIGNALS: Final = (
    *(Signal.TWO_KINGS, Signal.THREE_KINGS, Signal.SOLOMILLO, Signal.THIRTY_ONE, Signal.DUPLES),
    *(Signal.MEDIAS_OF_KINGS, Signal.MEDIAS_OF_ACES, Signal.MEDIAS, Signal.THREE_ACES, Signal.TWO_ACES),
    *(Signal.JUEGO, Signal.THIRTY, Signal.TWENTY_NINE, Signal.CIEGO),
)
"""The signals that the house gives, the one that it gives first at the front: kings matter from the first lance on."""
_STEEPNESS: Final = 1.5
"""The exponent of the ratio of points needed, in the odds to win the game: the higher, the more a lead counts."""
_BETS: Final = (2, 5)
"""The amounts by which the house bets or raises, where they are legal."""
_BONUS: Final = 2
"""The approximate points of having pares or juego at all."""


def choose(view: MusView, *, legal: Sequence[LegalAction[MusAction]], rng: Random, worlds: int) -> MusAction:
    """Return the action to take at a view.

    Args:
        view: the view of the seat that has to act.
        legal: its legal actions.
        rng: the only source of chance, so that equal generators choose equally.
        worlds: the number of draws of the hands in the betting, in fives; more play better and slower.
    """
    # The number of refills does not depend on the worlds, since more of them make no better player.
    imagined = _REFILLS if view.phase is Phase.DISCARD else worlds
    action = best_of(weigh(view, candidates(view, legal), rng=rng, worlds=imagined)).action
    return action._replace(signal=signal_of(view))


def signal_of(view: MusView) -> Signal | None:
    """Return the best true signal that the partner alone sees and was not given for this hand; ``None`` for none."""
    if view.options.signals is not SignalsSeen.PARTNER or view.phase is Phase.DISCARD:
        return None
    features = hand_table(view.options.kings).worth(card_set(view.hand)).features
    signals = signalling(view.options, phase=view.phase, lance=view.lance, deal=view.deal_of_game, features=features)
    if signals is None:
        return None
    given = {said.signal for said in _said_of_hand(view, view.seat)}
    legal = signals.timely & signals.true
    return next((signal for signal in _SIGNALS if holds(legal, signal) and signal not in given), None)


def _said_of_hand(view: MusView, seat: int) -> Iterator[Statement]:
    """Yield the statements that a seat made with the hand that it holds, the last one first."""
    own = (said for said in reversed(view.said) if said.seat == seat)
    return takewhile(lambda said: said.kind is not ActionKind.DISCARD, own)


def _is_asked(view: MusView, signal: Signal) -> bool:
    """Return True if the partner has asked for something in the lance at hand, or with this hand before the betting."""
    partner = (view.seat + 2) % SEATS
    return any(said.signal is signal and said.lance is view.lance for said in _said_of_hand(view, partner))


def candidates(view: MusView, legal: Sequence[LegalAction[MusAction]]) -> Sequence[MusAction]:
    """Return the actions to consider: mus and no mus, every discard, or some bets and answers."""
    if view.phase is Phase.MUS:
        return [MusAction(ActionKind.MUS), MusAction(ActionKind.NO_MUS)]
    if view.phase is Phase.DISCARD:
        discards = (cards for number in range(1, HAND + 1) for cards in combinations(view.hand, number))
        return [MusAction(ActionKind.DISCARD, cards=cards) for cards in discards]
    return [action for choice in legal for action in _to_say(choice)]


def meaning(action: MusAction) -> MusAction:
    """Return a key of an action, which leaves out its signal and whether it binds the partner."""
    return action._replace(signal=None, binding=False)


def weigh(view: MusView, actions: Sequence[MusAction], *, rng: Random, worlds: int) -> Weighing[MusAction]:
    """Evaluate actions: in the betting by the chance to win the game, before it by the value of the hand."""
    if view.phase is Phase.MUS:
        value = _value(card_set(view.hand), view.options.kings)
        if _is_asked(view, Signal.CUT_MUS):
            value += _TRUST_IN_CUTTING
        weighed = (known(action, _GOOD if action.kind is ActionKind.MUS else value) for action in actions)
        return Weighing(Unit.HAND, tuple(weighed), searched=False, margin=_MARGIN_OF_VALUES)
    if view.phase is Phase.DISCARD:
        return _discards_weighed(view, actions, rng=rng, refills=worlds)
    won = _lances_won(view, rng=rng, draws=_HANDS_A_WORLD * worlds)
    return Weighing(Unit.CHANCE, tuple(_bet_weighed(action, view, won) for action in actions))


def _bet_weighed(action: MusAction, view: MusView, won: Sequence[bool]) -> Weighed[MusAction]:
    """Evaluate a bet or an answer, given for each draw of the hands whether the lance is won."""
    return Weighed(action, _prospect(action, view, sum(won) / len(won)), partial(_by_draw, action, view, won))


def _by_draw(action: MusAction, view: MusView, won: Sequence[bool]) -> Sequence[float]:
    """Return the jackknife pseudo-value of each draw: its contribution to the prospect.

    The prospect is not linear in the chance to win the lance, so it is no mean of prospects of single draws.
    """
    draws, wins = len(won), sum(won)
    prospect = _prospect(action, view, wins / draws)
    without = [_prospect(action, view, min(1.0, max(0, wins - win) / (draws - 1))) for win in (False, True)]
    brought = [draws * prospect - (draws - 1) * rest for rest in without]
    return [brought[win] for win in won]


def _value(hand: int, kings: int) -> float:
    """Return the value of a hand, from 0 to about 5."""
    table = hand_table(kings)
    return _values(kings)[sum(table.weights[card] for card in cards_in(hand))]


@cache
def _values(kings: int) -> Mapping[int, float]:
    """Return the value of each hand, by the sum of the weights of its cards."""
    table = hand_table(kings)
    number_of = Counter(table.weights[card] for card in PACK)
    often = {total: _how_often(total, number_of) for total in table.worths}
    values = {total: _bonus(worth) for total, worth in table.worths.items()}
    for lance in (Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO):
        low_to_high = sorted(table.worths, key=lambda total: table.worths[total][lance - 1])
        beaten = accumulate(often[total] for total in low_to_high)
        for total, number in zip(low_to_high, beaten, strict=True):
            if table.worths[total][lance - 1]:
                values[total] += number / comb(len(PACK), HAND)
    return values


def _how_often(total: int, number_of: Mapping[int, int]) -> int:
    """Return the number of hands with a sum of weights, given the number of cards of each weight."""
    digits = ((total // weight % (HAND + 1), number) for weight, number in number_of.items())
    return prod(comb(number, held) for held, number in digits)


def _bonus(worth: HandWorth) -> float:
    return 0.3 * worth.pares_bonus + 0.3 * bool(worth.juego)


def _discards_weighed(view: MusView, actions: Sequence[MusAction], *, rng: Random, refills: int) -> Weighing[MusAction]:
    """Evaluate discards by the average value of the hand after random refills, the same for all discards."""
    unseen = cards_in(WHOLE_PACK & ~card_set(view.hand) & ~card_set(view.discarded))
    drawn = [rng.sample(unseen, HAND) for _ in range(refills)]
    hand, kings = card_set(view.hand), view.options.kings

    def weighed(action: MusAction) -> Weighed[MusAction]:
        kept = hand & ~card_set(action.cards)
        values = [_value(kept | card_set(refill[: len(action.cards)]), kings) for refill in drawn]
        return tallied(action, values)

    return Weighing(Unit.HAND, tuple(map(weighed, actions)), searched=False)


def _lances_won(view: MusView, *, rng: Random, draws: int) -> Sequence[bool]:
    """Return, for each of a number of drawn hands that fit the view, True if the seat's side wins the lance."""
    knowledge = knowledge_of(view)
    table, mano, lance = knowledge.table, knowledge.mano, view.lance
    assert lance is not None
    own = SIDE_OF[view.seat]
    return [
        SIDE_OF[best_seat([table.worth(hand) for hand in hands], lance, mano=mano)] == own
        for hands in islice(possible_hands(knowledge, rng=rng), draws)
    ]


def _to_say(choice: LegalAction[MusAction]) -> Iterator[MusAction]:
    """Yield the versions of a legal action to consider: two amounts of a bet, and no answers that bind the partner."""
    if choice.action.binding:
        return
    if choice.amount is not None:
        for bet in _BETS:
            if choice.amount.min <= bet <= choice.amount.max:
                yield choice.action._replace(amount=bet)
    else:
        yield choice.action


def _counting(action: MusAction, view: MusView) -> MusAction:
    """Return the answer that counts for the side: the partner's, if it is bolder."""
    if view.answered is None:
        return action
    return bolder(MusAction(view.answered, amount=view.said[-1].amount), action)


def _prospect(action: MusAction, view: MusView, chance: float) -> float:
    """Return the side's chance to win the game after an action, given its chance to win the lance."""
    action = _counting(action, view)
    bonus = _BONUS if view.lance in (Lance.PARES, Lance.JUEGO) else 0
    if _is_asked(view, Signal.BET_MORE):
        chance = min(1.0, chance + _TRUST)
    if view.bettor is not None:
        chance = max(0.0, chance - _RESPECT)
    if action.kind is ActionKind.PASO:
        return _after_lance(view, bonus, chance)
    if action.kind is ActionKind.NO_QUIERO:
        return _after_lance(view, view.agreed + bonus, 0.0)
    if action.kind is ActionKind.QUIERO:
        return chance if view.ordago else _after_lance(view, view.stake + bonus, chance)
    refused = _after_lance(view, (view.stake or 1) + bonus, 1.0)
    chance = max(0.0, chance - _RESPECT)
    if action.kind is ActionKind.ORDAGO:
        return _FOLDS_TO_ORDAGO * refused + (1 - _FOLDS_TO_ORDAGO) * max(0.0, chance - _RESPECT)
    called = _after_lance(view, view.stake + action.amount + bonus, chance)
    return _FOLDS * refused + (1 - _FOLDS) * called


def _after_lance(view: MusView, points: int, chance: float) -> float:
    """Return the side's chance to win the game if it wins points with ``chance``, and otherwise the others win them."""
    own, other = (view.options.target - view.points[side] for side in _own_side_first(view.seat))
    return chance * _lead(own - points, other) + (1 - chance) * _lead(own, other - points)


def _own_side_first(seat: int) -> tuple[int, int]:
    return SIDE_OF[seat], 1 - SIDE_OF[seat]


def _lead(own: int, other: int) -> float:
    """Return a side's chance to win the game, given the points that it and the other side still need."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    odds_against: float = (own / other) ** _STEEPNESS
    return 1 / (1 + odds_against)
