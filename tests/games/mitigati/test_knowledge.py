"""Drawing deals that fit: the seat sees the same, nothing that fits is left out, and all come equally often."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from random import Random

import pytest
from games.mitigati.table import (
    again,
    any_card,
    dealt,
    in_bargain,
    lay_away,
    mid_deal,
    new_match,
    play,
    say,
    shuffle,
    step,
)

from ordago.cards import card_set, cards_in, count, holds
from ordago.game import CHANCE, FINISHED
from ordago.games.mitigati.knowledge import evidence_of, knowledge_of
from ordago.games.mitigati.pack import ALL_TRUMPS, HONOURS, PAGAT, SUIT_CARDS, TWENTY_ONE, WHOLE_PACK
from ordago.games.mitigati.refusals import NEVER_DISCARDED
from ordago.games.mitigati.rules import possible_states
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import CARD, SEATS, MitigatiAction, Ranking

DRAWS_FOR_EACH = 40
"""How often each deal that fits is expected to be drawn."""


def check_looks_the_same(state: MitigatiState, rng: Random) -> None:
    seat = state.actor
    for drawn in islice(possible_states(state.view(seat), rng=rng), 2):
        assert drawn.actor == seat
        assert drawn.view(seat) == state.view(seat)
        assert drawn.legal_actions() == state.legal_actions()
        assert sum(drawn.hands) + drawn.discard + card_set(drawn.cards) + card_set(drawn.stock) == WHOLE_PACK
        assert [count(hand) for hand in drawn.hands] == [count(hand) for hand in state.hands]
        assert len(drawn.stock) == len(state.stock)


@pytest.mark.parametrize("seed", range(4))
def test_a_state_drawn_looks_the_same_to_the_seat_at_every_decision_of_a_match(seed: int) -> None:
    rng = Random(seed)
    state = new_match(ranking=Ranking.PIEDMONT if seed % 2 else Ranking.SOURCE)
    while state.actor != FINISHED:
        if state.actor != CHANCE:
            check_looks_the_same(state, rng)
        step(state, rng)


@pytest.mark.parametrize("plays", range(0, 75, 8))
def test_all_that_happened_can_have_happened_in_a_state_drawn(plays: int) -> None:
    for seed in range(12):
        state = mid_deal(seed, plays=plays)
        drawn = next(possible_states(state.view(state.actor), rng=Random(seed)))
        assert again(drawn) is not None


def test_a_state_drawn_is_a_whole_state_that_plays_on_to_the_same_end() -> None:
    """Drawn from a view, then given the true cards, a state cannot be told from the true one."""
    rng = Random(3)
    state = new_match()
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        drawn = next(possible_states(state.view(state.actor), rng=rng))
        drawn.hands, drawn.stock, drawn.discard = list(state.hands), state.stock, state.discard
        assert [drawn.view(seat) for seat in range(SEATS)] == [state.view(seat) for seat in range(SEATS)]
        action = any_card(state, rng)
        assert drawn.apply(action) == state.apply(action)


def partitions(state: MitigatiState) -> Iterator[tuple[tuple[int, ...], int]]:
    """Go through all hands and discards that the actor could imagine if it had noticed nothing but its own cards."""
    seat, first, second = ((state.actor + place) % SEATS for place in range(SEATS))
    hidden_discard = 0 if seat == state.dealer else state.discard
    unseen = state.hands[first] | state.hands[second] | hidden_discard
    for discard in combinations(cards_in(unseen), count(hidden_discard)):
        rest = unseen & ~card_set(discard)
        for picked in combinations(cards_in(rest), count(state.hands[first])):
            hands = [0, 0, 0]
            hands[seat], hands[first] = state.hands[seat], card_set(picked)
            hands[second] = rest & ~hands[first]
            yield tuple(hands), card_set(discard) | state.discard & ~hidden_discard


def all_possible(state: MitigatiState) -> Iterator[tuple[tuple[int, ...], int]]:
    """Go through what fits what the actor of a state sees: try all, keep what can have come about."""
    for hands, discard in partitions(state):
        other = state.clone()
        other.hands, other.discard = list(hands), discard
        if not discard & NEVER_DISCARDED and again(other) is not None:
            yield hands, discard


def check_frequencies(state: MitigatiState, *, seed: int) -> int:
    """Check by a chi-square test: its statistic has mean n - 1 and variance 2 (n - 1) for n deals. Return n."""
    possible = list(all_possible(state))
    assert sum(knowledge_of(state.view(state.actor)).deals) == len(possible)
    draws = islice(possible_states(state.view(state.actor), rng=Random(seed)), DRAWS_FOR_EACH * len(possible))
    drawn = Counter((tuple(other.hands), other.discard) for other in draws)
    assert set(drawn) == set(possible)
    freedom = len(possible) - 1
    statistic = sum((drawn[deal] - DRAWS_FOR_EACH) ** 2 / DRAWS_FOR_EACH for deal in possible)
    assert statistic <= freedom + 4 * (2 * freedom) ** 0.5 + 1e-9
    return len(possible)


@pytest.mark.slow
@pytest.mark.parametrize("plays", [66, 67, 68, 69, 70, 71, 72, 73])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_deal_that_fits_is_drawn_equally_often(seed: int, plays: int) -> None:
    state = mid_deal(seed, plays=plays)
    if sum(1 for _ in partitions(state)) <= 800:
        check_frequencies(state, seed=seed)


TOLD = {
    "reale": ("K♣ K♦ K♥ K♠ O 2♣ 2♦ 2♥ 2♠", "XXI", "I", "3♣ 3♦ 3♥"),
    "mitigati": ("K♦", "I XXI O K♠ K♣", "K♥", "3♣ 3♦ 3♥"),
    "onori": ("K♦ K♥ I XXI", "K♠ O", "K♣", "3♣ 3♦ 3♥"),
    "onori of the dealer": ("K♦ O", "K♠ I", "K♣ K♥ XXI O", "3♣ 3♦ 3♥"),
    "tarocchi": ("K♦", "I II III IV V VI VII VIII IX XXI O", "X XI XII", "3♣ 3♦ X"),
    "tarocchi of the dealer": ("K♦ XX", "I O II III", "IV V VI VII VIII IX X XI XII XIII XIV XXI", "IV V 3♥"),
    "two tarocchi": (
        "I II III IV V VI VII VIII IX X",
        "XI XII XIII XIV XV XVI XVII XVIII XIX XX",
        *("XXI", "3♣ 3♦ 3♥"),
    ),
    "nearly tarocchi": (
        "I II III IV V VI VII VIII O",
        "IX X XI XII XIII XIV XV XVI XXI",
        *("XX XIX XVIII XVII", "XX XIX 3♥"),
    ),
    "the I laid away": (
        "II III IV V VI VII VIII IX X XI XII XIII",
        "XIV XV XVI XVII XVIII XIX XX XXI",
        *("I K♣ K♦ O", "I 3♦ 3♥"),
    ),
    "the I kept": (
        "II III IV V VI VII VIII IX X XI XII",
        "XIII XIV XV XVI XVII XVIII XX XXI",
        *("I XIX 4♥", "3♦ 3♥ 4♥"),
    ),
}
"""Deals whose declarations tell something: the hands, as far as they matter, and the discard."""


def keeping_honours(state: MitigatiState) -> MitigatiAction:
    """Play a plain card while one is left, then a trump, then an honour, so that they are still hidden in the end."""
    legal = cards_in(state.legal_cards())
    return CARD[min(legal, key=lambda card: (holds(HONOURS, card), holds(ALL_TRUMPS, card), card))]


def late_in(name: str, *, plays: int, seed: int) -> MitigatiState:
    """Return one of the deals of ``TOLD`` after so many cards."""
    *hands, laid_away = TOLD[name]
    hands[2] = " ".join(dict.fromkeys([*hands[2].split(), *laid_away.split()]))
    state = dealt(*_without(hands), rng=Random(seed))
    lay_away(state, laid_away)
    while len(state.cards) < plays:
        state.apply(keeping_honours(state))
    return state


def _without(hands: Sequence[str]) -> Iterator[str]:
    """Go through the hands, each without the cards of those before it."""
    seen: set[str] = set()
    for hand in hands:
        yield " ".join(word for word in hand.split() if word not in seen)
        seen |= set(hand.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_what_declarations_tell_is_known_exactly(name: str) -> None:
    for plays in range(67, 73):
        state = late_in(name, plays=plays, seed=plays)
        possible = sum(1 for _ in all_possible(state))
        assert sum(knowledge_of(state.view(state.actor)).deals) == possible


@pytest.mark.parametrize("name", ["reale", "nearly tarocchi", "the I laid away", "tarocchi of the dealer"])
def test_every_deal_that_fits_what_was_declared_is_drawn_equally_often(name: str) -> None:
    for plays in range(69, 72):
        check_frequencies(late_in(name, plays=plays, seed=plays), seed=plays)


@pytest.mark.parametrize("name", TOLD)
def test_early_in_such_a_deal_all_draws_can_have_happened(name: str) -> None:
    for plays in (0, 1, 2, 20, 40):
        state = late_in(name, plays=plays, seed=7)
        for drawn in islice(possible_states(state.view(state.actor), rng=Random(plays)), 20):
            assert again(drawn) is not None


def test_the_discard_has_the_i_only_if_the_dealer_had_no_other_trump() -> None:
    state = dealt("K♣ K♦ II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX", "XXI", "I 3♦ 3♥")
    lay_away(state, "I 3♦ 3♥")
    drawn = list(islice(possible_states(state.view(0), rng=Random(1)), 1_000))
    without = [other for other in drawn if holds(other.discard, PAGAT)]
    assert len(without) > 10
    assert not any(other.hands[2] & ALL_TRUMPS for other in without)
    assert any(holds(other.hands[2], TWENTY_ONE) for other in drawn)


def test_the_card_after_a_fool_led_is_the_card_led() -> None:
    """The third player shows that he has no hearts and no trumps; the second shows nothing."""
    state = dealt("O 3♠ 4♠", "3♥ II III", "5♦ 6♦ 7♦ 8♦")
    lay_away(state, "6♦ 7♦ 8♦")
    state.hands[2] &= ~(SUIT_CARDS[2] | ALL_TRUMPS)
    play(state, "O 3♥ 5♦")
    shown = [evidence.excluded for evidence in evidence_of(state.view(0))]
    assert shown == [0, 0, SUIT_CARDS[2] | ALL_TRUMPS]


@pytest.mark.parametrize("stage", [10, 15, 20])
def test_in_a_bargain_each_unseen_card_is_anywhere_with_the_same_chance(stage: int) -> None:
    state = in_bargain()
    say(state, " ".join(["play"] * (stage // 5 - 2)))
    assert state.stage == stage
    draws = 2_000
    places: Counter[tuple[int, str]] = Counter()
    for drawn in islice(possible_states(state.view(state.actor), rng=Random(stage)), draws):
        places.update((card, "next") for card in cards_in(drawn.hands[1]))
        places.update((card, "last") for card in drawn.stock[-8:])
    unseen = cards_in(WHOLE_PACK & ~state.hands[0])
    assert {card for card, _ in places} == set(unseen)
    for place, size in (("next", stage), ("last", 8)):
        chance = size / len(unseen)
        spread = (draws * chance * (1 - chance)) ** 0.5
        assert max(abs(places[card, place] - draws * chance) for card in unseen) < 4.5 * spread


def test_two_cards_in_the_stock_come_in_either_order_equally_often() -> None:
    """The order of the stock is drawn as well, since it decides who gets what."""
    state = in_bargain()
    drawn = list(islice(possible_states(state.view(0), rng=Random(1)), 2_000))
    first, second = cards_in(WHOLE_PACK & ~state.hands[0])[:2]
    both = [other.stock for other in drawn if first in other.stock and second in other.stock]
    earlier = sum(stock.index(first) < stock.index(second) for stock in both)
    assert abs(earlier - len(both) / 2) < 4 * (len(both) / 4) ** 0.5
