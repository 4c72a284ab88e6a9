"""The course of a match: options, dealing, turns, new hands, ending, and who sees what."""

from random import Random

import pytest
from games.mitaines.table import (
    NO_PAIR,
    action_of,
    at_table,
    cards,
    eager_step,
    mid_deal,
    new_match,
    shuffle,
    step,
    whole_match,
)

from ordago.cards import card_set, count
from ordago.game import CHANCE, FINISHED, OptionError, OutcomeReason, Parts
from ordago.games import find_game
from ordago.games.mitaines import GAME
from ordago.games.mitaines.pack import PACK
from ordago.games.mitaines.rules import RULES
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import Clear, Declaration, EventKind, MitainesEvent, MitainesOptions


def play_out(state: MitainesState) -> list[MitainesEvent]:
    """Play to the end of the deal without declaring, and return what happened."""
    deal, events = state.deal, []
    while state.deal == deal and state.actor != FINISHED:
        events += [event.full for event in state.apply(state.default_action())]
    return events


def test_the_registry_knows_the_game() -> None:
    assert find_game("mitaines") is GAME


def test_options_have_the_defaults_of_the_page() -> None:
    assert RULES.options({}) == MitainesOptions(target=500, max_deals=60)


@pytest.mark.parametrize(
    ("name", "value"), [("target", 10), ("target", 10_000), ("target", "300"), ("max_deals", 1), ("max_deals", 1_000)]
)
def test_numbers_in_range_are_played(name: str, value: int | str) -> None:
    assert getattr(RULES.options({name: value}), name) == int(value)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("target", 9, "a whole number from 10 to 10000, not 9"),
        ("target", 10_001, "a whole number from 10 to 10000, not 10001"),
        ("target", "high", "a whole number from 10 to 10000, not 'high'"),
        ("max_deals", 0, "a whole number from 1 to 1000, not 0"),
        ("max_deals", True, "a whole number from 1 to 1000, not True"),
        ("max_deals", 1_001, "a whole number from 1 to 1000, not 1001"),
    ],
)
def test_other_numbers_are_rejected_by_name(name: str, value: object, wanted: str) -> None:
    with pytest.raises(OptionError, match=f"option '{name}' takes {wanted}") as caught:
        RULES.options({name: value})
    assert caught.value.name == name


def test_an_unknown_option_is_rejected() -> None:
    with pytest.raises(OptionError, match="there is no option 'deals'; the options are: target, max_deals"):
        RULES.options({"deals": 12})


def test_two_and_three_play_alone_and_four_as_partners() -> None:
    assert RULES.seat_counts == (2, 3, 4)
    assert [RULES.sides(seats) for seats in RULES.seat_counts] == [(0, 1), (0, 1, 2), (0, 1, 0, 1)]


@pytest.mark.parametrize("seats", [1, 5])
def test_it_is_not_played_by_others(seats: int) -> None:
    with pytest.raises(ValueError, match=f"Mitaines is played by 2, 3 or 4, not by {seats}"):
        RULES.new_match(seats=seats, options=MitainesOptions())


@pytest.mark.parametrize(("seats", "packet", "hands"), [(2, 3, 4), (3, 4, 2), (4, 3, 2)])
@pytest.mark.parametrize("deal", [0, 1, 2])
def test_cards_are_dealt_in_packets_with_two_to_the_table_after_each_round(
    seats: int, packet: int, hands: int, deal: int
) -> None:
    state = MitainesState(MitainesOptions(), seats=seats, deal=deal)
    state.supply(PACK)
    first = state.actor
    assert first == (state.dealer + 1) % seats
    table_at = seats * packet
    for seat in range(seats):
        place = (seat - first) % seats * packet
        second = place + table_at + 2
        assert state.hands[seat] == card_set(PACK[place : place + packet] + PACK[second : second + packet])
    assert state.laid == PACK[table_at : table_at + 2] + PACK[2 * table_at + 2 : 2 * table_at + 4]
    assert state.pile == list(state.laid)
    assert len(state.stock) == 52 - 4 - 2 * table_at == 2 * table_at * (hands - 1)


@pytest.mark.parametrize(("seats", "packet", "hands"), [(2, 3, 4), (3, 4, 2), (4, 3, 2)])
def test_new_hands_come_from_the_stock_with_nothing_to_the_table(seats: int, packet: int, hands: int) -> None:
    state = new_match(seats=seats)
    state.supply(PACK)
    table_at = seats * packet
    for number in range(1, hands):
        start = 4 + 2 * table_at * number
        pile = []
        for _ in range(2 * table_at):
            assert state.deal == 0
            pile = [*state.pile, state.default_action().card]
            clears = len(state.clears)
            state.apply(state.default_action())
        assert state.pile == ([] if len(state.clears) > clears else pile)
        assert state.actor == 0
        for seat in range(seats):
            place = start + seat * packet
            dealt = PACK[place : place + packet] + PACK[place + table_at : place + table_at + packet]
            assert state.hands[seat] == card_set(dealt)
    assert not state.stock


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_deal_goes_round_and_each_seat_plays_in_turn(seats: int) -> None:
    rng = Random(seats)
    state = new_match(seats=seats, target=10_000, max_deals=2 * seats)
    while state.actor != FINISHED:
        events = shuffle(state, rng)
        assert events[0].full == MitainesEvent(EventKind.DEAL_STARTED, seat=(state.deal - 1) % seats, deal=state.deal)
        for place in range(48):
            assert state.actor == (state.dealer + 1 + place) % seats
            step(state, rng)


def test_one_shuffle_of_the_whole_pack_is_due_for_each_deal() -> None:
    rng = Random(1)
    state = new_match(max_deals=3, target=10_000)
    due = []
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due.append(state.shuffle_due())
        step(state, rng)
    assert [(shuffle.deal, shuffle.shuffle) for shuffle in due] == [(0, 0), (1, 0), (2, 0)]
    assert {shuffle.cards for shuffle in due} == {PACK}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_hand_is_dealt_in_full_to_its_seat_alone(seats: int) -> None:
    events = whole_match(1, seats=seats, max_deals=1)
    dealt = [event for event in events if event.full.kind is EventKind.HAND_DEALT]
    assert len(dealt) == {2: 8, 3: 6, 4: 8}[seats]
    for event in dealt:
        assert len(event.full.cards) == {2: 6, 3: 8, 4: 6}[seats]
        for reader in range(seats):
            hidden = MitainesEvent(EventKind.HAND_DEALT, seat=event.full.seat)
            assert event.seen_by(reader) == (event.full if reader == event.full.seat else hidden)


def test_all_other_events_are_for_everybody() -> None:
    for event in whole_match(1, seats=4):
        assert event.full.kind is EventKind.HAND_DEALT or event.audience is None


def test_a_play_and_all_that_it_causes_is_told_in_order() -> None:
    state = at_table([cards("9♣"), cards("9♦")], pile=cards("10♦"))
    state.apply(action_of("9♣"))
    assert [event.full for event in state.apply(action_of("9♦"))] == [
        MitainesEvent(EventKind.CARD_PLAYED, seat=1, card=action_of("9♦").card),
        MitainesEvent(EventKind.PILE_CLEARED, seat=1, clear=Clear.MATCH, points=50, ten_points=50),
        MitainesEvent(EventKind.DEAL_SCORED, deal=0, scores=(0, 50), totals=(0, 50)),
    ]


def test_a_view_shows_the_declaration_that_stands() -> None:
    state = at_table([cards("9♣ 9♦ 2♣"), cards("K♣ K♦ 3♣")], pile=cards("10♥"))
    state.apply(action_of("9♣ mitten"))
    assert state.view(1).declaration == Declaration(0, action_of("9♣ mitten").combination, 9, 1, 10)
    state.apply(action_of("K♣ mitten"))
    declaration = state.view(0).declaration
    assert declaration is not None
    assert (declaration.seat, declaration.points) == (1, 20)
    assert [stolen.seat for stolen in declaration.stolen] == [0]


def test_a_view_shows_who_cleared_last_and_what_was_played() -> None:
    state = at_table([cards("9♣ 8♦ 2♣"), cards("9♦ K♦ 3♣")], laid=cards(NO_PAIR))
    assert (state.view(0).clears, state.view(0).last_clearer) == ((), None)
    state.apply(action_of("9♣"))
    state.apply(action_of("9♦"))
    view = state.view(0)
    assert (view.clears, view.last_clearer, view.pile) == ((1,), 1, ())
    assert (view.played, view.laid) == (tuple(cards("9♣ 9♦")), tuple(cards(NO_PAIR)))
    assert (view.hand_sizes, view.stock) == ((2, 2), 0)


def test_between_deals_the_next_one_shows_without_cards_and_with_the_totals() -> None:
    rng = Random(1)
    state = new_match(seats=3)
    shuffle(state, rng)
    while state.actor != CHANCE:
        eager_step(state, rng)
    view = state.view(0)
    assert (view.deal, view.dealer, view.hand, view.pile, view.laid, view.played) == (1, 0, (), (), (), ())
    assert (view.declaration, view.last_clearer, view.scores) == (None, None, (0, 0, 0))
    assert max(view.totals) > 0


def scored_deal(*, totals: tuple[int, int], target: int = 500, max_deals: int = 60, deal: int = 0) -> MitainesState:
    """Play a deal of two, one that seat 0 begins, in which seat 1 alone scores, 10; return what became of the match."""
    state = at_table([cards("9♣"), cards("9♦")], options=MitainesOptions(target, max_deals))
    state.deal, state.totals = deal, tuple(totals)
    for _ in range(2):
        state.apply(state.default_action())
    return state


def test_a_side_that_reaches_the_target_wins() -> None:
    state = scored_deal(totals=(480, 490))
    assert state.actor == FINISHED
    assert state.outcome is not None
    assert state.outcome == (OutcomeReason.TARGET_REACHED, (480, 500), (2, 1))


def test_below_the_target_play_goes_on() -> None:
    state = scored_deal(totals=(480, 480))
    assert (state.actor, state.outcome, state.totals) == (CHANCE, None, (480, 490))
    assert state.deal == 1


def test_the_higher_total_wins_if_both_reach_the_target() -> None:
    state = scored_deal(totals=(600, 510))
    assert state.outcome == (OutcomeReason.TARGET_REACHED, (600, 520), (1, 2))


def test_a_tie_at_the_top_goes_on() -> None:
    state = scored_deal(totals=(600, 590))
    assert (state.actor, state.outcome, state.totals) == (CHANCE, None, (600, 600))


def test_the_next_deal_without_a_tie_ends_it() -> None:
    state = scored_deal(totals=(600, 600), deal=2)
    assert state.outcome == (OutcomeReason.TARGET_REACHED, (600, 610), (2, 1))


def test_at_the_cap_the_totals_decide() -> None:
    state = scored_deal(totals=(30, 0), max_deals=1)
    assert state.outcome == (OutcomeReason.CAP_REACHED, (30, 10), (1, 2))


@pytest.mark.parametrize("totals", [(10, 0), (600, 590)])
def test_at_the_cap_a_tie_is_a_draw_below_the_target_and_above_it(totals: tuple[int, int]) -> None:
    state = scored_deal(totals=totals, max_deals=1)
    assert state.outcome == (OutcomeReason.CAP_REACHED, (totals[0], totals[0]), (1, 1))


def test_the_target_comes_before_the_cap() -> None:
    state = scored_deal(totals=(0, 490), max_deals=1)
    assert state.outcome is not None
    assert state.outcome.reason is OutcomeReason.TARGET_REACHED


def test_partners_have_one_score_and_one_placing() -> None:
    for seed in range(5):
        rng = Random(seed)
        state = new_match(seats=4)
        while state.actor != FINISHED:
            eager_step(state, rng)
        assert state.outcome is not None
        assert state.outcome.scores == (state.outcome.scores[:2]) * 2
        assert state.outcome.placings in ((1, 2, 1, 2), (2, 1, 2, 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("plays", range(0, 48, 7))
def test_a_clone_goes_on_like_its_original_and_leaves_it_alone(plays: int, seats: int) -> None:
    state = mid_deal(8, plays=plays, seats=seats)
    before = [state.view(seat) for seat in range(seats)]
    twin, other = state.clone(), state.clone()
    while twin.actor not in (CHANCE, FINISHED):
        assert twin.legal_actions() == other.legal_actions()
        action = twin.legal_actions()[-1].action
        assert twin.apply(action) == other.apply(action)
    assert [state.view(seat) for seat in range(seats)] == before
    assert [twin.view(seat) for seat in range(seats)] == [other.view(seat) for seat in range(seats)]


def test_who_never_declares_still_plays_to_the_end() -> None:
    state = mid_deal(3, plays=0, seats=3)
    events = play_out(state)
    assert events[-1].kind is EventKind.DEAL_SCORED
    assert sum(map(count, state.hands)) == 0


def test_there_is_nothing_to_say_beside_and_nothing_to_fill_in() -> None:
    state = mid_deal(1, plays=5)
    legal = state.legal_actions()[0]
    assert state.extras() == ()
    assert RULES.fill(legal, Parts()) is legal.action
