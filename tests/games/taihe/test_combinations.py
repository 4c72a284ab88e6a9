"""What may be played, against the rules written a second time in another way, over all sets of cards of a hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from random import Random
from typing import NamedTuple

import pytest
from games.taihe.table import decisions_of_deal, mixed

from ordago.cards import card_set, cards_in, sign
from ordago.game import LegalAction, Parts
from ordago.games.taihe.combinations import COMBINATIONS, NOTHING, STRONGER, Kind, combination_of, combinations_in
from ordago.games.taihe.pack import PACK
from ordago.games.taihe.rules import RULES
from ordago.games.taihe.values import PASS, ActionKind, Phase, TaiheAction

ORDER = ["4", "5", "6", "7", "9", "10", "J", "Q", "K", "A"]
ROWS = ("4 5 6 7", "9 10 J Q K")


class Shape(NamedTuple):
    """A combination by the words of the rule page."""

    kind: str
    size: int
    top: int


def shape_of(cards: Sequence[int]) -> Shape | None:
    """Return the combination that cards form."""
    numbers = Counter(sign(card)[:-1] for card in cards)
    ranks = sorted(numbers, key=ORDER.index)
    if len(set(numbers.values())) != 1:
        return None
    each = numbers[ranks[0]]
    kind = kind_of(ranks, each)
    return Shape(kind, len(cards), ORDER.index(ranks[-1])) if kind else None


def kind_of(ranks: Sequence[str], each: int) -> str | None:
    if len(ranks) == 1:
        return {1: "single", 2: "pair", 3: "triple", 4: "quad"}[each]
    if not any(f" {' '.join(ranks)} " in f" {row} " for row in ROWS):
        return None
    if each == 1 and len(ranks) >= 3:
        return "sequence"
    return "double sequence" if each == 2 else None


def may_follow(shape: Shape, before: Shape) -> bool:
    """Say whether a combination may be played on another."""
    if shape.kind == before.kind and shape.size == before.size:
        return shape.top > before.top
    return shape.kind == "quad" or (shape.kind == "triple" and before.kind != "quad")


def all_plays(hand: Sequence[int], to_beat: Sequence[int]) -> Iterator[tuple[int, ...]]:
    before = shape_of(to_beat) if to_beat else None
    for cards in chain.from_iterable(combinations(hand, size) for size in range(1, len(hand) + 1)):
        shape = shape_of(cards)
        if shape is not None and (before is None or may_follow(shape, before)):
            yield cards


def all_fillings(legal: LegalAction[TaiheAction]) -> Iterator[TaiheAction]:
    """Go through all complete actions that a legal action stands for."""
    picked = product(*(combinations(pick.cards, pick.min) for pick in legal.picks))
    for groups in picked:
        yield RULES.fill(legal, Parts(cards=tuple(sorted(chain.from_iterable(groups)))))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_listed_actions_are_exactly_the_legal_ones(seats: int) -> None:
    states = [state for seed in range(12) for state in decisions_of_deal(seed, seats=seats, temperament=mixed)]
    playing = [state for state in states if state.phase is Phase.PLAYING]
    for state in Random(seats).sample(playing, 40):
        view = state.view(state.actor)
        expected = set(all_plays(view.hand, view.to_beat))
        listed = [action for legal in state.legal_actions() for action in all_fillings(legal)]
        assert len(set(listed)) == len(listed)
        assert {action.cards for action in listed if action != PASS} == expected
        assert (PASS in listed) == bool(view.to_beat) == (state.check(PASS) is None)


@pytest.mark.parametrize("seats", [4, 5])
def test_any_cards_of_the_hand_are_refused_unless_they_may_be_played(seats: int) -> None:
    states = [state for seed in range(12) for state in decisions_of_deal(seed, seats=seats, temperament=mixed)]
    playing = [state for state in states if state.phase is Phase.PLAYING]
    for state in Random(seats).sample(playing, 12):
        view = state.view(state.actor)
        expected = set(all_plays(view.hand, view.to_beat))
        for cards in chain.from_iterable(combinations(view.hand, size) for size in range(len(view.hand) + 1)):
            assert (state.check(TaiheAction(ActionKind.PLAY, cards=cards)) is None) == (cards in expected)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_listed_bids_are_exactly_the_legal_ones(seats: int) -> None:
    probes = [TaiheAction(kind, card=card) for kind in (ActionKind.ASK, ActionKind.GIVE_BACK) for card in PACK]
    probes += [TaiheAction(kind) for kind in ActionKind]
    for seed in range(20):
        for state in decisions_of_deal(seed, seats=seats):
            if state.phase is not Phase.PLAYING:
                listed = {action for legal in state.legal_actions() for action in all_fillings(legal)}
                assert {probe for probe in probes if state.check(probe) is None} == listed


def test_every_set_of_cards_is_recognised_as_the_page_says() -> None:
    rng = Random(1)
    for _ in range(20_000):
        cards = rng.sample(PACK, rng.randint(1, 5))
        assert_recognised(cards)


def test_every_combination_is_recognised_and_no_other_of_its_size_is_taken_for_it() -> None:
    rng = Random(2)
    for number, combination in enumerate(COMBINATIONS):
        cards = [card for rank in combination.ranks for card in rng.sample(cards_of(rank), combination.each)]
        assert combination_of(card_set(cards)) == number
        assert combinations_in(card_set(cards)) >> number & 1
        assert_recognised(cards)
        for card in PACK:
            assert_recognised([*cards[1:], card] if card not in cards else cards[1:] or cards)


def cards_of(rank: int) -> list[int]:
    return [card for card in PACK if sign(card)[:-1] == sign(rank)[:-1]]


def assert_recognised(cards: Sequence[int]) -> None:
    number, shape = combination_of(card_set(cards)), shape_of(cards)
    if number == NOTHING:
        assert shape is None
        return
    combination = COMBINATIONS[number]
    assert shape == Shape(combination.kind.name.lower().replace("_", " "), combination.size, combination.top)


def test_what_beats_what_agrees_with_the_page() -> None:
    shapes = [Shape(one.kind.name.lower().replace("_", " "), one.size, one.top) for one in COMBINATIONS]
    for number, before in enumerate(shapes):
        stronger = [other for other, shape in enumerate(shapes) if may_follow(shape, before)]
        assert cards_in(STRONGER[number]) == stronger
    assert cards_in(STRONGER[NOTHING]) == list(range(65))


def test_there_are_65_combinations() -> None:
    counts = Counter(combination.kind for combination in COMBINATIONS)
    assert counts == {
        Kind.SINGLE: 10,
        Kind.PAIR: 10,
        Kind.SEQUENCE: 9,
        Kind.DOUBLE_SEQUENCE: 16,
        Kind.TRIPLE: 10,
        Kind.QUAD: 10,
    }
