"""Policy of ``solid`` for Mitaines.

Each action has a promise, in points: the points of a clear, a part of those of a declaration, a loss for a card that
is better kept. The promise alone makes a fair player, but one that ignores what the others may do next. So the house
also draws deals that fit its view, tries every action in each of them, and plays on for two rounds in which everybody
follows the promise. It takes the action with the greatest lead of its side over all these deals, plus its promise.
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
from ordago_bot.house.weighing import Unit, Weighing, policy_by, tallied

_ROUNDS: Final = 2
"""The number of rounds that are imagined after an action."""
_WEIGHT_OF_PROMISE: Final = 2.0
"""The weight of a promise: it counts as much as a lead of the same size in this number of imagined deals."""
_HOPE: Final = 0.6
"""The worth of a declaration when it is made, as a part of its points."""
_HOPE_ALONE: Final = 0.3
"""The same for one made on an empty table, where it may be stolen for twice its points."""
_HOPE_LATER: Final = 0.8
"""The same for one that still stands after the rounds imagined."""
_CLEARING: Final = 2.0
"""The points that a clear is worth beyond those of its pile, since nobody else gets it."""
_KEEPING: Final = (0.0, 0.0, 6.0, 30.0, 60.0)
"""The points lost by a card that clears nothing, by the number of cards held of its rank, this one included."""
_KEEPING_A_JACK: Final = 8.0
_KEEPING_THE_TEN: Final = 20.0


def candidates(_view: MitainesView, legal: Sequence[LegalAction[PlayCard]]) -> Sequence[PlayCard]:
    """Return the legal actions, without those whose key equals that of an earlier one."""
    different: dict[tuple[int, int, bool], PlayCard] = {}
    for choice in legal:
        different.setdefault(meaning(choice.action), choice.action)
    return list(different.values())


def meaning(action: PlayCard) -> tuple[int, int, bool]:
    """Return a key of an action that leaves out its suit, except that the ten of diamonds has a key of its own."""
    return RANK_OF[action.card], action.combination, action.card == TEN_OF_DIAMONDS


def weigh(view: MitainesView, actions: Sequence[PlayCard], *, rng: Random, worlds: int) -> Weighing[PlayCard]:
    """Evaluate actions by the lead of the side after the rounds imagined, in points, plus the promise."""
    return weigh_in(list(islice(possible_states(view, rng=rng), worlds)), actions, rng=rng)


choose: Final = policy_by(candidates, weigh)
"""The policy: it takes the best of the candidates."""


def weigh_in(states: Sequence[MitainesState], actions: Sequence[PlayCard], *, rng: Random) -> Weighing[PlayCard]:
    """Evaluate actions as ``weigh`` does, in states that were imagined already."""
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
    """Play an action and the rounds after it; return the points that the actor's side gained on the others' average."""
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
    """Return the action with the greatest promise; a random number below 1 decides between close ones."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0].action
    promise = _Promise(state)
    return max((choice.action for choice in legal), key=lambda action: promise.of(action) + rng.random())


class _Promise:
    """Promises of the actor's actions, in points, judged by its own cards and the table."""

    def __init__(self, state: MitainesState) -> None:
        self._hand = state.hands[state.actor]
        self._standing = state.declaration
        self._pile_size = len(state.pile)
        self._top = RANK_OF[state.pile[-1]] if state.pile else 0
        self._pile_points = ten_points(state.pile) + (0 if state.clears else laid_points(state.laid))

    def of(self, action: PlayCard) -> float:
        """Return the promise of an action, in points."""
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
