"""Tests of High Card: cases of its rules, its values on the wire, random matches."""

from random import Random

import pytest
from ordago import v1
from ordago.cards import card_of
from ordago.game import CHANCE, FINISHED

from ordago_highcard import GAME
from ordago_highcard.rules import HAND, PACK, RULES, HighcardState, possible_states
from ordago_highcard.values import EventKind, HighcardOptions, PlayCard


def dealt(*hands: str) -> HighcardState:
    """Return a match whose first deal gives these hands, each written like ``2♣ K♣``."""
    state = RULES.new_match(seats=len(hands), options=HighcardOptions(deals=1))
    first = [card_of(word) for hand in hands for word in hand.split()]
    state.supply([*first, *(card for card in PACK if card not in first)])
    return state


@pytest.mark.parametrize(
    ("played", "taker"),
    [
        ("2♣ A♦", 1),
        ("K♣ Q♦", 0),
        ("7♣ 7♦", 0),
    ],
)
def test_the_highest_card_takes_and_of_equal_ones_the_first(played: str, taker: int) -> None:
    state = dealt("2♣ K♣ 7♣ 3♣ 4♣", "A♦ Q♦ 7♦ 3♦ 4♦")
    for word in played.split():
        state.apply(PlayCard(card_of(word)))
    assert state.actor == taker
    assert state.totals[taker] == 1


def test_a_card_of_somebody_else_is_refused_and_the_lowest_is_the_default() -> None:
    state = dealt("2♣ K♣ 7♣ 3♣ 4♣", "A♦ Q♦ 7♦ 3♦ 4♦")
    violation = state.check(PlayCard(card_of("A♦")))
    assert violation is not None
    assert (violation.rule, violation.field) == ("own_card", "card")
    assert state.default_action() == PlayCard(card_of("2♣"))


@pytest.mark.parametrize("seats", RULES.seat_counts)
def test_matches_by_chance_come_to_an_end_and_every_view_back_from_the_wire(seats: int) -> None:
    rng, codec = Random(seats), GAME.codec
    state = RULES.new_match(seats=seats, options=HighcardOptions())
    to_wire = codec.views()
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            state.supply(rng.sample(PACK, len(PACK)))
            continue
        view = state.view(state.actor)
        assert codec.view_from(v1.View.FromString(to_wire(view)), seat=view.seat) == view
        assert next(possible_states(view, rng=rng)).view(view.seat) == view
        action = rng.choice(state.legal_actions()).action
        assert codec.action_from(codec.action(action)) == action
        before, copied = state.view(0), state.clone()
        copied.apply(action)
        assert state.view(0) == before
        state.apply(action)
    assert state.outcome is not None
    assert sum(state.outcome.scores) == HAND * HighcardOptions().deals


def test_the_card_that_stands_out_on_the_table_is_that_of_the_seat_that_takes_the_trick() -> None:
    state, rng = RULES.new_match(seats=RULES.seat_counts[-1], options=HighcardOptions(deals=4)), Random(0)
    stage = GAME.staging.begin(players=["somebody"] * RULES.seat_counts[-1], options=HighcardOptions(deals=4))
    while state.actor != FINISHED:
        is_shuffle = state.actor == CHANCE
        events = state.supply(rng.sample(PACK, len(PACK))) if is_shuffle else state.apply(_any_action(state, rng))
        for event in events:
            stage.apply(event.full)
            if event.full.kind is EventKind.TRICK_TAKEN:
                marked = [seat for seat, shown in enumerate(stage.scene().seats) if shown.front.marked]
                assert marked == [event.full.seat]


def _any_action(state: HighcardState, rng: Random) -> PlayCard:
    return rng.choice(state.legal_actions()).action
