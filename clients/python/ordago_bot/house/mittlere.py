"""Policy of ``solid`` for Mittlere Jass.

It draws deals that fit its view. In each of them it tries every legal card, and lets all three players go on with
random legal cards to the end of the deal. It takes the card with the best result for its seat over all these deals.

Two things make it strong with little computing. The margin counts besides the score: to be out of the middle by one
point is luck, by thirty it is play. And random cards are picked with a few operations on bit sets, since the number of
deals played out matters more than the quality of the play in them.
"""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Final

from ordago.game import FINISHED, LegalAction
from ordago.games.mittlere.rules import MittlereState, possible_states
from ordago.games.mittlere.values import PLAY, MittlereEvent, MittlereView, PlayCard, ScoringRule
from ordago_bot.house.weighing import Unit, Weighing, policy_by, tallied

_CLEAR_MARGIN: Final = 30
"""The points by which a seat has to be out of the middle, or in it, for a clear margin."""
_WORTH_OF_CLEAR: Final = 2.0
"""The score that a clear margin adds to a deal, or takes from it."""
_PLACES: Final = max(PLAY) + 1


def candidates(_view: MittlereView, legal: Sequence[LegalAction[PlayCard]]) -> Sequence[PlayCard]:
    """Return the cards to consider: all legal ones."""
    return [choice.action for choice in legal]


def meaning(action: PlayCard) -> PlayCard:
    """Return the action itself as its key: each card differs."""
    return action


def weigh(view: MittlereView, actions: Sequence[PlayCard], *, rng: Random, worlds: int) -> Weighing[PlayCard]:
    """Evaluate cards in points of the deal, a clear margin included."""
    brought: dict[PlayCard, list[float]] = {action: [] for action in actions}
    for state in islice(possible_states(view, rng=rng), worlds):
        for action, worths in brought.items():
            worths.append(worth(_played_out(state.clone(), action, rng=rng), view.seat))
    return Weighing(Unit.POINTS, tuple(tallied(action, worths) for action, worths in brought.items()))


choose: Final = policy_by(candidates, weigh)
"""The policy: it takes the best of the candidates."""


def _played_out(state: MittlereState, action: PlayCard, *, rng: Random) -> MittlereEvent:
    """Play an action, then random legal cards, and return the event that scores the deal."""
    deal = state.deal
    events = state.apply(action)
    while state.deal == deal and state.actor != FINISHED:
        events = state.apply(PLAY[any_card(state.legal_cards(), rng=rng)])
    return events[-1].full


def any_card(cards: int, *, rng: Random) -> int:
    """Return the first card of a set from a random position on: not evenly random, but quick."""
    place = int(rng.random() * _PLACES)
    following = cards >> place << place or cards
    return (following & -following).bit_length() - 1


def worth(scored: MittlereEvent, seat: int) -> float:
    """Return the worth of a scored deal to a seat: its score, and a clear margin, from -4 to 4."""
    score = float(scored.scores[seat])
    if scored.rule not in (ScoringRule.MIDDLE, ScoringRule.EQUAL):
        return score
    own = scored.points[seat]
    others = scored.points[:seat] + scored.points[seat + 1 :]
    out_of_the_middle = max(min(others) - own, own - max(others))
    clearness = max(-1.0, min(1.0, out_of_the_middle / _CLEAR_MARGIN))
    return score + _WORTH_OF_CLEAR * clearness
