"""Hands and tables of Mittlere Jass for tests, written as people write them."""

from collections.abc import Iterable, Sequence
from random import Random

from games.noninterference import Ways

from ordago.cards import Suit, card_of, card_set, cards_in, french, signs
from ordago.game import CHANCE, FINISHED, Event
from ordago.games.mittlere.pack import NO_TRUMP, PACK
from ordago.games.mittlere.rules import RULES, MittlereState, state_of
from ordago.games.mittlere.values import PLAY, SEATS, MittlereEvent, MittlereOptions, MittlereTrump, MittlereView

SUITS = ("clubs", "diamonds", "hearts", "spades", "none")


def cards(text: str) -> list[int]:
    """Return the cards of a text such as ``A♣ 10♦``."""
    return [card_of(word) for word in text.split()]


def written(mask: int) -> str:
    """Write a set of cards, ascending."""
    return signs(cards_in(mask))


def trump_named(name: str) -> int:
    """Return the trump suit of a name; ``none`` is ``NO_TRUMP``."""
    return SUITS.index(name)


def at_table(*, hand: Iterable[int], trick: Sequence[int], trump: int) -> MittlereState:
    """Return a state in which seat 2 is to act with this hand, the trick before it and the trump already set."""
    tricks_before = 0 if trump == NO_TRUMP else 1
    view = MittlereView(
        seat=2,
        deal=0,
        deals=3,
        dealer=2,
        hand=(),
        trick=tuple(trick),
        leader=2 - len(trick),
        played=PACK[: SEATS * tricks_before],
        takers=(0,) * tricks_before,
        trump=None if trump == NO_TRUMP else MittlereTrump(Suit(trump + 1), card=french(trump, 6), seat=1, trick=0),
        totals=(0, 0, 0),
    )
    return state_of(view, (0, 0, card_set(hand)))


def new_match(*, deals: int = 12) -> MittlereState:
    """Return a match before its first shuffle."""
    return RULES.new_match(seats=SEATS, options=MittlereOptions(deals))


def shuffle(state: MittlereState, rng: Random) -> Sequence[Event[MittlereEvent]]:
    """Deal the cards in any order."""
    order = list(state.shuffle_due().cards)
    rng.shuffle(order)
    return state.supply(order)


def step(state: MittlereState, rng: Random) -> Sequence[Event[MittlereEvent]]:
    """Shuffle if that is due, else play any legal card."""
    return shuffle(state, rng) if state.actor == CHANCE else state.apply(rng.choice(state.legal_actions()).action)


def mid_deal(seed: int, *, plays: int) -> MittlereState:
    """Return a first deal after so many cards played by chance."""
    rng = Random(seed)
    state = new_match()
    shuffle(state, rng)
    for _ in range(plays):
        step(state, rng)
    return state


def whole_match(seed: int, *, deals: int) -> list[Event[MittlereEvent]]:
    """Return all events of a match played by chance."""
    rng = Random(seed)
    state = new_match(deals=deals)
    events: list[Event[MittlereEvent]] = []
    while state.actor != FINISHED:
        events += step(state, rng)
    return events


def hands_at_first(state: MittlereState) -> list[int]:
    """Return the hands that a deal in progress began with, as sets."""
    hands = list(state.hands)
    leaders = [state.dealer + 1, *state.takers]
    for place, card in enumerate(state.cards):
        hands[(leaders[place // SEATS] + place) % SEATS] |= 1 << card
    return hands


def dealing_order(hands: Sequence[int], *, leader: int) -> list[int]:
    """Return the order of the pack that deals these hands."""
    left = [cards_in(hand) for hand in hands]
    order = []
    for packet in range(12):
        hand = left[(leader + packet) % SEATS]
        order += hand[:3]
        del hand[:3]
    return order


def redeal(state: MittlereState) -> list[list[int]]:
    """Return the one shuffle that leads to a deal in progress."""
    return [dealing_order(hands_at_first(state), leader=(state.dealer + 1) % SEATS)]


WAYS = Ways(tuple(PLAY.values()), options=({"deals": 3},), redeal=redeal)
"""How it is played by chance, dealt again and asked for what is illegal."""
