"""Policy of ``solid`` for Taihe A Bao.

It draws deals that fit its view. In each of them it tries a few sensible actions, and plays on to the end of
the deal by simple rules: nobody bids any more, the leader gets rid of many low cards, the others play the lowest
combination that is enough, and opponents of the declarer do not beat each other. It takes the action with the best
result for its seat over all these deals. Suits only name cards, so the play ignores them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Final

from ordago.cards import card_set, cards_in, count, french_rank
from ordago.game import CHANCE, FINISHED, LegalAction
from ordago.games.taihe.combinations import (
    CARDS_OF,
    COMBINATIONS,
    NOTHING,
    STRONGER,
    Kind,
    combination_of,
    combinations_in,
)
from ordago.games.taihe.offers import play_of
from ordago.games.taihe.pack import CARDS_OF_RANK, height
from ordago.games.taihe.rules import possible_states
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, Phase, TaiheAction, TaiheView
from ordago_bot.house.weighing import Unit, Weighing, policy_by, tallied

_PLAYOUTS_OF_A_BID: Final = 3
"""The times that each imagined deal is played out for a bid; once for a play. Bids are rare, and decide most."""
_BOLDNESS: Final = 0.8
"""The chance that a bomb is played in imagined play when nothing else is enough."""
_WORTH_OF_A_CARD: Final = 0.05
"""The worth of each card left in the hands of the beaten side, in points."""
_CARDS_TO_GIVE_BACK: Final = 3
"""The number of cards that are tried when one has to be given back."""
_WANTED_BESIDE: Final = (0, 1, 12, 4)
"""The value of a card to ask for, beyond its height, by the cards of its rank in the hand: with two it makes a bomb."""
_CACHED: Final = 1 << 14


def _of_kind(kind: Kind) -> int:
    return sum(1 << number for number, combination in enumerate(COMBINATIONS) if combination.kind is kind)


_BOMBS: Final = _of_kind(Kind.TRIPLE) | _of_kind(Kind.QUAD)
_LEADS: Final = tuple(
    _of_kind(kind) for kind in (Kind.DOUBLE_SEQUENCE, Kind.SEQUENCE, Kind.PAIR, Kind.SINGLE, Kind.TRIPLE, Kind.QUAD)
)
"""The kinds of combinations, as sets, in the order in which they are led in imagined play."""
_SHAPES: Final = tuple(
    sum(1 << number for number, other in enumerate(COMBINATIONS) if (other.kind, other.size) == shape)
    for shape in sorted({(combination.kind, combination.size) for combination in COMBINATIONS})
)
"""The combinations of each kind and number of cards, as sets."""


def weigh(view: TaiheView, actions: Sequence[TaiheAction], *, rng: Random, worlds: int) -> Weighing[TaiheAction]:
    """Evaluate actions in points of the deal, plus the worth of the cards that are left."""
    return weigh_in(islice(possible_states(view, rng=rng), worlds), actions, phase=view.phase, rng=rng)


def weigh_in(
    states: Iterable[TaiheState], actions: Sequence[TaiheAction], *, phase: Phase, rng: Random
) -> Weighing[TaiheAction]:
    """Evaluate actions as ``weigh`` does, in states that were imagined already."""
    brought: dict[TaiheAction, list[float]] = {action: [] for action in actions}
    playouts = 1 if phase is Phase.PLAYING else _PLAYOUTS_OF_A_BID
    for state in states:
        for action in (*brought,) * playouts:
            brought[action].append(_worth_of(action, state.clone(), rng=rng))
    return Weighing(Unit.POINTS, tuple(tallied(action, worths, each=playouts) for action, worths in brought.items()))


def meaning(action: TaiheAction) -> tuple[ActionKind, int]:
    """Return a key of an action that leaves out suits, since they only name cards."""
    if action.kind is ActionKind.PLAY:
        return action.kind, combination_of(card_set(action.cards))
    return action.kind, french_rank(action.card) if action.card else 0


def candidates(view: TaiheView, legal: Sequence[LegalAction[TaiheAction]]) -> Sequence[TaiheAction]:
    """Return the actions worth trying. Among equals the house takes the first."""
    return list(_candidates(view, legal))


choose: Final = policy_by(candidates, weigh)
"""The policy: it takes the best of the candidates."""


def _candidates(view: TaiheView, legal: Sequence[LegalAction[TaiheAction]]) -> Iterator[TaiheAction]:
    hand = card_set(view.hand)
    match view.phase:
        case Phase.DECLARING:
            yield from (PASS, DECLARE)
        case Phase.EXCHANGING:
            yield PASS
            yield TaiheAction(ActionKind.ASK, card=_most_wanted(hand, legal[-1].picks[0].cards))
        case Phase.GIVING_BACK:
            for card in _least_wanted(hand, legal[0].picks[0].cards):
                yield TaiheAction(ActionKind.GIVE_BACK, card=card)
        case _:
            yield from _plays(view, hand)


def _most_wanted(hand: int, cards: Sequence[int]) -> int:
    """Return the card to ask for: the highest that makes a bomb of a pair, else the highest."""
    return max(cards, key=lambda card: height(card) + _WANTED_BESIDE[_of_its_rank(card, hand)])


def _least_wanted(hand: int, cards: Sequence[int]) -> Sequence[int]:
    """Return the cards worth giving back: those with the fewest of their rank first, then the lowest."""
    return sorted(cards, key=lambda card: (_of_its_rank(card, hand), height(card)))[:_CARDS_TO_GIVE_BACK]


def _of_its_rank(card: int, hand: int) -> int:
    return count(hand & CARDS_OF_RANK[french_rank(card)])


def _plays(view: TaiheView, hand: int) -> Iterator[TaiheAction]:
    """Yield the lowest combination of each kind and number of cards, then a pass.

    If the whole hand can be played, which ends the deal, yield this play alone.
    """
    combinations = combinations_in(hand) & STRONGER[combination_of(card_set(view.to_beat))]
    if _ends_deal(hand, combinations):
        yield play_of(hand)
        return
    for shape in _SHAPES:
        if combinations & shape:
            yield _lowest_of(combinations & shape, hand)
    if view.to_beat:
        yield PASS


def _ends_deal(hand: int, combinations: int) -> bool:
    return bool(combinations >> combination_of(hand) & 1)


def _lowest_of(combinations: int, hand: int) -> TaiheAction:
    """Return the play of the lowest combination in a set, with cards of a hand."""
    number = (combinations & -combinations).bit_length() - 1
    return play_of(_cards_for(number, hand & CARDS_OF[number]))


@lru_cache(maxsize=_CACHED)
def _cards_for(number: int, held: int) -> int:
    """Return a set of cards that forms a combination, given the cards of its ranks that a hand holds."""
    combination = COMBINATIONS[number]
    return card_set(
        card for rank in combination.ranks for card in cards_in(held & CARDS_OF_RANK[rank])[: combination.each]
    )


def _worth_of(action: TaiheAction, state: TaiheState, *, rng: Random) -> float:
    """Take an action, play on by simple rules to the end of the deal, and return its worth to the seat that acted."""
    seat, hands = state.actor, state.hands
    declarer = state.declarer
    events = state.apply(action)
    while state.actor not in (CHANCE, FINISHED):
        declarer = state.declarer
        events = state.apply(_plain_action(state, rng=rng))
    if declarer is None:
        return 0.0
    left = [count(hand) for hand in hands]
    lead = min(left[:declarer] + left[declarer + 1 :]) - left[declarer]
    return events[-1].full.scores[seat] + _WORTH_OF_A_CARD * (lead if seat == declarer else -lead)


def _plain_action(state: TaiheState, *, rng: Random) -> TaiheAction:
    """Return the next action of imagined play."""
    if state.phase is not Phase.PLAYING:
        return state.default_action()
    hand, combinations = state.hands[state.actor], state.legal_combinations()
    if _ends_deal(hand, combinations):
        return play_of(hand)
    if state.to_beat == NOTHING:
        return _lowest_of(next(combinations & kind for kind in _LEADS if combinations & kind), hand)
    enough = combinations & ~_BOMBS or (combinations if rng.random() < _BOLDNESS else 0)
    if not enough or _is_played_by_a_friend(state):
        return PASS
    return _lowest_of(enough, hand)


def _is_played_by_a_friend(state: TaiheState) -> bool:
    """Return True if both the actor and the player of the combination to beat are opponents of the declarer."""
    seat = (state.actor - 1 - state.passes) % state.seats
    return state.declarer not in (state.actor, seat)
