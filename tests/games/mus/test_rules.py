"""The course of a deal: options, dealing, exchanges, the stock that runs out, what is announced and shown."""

from random import Random

import pytest
from games.mus.table import (
    ALL_PASS,
    HANDS,
    cards,
    dealt,
    decisions,
    exchange,
    filled,
    new_match,
    say,
    shuffle,
    step,
)

from ordago.cards import card_set, signs
from ordago.game import CHANCE, FINISHED, OptionError
from ordago.games import find_game
from ordago.games.mus import GAME
from ordago.games.mus.hands import PACK
from ordago.games.mus.rules import RULES
from ordago.games.mus.values import (
    ActionKind,
    EventKind,
    Lance,
    MusEvent,
    MusOptions,
    Phase,
    Ruleset,
    SignalsSeen,
    Statement,
)


def test_the_registry_knows_the_game() -> None:
    assert find_game("mus") is GAME


def test_options_have_the_defaults_of_the_source() -> None:
    assert RULES.options({}) == MusOptions(Ruleset.SOURCE, 8, 40, 1, 10, 60, SignalsSeen.PARTNER, 0, 0)


def test_options_are_taken_as_texts_too() -> None:
    given = {"ruleset": "federation", "kings": "4", "target": "30", "games": "3", "signals": "partner"}
    expected = MusOptions(Ruleset.FEDERATION, 4, 30, games=3, signals=SignalsSeen.PARTNER)
    assert RULES.options(given) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("ruleset", "house"), ("kings", 6), ("kings", "many"), ("target", 9), ("target", 101), ("games", 2)),
        *(("games", 0), ("games", 101), ("max_mus", -1), ("max_mus", 41), ("max_deals", 0), ("max_deals", 1001)),
        *(("signals", "all"), ("signals_from_deal", 2), ("more_signals", 2), ("deals", 3)),
    ],
)
def test_other_options_are_rejected_by_name(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=name) as caught:
        RULES.options({name: value})
    assert caught.value.name == name


def test_four_play_partners_opposite() -> None:
    assert RULES.seat_counts == (4,)
    assert RULES.sides(4) == (0, 1, 0, 1)
    with pytest.raises(ValueError, match="played by 4, not by 3"):
        RULES.new_match(seats=3, options=MusOptions())


def test_cards_are_dealt_one_at_a_time_beginning_with_the_mano() -> None:
    state = new_match()
    assert state.shuffle_due() == (0, 0, PACK)
    order = list(PACK)
    Random(1).shuffle(order)
    state.supply(order)
    assert state.actor == 0
    assert state.view(0).dealer == 3
    for seat in range(4):
        assert state.view(seat).hand == tuple(sorted(order[seat:16:4]))
    assert state.view(0).stock == 24


def test_the_deal_passes_on_and_the_mano_is_the_next_dealer() -> None:
    state = dealt(*HANDS)
    say(state, "no mus", *ALL_PASS)
    assert state.actor == CHANCE
    assert state.shuffle_due() == (1, 0, PACK)
    assert state.view(2).dealer == 0
    dealt(*HANDS, state=state)
    assert state.actor == 1
    assert [set(state.view(seat).hand) for seat in range(4)] == [set(cards(hand)) for hand in HANDS]


def test_after_the_discards_each_in_turn_is_dealt_as_many_all_at_once() -> None:
    state = dealt(*HANDS, stock="Sc Se Sb 7c 7e 7b 6o")
    events = say(state, "mus", "mus", "mus", "mus", "discard 4o 5o", "discard 4c", "discard 7o", "discard Ao 4b 5b")
    drawn = [(event.seat, signs(event.cards)) for event in events if event.kind is EventKind.DRAWN]
    assert drawn == [(0, "Sc Se"), (1, "Sb"), (2, "7c"), (3, "7e 7b 6o")]
    assert set(state.view(3).hand) == set(cards("So 7e 7b 6o"))
    assert state.view(0).discarded == tuple(cards("4o 5o"))
    assert state.view(0).drawn == tuple(cards("Sc Se"))
    assert state.view(1).said[4] == Statement(0, ActionKind.DISCARD, amount=2)
    assert state.view(1).reshuffled == (0,)
    assert state.view(1).stock == 17


def test_the_stock_runs_out_before_two_who_need_cards_all_discards_are_shuffled() -> None:
    """24 cards in the stock: 16 go at first, then 4 and 3; the third player gets one of three."""
    state = dealt(*HANDS)
    exchange(state, 4, 4, 4, 4)
    before = [state.view(seat).hand for seat in range(4)]
    events = exchange(state, 4, 3, 3, 2)
    assert state.actor == CHANCE
    assert [event.seat for event in events if event.kind is EventKind.DRAWN] == [0, 1]
    due = state.shuffle_due()
    assert due.shuffle == 1
    # All discards of both exchanges: those of the last player too, who still needs cards.
    assert len(due.cards) == 28
    assert set(before[3][:2]) <= set(due.cards)
    told = [event.full for event in state.supply(due.cards)]
    assert told[0] == MusEvent(EventKind.RESHUFFLED, amount=28)
    assert [(event.seat, event.amount) for event in told[1:]] == [(2, 3), (3, 2)]
    assert told[1].cards[1:] == due.cards[:2]
    assert state.actor == 0
    assert state.view(1).reshuffled == (0, 28)
    assert state.view(1).stock == 24


def test_the_stock_runs_out_before_the_last_his_own_discards_stay_out() -> None:
    state = dealt(*HANDS)
    exchange(state, 4, 4, 4, 4)
    before = state.view(3).hand
    exchange(state, 3, 3, 2, 2)
    assert state.actor == CHANCE
    due = state.shuffle_due()
    assert not set(before[:2]) & set(due.cards)
    assert len(due.cards) == 16 + 8
    state.supply(due.cards)
    assert state.view(3).drawn[-2:] == due.cards[:2]
    assert state.holdings.pile == card_set(before[:2])


def test_the_last_counts_as_needing_when_he_got_some_of_his_cards() -> None:
    state = dealt(*HANDS)
    exchange(state, 4, 4, 4, 4)
    before = state.view(3).hand
    exchange(state, 3, 2, 2, 3)
    due = state.shuffle_due()
    assert not set(before[:3]) & set(due.cards)
    partly = state.holdings.partly
    assert len(partly) == 1
    state.supply(due.cards)
    assert state.view(3).drawn[-3:] == (*partly, *due.cards[:2])


def test_a_stock_that_lasts_exactly_is_not_filled_up() -> None:
    state = dealt(*HANDS)
    exchange(state, 4, 4, 4, 4)
    exchange(state, 2, 2, 2, 2)
    assert state.actor == 0
    assert state.view(0).stock == 0
    exchange(state, 1, 1, 1, 1)
    assert state.actor == CHANCE


def test_nobody_is_asked_after_the_cap_of_exchanges() -> None:
    state = dealt(*HANDS, max_mus=2)
    exchange(state, 1, 1, 1, 1)
    assert state.phase is Phase.MUS
    events = exchange(state, 1, 1, 1, 1)
    assert state.phase is Phase.BETTING
    assert events[-1] == MusEvent(EventKind.LANCE_STARTED, lance=Lance.GRANDE, seats=(0, 1, 2, 3))


def test_without_a_cap_everybody_is_asked_until_somebody_says_no_mus() -> None:
    state = dealt(*HANDS, max_mus=0)
    for _ in range(999):
        exchange(state, 1, 1, 1, 1)
        if state.actor == CHANCE:
            shuffle(state, Random(1))
        assert state.phase is Phase.MUS
    exchange(state, 1, 1, 1, 1)
    if state.actor == CHANCE:
        shuffle(state, Random(1))
    assert state.phase is Phase.BETTING, "bots that say mus for ever are stopped all the same"


def test_pares_and_juego_are_announced_truthfully() -> None:
    state = dealt("Ro Rc 4o Co", "Re Cc Sc Ac", "7o 7c 4e 5e", "Ao 4b 5b So")
    assert state.view(0).pares == ()
    events = say(state, "no mus", *["paso"] * 8)
    assert MusEvent(EventKind.LANCE_STARTED, lance=Lance.PARES, seats=(0, 2)) in events
    assert MusEvent(EventKind.LANCE_STARTED, lance=Lance.JUEGO, seats=(0, 1)) in events
    assert state.view(3).pares == (True, False, True, False)
    assert state.view(3).juego == (True, True, False, False)


def test_the_view_shows_the_bet_on_the_table() -> None:
    state = dealt(*HANDS)
    say(state, "no mus", "envido 3", "quiero")
    view = state.view(3)
    assert (view.lance, view.stake, view.agreed, view.ordago, view.bettor) == (Lance.GRANDE, 3, 1, False, 0)
    assert view.answered is ActionKind.QUIERO
    say(state, "órdago")
    assert (state.actor, state.view(0).bettor) == (0, 3), "the bolder answer counts"
    view = state.view(0)
    assert (view.stake, view.agreed, view.ordago, view.bettor, view.answered) == (3, 3, True, 3, None)


def test_hands_are_shown_to_all_at_the_showdown_and_seen_in_the_next_deal() -> None:
    state = dealt(*HANDS)
    events = say(state, "no mus", *ALL_PASS)
    shown = [event for event in events if event.kind is EventKind.HAND_SHOWN]
    assert [set(event.cards) for event in shown] == [set(cards(hand)) for hand in HANDS]
    shuffle(state, Random(1))
    assert state.view(2).shown == tuple(card for event in shown for card in event.cards)
    say(state, "no mus", "envido 2", "no quiero!")
    assert len(state.view(1).shown) == 16


def test_hands_are_not_shown_if_the_game_ended_before() -> None:
    state = new_match()
    state.scoreboard = state.scoreboard.with_points((39, 0))
    dealt(*HANDS, state=state)
    events = say(state, "no mus", "envido 2", "no quiero!")
    assert EventKind.HAND_SHOWN not in [event.kind for event in events]
    assert events[-1].kind is EventKind.GAME_WON


def test_hands_shown_in_an_earlier_deal_are_gone_after_a_game_that_ended_before_its_showdown() -> None:
    state = dealt(*HANDS, games=3)
    say(state, "no mus", *ALL_PASS)
    state.scoreboard = state.scoreboard.with_points((0, 39))
    dealt(*HANDS, state=state)
    assert state.view(0).shown != ()
    say(state, "no mus", "envido 2", "no quiero!")
    assert state.scoreboard.game == 1
    assert state.view(0).shown == ()


def test_between_deals_the_next_one_shows_without_cards() -> None:
    state = dealt(*HANDS)
    say(state, "no mus", *ALL_PASS)
    view = state.view(0)
    assert (view.deal, view.deal_of_game, view.hand, view.said, view.settled, view.lance) == (1, 1, (), (), (), None)


def test_a_clone_goes_on_like_its_original_and_its_own_way() -> None:
    for seed in range(6):
        for place, state in enumerate(decisions(seed, signals="partner")):
            if place % 7:
                continue
            views = [state.view(seat) for seat in range(4)]
            twin, other = state.clone(), state.clone()
            for _ in range(10):
                if twin.actor in (CHANCE, FINISHED):
                    break
                assert twin.legal_actions() == other.legal_actions()
                chosen = filled(twin.legal_actions()[-1], Random(seed))
                assert twin.apply(chosen) == other.apply(chosen)
            while other.actor != FINISHED:
                step(other, Random(seed))
            assert [state.view(seat) for seat in range(4)] == views


def test_a_view_does_not_change_when_the_match_goes_on() -> None:
    state = dealt(*HANDS)
    view = state.view(0)
    say(state, "mus")
    assert view.said == ()
