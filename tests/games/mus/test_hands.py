"""What hands are worth, against the rules written a second time, by sorting and counting cards."""

import copy
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from support.copies import pickled

from ordago.cards import card_set, holds, spanish_rank
from ordago.games.mus.hands import JUEGO_FEATURE, PACK, PARES_FEATURE, hand_table
from ordago.games.mus.values import Signal

ORDER = {8: [1, 4, 5, 6, 7, 8, 9, 10], 4: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
JUEGOS_BEST_FIRST = [31, 32, 40, 37, 36, 35, 34, 33]


def height(card: int, kings: int) -> int:
    rank = spanish_rank(card)
    if kings == 8:
        rank = {3: 10, 2: 1}.get(rank, rank)
    return ORDER[kings].index(rank)


def counts(card: int, kings: int) -> int:
    rank = spanish_rank(card)
    if kings == 8 and rank in (2, 3):
        return {2: 1, 3: 10}[rank]
    return min(rank, 10) if rank < 8 else 10


def pares(hand: tuple[int, ...], kings: int) -> tuple[int, ...]:
    """Return kind and heights in the order in which pares are compared; nothing for none."""
    alike = Counter(height(card, kings) for card in hand)
    shape = sorted(alike.values(), reverse=True)
    pairs = sorted((seen for seen in alike if alike[seen] > 1), reverse=True)
    if shape == [4]:
        return (3, pairs[0], pairs[0])
    if shape == [2, 2]:
        return (3, *pairs)
    if shape[0] == 3:
        return (2, pairs[0])
    return (1, pairs[0]) if shape[0] == 2 else ()


def juego(hand: tuple[int, ...], kings: int) -> int:
    total = sum(counts(card, kings) for card in hand)
    return -JUEGOS_BEST_FIRST.index(total) if total > 30 else -99


def sign_of(first: object, second: object) -> int:
    return (first > second) - (first < second)  # type: ignore[operator] # both are compared with their like


@pytest.mark.parametrize("kings", [8, 4])
def test_any_two_hands_compare_as_the_rules_say(kings: int) -> None:
    rng = Random(kings)
    table = hand_table(kings)
    for _ in range(4000):
        cards = rng.sample(PACK, 8)
        one, other = tuple(cards[:4]), tuple(cards[4:])
        first, second = (table.worth(card_set(hand)) for hand in (one, other))
        low_one, low_other = (sorted(height(card, kings) for card in hand) for hand in (one, other))
        assert sign_of(first.grande, second.grande) == sign_of(low_one[::-1], low_other[::-1])
        assert sign_of(first.chica, second.chica) == -sign_of(low_one, low_other)
        assert sign_of(first.pares, second.pares) == sign_of(pares(one, kings), pares(other, kings))
        assert sign_of(first.juego, second.juego) == sign_of(juego(one, kings), juego(other, kings))
        assert first.punto == sum(counts(card, kings) for card in one)


@pytest.mark.parametrize("kings", [8, 4])
def test_bonuses_and_signals_of_any_hand_are_as_the_rules_say(kings: int) -> None:
    rng = Random(kings)
    table = hand_table(kings)
    for _ in range(4000):
        hand = tuple(rng.sample(PACK, 4))
        worth = table.worth(card_set(hand))
        kind = pares(hand, kings)[0] if pares(hand, kings) else 0
        assert worth.pares_bonus == kind
        heights = [height(card, kings) for card in hand]
        total = sum(counts(card, kings) for card in hand)
        true_of = {
            Signal.TWO_KINGS: heights.count(len(ORDER[kings]) - 1) == 2,
            Signal.TWO_ACES: heights.count(0) == 2,
            Signal.MEDIAS_OF_KINGS: heights.count(len(ORDER[kings]) - 1) == 3,
            Signal.MEDIAS_OF_ACES: heights.count(0) == 3,
            Signal.MEDIAS: kind == 2,
            Signal.DUPLES: kind == 3,
            Signal.JUEGO: total > 30,
            Signal.THIRTY_ONE: total == 31,
            Signal.THIRTY: total == 30,
            Signal.TWENTY_NINE: total == 29,
            Signal.CIEGO: kind == 0 and total < 29,
            Signal.CUT_MUS: False,
            Signal.BET_MORE: False,
            Signal.THREE_KINGS: heights.count(len(ORDER[kings]) - 1) == 3,
            Signal.THREE_ACES: heights.count(0) == 3,
            Signal.SOLOMILLO: sorted(heights) == [0] + [len(ORDER[kings]) - 1] * 3,
        }
        assert {signal: holds(worth.features, signal) for signal in Signal} == true_of
        assert bool(worth.features & PARES_FEATURE) == (kind > 0)
        assert bool(worth.features & JUEGO_FEATURE) == (total > 30)


def test_nobody_counts_38_or_39() -> None:
    """The order of juegos is complete: it has every count above 30 that there is."""
    for kings in (8, 4):
        totals = {worth.punto for worth in hand_table(kings).worths.values() if worth.juego}
        assert totals == set(JUEGOS_BEST_FIRST)


def test_every_hand_is_in_the_table() -> None:
    table = hand_table(8)
    assert len(table.worths) == 330
    assert len(hand_table(4).worths) == 715
    for hand in combinations(PACK[::3], 4):
        assert table.worth(card_set(hand))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_of_what_hands_are_worth_there_is_one_table(copied) -> None:
    assert copied(hand_table(4)) is hand_table(4)
