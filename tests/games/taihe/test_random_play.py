"""What holds in every match, seen in many: whatever the players do, the cards and the points add up."""

import os
from collections.abc import Iterator
from random import Random

import pytest
from games.taihe.table import (
    Temperament,
    bold,
    exchanging,
    mixed,
    new_match,
    shuffle,
    shy,
    silent,
    stalling,
    step,
    uniform,
)

from ordago.cards import card_set, cards_in, count
from ordago.game import CHANCE, FINISHED, Event, OutcomeReason
from ordago.games.taihe.pack import pack_of
from ordago.games.taihe.values import EventKind, TaiheEvent

MATCHES = int(os.environ.get("ORDAGO_LONG_TESTS", "1"))
"""How many matches of 300 deals to play for each table and number of players; 5 make more than 30,000 deals."""

TABLES = {
    "uniform": [uniform],
    "bold": [bold],
    "shy": [shy],
    "silent": [silent],
    "stalling": [stalling],
    "exchanging": [exchanging],
    "all sorts": [uniform, bold, shy, silent, stalling, exchanging],
}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("table", TABLES)
def test_points_add_up_and_the_end_is_reached(table: str, seats: int) -> None:
    rng = Random(seats)
    for _ in range(MATCHES):
        state = new_match(seats=seats, deals=300)
        scored = 0
        while state.actor != FINISHED:
            temperament = TABLES[table][(state.actor + state.deal) % len(TABLES[table])]
            for event in step(state, rng, temperament):
                if event.full.kind is EventKind.DEAL_SCORED:
                    scored += 1
                    assert_scores_fit(event.full, seats)
        assert scored == 300
        assert sum(state.totals) == 0
        assert state.outcome is not None
        assert state.outcome.reason is OutcomeReason.DEALS_PLAYED
        assert state.outcome.scores == state.totals


def assert_scores_fit(event: TaiheEvent, seats: int) -> None:
    """Check that one seat gets from all others what it can, or pays it."""
    if event.seat is None:
        assert (event.value, event.scores) == (0, (0,) * seats)
        return
    assert event.value in {*range(1, seats + 1), seats + 1}
    assert event.scores[event.seat] > 0
    assert sorted(map(abs, event.scores)) == [event.value] * (seats - 1) + [event.value * (seats - 1)]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_silent_players_end_every_match_without_a_score(seats: int) -> None:
    rng = Random(seats)
    state = new_match(seats=seats, deals=12, max_passes=3)
    shuffles = 0
    while state.actor != FINISHED:
        shuffles += state.actor == CHANCE
        step(state, rng, silent)
    assert shuffles == 12 * 3
    assert state.totals == (0,) * seats


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_stalling_cannot_make_a_deal_long(seats: int) -> None:
    """One declares; then all do the least: each lead takes a card from a hand, and each other passes once a round."""
    rng = Random(seats)
    for _ in range(50):
        state = new_match(seats=seats, deals=1)
        shuffle(state, rng)
        state.apply(state.legal_actions()[-1].action)
        while state.actor != FINISHED:
            step(state, rng, stalling)
        assert len(state.turns) <= seats * len(pack_of(seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("temperament", [mixed, exchanging])
def test_cards_are_conserved_at_every_step(seats: int, temperament: Temperament) -> None:
    rng = Random(seats)
    state = new_match(seats=seats, deals=12)
    while state.actor != FINISHED:
        step(state, rng, temperament)
        if state.actor >= 0:
            piles = [*state.hands, *state.turns]
            assert sum(map(count, piles)) == len(pack_of(seats))
            assert sum(piles) == card_set(pack_of(seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("temperament", [mixed, exchanging])
def test_a_referee_who_only_hears_what_happens_comes_to_the_same_result(seats: int, temperament: Temperament) -> None:
    """Hands, turns, declarers and scores of each deal, found a second time from the events alone."""
    rng = Random(seats)
    state = new_match(seats=seats, deals=40)
    referee = Referee(seats)
    while state.actor != FINISHED:
        for event in step(state, rng, temperament):
            referee.hear(event.full)
    assert referee.deals_scored == 40
    assert state.totals == tuple(referee.totals)


class Referee:
    """Keeps hands and score by the words of the rule page, with plain sets of cards."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.totals = [0] * seats
        self.deals_scored = 0

    def hear(self, event: TaiheEvent) -> None:
        getattr(self, f"hear_{event.kind.name.lower()}")(event)

    def hear_deal_started(self, event: TaiheEvent) -> None:
        assert event.deal == self.deals_scored
        self.hands: list[set[int]] = []
        self.bids = 0
        self.exchangers: list[int | None] = []
        self.declarer: int | None = None
        self.passes = 0

    def hear_hand_dealt(self, event: TaiheEvent) -> None:
        assert event.seat == len(self.hands)
        self.hands.append(set(event.cards))

    def hear_bidding_started(self, event: TaiheEvent) -> None:
        self.turn = event.seat

    def next_turn(self, seat: int | None) -> None:
        assert seat == self.turn
        assert seat is not None
        self.turn = (seat + 1) % self.seats

    def hear_passed(self, event: TaiheEvent) -> None:
        self.next_turn(event.seat)
        self.bids += 1
        self.passes += 1

    def hear_declared(self, event: TaiheEvent) -> None:
        assert event.seat == self.turn
        assert self.bids < self.seats
        self.exchangers = [None] * (self.seats + 1)

    def hear_asked(self, event: TaiheEvent) -> None:
        assert event.seat is not None
        assert event.holder is not None
        assert self.bids >= self.seats
        self.hands[event.holder].remove(event.card)
        self.hands[event.seat].add(event.card)

    def hear_gave_back(self, event: TaiheEvent) -> None:
        assert event.seat is not None
        assert event.holder is not None
        self.hands[event.seat].remove(event.card)
        self.hands[event.holder].add(event.card)
        self.exchangers.append(event.seat)
        self.next_turn(event.seat)
        self.bids += 1

    def hear_declarer_found(self, event: TaiheEvent) -> None:
        assert event.value == len(self.exchangers)
        assert self.exchangers[-1] in (None, event.seat)
        self.declarer = self.turn = event.seat
        self.passes = 0

    def hear_passed_out(self, _event: TaiheEvent) -> None:
        assert self.bids == 2 * self.seats
        assert not self.exchangers

    def hear_played(self, event: TaiheEvent) -> None:
        assert event.seat is not None
        self.hands[event.seat] -= set(event.cards)
        self.next_turn(event.seat)
        self.passes = 0

    def hear_round_ended(self, event: TaiheEvent) -> None:
        assert self.passes == self.seats - 1
        assert event.seat == self.turn
        self.passes = 0

    def hear_deal_scored(self, event: TaiheEvent) -> None:
        self.deals_scored += 1
        if self.declarer is None:
            assert event.scores == (0,) * self.seats
            return
        assert [seat for seat, hand in enumerate(self.hands) if not hand] == [event.seat]
        gain = len(self.exchangers) * (1 if event.seat == self.declarer else -1)
        for seat in range(self.seats):
            score = gain * (self.seats - 1) if seat == self.declarer else -gain
            assert event.scores[seat] == score
            self.totals[seat] += score


def events_of(seed: int) -> Iterator[Event[TaiheEvent]]:
    rng = Random(seed)
    state = new_match(deals=20)
    while state.actor != FINISHED:
        yield from step(state, rng, exchanging)


def test_exchanges_happen_in_these_matches() -> None:
    """The invariants above were tried on what they are about."""
    asked = [event.full for event in events_of(1) if event.full.kind is EventKind.ASKED]
    assert len(asked) > 30
    assert len({cards_in(1 << event.card)[0] for event in asked}) > 15
