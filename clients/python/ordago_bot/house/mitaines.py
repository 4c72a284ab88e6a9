"""How the house plays Mitaines.

Every action promises something at once: points for a clear, hope for a declaration, a loss for a card that should be
kept. That alone makes a fair player, but one who never asks what the others may do next. So the house also draws deals
that fit what its seat knows, tries every action in each of them, and lets all go on for two rounds as such players
would. It takes the action after which its side was furthest ahead over all these deals, its promise counted in.
"""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Final

from ordago.cards import JACK, count
from ordago.game import FINISHED, LegalAction
from ordago.games.mitaines.combinations import POINTS, laid_points, single_points, ten_points
from ordago.games.mitaines.pack import CARDS_OF_RANK, RANK_OF, TEN_OF_DIAMONDS
from ordago.games.mitaines.rules import possible_states
from ordago.games.mitaines.state import MitainesState, side_count
from ordago.games.mitaines.values import MitainesView, PlayCard
from ordago_bot.house.weighing import Unit, Weighing, best_of, tallied

_ROUNDS: Final = 2
"""How many rounds are imagined after an action."""
_WEIGHT_OF_PROMISE: Final = 2.0
"""How much the promise of an action counts: as much as being ahead by it in so many deals imagined."""
_HOPE: Final = 0.6
"""The part of its points that a declaration is worth when it is made."""
_HOPE_ALONE: Final = 0.3
"""The same for one made on an empty table, where it may be stolen for twice its points."""
_HOPE_LATER: Final = 0.8
"""The same for one that still stands after the rounds imagined."""
_CLEARING: Final = 2.0
"""What it is worth to clear a pile without points, so that nobody else does."""
_KEEPING: Final = (0.0, 0.0, 6.0, 30.0, 60.0)
"""What is lost by a card that clears nothing, by the number of cards held of its rank, this one included."""
_KEEPING_A_JACK: Final = 8.0
_KEEPING_THE_TEN: Final = 20.0


def choose(view: MitainesView, *, legal: Sequence[LegalAction[PlayCard]], rng: Random, worlds: int) -> PlayCard:
    """Return the action to take at a view.

    Args:
        view: what the seat that is to act sees.
        legal: what is legal for it.
        rng: the only source of chance, so that equal generators choose equally.
        worlds: how many deals to imagine; more play better and slower.
    """
    actions = candidates(view, legal)
    if len(actions) == 1:
        return actions[0]
    return best_of(weigh(view, actions, rng=rng, worlds=worlds)).action


def candidates(_view: MitainesView, legal: Sequence[LegalAction[PlayCard]]) -> Sequence[PlayCard]:
    """Return the actions that are tried: all but those that mean the same as an earlier one."""
    different: dict[tuple[int, int, bool], PlayCard] = {}
    for choice in legal:
        different.setdefault(meaning(choice.action), choice.action)
    return list(different.values())


def meaning(action: PlayCard) -> tuple[int, int, bool]:
    """Return what matters of an action: all but a suit without meaning."""
    return RANK_OF[action.card], action.combination, action.card == TEN_OF_DIAMONDS


def weigh(view: MitainesView, actions: Sequence[PlayCard], *, rng: Random, worlds: int) -> Weighing[PlayCard]:
    """Weigh some actions in points that the side is ahead after the rounds imagined, the promise counted in."""
    states = list(islice(possible_states(view, rng=rng), worlds))
    promise = _Promise(states[0])
    brought: dict[PlayCard, list[float]] = {action: [] for action in actions}
    for state in states:
        for action, leads in brought.items():
            leads.append(_lead_after(state.clone(), action, rng=rng))
    weighed = (
        tallied(action, leads, at_first=_WEIGHT_OF_PROMISE * promise.of(action)) for action, leads in brought.items()
    )
    return Weighing(Unit.POINTS, tuple(weighed))


def _lead_after(state: MitainesState, action: PlayCard, *, rng: Random) -> float:
    """Play an action and some rounds after it, and return how many points the actor's side has gained on the others."""
    seat, deal = state.actor, state.deal
    before = state.totals
    state.apply(action)
    for _ in range(_ROUNDS * state.seats):
        if state.deal != deal or state.actor == FINISHED:
            break
        state.apply(near_sighted(state, rng=rng))
    sides = side_count(state.seats)
    gains = [float(after - at_first) for after, at_first in zip(state.totals[:sides], before[:sides], strict=True)]
    if state.declaration is not None:
        gains[state.declaration.seat % sides] += _HOPE_LATER * state.declaration.points
    own = gains[seat % sides]
    return own - (sum(gains) - own) / (sides - 1)


def near_sighted(state: MitainesState, *, rng: Random) -> PlayCard:
    """Return the action that promises most, one of them by chance where several nearly do."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0].action
    promise = _Promise(state)
    return max((choice.action for choice in legal), key=lambda action: promise.of(action) + rng.random())


class _Promise:
    """What the actions of a state's actor promise, in points, judged by his own cards and the table."""

    def __init__(self, state: MitainesState) -> None:
        self._hand = state.hands[state.actor]
        self._standing = state.declaration
        self._pile_size = len(state.pile)
        self._top = RANK_OF[state.pile[-1]] if state.pile else 0
        self._pile_points = ten_points(state.pile) + (0 if state.clears else laid_points(state.laid))

    def of(self, action: PlayCard) -> float:
        """Return what an action promises."""
        if action.combination:
            return self._of_declaring(action)
        card, rank = action.card, RANK_OF[action.card]
        if self._standing is not None:
            if rank != self._standing.rank:
                return self._of_parting_with(card)
            times = 2 if self._pile_size == 1 else 1
            return times * self._standing.points + self._of_pile_with(card)
        if self._pile_size and rank in (self._top, JACK):
            return self._of_clearing(card)
        return self._of_parting_with(card)

    def _of_declaring(self, action: PlayCard) -> float:
        stolen = self._standing.points if self._standing is not None else 0
        points = POINTS[action.combination][RANK_OF[action.card]] + stolen + self._pile_points
        return points * (_HOPE if self._pile_size else _HOPE_ALONE)

    def _of_pile_with(self, card: int) -> int:
        return self._pile_points + ten_points((card,))

    def _of_clearing(self, card: int) -> float:
        rank = RANK_OF[card]
        single = single_points(card) if self._pile_size == 1 and rank == self._top else 0
        return self._of_pile_with(card) + single + _CLEARING - (_KEEPING_A_JACK if rank == JACK else 0.0)

    def _of_parting_with(self, card: int) -> float:
        rank = RANK_OF[card]
        loss = _KEEPING[count(self._hand & CARDS_OF_RANK[rank])]
        if rank == JACK:
            loss += _KEEPING_A_JACK
        return -loss - (_KEEPING_THE_TEN if card == TEN_OF_DIAMONDS else 0.0)
