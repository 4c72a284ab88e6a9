"""How the house plays Mus.

It judges a hand by how it compares with all hands that there are, lance by lance. It refuses mus with a good one, and
else discards what is replaced best on average. In the betting it draws hands that fit what its seat knows, and counts
in how many of them its side wins the lance. It says what makes it most likely to win the game, where it guesses how
likely that is from the points that both sides still need.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, combinations, islice
from math import comb, prod
from random import Random
from typing import Final

from ordago.cards import card_set, cards_in
from ordago.game import LegalAction
from ordago.games.mus.hands import PACK, WHOLE_PACK, HandWorth, best_seat, hand_table
from ordago.games.mus.knowledge import knowledge_of
from ordago.games.mus.redealing import possible_hands
from ordago.games.mus.values import HAND, SIDE_OF, ActionKind, Lance, MusAction, MusView, Phase
from ordago_bot.house.weighing import Unit, Weighed, Weighing, best_of, known, tallied

_HANDS_A_WORLD: Final = 5
"""How many times the hands are drawn for each world that is asked for: they cost less than a whole state."""
_REFILLS: Final = 6
"""How many ways to replace a discard are tried."""
_GOOD: Final = 2.0
"""The value from which on a hand is kept; an average one has about 1.9."""
_MARGIN_OF_VALUES: Final = 0.25
"""How much more than that a hand must be worth, or less, for a call of mus to be clearly wrong."""
_FOLDS: Final = 0.4
"""How often the others are expected to refuse a bet or a raise."""
_FOLDS_TO_ORDAGO: Final = 0.6
"""How often they are expected to refuse an órdago."""
_RESPECT: Final = 0.2
"""What the chance to win a lance loses each time that the others show strength."""
_STEEPNESS: Final = 1.5
"""How strongly being nearer to the target raises the chance to win the game."""
_BETS: Final = (2, 5)
"""The amounts by which the house bets or raises, where they are legal."""
_BONUS: Final = 2
"""What pares or juego is worth by itself, about."""


def choose(view: MusView, *, legal: Sequence[LegalAction[MusAction]], rng: Random, worlds: int) -> MusAction:
    """Return what to do at a view.

    Args:
        view: what the seat that is to act sees.
        legal: what is legal for it.
        rng: the only source of chance, so that equal generators choose equally.
        worlds: how much to imagine; more plays better and slower.
    """
    # Discards are judged by as many refills whatever the worlds: more of them make no better player.
    imagined = _REFILLS if view.phase is Phase.DISCARD else worlds
    return best_of(weigh(view, candidates(view, legal), rng=rng, worlds=imagined)).action


def candidates(view: MusView, legal: Sequence[LegalAction[MusAction]]) -> Sequence[MusAction]:
    """Return what the house considers: mus and no mus, every discard, or what it would say in the betting."""
    if view.phase is Phase.MUS:
        return [MusAction(ActionKind.MUS), MusAction(ActionKind.NO_MUS)]
    if view.phase is Phase.DISCARD:
        discards = (cards for number in range(1, HAND + 1) for cards in combinations(view.hand, number))
        return [MusAction(ActionKind.DISCARD, cards=cards) for cards in discards]
    return [action for choice in legal for action in _to_say(choice)]


def meaning(action: MusAction) -> MusAction:
    """Return what matters of an action: all but the signal with it, and whether an answer binds the partner."""
    return action._replace(signal=None, binding=False)


def weigh(view: MusView, actions: Sequence[MusAction], *, rng: Random, worlds: int) -> Weighing[MusAction]:
    """Weigh some actions: bets in the chance to win the game, all before them in the value of the hand to come."""
    if view.phase is Phase.MUS:
        value = _value(card_set(view.hand), view.options.kings)
        weighed = (known(action, _GOOD if action.kind is ActionKind.MUS else value) for action in actions)
        return Weighing(Unit.HAND, tuple(weighed), searched=False, margin=_MARGIN_OF_VALUES)
    if view.phase is Phase.DISCARD:
        return _discards_weighed(view, actions, rng=rng, refills=worlds)
    won = _lances_won(view, rng=rng, draws=_HANDS_A_WORLD * worlds)
    return Weighing(Unit.CHANCE, tuple(_bet_weighed(action, view, won) for action in actions))


def _bet_weighed(action: MusAction, view: MusView, won: Sequence[bool]) -> Weighed[MusAction]:
    """Weigh what is said in the betting, given in which of the hands drawn the lance is won."""
    return Weighed(action, _prospect(action, view, sum(won) / len(won)), partial(_by_draw, action, view, won))


def _by_draw(action: MusAction, view: MusView, won: Sequence[bool]) -> Sequence[float]:
    """Return what each of the hands drawn brings: what would be missing without it, as prospects bend with the chance.

    This is the jackknife.
    """
    draws, wins = len(won), sum(won)
    prospect = _prospect(action, view, wins / draws)
    without = [_prospect(action, view, min(1.0, max(0, wins - win) / (draws - 1))) for win in (False, True)]
    brought = [draws * prospect - (draws - 1) * rest for rest in without]
    return [brought[win] for win in won]


def _value(hand: int, kings: int) -> float:
    """Return how good a hand is, from 0 to about 5."""
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
    """Return how many hands have this sum of weights, when there are so many cards of each weight."""
    digits = ((total // weight % (HAND + 1), number) for weight, number in number_of.items())
    return prod(comb(number, held) for held, number in digits)


def _bonus(worth: HandWorth) -> float:
    return 0.3 * worth.pares_bonus + 0.3 * bool(worth.juego)


def _discards_weighed(view: MusView, actions: Sequence[MusAction], *, rng: Random, refills: int) -> Weighing[MusAction]:
    """Weigh discards by the hands that they leave, over some ways to replace the cards."""
    unseen = cards_in(WHOLE_PACK & ~card_set(view.hand) & ~card_set(view.discarded))
    drawn = [rng.sample(unseen, HAND) for _ in range(refills)]
    hand, kings = card_set(view.hand), view.options.kings

    def weighed(action: MusAction) -> Weighed[MusAction]:
        kept = hand & ~card_set(action.cards)
        values = [_value(kept | card_set(refill[: len(action.cards)]), kings) for refill in drawn]
        return tallied(action, values)

    return Weighing(Unit.HAND, tuple(map(weighed, actions)), searched=False)


def _lances_won(view: MusView, *, rng: Random, draws: int) -> Sequence[bool]:
    """Return whether the side of a seat wins the lance at hand, for each of some ways in which the hands may be."""
    knowledge = knowledge_of(view)
    table, mano, lance = knowledge.table, knowledge.mano, view.lance
    assert lance is not None
    own = SIDE_OF[view.seat]
    return [
        SIDE_OF[best_seat([table.worth(hand) for hand in hands], lance, mano=mano)] == own
        for hands in islice(possible_hands(knowledge, rng=rng), draws)
    ]


def _to_say(choice: LegalAction[MusAction]) -> Iterator[MusAction]:
    """Go through what the house would say of a legal action. It never binds its partner."""
    if choice.amount is not None:
        for bet in _BETS:
            if choice.amount.min <= bet <= choice.amount.max:
                yield choice.action._replace(amount=bet)
    elif not choice.action.binding:
        yield choice.action


def _prospect(action: MusAction, view: MusView, chance: float) -> float:
    """Return how likely the side is to win the game after an action, given its chance to win the lance."""
    bonus = _BONUS if view.lance in (Lance.PARES, Lance.JUEGO) else 0
    if view.bettor is not None:
        chance = max(0.0, chance - _RESPECT)
    if action.kind is ActionKind.PASO:
        return _after_lance(view, bonus, chance)
    if action.kind is ActionKind.NO_QUIERO and view.answered is not ActionKind.QUIERO:
        return _after_lance(view, view.agreed + bonus, 0.0)
    if action.kind in (ActionKind.QUIERO, ActionKind.NO_QUIERO):
        return chance if view.ordago else _after_lance(view, view.stake + bonus, chance)
    refused = _after_lance(view, (view.stake or 1) + bonus, 1.0)
    chance = max(0.0, chance - _RESPECT)
    if action.kind is ActionKind.ORDAGO:
        return _FOLDS_TO_ORDAGO * refused + (1 - _FOLDS_TO_ORDAGO) * max(0.0, chance - _RESPECT)
    called = _after_lance(view, view.stake + action.amount + bonus, chance)
    return _FOLDS * refused + (1 - _FOLDS) * called


def _after_lance(view: MusView, points: int, chance: float) -> float:
    """Return how likely the side is to win the game when so many points go to it with this chance, or else away."""
    own, other = (view.options.target - view.points[side] for side in _own_side_first(view.seat))
    return chance * _lead(own - points, other) + (1 - chance) * _lead(own, other - points)


def _own_side_first(seat: int) -> tuple[int, int]:
    return SIDE_OF[seat], 1 - SIDE_OF[seat]


def _lead(own: int, other: int) -> float:
    """Return how likely a side is to win the game that needs so many points while the other needs so many."""
    if own <= 0 or other <= 0:
        return float(own <= 0)
    odds_against: float = (own / other) ** _STEEPNESS
    return 1 / (1 + odds_against)
