"""The course of a match: options, dealing, bidding, rounds, ending, who sees what, and what is offered."""

from collections.abc import Sequence
from random import Random

import pytest
from games.taihe.table import (
    after,
    ask,
    at_table,
    cards,
    deal,
    dealt,
    decisions_of_deal,
    exchanging,
    give_back,
    new_match,
    play,
    shuffle,
    step,
    uniform,
    whole_match,
)

from ordago.cards import card_of
from ordago.game import CHANCE, FINISHED, Event, OptionError, OutcomeReason, Parts
from ordago.games import find_game
from ordago.games.taihe import GAME
from ordago.games.taihe.pack import FOUR_OF_SPADES, PACK
from ordago.games.taihe.rules import RULES
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import (
    DECLARE,
    PASS,
    ActionKind,
    Bid,
    EventKind,
    Exchange,
    Phase,
    TaiheAction,
    TaiheEvent,
    TaiheOptions,
)


def full(events: Sequence[Event[TaiheEvent]]) -> list[TaiheEvent]:
    return [event.full for event in events]


def test_the_registry_knows_the_game() -> None:
    assert find_game("taihe") is GAME


def test_options_default_to_twelve_deals_and_three_times_passed_out() -> None:
    assert RULES.options({}) == TaiheOptions(deals=12, max_passes=3)


@pytest.mark.parametrize(("name", "value"), [("deals", 1), ("deals", "300"), ("max_passes", 0), ("max_passes", 100)])
def test_options_take_their_range(name: str, value: int | str) -> None:
    assert RULES.options({name: value}) == TaiheOptions()._replace(**{name: int(value)})


@pytest.mark.parametrize(
    ("name", "value"), [("deals", 0), ("deals", 301), ("deals", "many"), ("max_passes", -1), ("max_passes", 101)]
)
def test_other_values_are_rejected_by_name(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=f"option '{name}' takes a whole number from [01] to") as caught:
        RULES.options({name: value})
    assert caught.value.name == name


def test_an_unknown_option_is_rejected() -> None:
    with pytest.raises(OptionError, match="there is no option 'rounds'; the options are: deals, max_passes"):
        RULES.options({"rounds": 12})


def test_it_is_played_by_three_four_or_five_each_for_himself() -> None:
    assert RULES.seat_counts == (3, 4, 5)
    assert RULES.sides(5) == (0, 1, 2, 3, 4)
    for seats in (2, 6):
        with pytest.raises(ValueError, match=f"Taihe A Bao is played by 3, 4 or 5, not by {seats}"):
            RULES.new_match(seats=seats, options=TaiheOptions())


@pytest.mark.parametrize(("seats", "hand"), [(3, 13), (4, 10), (5, 8)])
def test_all_cards_are_taken(seats: int, hand: int) -> None:
    state = new_match(seats=seats)
    pack = state.shuffle_due().cards
    shuffle(state, Random(1))
    assert state.view(0).hand_sizes == (hand,) * seats
    assert sorted(card for seat in range(seats) for card in state.view(seat).hand) == list(pack)


def test_the_pack_has_forty_cards_and_three_players_do_without_the_four_of_spades() -> None:
    assert len(PACK) == 40
    assert new_match(seats=4).shuffle_due().cards == new_match(seats=5).shuffle_due().cards == PACK
    assert set(PACK) - set(new_match(seats=3).shuffle_due().cards) == {FOUR_OF_SPADES}


@pytest.mark.parametrize(("number", "taker"), [(0, 0), (3, 2)])
def test_the_cards_are_taken_one_by_one_from_the_taker_on(number: int, taker: int) -> None:
    state = TaiheState(TaiheOptions(), totals=(0, 0, 0, 0), deal=number, taker=taker)
    started = state.supply(PACK)[0].full
    assert started == TaiheEvent(EventKind.DEAL_STARTED, seat=taker, deal=number)
    for place, card in enumerate(PACK):
        assert card in state.view((taker + place) % 4).hand


@pytest.mark.parametrize("holder", range(4))
def test_the_holder_of_the_four_of_hearts_bids_first_in_the_first_deal(holder: int) -> None:
    state = new_match()
    events = deal(state, *["4♥" if seat == holder else "" for seat in range(4)])
    assert events[-1].full == TaiheEvent(EventKind.BIDDING_STARTED, seat=holder)
    assert state.actor == state.view(0).first_bidder == holder


def test_a_declaration_ends_the_bidding() -> None:
    state = dealt("", "4♥")
    events = full(after(state, PASS, DECLARE))
    assert events == [
        TaiheEvent(EventKind.PASSED, seat=1),
        TaiheEvent(EventKind.DECLARED, seat=2),
        TaiheEvent(EventKind.DECLARER_FOUND, seat=2, value=5),
    ]
    view = state.view(0)
    assert (view.phase, view.declarer, view.value, view.bids) == (Phase.PLAYING, 2, 5, (Bid.PASSED, Bid.DECLARED))
    assert state.actor == 2


def test_an_exchange_is_seen_by_all_but_for_the_card_given_back() -> None:
    state = dealt("4♥ 5♥", "A♠")
    after(state, PASS, PASS, PASS, PASS)
    (asked,) = after(state, ask("A♠"))
    assert asked.audience is None
    assert asked.full == TaiheEvent(EventKind.ASKED, seat=0, card=card_of("A♠"), holder=1)
    assert state.actor == 0
    assert card_of("A♠") in state.view(0).hand
    assert state.view(3).hand_sizes == (11, 9, 10, 10)
    (given,) = after(state, give_back("5♥"))
    hidden = TaiheEvent(EventKind.GAVE_BACK, seat=0, holder=1)
    shown = hidden._replace(card=card_of("5♥"))
    assert [given.seen_by(seat) for seat in range(4)] == [shown, shown, hidden, hidden]
    exchanges = [state.view(seat).exchanges for seat in range(4)]
    known = Exchange(0, card_of("A♠"), 1, card_of("5♥"))
    assert exchanges == [(known,), (known,), (known._replace(given_back=0),), (known._replace(given_back=0),)]
    assert card_of("5♥") in state.view(1).hand
    assert state.view(2).bids == (Bid.PASSED,) * 4 + (Bid.EXCHANGED,)


def test_a_hand_is_dealt_in_full_to_its_seat_alone() -> None:
    state = new_match()
    _, *hands, _ = shuffle(state, Random(1))
    for seat, event in enumerate(hands):
        assert event.full == TaiheEvent(EventKind.HAND_DEALT, seat=seat, cards=state.view(seat).hand)
        for reader in range(4):
            seen = event.seen_by(reader)
            assert seen == (event.full if reader == seat else TaiheEvent(EventKind.HAND_DEALT, seat=seat))


def test_all_other_events_are_for_everybody() -> None:
    kinds = set()
    for event in whole_match(1, seats=4, deals=12, temperament=exchanging):
        kinds.add(event.full.kind)
        hidden = event.full.kind in (EventKind.HAND_DEALT, EventKind.GAVE_BACK)
        assert hidden == (event.audience is not None)
    assert {EventKind.GAVE_BACK, EventKind.ROUND_ENDED} <= kinds


def test_a_round_ends_when_all_others_have_passed_in_succession() -> None:
    state = dealt("4♥ 5♥ 6♥", "9♣", "10♣", "J♣ 7♠")
    after(state, DECLARE, play("4♥"), PASS, PASS, play("7♠"))
    events = full(after(state, PASS, PASS, PASS))
    assert events[-2:] == [
        TaiheEvent(EventKind.PASSED, seat=2),
        TaiheEvent(EventKind.ROUND_ENDED, seat=3),
    ]
    assert state.actor == 3
    assert (state.view(3).to_beat, state.view(3).to_beat_seat) == ((), None)


def test_who_passed_may_play_again_in_the_same_round() -> None:
    state = dealt("4♥ 5♥ K♥", "9♣", "10♣", "J♣")
    after(state, DECLARE, play("4♥"), PASS, play("10♣"), PASS, PASS)
    view = state.view(state.actor)
    assert state.actor == 1
    assert (view.to_beat, view.to_beat_seat) == (tuple(cards("10♣")), 2)
    assert view.turns == (1, 0, 1, 0, 0)
    assert view.played == tuple(cards("4♥ 10♣"))


def test_everybody_may_play_on_until_three_passed_one_after_another() -> None:
    state = dealt("4♥ 5♥ K♥", "9♣ A♣", "10♣", "J♣")
    after(state, DECLARE, play("4♥"), PASS, PASS, play("J♣"), PASS, play("A♣"), PASS, PASS)
    assert state.view(0).to_beat_seat == 1
    assert full(after(state, PASS))[-1] == TaiheEvent(EventKind.ROUND_ENDED, seat=1)


def nearly_out(declarer: int, out: int) -> TaiheState:
    """Return the last lead of a first deal: this seat leads its last card."""
    state = new_match(deals=2)
    shuffle(state, Random(1))
    after(state, *[PASS] * ((declarer - state.actor) % 4), DECLARE)
    state.hands[out] = 1 << card_of("4♣")
    state.turns, state.actor = [0] * ((out - declarer) % 4), out
    return state


@pytest.mark.parametrize(
    ("declarer", "out", "scores", "first_bidder"),
    [(2, 2, (-5, -5, 15, -5), 2), (2, 0, (5, 5, -15, 5), 3), (3, 1, (5, 5, 5, -15), 0), (0, 0, (15, -5, -5, -5), 0)],
)
def test_who_goes_out_ends_the_deal_and_decides_it(
    declarer: int, out: int, scores: tuple[int, ...], first_bidder: int
) -> None:
    """Later the declarer takes first; he bids first if he won, else the seat after him."""
    state = nearly_out(declarer, out)
    events = full(after(state, play("4♣")))
    assert events == [
        TaiheEvent(EventKind.PLAYED, seat=out, cards=tuple(cards("4♣"))),
        TaiheEvent(EventKind.DEAL_SCORED, seat=out, deal=0, value=5, scores=scores),
    ]
    view = state.view(0)
    assert state.actor == CHANCE
    assert (view.deal, view.taker, view.first_bidder, view.totals) == (1, declarer, first_bidder, scores)
    assert (view.hand, view.played, view.bids, view.declarer, view.value) == ((), (), (), None, 0)
    shuffle(state, Random(2))
    assert state.actor == first_bidder


def test_a_deal_that_everybody_passes_twice_is_dealt_anew() -> None:
    state = dealt("", "4♥", max_passes=3)
    events = full(after(state, *[PASS] * 8))
    assert events[-1] == TaiheEvent(EventKind.PASSED_OUT, deal=0)
    assert state.actor == CHANCE
    assert (state.shuffle_due().deal, state.shuffle_due().shuffle) == (0, 1)
    started, *_ = full(deal(state, "", "", "4♥"))
    assert started == TaiheEvent(EventKind.DEAL_STARTED, seat=0, deal=0)
    assert state.actor == 2, "the holder of the 4 of hearts, determined anew"
    assert state.view(0).passed_out == 1


def test_in_a_later_deal_the_same_bid_first_and_take_first_again() -> None:
    state = nearly_out(2, 0)
    after(state, play("4♣"))
    for shuffles in range(2):
        assert (state.shuffle_due().deal, state.shuffle_due().shuffle) == (1, shuffles)
        shuffle(state, Random(shuffles))
        assert (state.taker, state.actor) == (2, 3)
        after(state, *[PASS] * 8)


def test_a_deal_passed_out_as_often_as_it_can_be_counts_as_played_for_nothing() -> None:
    state = new_match(deals=3, max_passes=3)
    for _ in range(3):
        assert state.deal == 0
        deal(state, "", "4♥")
        events = full(after(state, *[PASS] * 8))
    assert events[-2:] == [
        TaiheEvent(EventKind.PASSED_OUT, deal=0),
        TaiheEvent(EventKind.DEAL_SCORED, deal=0, scores=(0, 0, 0, 0)),
    ]
    assert (state.deal, state.taker, state.first_bidder, state.passed_out) == (1, 2, 2, 0)
    assert (state.shuffle_due().deal, state.shuffle_due().shuffle) == (1, 0)


def test_without_a_cap_a_deal_is_dealt_anew_until_somebody_bids() -> None:
    state = new_match(deals=1, max_passes=0)
    for passed_out in range(999):
        assert (state.deal, state.passed_out) == (0, passed_out)
        shuffle(state, Random(1))
        after(state, *[PASS] * 8)
    shuffle(state, Random(1))
    after(state, *[PASS] * 8)
    assert state.actor == FINISHED, "bots that pass for ever are stopped all the same"


def test_the_count_of_deals_passed_out_starts_again() -> None:
    state = new_match(deals=2, max_passes=1)
    deal(state, "4♥")
    after(state, *[PASS] * 8)
    assert state.deal == 1
    shuffle(state, Random(1))
    assert state.actor == 1
    after(state, *[PASS] * 8)
    assert state.actor == FINISHED
    assert state.outcome is not None
    assert state.outcome.scores == (0, 0, 0, 0)
    assert state.outcome.placings == (1, 1, 1, 1)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_highest_total_wins_and_equal_totals_share_a_place(seats: int) -> None:
    for seed in range(10):
        rng = Random(seed)
        state = new_match(seats=seats, deals=3)
        while state.actor != FINISHED:
            assert state.outcome is None
            step(state, rng, uniform)
        outcome = state.outcome
        assert outcome is not None
        assert outcome.reason is OutcomeReason.DEALS_PLAYED
        assert outcome.scores == state.view(0).totals
        assert outcome.placings == tuple(1 + sum(b > a for b in outcome.scores) for a in outcome.scores)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_seat_of_each_turn_follows_from_its_number(seats: int) -> None:
    """The page says so: across rounds too the next seat is to act."""
    for state in decisions_of_deal(3, seats=seats):
        view = state.view(state.actor)
        if view.declarer is not None:
            assert state.actor == (view.declarer + len(view.turns)) % seats
        else:
            assert view.first_bidder is not None
            assert state.actor == (view.first_bidder + len(view.bids)) % seats


@pytest.mark.parametrize("seed", range(6))
def test_a_clone_goes_on_like_its_original_and_leaves_it_alone(seed: int) -> None:
    for state in decisions_of_deal(seed, seats=4, temperament=exchanging)[::5]:
        before = [state.view(seat) for seat in range(4)]
        twin, other = state.clone(), state.clone()
        rngs = Random(seed), Random(seed)
        while twin.actor != FINISHED and twin.deal == state.deal:
            assert step(twin, rngs[0]) == step(other, rngs[1])
            assert twin.legal_actions() == other.legal_actions() if twin.actor >= 0 else twin.actor == other.actor
        assert [state.view(seat) for seat in range(4)] == before


def test_there_is_nothing_to_say_beside_the_action() -> None:
    state = dealt()
    assert state.extras() == ()


def test_open_parts_are_filled_with_what_was_picked() -> None:
    state = at_table(hand=cards("7♠ 7♥ 6♦ 5♦"), to_beat=())
    offers = {tuple(legal.picks): legal for legal in state.legal_actions()}
    sequence = offers[next(picks for picks in offers if len(picks) == 3)]
    assert sequence.action == TaiheAction(ActionKind.PLAY)
    assert [pick.cards for pick in sequence.picks] == [tuple(cards(text)) for text in ("5♦", "6♦", "7♥ 7♠")]
    assert [(pick.min, pick.max) for pick in sequence.picks] == [(1, 1)] * 3
    picked = tuple(sorted(cards("7♥ 6♦ 5♦")))
    assert RULES.fill(sequence, Parts(cards=picked)) == play("7♥ 6♦ 5♦")


def test_a_combination_that_can_be_formed_in_one_way_is_complete() -> None:
    state = at_table(hand=cards("7♠ 7♥ A♦"), to_beat=cards("6♦ 6♣"))
    assert [legal.action for legal in state.legal_actions()] == [PASS, play("7♠ 7♥")]
    assert RULES.fill(state.legal_actions()[1], Parts()) == play("7♠ 7♥")


def test_a_card_to_ask_for_and_one_to_give_back_are_picked() -> None:
    state = dealt("4♥ 5♥", "A♠")
    after(state, PASS, PASS, PASS, PASS)
    passing, asking = state.legal_actions()
    assert passing.action == PASS
    assert asking.picks[0].cards == tuple(card for card in PACK if card not in state.view(0).hand)
    after(state, RULES.fill(asking, Parts(cards=(card_of("A♠"),))))
    (giving,) = state.legal_actions()
    assert giving.picks[0].cards == tuple(card for card in state.view(0).hand if card != card_of("A♠"))
    assert RULES.fill(giving, Parts(cards=(card_of("5♥"),))) == give_back("5♥")
