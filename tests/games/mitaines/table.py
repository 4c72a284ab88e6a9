"""Hands and tables of Mitaines for tests, written as people write them."""

from collections.abc import Sequence
from random import Random

from games.noninterference import Ways

from ordago.cards import card_of, card_set, cards_in, sign
from ordago.game import CHANCE, FINISHED, Event
from ordago.games.mitaines.combinations import Combination
from ordago.games.mitaines.pack import PACK
from ordago.games.mitaines.rules import RULES, state_of
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import HAND_CARDS, PLAY, MitainesEvent, MitainesOptions, MitainesView, PlayCard

NO_PAIR = "A♣ 2♦ 3♥ 4♠"
"""Four cards laid that are no combination."""


def cards(text: str) -> list[int]:
    """Return the cards of a text such as ``A♣ 10♦``."""
    return [card_of(word) for word in text.split()]


def action_of(text: str) -> PlayCard:
    """Return the action of a text such as ``7♣`` or ``7♣ added glove``."""
    card, *combination = text.split()
    return PLAY[card_of(card)][Combination["_".join(combination).upper() or "NONE"]]


def written(action: PlayCard) -> str:
    """Write an action."""
    said = "" if action.combination is Combination.NONE else action.combination.name.lower().replace("_", " ")
    return f"{sign(action.card)} {said}".strip()


def at_table(
    hands: Sequence[Sequence[int]],
    *,
    pile: Sequence[int] = (),
    laid: Sequence[int] = (),
    stock: Sequence[int] = (),
    options: MitainesOptions | None = None,
) -> MitainesState:
    """Return a state in which seat 0 is to act, nobody has cleared and nothing is declared."""
    target, max_deals = options or MitainesOptions()
    nothing = (0,) * len(hands)
    view = MitainesView(
        seat=0,
        target=target,
        max_deals=max_deals,
        deal=0,
        dealer=len(hands) - 1,
        hand=tuple(hands[0]),
        hand_sizes=tuple(map(len, hands)),
        stock=len(stock),
        pile=tuple(pile),
        laid=tuple(laid or cards(NO_PAIR)),
        declaration=None,
        played=(),
        declared=(),
        clears=(),
        last_clearer=None,
        scores=nothing,
        totals=nothing,
    )
    return state_of(view, [card_set(hand) for hand in hands], stock)


def new_match(*, seats: int = 2, target: int = 500, max_deals: int = 60) -> MitainesState:
    """Return a match before its first shuffle."""
    return RULES.new_match(seats=seats, options=MitainesOptions(target, max_deals))


def shuffle(state: MitainesState, rng: Random) -> Sequence[Event[MitainesEvent]]:
    """Deal the cards in any order."""
    order = list(state.shuffle_due().cards)
    rng.shuffle(order)
    return state.supply(order)


def step(state: MitainesState, rng: Random) -> Sequence[Event[MitainesEvent]]:
    """Shuffle if that is due, else do anything legal."""
    return shuffle(state, rng) if state.actor == CHANCE else state.apply(rng.choice(state.legal_actions()).action)


def eager_step(state: MitainesState, rng: Random) -> Sequence[Event[MitainesEvent]]:
    """Shuffle if that is due, else declare or steal if that is possible."""
    if state.actor == CHANCE:
        return shuffle(state, rng)
    actions = [legal.action for legal in state.legal_actions()]
    return state.apply(rng.choice([action for action in actions if action.combination] or actions))


def mid_deal(seed: int, *, plays: int, seats: int = 2, eager: bool = True) -> MitainesState:
    """Return a first deal after so many cards played by chance, with many declarations if the players are eager."""
    rng = Random(seed)
    state = new_match(seats=seats)
    shuffle(state, rng)
    for _ in range(plays):
        eager_step(state, rng) if eager and rng.random() < 0.7 else step(state, rng)
    return state


def whole_match(seed: int, *, seats: int, max_deals: int = 60, eager: bool = False) -> list[Event[MitainesEvent]]:
    """Return all events of a match played by chance, with many declarations if the players are eager."""
    rng = Random(seed)
    state = new_match(seats=seats, max_deals=max_deals)
    events: list[Event[MitainesEvent]] = []
    while state.actor != FINISHED:
        events += eager_step(state, rng) if eager else step(state, rng)
    return events


def plays_of_hand(state: MitainesState) -> int:
    """Return how many of the cards played belong to the hands that are being played."""
    return len(state.played) % (HAND_CARDS[state.seats] * state.seats)


def hands_dealt(state: MitainesState) -> list[list[int]]:
    """Return all hands of a deal in progress so far, as sets by seat, the hands being played last."""
    in_a_hand = HAND_CARDS[state.seats] * state.seats
    finished = len(state.played) // in_a_hand
    dealt = [[0] * state.seats for _ in range(finished)] + [list(state.hands)]
    for place, card in enumerate(state.played):
        dealt[place // in_a_hand][(state.dealer + 1 + place) % state.seats] |= 1 << card
    return dealt


def dealing_order(hands: Sequence[Sequence[int]], *, laid: Sequence[int], leader: int) -> list[int]:
    """Return the beginning of an order of the pack that deals these hands and lays these cards."""
    seats = len(hands[0])
    order: list[int] = []
    for number, of_seats in enumerate(hands):
        for packet in range(2):
            for place in range(seats):
                hand = cards_in(of_seats[(leader + place) % seats])
                half = HAND_CARDS[seats] // 2
                order += hand[half * packet : half * packet + half]
            order += laid[2 * packet : 2 * packet + 2] if number == 0 else []
    return order


def redeal(state: MitainesState) -> list[list[int]]:
    """Return the one shuffle that leads to a deal in progress."""
    leader = (state.dealer + 1) % state.seats
    return [[*dealing_order(hands_dealt(state), laid=state.laid, leader=leader), *state.stock]]


def is_possible(state: MitainesState) -> bool:
    """Say whether a deal in progress can have come about: play it again from its shuffle on."""
    [order] = redeal(state)
    if sorted(order) != list(PACK):
        return False
    again = MitainesState(state.options, seats=state.seats, deal=state.deal)
    again.supply(order)
    for card, combination in zip(state.played, state.declared, strict=True):
        if again.check(PLAY[card][combination]) is not None:
            return False
        again.apply(PLAY[card][combination])
    return again.hands == state.hands


PROBES = [PLAY[card][combination] for card in PLAY for combination in (Combination.NONE, Combination.ADDED_GLOVE)]
"""Actions to be checked at each decision; few enough to be quick."""


def declaring_often(state: MitainesState, rng: Random) -> PlayCard:
    """Play anything legal, but declare whenever that is possible, nearly."""
    actions = [legal.action for legal in state.legal_actions()]
    declarations = [action for action in actions if action.combination]
    return rng.choice(declarations if declarations and rng.random() < 0.7 else actions)


WAYS = Ways(PROBES, options=({"target": 300},), redeal=redeal, choices=(declaring_often,))
"""How it is played by chance, dealt again and asked for what is illegal."""
