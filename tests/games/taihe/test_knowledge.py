"""Drawing deals that fit: the seat sees the same, nothing that fits is left out, and all come equally often."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from random import Random
from typing import TypeAlias

import pytest
from games.taihe.table import (
    Temperament,
    after,
    ask,
    deal,
    dealt,
    decisions_of_deal,
    exchanging,
    filled,
    give_back,
    hands_at_first,
    mixed,
    redeal,
    shuffle,
)

from ordago.cards import NO_CARD, card_of, card_set, cards_in, count, holds
from ordago.game import CHANCE
from ordago.games.taihe.knowledge import knowledge_of, turns_of
from ordago.games.taihe.offers import play_of
from ordago.games.taihe.pack import FOUR_OF_HEARTS
from ordago.games.taihe.rules import possible_states
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import PASS, ActionKind, Bid, Exchange, Phase, TaiheAction, TaiheOptions, TaiheView

DRAWS_FOR_EACH = 30
"""How often each deal that fits is expected to be drawn."""

Deal: TypeAlias = tuple[tuple[int, ...], tuple[Exchange, ...]]
"""The hands and the exchanges: all of a state that a seat may not see."""


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("temperament", [mixed, exchanging])
@pytest.mark.parametrize("number", [0, 1])
def test_a_state_drawn_looks_the_same_to_the_seat(seats: int, temperament: Temperament, number: int) -> None:
    for seed in range(4):
        for state in decisions_of_deal(seed, seats=seats, temperament=temperament, deal=number):
            drawn = next(possible_states(state.view(state.actor), rng=Random(seed)))
            assert drawn.actor == state.actor
            assert drawn.view(state.actor) == state.view(state.actor)
            assert drawn.legal_actions() == state.legal_actions()
            assert drawn.default_action() == state.default_action()
            assert [count(hand) for hand in drawn.hands] == [count(hand) for hand in state.hands]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_that_happened_is_legal_in_a_state_drawn(seats: int) -> None:
    for seed in range(8):
        for state in decisions_of_deal(seed, seats=seats, temperament=exchanging)[::3]:
            view = state.view(state.actor)
            assert is_possible(next(possible_states(view, rng=Random(seed))), view)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_state_drawn_is_a_whole_state_that_plays_on_to_the_same_end(seats: int) -> None:
    """Drawn from a view, then given the true hands and exchanges, a state cannot be told from the true one."""
    for state in decisions_of_deal(5, seats=seats, temperament=exchanging)[::4]:
        drawn = next(possible_states(state.view(state.actor), rng=Random(1)))
        drawn.hands, drawn.exchanges = list(state.hands), list(state.exchanges)
        rng = Random(2)
        while state.actor != CHANCE:
            assert [drawn.view(seat) for seat in range(seats)] == [state.view(seat) for seat in range(seats)]
            action = exchanging(state, rng)
            assert drawn.apply(action) == state.apply(action)


def is_possible(state: TaiheState, view: TaiheView) -> bool:
    """Say whether a deal in progress can have come about and looks so: play it again from its shuffle on."""
    again = TaiheState(state.options, totals=state.totals, deal=state.deal, taker=state.taker)
    again.passed_out, again.first_bidder = state.passed_out, state.first_bidder
    again.supply(redeal(state)[0])
    for action in actions_of(state):
        if again.check(action) is not None:
            return False
        again.apply(action)
    return again.view(view.seat) == view


def actions_of(state: TaiheState) -> Iterator[TaiheAction]:
    exchanges = iter(state.exchanges)
    for bid in state.bids:
        if bid is Bid.EXCHANGED:
            exchange = next(exchanges)
            yield TaiheAction(ActionKind.ASK, card=exchange.asked)
            yield TaiheAction(ActionKind.GIVE_BACK, card=exchange.given_back)
        else:
            yield PASS if bid is Bid.PASSED else TaiheAction(ActionKind.DECLARE)
    yield from (TaiheAction(ActionKind.ASK, card=exchange.asked) for exchange in exchanges)
    yield from (play_of(turn) if turn else PASS for turn in state.turns)


def all_possible(state: TaiheState) -> Iterator[Deal]:
    """Go through all that fits what the actor of a state sees: try all, keep what can have come about."""
    view = state.view(state.actor)
    unseen = card_set(card for seat, hand in enumerate(state.hands) if seat != state.actor for card in cards_in(hand))
    played = [at_end ^ hand for at_end, hand in zip(hands_after_bidding(state), state.hands, strict=True)]
    for hands in all_hands(view, unseen, view.seat):
        then = [hand | mask for hand, mask in zip(hands, played, strict=True)]
        for exchanges in all_exchanges(view.exchanges, then, view):
            other = state.clone()
            other.hands, other.exchanges = list(hands), list(exchanges)
            if is_possible(other, view):
                yield hands, exchanges


def hands_after_bidding(state: TaiheState) -> list[int]:
    hands = list(state.hands)
    for place, turn in enumerate(turns_of(state.view(0))):
        assert state.declarer is not None
        hands[(state.declarer + place) % state.seats] |= turn
    return hands


def all_hands(view: TaiheView, unseen: int, seat: int) -> Iterator[tuple[int, ...]]:
    """Go through all ways to part the unseen cards among the others."""

    def parted(seats: Sequence[int], left: int) -> Iterator[dict[int, int]]:
        if not seats:
            yield {}
            return
        for picked in combinations(cards_in(left), view.hand_sizes[seats[0]]):
            hand = card_set(picked)
            for rest in parted(seats[1:], left & ~hand):
                yield {seats[0]: hand, **rest}

    everybody = range(len(view.hand_sizes))
    for hands in parted([other for other in everybody if other != seat], unseen):
        yield tuple(hands.get(other, card_set(view.hand)) for other in everybody)


def all_exchanges(
    exchanges: Sequence[Exchange], then: Sequence[int], view: TaiheView
) -> Iterator[tuple[Exchange, ...]]:
    """Go through all cards that may have been given back, from the last exchange back."""
    if not exchanges:
        yield ()
        return
    *earlier, last = exchanges
    seen = view.seat in (last.seat, last.holder)
    for card in cards_in(then[last.holder]):
        if holds(then[last.seat], last.asked) and (card == last.given_back or not seen):
            before = list(then)
            before[last.seat] ^= card_set([last.asked, card])
            before[last.holder] ^= card_set([last.asked, card])
            for rest in all_exchanges(earlier, before, view):
                yield *rest, last._replace(given_back=card)


def small_decisions(seed: int, *, seats: int, number: int, unseen: int) -> Iterator[TaiheState]:
    """Go through decisions late in a deal with exchanges that the seat did not see, where few cards are left unseen.

    Cards whose way is of interest are kept in the hands as long as possible.
    """
    rng = Random(seed)
    start = TaiheState(TaiheOptions(), totals=(0,) * seats, deal=number)

    def keeping(state: TaiheState, rng: Random) -> TaiheAction:
        if state.phase is not Phase.PLAYING:
            return exchanging(state, rng)
        kept = {FOUR_OF_HEARTS, *(exchange.given_back for exchange in state.exchanges)}
        tries = [filled(rng.choice(state.legal_actions()), rng) for _ in range(4)]
        return min(tries, key=lambda action: len(kept & set(action.cards)))

    shuffle(start, rng)
    while start.actor != CHANCE:
        view = start.view(start.actor)
        hidden = sum(exchange.given_back == NO_CARD for exchange in view.exchanges)
        if start.phase is Phase.PLAYING and hidden in (1, 2) and sum(view.hand_sizes) - len(view.hand) <= unseen:
            yield start.clone()
        start.apply(keeping(start, rng))


SMALL = [
    *((3, 0, seed) for seed in (4, 7, 13, 23, 38, 59)),
    *((3, 1, seed) for seed in (12, 26, 55)),
    *((4, 0, seed) for seed in (3, 11, 46, 57)),
    *((4, 1, seed) for seed in (12, 52)),
    (5, 1, 29),
]
"""Seats, deal and seed of decisions that few deals fit."""
UNSEEN = {3: 6, 4: 5, 5: 5}
"""How many cards are at most in the hands of others at these decisions, by the number of seats."""


def small_decision(seats: int, number: int, seed: int) -> TaiheState:
    return next(small_decisions(seed, seats=seats, number=number, unseen=UNSEEN[seats]))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "number", "seed"), SMALL)
def test_every_deal_that_fits_is_drawn_equally_often(seats: int, number: int, seed: int) -> None:
    """A chi-square test: its statistic has mean n - 1 and variance 2 (n - 1) for n deals."""
    state = small_decision(seats, number, seed)
    possible = list(all_possible(state))
    assert sum(knowledge_of(state.view(state.actor)).weights) == len(possible)
    draws = islice(possible_states(state.view(state.actor), rng=Random(seed)), DRAWS_FOR_EACH * len(possible))
    drawn = Counter((tuple(other.hands), tuple(other.exchanges)) for other in draws)
    assert set(drawn) == set(possible)
    freedom = len(possible) - 1
    statistic = sum((drawn[fitting] - DRAWS_FOR_EACH) ** 2 / DRAWS_FOR_EACH for fitting in possible)
    assert statistic <= freedom + 4 * (2 * freedom) ** 0.5


def test_the_frequencies_were_tried_where_cards_may_have_gone_several_ways() -> None:
    states = [small_decision(*small) for small in SMALL]
    ways = [len(knowledge_of(state.view(state.actor)).spreads) for state in states]
    assert sum(number >= 2 for number in ways) >= 8
    assert max(ways) >= 4


def drawn_hands(state: TaiheState, seat: int, *, draws: int = 60) -> list[tuple[int, ...]]:
    """Return the hands of some states drawn from what a seat sees."""
    return [tuple(other.hands) for other in islice(possible_states(state.view(seat), rng=Random(1)), draws)]


def test_the_first_bidder_of_the_first_deal_holds_the_four_of_hearts() -> None:
    state = dealt("A♣", "A♦", "A♥ 4♥")
    after(state, PASS)
    assert all(holds(hands[2], FOUR_OF_HEARTS) for hands in drawn_hands(state, 3))


def test_in_later_deals_nothing_is_known_of_it() -> None:
    state = TaiheState(TaiheOptions(), totals=(0, 0, 0, 0), deal=1, taker=2)
    deal(state, "A♣", "A♦", "A♥ 4♥")
    assert 0 < sum(holds(hands[2], FOUR_OF_HEARTS) for hands in drawn_hands(state, 3)) < 60


def test_a_card_asked_for_is_where_it_went_and_one_given_back_may_be_the_four_of_hearts() -> None:
    state = dealt("4♥", "A♠")
    after(state, PASS, PASS, PASS, PASS, ask("A♠"), give_back("4♥"))
    hands = drawn_hands(state, 2)
    assert all(holds(hand[0], card_of("A♠")) for hand in hands)
    assert 0 < sum(holds(hand[1], FOUR_OF_HEARTS) for hand in hands) < 30


def test_a_card_that_one_gave_back_may_have_been_given_on() -> None:
    state = dealt("4♥ K♥", "A♠", "A♦")
    after(state, PASS, PASS, PASS, PASS, ask("A♠"), give_back("K♥"))
    assert all(holds(hand[1], card_of("K♥")) for hand in drawn_hands(state, 0))
    after(state, ask("A♦"), give_back("K♥"))
    hands = drawn_hands(state, 0, draws=200)
    assert {[holds(hand[seat], card_of("K♥")) for seat in range(4)].index(True) for hand in hands} == {1, 2}
    assert 5 < sum(holds(hand[2], card_of("K♥")) for hand in hands) < 50


def test_the_hands_at_first_are_what_was_dealt() -> None:
    """The helper that other tests rest on."""
    states = decisions_of_deal(4, seats=4, temperament=exchanging)
    last_dealt = [state for state in states if not state.bids][-1]
    assert hands_at_first(states[-1]) == last_dealt.hands
    assert states[-1].exchanges
