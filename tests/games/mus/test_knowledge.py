"""Drawing deals that fit: the seat sees the same, all was legal, and hidden things are as frequent as in play."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from random import Random

import pytest
from games.mus.table import actions_of, dealt, decisions, hands_before, new_match, redeal, say, shuffle

from ordago.cards import card_set, cards_in, count, spanish_rank
from ordago.game import CHANCE
from ordago.games.mus.hands import JUEGO_FEATURE, PACK, PARES_FEATURE, WHOLE_PACK, hand_table
from ordago.games.mus.knowledge import Truth, knowledge_of
from ordago.games.mus.redealing import possible_hands, possible_states
from ordago.games.mus.state import MusState
from ordago.games.mus.values import ActionKind, MusAction, Phase, Signal


@pytest.mark.parametrize("signals", ["off", "partner"])
def test_a_state_drawn_looks_the_same_to_the_seat(signals: str) -> None:
    for seed in range(6):
        for state in decisions(seed, signals=signals, max_mus=3):
            seat = state.actor
            drawn = next(possible_states(state.view(seat), rng=Random(seed)))
            assert drawn.actor == seat
            assert drawn.view(seat) == state.view(seat)
            assert drawn.legal_actions() == state.legal_actions()
            assert drawn.extras() == state.extras()
            check_cards(drawn)


def check_cards(state: MusState) -> None:
    holdings = state.holdings
    piles = [*holdings.hands, holdings.pile, card_set(holdings.stock)]
    assert sum(map(count, piles)) == 40
    assert sum(piles) == WHOLE_PACK


@pytest.mark.slow
@pytest.mark.parametrize("signals", ["off", "open"])
def test_a_state_drawn_can_have_come_about(signals: str) -> None:
    """Its deal, played again from its first shuffle on, leads to it, and all that was said is legal."""
    for seed in range(4):
        for state in decisions(seed, signals=signals, max_mus=3):
            drawn = next(possible_states(state.view(state.actor), rng=Random(seed)))
            again = played_again(drawn)
            assert [again.view(seat) for seat in range(4)] == [drawn.view(seat) for seat in range(4)]
            assert again.holdings.stock == drawn.holdings.stock
            assert again.holdings.pile == drawn.holdings.pile


def played_again(state: MusState) -> MusState:
    again = MusState(state.options)
    again.scoreboard = state.scoreboard
    again._begin_deal()
    again.scoreboard, again.shown = state.scoreboard, state.shown
    shuffles, actions = iter(redeal(state)), iter(actions_of(state))
    points = again.scoreboard.points
    again.scoreboard = again.scoreboard.with_points(points_before(state))
    again.supply(next(shuffles))
    for said in actions:
        while again.actor == CHANCE:
            again.supply(next(shuffles))
        assert again.check(said) is None
        again.apply(said)
    while again.actor == CHANCE:
        again.supply(next(shuffles))
    assert again.scoreboard.points == points
    return again


def points_before(state: MusState) -> tuple[int, ...]:
    """Return the points of the sides before the deal: less what refused bets have earned in it."""
    earned = [sum(settled.stake for settled in state.settled if settled.side == side) for side in (0, 1)]
    return tuple(points - gain for points, gain in zip(state.scoreboard.points, earned, strict=True))


@pytest.mark.slow
def test_a_state_drawn_with_the_true_cards_plays_on_to_the_same_end() -> None:
    for seed in range(8):
        # Signals of the others that the seat does not see are in no state that it draws.
        for state in islice(decisions(seed, signals="off"), 0, None, 3):
            drawn = next(possible_states(state.view(state.actor), rng=Random(1)))
            drawn.holdings = state.holdings.clone()
            if drawn.worths:
                drawn.worths = state.worths
            twin = state.clone()
            while twin.actor >= 0:
                assert [drawn.view(seat) for seat in range(4)] == [twin.view(seat) for seat in range(4)]
                said = twin.default_action()
                assert drawn.apply(said) == twin.apply(said)


def announced(state: MusState) -> MusState:
    """Go on to the announcement of juego, if both sides have it, else to the end of the deal."""
    say(state, "no mus")
    while state.actor != CHANCE and state.juego is None:
        state.apply(state.default_action())
    return state


def exchanged(rng: Random, *numbers: int) -> MusState:
    """Return a deal after exchanges in which each seat discards so many cards, any of them."""
    state = new_match()
    shuffle(state, rng)
    for number in numbers:
        say(state, "mus", "mus", "mus", "mus")
        while state.phase is Phase.DISCARD and state.actor != CHANCE:
            hand = cards_in(state.holdings.hands[state.actor])
            state.apply(MusAction(ActionKind.DISCARD, cards=tuple(sorted(rng.sample(hand, number)))))
        if state.actor == CHANCE:
            shuffle(state, rng)
    return state


def first_deal(rng: Random) -> MusState:
    return announced(exchanged(rng))


def after_an_exchange(rng: Random) -> MusState:
    return announced(exchanged(rng, 2))


def after_a_shuffle(rng: Random) -> MusState:
    return exchanged(rng, 3, 3, 2)


def after_two_shuffles(rng: Random) -> MusState:
    return exchanged(rng, 4, 4, 4, 2, 2)


def ranks_of_next(state: MusState) -> Hashable:
    """Return how many kings and aces the next seat holds."""
    ranks = [spanish_rank(card) for card in cards_in(state.holdings.hands[(state.actor + 1) % 4])]
    return sum(rank in (3, 10) for rank in ranks), sum(rank in (1, 2) for rank in ranks)


def own_discards_about(state: MusState) -> Hashable:
    """Return how many cards that the actor once discarded the two next seats hold, and whether one is dealt next."""
    own = card_set(state.view(state.actor).discarded)
    held = [count(own & state.holdings.hands[(state.actor + step) % 4]) for step in (1, 2)]
    return *held, state.holdings.stock[-1] in cards_in(own)


def first_hand_of_next(state: MusState) -> Hashable:
    """Return what can be said of the first hand of the next seat, and how much of it is left."""
    seat = (state.actor + 1) % 4
    first, *_ = hands_before(state, seat)
    worth = hand_table(8).worth(first)
    return worth.pares_bonus, count(first & state.holdings.hands[seat])


STATISTICS = (ranks_of_next, own_discards_about, first_hand_of_next)


@pytest.mark.slow
@pytest.mark.parametrize("play", [first_deal, after_an_exchange, after_a_shuffle, after_two_shuffles])
def test_hidden_things_are_as_frequent_in_deals_drawn_as_in_play(play: Callable[[Random], MusState]) -> None:
    """Players who do not look at their cards: then an even draw and the truth are equally distributed.

    The test compares two samples: with k kinds its statistic has mean k - 1 and variance 2 (k - 1).
    """
    rng = Random(1)
    true, drawn = [Counter[Hashable]() for _ in STATISTICS], [Counter[Hashable]() for _ in STATISTICS]
    for _ in range(700):
        state = play(rng)
        if state.actor == CHANCE:
            continue
        other = next(possible_states(state.view(state.actor), rng=rng))
        for number, statistic in enumerate(STATISTICS):
            true[number][statistic(state)] += 1
            drawn[number][statistic(other)] += 1
    differing = [one.__name__ for one, *both in zip(STATISTICS, true, drawn, strict=True) if not is_alike(*both)]
    assert not differing


def is_alike(true: Counter[Hashable], drawn: Counter[Hashable]) -> bool:
    kinds = set(true) | set(drawn)
    distance = sum((true[kind] - drawn[kind]) ** 2 / (true[kind] + drawn[kind]) for kind in kinds)
    freedom = len(kinds) - 1
    return distance <= freedom + 4 * (2 * freedom) ** 0.5 + 1


def test_every_unseen_card_is_equally_often_in_each_place() -> None:
    """A chi-square test over the 35 cards that seat 0 has not seen and the places where they can be."""
    rng = Random(3)
    state = exchanged(rng, 1)
    view = state.view(0)
    unseen = [card for card in PACK if card not in view.hand + view.discarded]
    draws = 3000
    places = Counter[tuple[int, int]]()
    for drawn in islice(possible_states(view, rng=rng), draws):
        for seat in (1, 2, 3):
            places.update((card, seat) for card in cards_in(drawn.holdings.hands[seat]))
    expected = draws * 4 / len(unseen)
    distance = sum((places[card, seat] - expected) ** 2 / expected for card in unseen for seat in (1, 2, 3))
    freedom = 3 * len(unseen)
    assert distance <= freedom + 4 * (2 * freedom) ** 0.5
    assert {card for card, _ in places} == set(unseen)


def test_hands_drawn_bear_out_what_was_announced() -> None:
    state = dealt("Ro Rc 4o Co", "Re Cc Sc 7c", "7o 7c 4e 5e", "Ao 4b 5b So")
    say(state, "no mus", *["paso"] * 8)
    seat = state.actor
    table = hand_table(8)
    for hands in islice(possible_hands(knowledge_of(state.view(seat)), rng=Random(1)), 50):
        assert hands[seat] == state.holdings.hands[seat]
        features = [table.worth(hand).features for hand in hands]
        assert tuple(bool(feature & PARES_FEATURE) for feature in features) == state.view(seat).pares
        assert tuple(bool(feature & JUEGO_FEATURE) for feature in features) == state.view(seat).juego


def test_what_was_heard_is_known_of_the_hand_that_was_held_then() -> None:
    state = dealt("Ro Rc 4o 5o", "Re Cc 4c 5c", "7o 6e 5e Ae", "Ao 4b 5b So", signals="open")
    say(state, "mus ~two kings", "mus ~cut mus", "mus", "mus")
    say(state, "discard 4o", "discard 4c ~twenty nine", "discard 7o", "discard Ao")
    say(state, "mus")
    truths = knowledge_of(state.view(1)).truths
    assert truths == {(0, 0): Truth(has=1 << 1)}
    assert knowledge_of(state.view(2)).truths == {(0, 0): Truth(has=1 << 1), (1, 0): Truth(has=1 << Signal.TWENTY_NINE)}


def improbable() -> Iterator[MusState]:
    """Go through decisions after much was signalled and exchanged."""
    for seed in range(2):
        yield from islice(decisions(seed, signals="open", max_mus=6), 20, None, 8)


def test_what_is_improbable_is_drawn_all_the_same() -> None:
    for state in improbable():
        drawn = next(possible_states(state.view(state.actor), rng=Random(1)))
        assert drawn.view(state.actor) == state.view(state.actor)
