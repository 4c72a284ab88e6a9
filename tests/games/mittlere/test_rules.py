"""The course of a match: options, dealing, leading, counting, ending, and who sees what."""

from random import Random

import pytest
from games.mittlere.table import (
    at_table,
    cards,
    dealing_order,
    mid_deal,
    new_match,
    shuffle,
    step,
    trump_named,
    whole_match,
)

from ordago.cards import Suit, card_of, card_set
from ordago.game import CHANCE, FINISHED, OptionError, OutcomeReason, Parts
from ordago.games import find_game
from ordago.games.mittlere import GAME
from ordago.games.mittlere.pack import PACK
from ordago.games.mittlere.rules import RULES, MittlereState
from ordago.games.mittlere.values import PLAY, EventKind, MittlereEvent, MittlereOptions, ScoringRule


def dealt(*hands: str) -> MittlereState:
    """Return a match whose first deal has these hands; seat 0 is to lead."""
    state = new_match()
    state.supply(dealing_order([card_set(cards(hand)) for hand in hands], leader=0))
    return state


def play(state: MittlereState, text: str) -> list[MittlereEvent]:
    """Play cards, each of which must be legal, and return what happened."""
    events: list[MittlereEvent] = []
    for card in cards(text):
        assert state.check(PLAY[card]) is None
        events += [event.full for event in state.apply(PLAY[card])]
    return events


def test_the_registry_knows_the_game() -> None:
    assert find_game("mittlere") is GAME


def test_options_default_to_twelve_deals() -> None:
    assert RULES.options({}) == MittlereOptions(deals=12)


@pytest.mark.parametrize("deals", [3, 300, "6"])
def test_multiples_of_three_are_played(deals: int | str) -> None:
    assert RULES.options({"deals": deals}).deals == int(deals)


@pytest.mark.parametrize("deals", [0, 1, 13, 302, 303, -3, True, "many", 4.5])
def test_other_numbers_of_deals_are_rejected_by_name(deals: object) -> None:
    with pytest.raises(OptionError, match=r"'deals' takes .* from 3 to 300, not") as caught:
        RULES.options({"deals": deals})
    assert caught.value.name == "deals"


def test_a_number_of_deals_in_range_is_told_that_it_must_be_a_multiple_of_three() -> None:
    with pytest.raises(OptionError, match="option 'deals' takes a multiple of 3 from 3 to 300, not 13"):
        RULES.options({"deals": 13})


def test_an_unknown_option_is_rejected() -> None:
    with pytest.raises(OptionError, match="there is no option 'rounds'; the options are: deals"):
        RULES.options({"rounds": 12})


def test_it_is_played_by_three_each_for_himself() -> None:
    assert RULES.seat_counts == (3,)
    assert RULES.sides(3) == (0, 1, 2)
    with pytest.raises(ValueError, match="Mittlere Jass is played by 3, not by 4"):
        RULES.new_match(seats=4, options=MittlereOptions())


def test_one_shuffle_of_the_whole_pack_is_due_for_each_deal() -> None:
    rng = Random(1)
    state = new_match(deals=3)
    due = []
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due.append(state.shuffle_due())
        step(state, rng)
    assert [(shuffle.deal, shuffle.shuffle) for shuffle in due] == [(0, 0), (1, 0), (2, 0)]
    assert {shuffle.cards for shuffle in due} == {PACK}
    assert len(PACK) == 36


@pytest.mark.parametrize(("deal", "dealer"), [(0, 2), (1, 0), (2, 1), (3, 2)])
def test_the_deal_goes_round_and_the_seat_after_the_dealer_gets_the_first_three_cards_and_leads(
    deal: int, dealer: int
) -> None:
    state = MittlereState(MittlereOptions(), deal=deal)
    events = state.supply(PACK)
    first = (dealer + 1) % 3
    assert events[0].full == MittlereEvent(EventKind.DEAL_STARTED, seat=dealer, deal=deal)
    assert state.view(0).dealer == dealer
    assert state.actor == state.view(0).leader == first
    for place in range(12):
        packet = card_set(PACK[3 * place : 3 * place + 3])
        assert state.hands[(first + place) % 3] & packet == packet


def test_a_hand_is_dealt_in_full_to_its_seat_alone() -> None:
    state = new_match()
    _, *hands = shuffle(state, Random(1))
    for seat, event in enumerate(hands):
        assert event.full == MittlereEvent(EventKind.HAND_DEALT, seat=seat, cards=state.view(seat).hand)
        for reader in range(3):
            seen = event.seen_by(reader)
            assert seen == (event.full if reader == seat else MittlereEvent(EventKind.HAND_DEALT, seat=seat))


def test_all_other_events_are_for_everybody() -> None:
    for event in whole_match(1, deals=3):
        assert event.full.kind is EventKind.HAND_DEALT or event.audience is None


HANDS = (
    "A♠ K♠ 6♠ A♥ K♥ 6♥ A♣ K♣ Q♣ J♣ 10♣ 6♣",
    "Q♠ J♠ 10♠ 9♠ 8♠ 7♠ 9♣ 8♣ 7♣ 6♦ 7♦ 8♦",
    "Q♥ J♥ 10♥ 9♥ 8♥ 7♥ A♦ K♦ Q♦ J♦ 10♦ 9♦",
)


def test_the_first_who_cannot_follow_sets_the_trump_for_the_rest_of_the_deal() -> None:
    state = dealt(*HANDS)
    events = play(state, "A♠ 7♠ 9♦")
    assert events == [
        MittlereEvent(EventKind.CARD_PLAYED, seat=0, card=card_of("A♠")),
        MittlereEvent(EventKind.CARD_PLAYED, seat=1, card=card_of("7♠")),
        MittlereEvent(EventKind.CARD_PLAYED, seat=2, card=card_of("9♦")),
        MittlereEvent(EventKind.TRUMP_SET, seat=2, card=card_of("9♦")),
        MittlereEvent(EventKind.TRICK_TAKEN, seat=2),
    ]
    assert state.view(0).trump == (Suit.DIAMONDS, card_of("9♦"), 2, 0)
    events = play(state, "7♥ 6♥ 8♠")
    assert [event.kind for event in events].count(EventKind.TRUMP_SET) == 0
    assert state.view(0).trump == (Suit.DIAMONDS, card_of("9♦"), 2, 0)


def test_who_takes_a_trick_leads_the_next() -> None:
    state = dealt(*HANDS)
    play(state, "6♠ 7♠ A♦")
    assert state.actor == state.view(0).leader == 2
    play(state, "9♥ A♥")
    assert state.actor == 1
    play(state, "9♣")
    assert state.actor == state.view(0).leader == 0


def test_points_are_counted_by_the_trump_known_in_the_end_those_won_before_it_too() -> None:
    """Seat 0 wins the jack and the nine of clubs while clubs are no trumps; then clubs become the trump."""
    state = dealt(
        "A♣ K♣ Q♣ A♠ K♠ 6♠ 7♠ A♥ K♥ 6♥ A♦ K♦",
        "J♣ 10♣ Q♠ J♠ 10♠ 9♠ 8♠ Q♥ J♥ 6♦ 7♦ 8♦",
        "9♣ 8♣ 7♣ 6♣ 10♥ 9♥ 8♥ 7♥ Q♦ J♦ 10♦ 9♦",
    )
    play(state, "A♣ J♣ 9♣")
    assert state.trump_set is None
    events = play(state, "A♠ 8♠ 6♣")
    assert events[-2].kind is EventKind.TRUMP_SET
    scored = _rest_of_deal(state)
    assert sum(scored.points) == 157
    assert scored.points[0] >= 11 + 20 + 14


def _rest_of_deal(state: MittlereState) -> MittlereEvent:
    while True:
        last = state.apply(state.default_action())[-1].full
        if last.kind is EventKind.DEAL_SCORED:
            return last


def test_a_deal_without_trump_counts_the_eights() -> None:
    """Each trick is followed by all; seat 0 takes all of them, among them the four eights."""
    state = dealt(
        "A♣ K♣ Q♣ A♦ K♦ Q♦ A♥ K♥ Q♥ A♠ K♠ Q♠",
        "J♣ 10♣ 9♣ J♦ 10♦ 9♦ J♥ 10♥ 9♥ J♠ 10♠ 9♠",
        "8♣ 7♣ 6♣ 8♦ 7♦ 6♦ 8♥ 7♥ 6♥ 8♠ 7♠ 6♠",
    )
    scored = _rest_of_deal(state)
    assert scored.points == (157, 0, 0)
    assert (scored.scores, scored.rule) == ((2, -1, -1), ScoringRule.ALL_TRICKS)
    assert state.view(1).totals == (2, -1, -1)


def test_the_highest_total_wins_and_equal_totals_share_a_place() -> None:
    for seed in range(20):
        rng = Random(seed)
        state = new_match(deals=3)
        while state.actor != FINISHED:
            assert state.outcome is None
            step(state, rng)
        outcome = state.outcome
        assert outcome is not None
        assert outcome.reason is OutcomeReason.DEALS_PLAYED
        assert outcome.scores == state.view(0).totals
        assert outcome.placings == tuple(1 + sum(b > a for b in outcome.scores) for a in outcome.scores)


def test_between_deals_the_next_one_shows_without_cards() -> None:
    rng = Random(1)
    state = new_match(deals=3)
    shuffle(state, rng)
    while state.actor != CHANCE:
        step(state, rng)
    view = state.view(0)
    assert (view.deal, view.dealer, view.hand, view.played, view.trump) == (1, 0, (), (), None)


@pytest.mark.parametrize("plays", range(36))
def test_a_clone_goes_on_like_its_original(plays: int) -> None:
    state = mid_deal(8, plays=plays)
    twin = state.clone()
    for _ in range(36 - plays):
        assert twin.legal_actions() == state.legal_actions()
        action = state.default_action()
        assert twin.apply(action) == state.apply(action)


def test_a_clone_goes_its_own_way() -> None:
    state = mid_deal(7, plays=16)
    before = [state.view(seat) for seat in range(3)]
    twin = state.clone()
    assert [twin.view(seat) for seat in range(3)] == before
    while twin.actor != FINISHED:
        step(twin, Random(1))
    assert twin.outcome is not None
    assert [state.view(seat) for seat in range(3)] == before


@pytest.mark.parametrize(
    ("hand", "trick", "trump", "card", "sentence"),
    [
        ("A♠ 7♦", "9♠", "none", "6♣", "You do not hold 6♣: play a card of your hand."),
        ("A♠ 7♦", "9♠", "none", "7♦", "You hold spades, the suit led: follow suit."),
        ("A♠ 7♦", "9♠", "hearts", "7♦", "You hold spades, the suit led: follow suit or play a trump."),
        (
            *("A♠ 7♦", "9♠ 6♥", "hearts", "7♦"),
            "You hold spades, the suit led: follow suit or play a trump higher than 6♥.",
        ),
        (
            *("A♠ 6♥", "9♠ A♥", "hearts", "6♥"),
            "6♥ is lower than the trump A♥ in this trick: play a higher trump or follow suit.",
        ),
        (
            *("A♣ 6♥", "9♠ A♥", "hearts", "6♥"),
            "6♥ is lower than the trump A♥ in this trick: play a higher trump or another suit.",
        ),
        (
            *("A♣ J♥ 6♥", "9♥", "hearts", "A♣"),
            "Trumps were led and you hold other hearts than the jack: play any of your hearts.",
        ),
    ],
)
def test_refusals_say_what_would_be_right(hand: str, trick: str, trump: str, card: str, sentence: str) -> None:
    state = at_table(hand=cards(hand), trick=cards(trick), trump=trump_named(trump))
    violation = state.check(PLAY[card_of(card)])
    assert violation is not None
    assert (violation.sentence, violation.field) == (sentence, "card")


def test_there_is_nothing_to_say_and_nothing_to_fill_in() -> None:
    state = mid_deal(1, plays=5)
    legal = state.legal_actions()[0]
    assert state.extras() == ()
    assert RULES.fill(legal, Parts()) is legal.action
