"""Policy of the higher levels for Mittlere Jass: a tree over imagined deals, which are played out by random cards.

The deals are drawn evenly. Weighting them by the cards that the others chose was tried, and gains nothing: a card is
played to win most or to win least, so it hardly tells anything beyond what the rules of following suit do.
"""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Final

from ordago.cards import cards_in
from ordago.game import FINISHED, LegalAction
from ordago.games.mittlere.rules import MittlereState, possible_states
from ordago.games.mittlere.values import PLAY, SEATS, MittlereView, PlayCard
from ordago_bot.house.mittlere import any_card, candidates, meaning, worth
from ordago_bot.house.weighing import Unit, Weighing, tallied
from ordago_bot.search.tree import Search

__all__ = ["candidates", "choose", "meaning", "weigh"]

_EXPLORATION: Final = 1.5
"""The weight of trying what was seldom tried. The worth of a deal is -4 to 4."""
_DEALS_FOR_EACH: Final = 3
"""The deals in which cards are weighed, for each that is asked for: a tree of few deals is nearly none."""


class _Playout:
    """Cards of Mittlere Jass, and random ones to the end of the deal."""

    def actions(self, state: MittlereState) -> Sequence[PlayCard]:
        return [PLAY[card] for card in cards_in(state.legal_cards())]

    def key(self, action: PlayCard) -> int:
        return action.card

    def after(self, state: MittlereState, action: PlayCard) -> Sequence[float] | None:
        deal = state.deal
        events = state.apply(action)
        if state.deal == deal and state.actor != FINISHED:
            return None
        return [worth(events[-1].full, seat) for seat in range(SEATS)]

    def played_out(self, state: MittlereState, *, rng: Random) -> Sequence[float]:
        worths = None
        while worths is None:
            worths = self.after(state, PLAY[any_card(state.legal_cards(), rng=rng)])
        return worths


def choose(view: MittlereView, *, legal: Sequence[LegalAction[PlayCard]], rng: Random, worlds: int) -> PlayCard:
    """Return the card to play at a view.

    Args:
        view: the view of the seat that has to act.
        legal: its legal actions.
        rng: the only source of chance, so that equal generators choose equally.
        worlds: the number of deals to imagine, each for one simulation; more play better and slower.
    """
    if len(legal) == 1:
        return legal[0].action
    search = Search(_Playout(), _EXPLORATION, rng)
    visits = search.visits(islice(possible_states(view, rng=rng), worlds))
    return max((choice.action for choice in legal), key=lambda action: visits.get(action.card, 0))


def weigh(view: MittlereView, actions: Sequence[PlayCard], *, rng: Random, worlds: int) -> Weighing[PlayCard]:
    """Evaluate cards in points of the deal, a clear margin included, by what the tree does after each."""
    deals = islice(possible_states(view, rng=rng), worlds * _DEALS_FOR_EACH)
    brought = Search(_Playout(), _EXPLORATION, rng).tried(deals, actions)
    return Weighing(Unit.POINTS, tuple(tallied(action, worths) for action, worths in brought.items()))
