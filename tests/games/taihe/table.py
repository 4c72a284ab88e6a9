"""Hands, tables and players of Taihe A Bao for tests, written as people write them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from random import Random
from typing import TypeAlias

from games.noninterference import Ways

from ordago.cards import card_of, card_set, cards_in, signs
from ordago.game import CHANCE, FINISHED, Event, LegalAction, Parts
from ordago.games.taihe.combinations import NOTHING, combination_of
from ordago.games.taihe.offers import play_of
from ordago.games.taihe.pack import PACK, pack_of
from ordago.games.taihe.rules import RULES
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, Phase, TaiheAction, TaiheEvent, TaiheOptions

Temperament: TypeAlias = Callable[[TaiheState, Random], TaiheAction]


def cards(text: str) -> list[int]:
    """Return the cards of a text such as ``A♣ 10♦``."""
    return [card_of(word) for word in text.split()]


def written(mask: int) -> str:
    """Write a set of cards, ascending."""
    return signs(cards_in(mask))


def play(text: str) -> TaiheAction:
    """Return the action of playing these cards."""
    return play_of(card_set(cards(text)))


def ask(text: str) -> TaiheAction:
    """Return the action of asking for a card."""
    return TaiheAction(ActionKind.ASK, card=card_of(text))


def give_back(text: str) -> TaiheAction:
    """Return the action of giving a card back."""
    return TaiheAction(ActionKind.GIVE_BACK, card=card_of(text))


def new_match(*, seats: int = 4, deals: int = 12, max_passes: int = 3) -> TaiheState:
    """Return a match before its first shuffle."""
    return RULES.new_match(seats=seats, options=TaiheOptions(deals, max_passes))


def at_table(*, hand: Iterable[int], to_beat: Sequence[int], seats: int = 4) -> TaiheState:
    """Return a state in which seat 1 is to act with this hand. Seat 0, the declarer, played what is to be beaten."""
    state = new_match(seats=seats)
    state.hands = [0] * seats
    state.hands[1] = card_set(hand)
    state.phase, state.declarer, state.value, state.actor = Phase.PLAYING, 0, seats + 1, 1
    if to_beat:
        state.to_beat = combination_of(card_set(to_beat))
        state.turns, state.played = [card_set(to_beat)], tuple(sorted(to_beat))
        assert state.to_beat != NOTHING, f"{signs(to_beat)} is no combination"
    return state


def dealing_order(hands: Sequence[int], *, taker: int) -> list[int]:
    """Return the order of the pack in which players who take cards one by one get these hands."""
    seats = len(hands)
    in_turn = [cards_in(hands[(taker + place) % seats]) for place in range(seats)]
    return [card for taken in zip(*in_turn, strict=True) for card in taken]


def dealt(*some: str, seats: int = 4, deals: int = 12, max_passes: int = 3) -> TaiheState:
    """Return a match whose first hands have at least these cards; what is missing is filled in ascending."""
    state = new_match(seats=seats, deals=deals, max_passes=max_passes)
    deal(state, *some)
    return state


def deal(state: TaiheState, *some: str) -> Sequence[Event[TaiheEvent]]:
    """Deal hands that have at least these cards, by seat."""
    seats, pack = state.seats, pack_of(state.seats)
    hands = [cards(text) for text in some] + [[] for _ in range(seats - len(some))]
    rest = [card for card in pack if not any(card in hand for hand in hands)]
    for hand in hands:
        lacking = len(pack) // seats - len(hand)
        hand += rest[:lacking]
        del rest[:lacking]
    return state.supply(dealing_order([card_set(hand) for hand in hands], taker=state.taker))


def after(state: TaiheState, *actions: TaiheAction) -> list[Event[TaiheEvent]]:
    """Carry out actions, each of which must be legal, and return what happened."""
    events: list[Event[TaiheEvent]] = []
    for action in actions:
        assert state.check(action) is None, action
        events += state.apply(action)
    return events


def shuffle(state: TaiheState, rng: Random) -> Sequence[Event[TaiheEvent]]:
    """Deal the cards in any order."""
    order = list(state.shuffle_due().cards)
    rng.shuffle(order)
    return state.supply(order)


def filled(legal: LegalAction[TaiheAction], rng: Random) -> TaiheAction:
    """Return a legal action with its open parts filled in by chance."""
    picked = (card for pick in legal.picks for card in rng.sample(pick.cards, rng.randint(pick.min, pick.max)))
    return RULES.fill(legal, Parts(cards=tuple(sorted(picked))))


def uniform(state: TaiheState, rng: Random) -> TaiheAction:
    """Take anything."""
    return filled(rng.choice(state.legal_actions()), rng)


def bold(state: TaiheState, rng: Random) -> TaiheAction:
    """Never pass, and play the strongest."""
    return filled(state.legal_actions()[-1], rng)


def shy(state: TaiheState, rng: Random) -> TaiheAction:
    """Pass nearly always."""
    return uniform(state, rng) if rng.random() < 0.1 else stalling(state, rng)


def silent(state: TaiheState, _rng: Random) -> TaiheAction:
    """Leave it to the server."""
    return state.default_action()


def stalling(state: TaiheState, rng: Random) -> TaiheAction:
    """Pass wherever one can; else do the least: lead one card."""
    return filled(state.legal_actions()[0], rng)


def exchanging(state: TaiheState, rng: Random) -> TaiheAction:
    """Never declare, nearly always exchange, then play anything."""
    if state.phase is Phase.DECLARING:
        return PASS
    if state.phase is Phase.EXCHANGING and rng.random() < 0.8:
        return bold(state, rng)
    return uniform(state, rng)


def mixed(state: TaiheState, rng: Random) -> TaiheAction:
    """Take anything, but declare seldom, so that much of what can happen happens."""
    action = uniform(state, rng)
    return PASS if action == DECLARE and rng.random() < 0.8 else action


def step(state: TaiheState, rng: Random, temperament: Temperament = mixed) -> Sequence[Event[TaiheEvent]]:
    """Shuffle if that is due, else act."""
    return shuffle(state, rng) if state.actor == CHANCE else state.apply(temperament(state, rng))


def decisions_of_deal(seed: int, *, seats: int, temperament: Temperament = mixed, deal: int = 0) -> list[TaiheState]:
    """Return the state at each decision of a deal of a new match, passed-out beginnings included."""
    rng = Random(seed)
    state = TaiheState(TaiheOptions(), totals=(0,) * seats, deal=deal)
    states = []
    while state.actor != FINISHED and state.deal == deal:
        if state.actor != CHANCE:
            states.append(state.clone())
        step(state, rng, temperament)
    return states


def whole_match(seed: int, *, seats: int, deals: int, temperament: Temperament = mixed) -> list[Event[TaiheEvent]]:
    """Return all events of a match."""
    rng = Random(seed)
    state = new_match(seats=seats, deals=deals)
    events: list[Event[TaiheEvent]] = []
    while state.actor != FINISHED:
        events += step(state, rng, temperament)
    return events


def hands_at_first(state: TaiheState) -> list[int]:
    """Return the hands that a deal in progress began with, as sets."""
    hands = list(state.hands)
    for place, turn in enumerate(state.turns):
        assert state.declarer is not None
        hands[(state.declarer + place) % state.seats] |= turn
    for exchange in reversed(state.exchanges):
        moved = card_set([exchange.asked, *filter(None, [exchange.given_back])])
        hands[exchange.seat] ^= moved
        hands[exchange.holder] ^= moved
    return hands


def redeal(state: TaiheState) -> list[list[int]]:
    """Return the one shuffle that leads to a deal in progress."""
    return [dealing_order(hands_at_first(state), taker=state.taker)]


def redo(state: TaiheState, actions: Sequence[Hashable]) -> Sequence[Hashable]:
    """Return the actions of a deal with the cards given back that a state has."""
    given_back = iter([exchange.given_back for exchange in state.exchanges])
    return [_redone(action, next(given_back)) if _gives_back(action) else action for action in actions]


def _gives_back(action: Hashable) -> bool:
    return isinstance(action, TaiheAction) and action.kind is ActionKind.GIVE_BACK


def _redone(action: Hashable, card: int) -> TaiheAction:
    assert isinstance(action, TaiheAction)
    return action._replace(card=card)


PROBES = [
    PASS,
    DECLARE,
    TaiheAction(ActionKind.ASK),
    TaiheAction(ActionKind.PLAY),
    play("9♥ 9♣"),
    play("K♥ Q♣ J♦"),
    play("4♣ 5♣"),
    *(TaiheAction(kind, card=card) for kind in (ActionKind.ASK, ActionKind.GIVE_BACK) for card in PACK),
    *(TaiheAction(ActionKind.PLAY, cards=(card,)) for card in PACK),
]
"""Actions to be tried at any decision, most of them illegal."""


WAYS = Ways(PROBES, options=({"deals": 3},), redeal=redeal, choices=(mixed, exchanging), redo=redo)
"""How it is played by chance, dealt again and asked for what is illegal."""
