"""Drawing states that fit: the seat sees the same, nothing that fits is left out, and all come equally often."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice, permutations, product
from random import Random

import pytest
from games.mitaines.table import action_of, at_table, cards, is_possible, mid_deal, plays_of_hand, redeal

from ordago.cards import card_set, cards_in, count
from ordago.game import CHANCE, FINISHED
from ordago.games.mitaines.knowledge import Group, Knowledge, draw_unseen, knowledge_of
from ordago.games.mitaines.rules import possible_states
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import PLAY, MitainesView

DRAWS_FOR_EACH = 40
"""How often each partition that fits is expected to be drawn."""
LAST_PLAY = 48


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("plays", range(0, LAST_PLAY, 3))
def test_a_state_drawn_looks_the_same_to_the_seat_and_can_have_come_about(seats: int, plays: int) -> None:
    for seed in range(3):
        state = mid_deal(seed, plays=plays, seats=seats)
        seat = state.actor
        for drawn in islice(possible_states(state.view(seat), rng=Random(seed)), 3):
            assert drawn.actor == seat
            assert drawn.view(seat) == state.view(seat)
            assert drawn.legal_actions() == state.legal_actions()
            assert drawn.default_action() == state.default_action()
            assert is_possible(drawn)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_state_drawn_is_a_whole_state_that_plays_on_to_the_same_end(seats: int) -> None:
    """Drawn from a view, then given the true cards, a state cannot be told from the true one."""
    for plays in range(0, LAST_PLAY, 5):
        state = mid_deal(11, plays=plays, seats=seats)
        drawn = next(possible_states(state.view(state.actor), rng=Random(1)))
        drawn.hands, drawn.stock = list(state.hands), state.stock
        while state.actor not in (CHANCE, FINISHED):
            assert [drawn.view(seat) for seat in range(seats)] == [state.view(seat) for seat in range(seats)]
            action = state.legal_actions()[-1].action
            assert drawn.apply(action) == state.apply(action)


def all_partings(state: MitainesState) -> Iterator[tuple[int, ...]]:
    """Go through all hands that fit what the actor sees: try all, keep those from which the same could be played."""
    others = [seat for seat in range(state.seats) if seat != state.actor]
    unseen = card_set(state.stock)
    for seat in others:
        unseen |= state.hands[seat]
    yield from _fill(state, others, unseen)


def _fill(state: MitainesState, others: list[int], unseen: int) -> Iterator[tuple[int, ...]]:
    if not others:
        trial = state.clone()
        trial.stock = tuple(cards_in(unseen))
        if is_possible(trial):
            yield tuple(trial.hands)
        return
    seat, *later = others
    for picked in combinations(cards_in(unseen), count(state.hands[seat])):
        trial = state.clone()
        trial.hands = list(state.hands)
        trial.hands[seat] = card_set(picked)
        yield from _fill(trial, later, unseen & ~trial.hands[seat])


def chi_square_is_fair(drawn: Counter[tuple[int, ...]], possible: list[tuple[int, ...]]) -> bool:
    """Compare with equal chances: the statistic has mean n - 1 and variance 2 (n - 1) for n partitions."""
    freedom = len(possible) - 1
    statistic = sum((drawn[hands] - DRAWS_FOR_EACH) ** 2 / DRAWS_FOR_EACH for hands in possible)
    return statistic <= freedom + 4 * (2 * freedom) ** 0.5


# Late in the last hand of a deal of four players, where the other three hold two or three cards each.
LATE = [(seed, plays) for seed in (2, 4, 18, 26) for plays in (37, 39, 40)]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "plays"), LATE)
def test_every_parting_that_fits_is_drawn_equally_often(seed: int, plays: int) -> None:
    state = mid_deal(seed, plays=plays, seats=4)
    assert not state.stock
    possible = list(all_partings(state))
    draws = islice(possible_states(state.view(state.actor), rng=Random(seed)), DRAWS_FOR_EACH * len(possible))
    drawn = Counter(tuple(other.hands) for other in draws)
    assert set(drawn) == set(possible)
    assert chi_square_is_fair(drawn, possible)


SMALL = Knowledge(
    seat=1,
    hand=card_set(cards("2♣ 3♣")),
    room=(2, 2, 2, 2),
    groups=(
        Group(cards=tuple(cards("7♦ 7♠")), least=(1, 0, 0, 0)),
        Group(cards=tuple(cards("9♦ 9♥ 9♠")), least=(1, 1, 0, 0)),
    ),
    others=tuple(cards("5♥ 6♥ Q♥")),
)
"""Seat 1 knows this: seat 2 has a seven and a nine, seat 3 a nine."""


def all_small_partings() -> Iterator[tuple[int, ...]]:
    """Go through all hands that fit ``SMALL``, in order of seats."""
    sevens, nines = (card_set(group.cards) for group in SMALL.groups)
    unseen = sevens | nines | card_set(SMALL.others)
    for second, third, zeroth in product(combinations(cards_in(unseen), 2), repeat=3):
        hands = card_set(zeroth), SMALL.hand, card_set(second), card_set(third)
        apart = not (hands[0] & hands[2] or hands[0] & hands[3] or hands[2] & hands[3])
        if apart and hands[2] & sevens and hands[2] & nines and hands[3] & nines:
            yield hands


@pytest.mark.slow
def test_two_seats_of_which_something_is_known_are_drawn_evenly() -> None:
    possible = list(all_small_partings())
    rng = Random(3)
    drawn = Counter(tuple(draw_unseen(SMALL, rng=rng)[0]) for _ in range(DRAWS_FOR_EACH * len(possible)))
    assert set(drawn) == set(possible)
    assert len(possible) > 50
    assert chi_square_is_fair(drawn, possible)


@pytest.mark.slow
def test_the_orders_of_the_stock_come_equally_often() -> None:
    """With something known of the hands, and with nothing."""
    free = Knowledge(seat=0, hand=0, room=(1, 3), groups=(), others=tuple(cards("5♥ 6♥ Q♥ K♥")))
    for knowledge in (SMALL, free):
        rng = Random(4)
        orders = Counter(tuple(draw_unseen(knowledge, rng=rng)[1]) for _ in range(8_000))
        assert set(orders) == {order for stock in orders for order in permutations(stock)}
        for stock in {tuple(sorted(order)) for order in orders}:
            numbers = [orders[order] for order in permutations(stock)]
            expected = sum(numbers) / len(numbers)
            assert all(abs(number - expected) < 4 * expected**0.5 for number in numbers)


def with_declarations() -> MitainesState:
    """Return a position in which seat 1 has declared a mitten of sevens and seat 2 a glove of nines."""
    hands = [cards("2♣ 3♣ 4♣ K♣"), cards("7♣ 7♦ 5♥ 6♥"), cards("9♣ 9♦ 9♥ Q♥"), cards("8♠ 10♠ 9♠ 7♠")]
    state = at_table(hands, pile=cards("K♠"))
    for said in ("2♣", "7♣ mitten", "9♣ glove", "8♠"):
        action = action_of(said)
        assert state.check(action) is None
        state.apply(action)
    return state


def test_what_a_declaration_shows_is_known() -> None:
    knowledge = knowledge_of(with_declarations().view(0))
    assert [(group.cards, group.least) for group in knowledge.groups] == [
        (tuple(sorted(cards("7♦ 7♥ 7♠"))), (1, 0, 0, 0)),
        (tuple(sorted(cards("9♦ 9♥ 9♠"))), (0, 2, 0, 0)),
    ]


def test_what_is_played_of_it_is_known_no_longer() -> None:
    state = with_declarations()
    for said in ("3♣", "5♥", "9♦", "10♠"):
        state.apply(action_of(said))
    groups = {group.cards: group.least for group in knowledge_of(state.view(0)).groups}
    assert groups == {
        tuple(sorted(cards("7♦ 7♥ 7♠"))): (1, 0, 0, 0),
        tuple(sorted(cards("9♥ 9♠"))): (0, 1, 0, 0),
    }


def test_a_new_hand_begins_with_nothing_known() -> None:
    state = mid_deal(1, plays=24, seats=4)
    assert plays_of_hand(state) == 0
    assert knowledge_of(state.view(state.actor)).groups == ()


def test_the_frequencies_were_tried_where_play_had_told_something() -> None:
    """At several of the late decisions fewer partitions fit than there are ways to part the unseen cards."""
    told = sum(bool(knowledge_of(_actor_view(seed, plays)).groups) for seed, plays in LATE)
    assert told >= 8


def _actor_view(seed: int, plays: int) -> MitainesView:
    state = mid_deal(seed, plays=plays, seats=4)
    return state.view(state.actor)


def test_the_redeal_is_what_was_dealt() -> None:
    """The helper that other tests rest on: each hand gets its cards again, at the same time."""
    for seats in (2, 3, 4):
        state = mid_deal(4, plays=40, seats=seats)
        again = mid_deal(4, plays=0, seats=seats)
        twin = MitainesState(again.options, seats=seats)
        twin.supply(redeal(state)[0])
        assert twin.hands == again.hands
        for card, combination in zip(state.played, state.declared, strict=True):
            twin.apply(PLAY[card][combination])
        assert twin.hands == state.hands
