"""The course of a match: options, dealing, bargains, turns, declarations, leading, counting, ending, who sees what."""

from random import Random

import pytest
from games.mitigati.table import (
    PLACES,
    any_action,
    any_card,
    cards,
    dealt,
    in_bargain,
    lay_away,
    mid_deal,
    new_match,
    play,
    say,
    shuffle,
    step,
    whole_match,
)

from ordago.cards import cards_in, count
from ordago.game import CHANCE, FINISHED, AmountRange, LegalAction, OptionError, OutcomeReason, Parts
from ordago.games import find_game
from ordago.games.mitigati import GAME
from ordago.games.mitigati.pack import PACK, POINTS
from ordago.games.mitigati.rules import RULES
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    CARD,
    OPEN_STATEMENT,
    PLAY,
    Bargain,
    BargainEnd,
    Declaration,
    EventKind,
    Holding,
    MitigatiEvent,
    MitigatiOptions,
    Phase,
    Ranking,
    discard_of,
    statement_of,
)


def test_the_registry_knows_the_game() -> None:
    assert find_game("mitigati") is GAME


def test_the_defaults_follow_the_source() -> None:
    assert RULES.options({}) == MitigatiOptions(rounds=1, max_bid=100, max_struck=4, ranking=Ranking.SOURCE, chips=0)


def test_options_are_read_from_texts_too() -> None:
    texts = {"rounds": "2", "max_bid": "30", "max_struck": "0", "ranking": "piedmont", "chips": "50"}
    assert RULES.options(texts) == MitigatiOptions(2, 30, 0, ranking=Ranking.PIEDMONT, chips=50)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("rounds", 0), ("rounds", 101), ("rounds", "many"), ("rounds", True)),
        *(("max_bid", 0), ("max_bid", 1001), ("max_bid", 1.5)),
        *(("max_struck", 101), ("max_struck", 101.5), ("max_struck", -1)),
        *(("ranking", 1), ("ranking", "turin"), ("chips", -1), ("chips", 1001)),
    ],
)
def test_values_that_an_option_cannot_take_are_rejected_by_name(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=f"option '{name}' takes") as caught:
        RULES.options({name: value})
    assert caught.value.name == name


def test_an_unknown_option_is_rejected() -> None:
    with pytest.raises(OptionError, match="there is no option 'deals'; the options are: rounds, max_bid"):
        RULES.options({"deals": 12})


def test_it_is_played_by_three_each_for_himself() -> None:
    assert RULES.seat_counts == (3,)
    assert RULES.sides(3) == (0, 1, 2)
    with pytest.raises(ValueError, match="Mitigati is played by 3, not by 4"):
        RULES.new_match(seats=4, options=MitigatiOptions())


def test_the_pack_has_78_cards_and_129_points() -> None:
    assert len(PACK) == 78
    assert sum(POINTS) == 129


def received(events: list[MitigatiEvent], seat: int) -> list[tuple[int, ...]]:
    return [event.cards for event in events if event.kind is EventKind.CARDS_DEALT and event.seat == seat]


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_cards_come_in_packets_of_five_and_the_dealer_has_his_last_eight_together(turn: int) -> None:
    state = new_match()
    state.turn = turn
    state.begin_deal(turn)
    events = [event.full for event in state.supply(PACK)]
    dealer = state.dealer
    assert events[0] == MitigatiEvent(EventKind.DEAL_STARTED, seat=dealer, deal=turn, turn=turn)
    for stage in (10, 15, 20):
        assert state.stage == stage
        assert [count(hand) for hand in state.hands] == [stage] * 3
        assert state.actor == (dealer + 1) % 3
        events += say(state, "play")
    assert [count(state.hands[(dealer + place) % 3]) for place in (1, 2, 3)] == [25, 25, 28]
    for place in range(3):
        expected = [card for card, receiver in zip(PACK, PLACES, strict=True) if receiver == place]
        packets = [expected[:10], expected[10:15], expected[15:20], expected[20:]]
        assert received(events, (dealer + 1 + place) % 3) == [tuple(packet) for packet in packets]
    assert (state.phase, state.actor) == (Phase.DISCARD, dealer)


def test_cards_are_dealt_in_full_to_their_seat_alone() -> None:
    for event in whole_match(2):
        if event.full.kind is EventKind.CARDS_DEALT:
            assert event.full.seat is not None
            hidden = MitigatiEvent(EventKind.CARDS_DEALT, seat=event.full.seat, number=len(event.full.cards))
            assert event.full == hidden._replace(cards=event.full.cards)
            assert [event.seen_by(reader) for reader in range(3)].count(hidden) == 2
            assert event.seen_by(event.full.seat) == event.full


def test_only_the_dealer_sees_what_is_laid_away() -> None:
    state = dealt("K♣", "K♦", "3♣ 4♣ 5♣")
    (event, *_) = state.apply(discard_of(cards("3♣ 4♣ 5♣")))
    hidden = MitigatiEvent(EventKind.CARDS_DISCARDED, seat=2, number=3)
    assert event.full == hidden._replace(cards=tuple(cards("3♣ 4♣ 5♣")))
    assert [event.seen_by(seat) for seat in range(3)] == [hidden, hidden, event.full]
    assert [state.view(seat).discard for seat in range(3)] == [(), (), tuple(cards("3♣ 4♣ 5♣"))]
    assert count(state.hands[2]) == 25


def test_all_other_events_are_for_everybody() -> None:
    for event in whole_match(1, rounds=2):
        hidden = event.full.kind in (EventKind.CARDS_DEALT, EventKind.CARDS_DISCARDED)
        assert hidden or event.audience is None


def test_play_may_be_said_at_any_turn_and_ends_the_bargain_at_once() -> None:
    for said in ("play", "5 play", "5 5 play", "5 5 5 play"):
        state = in_bargain()
        events = say(state, said)
        assert events[-4] == MitigatiEvent(EventKind.PLAY_SAID, seat=(len(said.split()) - 1) % 3)
        assert state.stage == 15
        assert state.chips == (0, 0, 0)


def test_each_bargain_starts_afresh_with_the_seat_after_the_dealer() -> None:
    state = in_bargain()
    say(state, "-50 play")
    assert state.actor == 0
    say(state, "100 play")
    assert state.actor == 0
    assert state.view(1).bargains == (
        Bargain((-50,), BargainEnd.PLAY),
        Bargain((100,), BargainEnd.PLAY),
        Bargain((), None),
    )


def test_below_zero_the_bargain_ends_as_if_play_had_been_said() -> None:
    state = in_bargain()
    events = say(state, "3 -5 -2")
    kinds = [event.kind for event in events[-5:]]
    dealt_to_all = [EventKind.CARDS_DEALT] * 3
    assert kinds == [EventKind.STATEMENT_MADE, EventKind.BARGAIN_FAILED, *dealt_to_all]
    assert state.view(0).bargains[0] == Bargain((3, -5, -2), BargainEnd.BELOW_ZERO)
    assert (state.stage, state.actor) == (15, 0)


def test_a_struck_bargain_moves_chips_ends_the_deal_and_the_same_dealer_deals_again() -> None:
    state = in_bargain()
    events = say(state, "10 -4 -2 6")
    assert events[-1] == MitigatiEvent(EventKind.BARGAIN_STRUCK, deal=0, scores=(6, -4, -2))
    view = state.view(1)
    assert (view.chips, view.deal, view.turn, view.struck, view.dealer) == ((6, -4, -2), 1, 0, 1, 2)
    assert (state.actor, view.hand, view.bargains, view.phase, view.stage) == (CHANCE, (), (), None, 0)


def test_after_so_many_struck_bargains_the_turn_ends_and_the_next_seat_deals() -> None:
    state = new_match(max_struck=2)
    for turn in range(3):
        for struck in range(2):
            assert (state.turn, state.struck, state.dealer) == (turn, struck, (turn + 2) % 3)
            shuffle(state, Random(1))
            say(state, "0 0 0")
    assert state.actor == FINISHED
    assert state.outcome is not None
    assert state.outcome.reason is OutcomeReason.CAP_REACHED


def test_without_a_cap_the_same_dealer_goes_on_until_a_deal_is_played() -> None:
    state = new_match(max_struck=0)
    for struck in range(999):
        assert (state.turn, state.struck) == (0, struck)
        shuffle(state, Random(1))
        say(state, "0 0 0")
    shuffle(state, Random(1))
    say(state, "0 0 0")
    assert (state.turn, state.struck) == (1, 0), "bots that strike bargains for ever are stopped all the same"


def test_everybody_begins_with_the_chips_of_the_option() -> None:
    state = in_bargain(chips=50)
    assert state.view(1).chips == (50, 50, 50)
    say(state, "10 -4 -2 6")
    assert state.view(1).chips == (56, 46, 48)


def test_struck_bargains_are_counted_anew_in_each_turn() -> None:
    state = in_bargain(max_struck=2)
    say(state, "0 0 0")
    play_to_the_end_of_the_deal(state)
    assert (state.turn, state.struck, state.dealer) == (1, 0, 0)


def play_to_the_end_of_the_deal(state: MitigatiState) -> MitigatiEvent:
    """Shuffle if that is due, take the default choice to the end of the deal and return its last event."""
    if state.actor == CHANCE:
        shuffle(state, Random(2))
    while True:
        last = state.apply(state.default_action())[-1].full
        if last.kind is EventKind.DEAL_SCORED:
            return last


def test_after_a_played_deal_the_next_seat_deals() -> None:
    state = new_match(rounds=2)
    for turn in range(6):
        assert state.dealer == (turn + 2) % 3
        scored = play_to_the_end_of_the_deal(state)
        assert scored.deal == turn
        assert sum(scored.points) == 129
        assert scored.scores == tuple(points - 43 for points in scored.points)
    assert state.actor == FINISHED
    assert state.outcome is not None
    assert state.outcome.reason is OutcomeReason.DEALS_PLAYED


def test_one_shuffle_of_the_whole_pack_is_due_for_each_deal_struck_or_played() -> None:
    rng = Random(5)
    state = new_match(rounds=3)
    due = []
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due.append(state.shuffle_due())
        step(state, rng)
    assert [(shuffle.deal, shuffle.shuffle) for shuffle in due] == [(deal, 0) for deal in range(len(due))]
    assert {shuffle.cards for shuffle in due} == {PACK}


def test_declarations_come_in_order_of_play_and_each_of_the_others_pays() -> None:
    state = dealt("K♣ K♦ I XXI XI XII XIII XIV", "II III IV V VI VII VIII IX X O", "K♥ 3♣ 4♣ 5♣")
    events = lay_away(state, "3♣ 4♣ 5♣")
    tarocchi = tuple(sorted(cards("II III IV V VI VII VIII IX X O")))
    assert events[1:] == [
        MitigatiEvent(EventKind.HOLDING_DECLARED, seat=0, holding=Holding.ONORI, number=4, scores=(20, -10, -10)),
        MitigatiEvent(
            EventKind.HOLDING_DECLARED,
            seat=1,
            holding=Holding.TAROCCHI,
            number=10,
            cards=tarocchi,
            scores=(-10, 20, -10),
        ),
    ]
    assert state.view(2).declarations == (
        Declaration(0, Holding.ONORI, 4),
        Declaration(1, Holding.TAROCCHI, 10, tarocchi),
    )
    assert state.chips == (10, 10, -20)


def test_the_holding_is_the_hand_after_the_discard() -> None:
    state = dealt("XI XII XIII XIV XV", "XVI XVII XVIII XIX XX XXI I", "II III IV V VI VII VIII IX X O 3♣ 4♣")
    lay_away(state, "X 3♣ 4♣")
    assert [declaration.holding for declaration in state.declarations if declaration.seat == 2] == []


def test_the_seat_after_the_dealer_leads_and_who_takes_a_trick_leads_the_next() -> None:
    state = dealt("2♠ 3♥", "K♠ 4♥", "Q♠ 5♥ 3♣ 4♣ 5♣")
    lay_away(state, "3♣ 4♣ 5♣")
    assert state.actor == state.view(0).leader == 0
    events = play(state, "2♠ K♠ Q♠")
    assert events[-1] == MitigatiEvent(EventKind.TRICK_TAKEN, seat=1)
    assert state.actor == state.view(0).leader == 1
    assert state.view(0).takers == (1,)
    assert state.view(0).played == tuple(cards("2♠ K♠ Q♠"))


def test_the_fool_never_takes_but_its_player_keeps_it() -> None:
    state = dealt("O", "K♠", "Q♠ 3♣ 4♣ 5♣")
    lay_away(state, "3♣ 4♣ 5♣")
    play(state, "O Q♠ K♠" if state.actor == 2 else "O K♠ Q♠")
    assert state.takers == [1]


def test_the_discard_counts_for_the_dealer() -> None:
    """All hands play by default; laying away three queens instead of three pips moves points to the dealer."""
    results = []
    for laid_away in ("Q♣ Q♦ Q♥", "2♣ 2♦ 2♥"):
        state = dealt("3♠", "4♠", "Q♣ Q♦ Q♥ 2♣ 2♦ 2♥")
        lay_away(state, laid_away)
        results.append(play_to_the_end_of_the_deal(state))
    assert all(sum(result.points) == 129 for result in results)
    assert results[0].points[2] >= 12


def test_scores_are_chips_and_equal_chips_share_a_place() -> None:
    for seed in range(20):
        rng = Random(seed)
        state = new_match()
        while state.actor != FINISHED:
            assert state.outcome is None
            step(state, rng)
        assert state.outcome is not None
        scores = state.outcome.scores
        assert scores == state.view(0).chips
        assert sum(scores) == 0
        assert state.outcome.placings == tuple(1 + sum(b > a for b in scores) for a in scores)


def test_the_number_of_cards_of_everyone_is_seen() -> None:
    state = mid_deal(3, plays=31)
    for seat in range(3):
        assert state.view(seat).held == tuple(count(hand) for hand in state.hands)
        assert state.view(seat).hand == tuple(cards_in(state.hands[seat]))


@pytest.mark.parametrize("seed", range(4))
def test_a_clone_goes_on_like_its_original_and_goes_its_own_way(seed: int) -> None:
    rng = Random(seed)
    state = new_match()
    while state.actor != FINISHED:
        twin, before = state.clone(), [state.view(seat) for seat in range(3)]
        assert [twin.view(seat) for seat in range(3)] == before
        if state.actor == CHANCE:
            cards_shuffled = Random(seed)
            assert shuffle(twin, cards_shuffled) == shuffle(state, Random(seed))
            continue
        action = any_action(state, rng)
        events = twin.apply(action)
        assert [state.view(seat) for seat in range(3)] == before
        assert state.apply(action) == events


def test_open_parts_are_filled_in() -> None:
    statement = LegalAction(OPEN_STATEMENT, amount=AmountRange(-100, 100))
    assert RULES.fill(statement, Parts(amount=-7)) == statement_of(-7)
    assert RULES.fill(statement, Parts(amount=0)) == statement_of(0)
    (discard,) = dealt("", "", "").legal_actions()
    assert RULES.fill(discard, Parts(cards=(9, 3, 5))) == discard_of((3, 5, 9))
    assert RULES.fill(LegalAction(PLAY), Parts()) is PLAY
    assert RULES.fill(LegalAction(CARD[5]), Parts()) is CARD[5]


def test_there_is_nothing_to_say_along_with_an_action() -> None:
    assert in_bargain().extras() == mid_deal(1, plays=5).extras() == ()


def test_a_silent_bargainer_says_play() -> None:
    state = in_bargain()
    assert state.default_action() is PLAY
    say(state, "5 5 5")
    assert state.default_action() is PLAY


def test_a_forced_action_is_asked_all_the_same() -> None:
    state = in_bargain(max_bid=1)
    say(state, "-1 1 1")
    assert state.actor == 0
    assert state.legal_actions() == (LegalAction(PLAY),)
    state = mid_deal(4, plays=72)
    assert state.actor not in (CHANCE, FINISHED)
    assert len(state.legal_actions()) == 1


def test_nothing_is_shown_after_a_deal() -> None:
    """The last events of a deal show no card that was not played."""
    rng = Random(1)
    state = mid_deal(5, plays=74)
    *_, scored = state.apply(any_card(state, rng))
    assert scored.full.cards == ()
    view = state.view(0)
    assert (view.hand, view.discard, view.played, view.declarations) == ((), (), (), ())
