"""What holds in every match, seen in many: whatever the players do, the cards and the points add up."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

import pytest
from games.mittlere.table import new_match, shuffle

from ordago.cards import cards_in, count, french_rank, french_suit
from ordago.game import CHANCE, FINISHED
from ordago.games.mittlere.pack import NO_TRUMP, WHOLE_PACK
from ordago.games.mittlere.rules import MittlereState
from ordago.games.mittlere.values import PLAY, EventKind, MittlereEvent, PlayCard

Temperament: TypeAlias = Callable[[MittlereState, Random], PlayCard]

PLAIN_HIGH_TO_LOW = [1, 14, 13, 11, 10, 9, 8, 7, 6]
TRUMPS_HIGH_TO_LOW = [11, 9, 1, 14, 13, 10, 8, 7, 6]


def anything(state: MittlereState, rng: Random) -> PlayCard:
    return rng.choice(state.legal_actions()).action


def silent(state: MittlereState, _rng: Random) -> PlayCard:
    return state.default_action()


def lowest_code(state: MittlereState, _rng: Random) -> PlayCard:
    return PLAY[cards_in(state.legal_cards())[0]]


def highest_code(state: MittlereState, _rng: Random) -> PlayCard:
    return PLAY[cards_in(state.legal_cards())[-1]]


def play_deal(state: MittlereState, rng: Random, temperaments: Sequence[Temperament]) -> MittlereEvent:
    """Deal, play to the end of the deal and return how it was scored."""
    shuffle(state, rng)
    while True:
        last = state.apply(temperaments[state.actor](state, rng))[-1].full
        if last.kind is EventKind.DEAL_SCORED:
            return last


@pytest.mark.slow
@pytest.mark.parametrize(
    ("temperaments", "deals"),
    [
        ([anything] * 3, 9_000),
        ([silent] * 3, 300),
        ([lowest_code, highest_code, anything], 300),
        ([highest_code, silent, lowest_code], 300),
        ([silent, anything, anything], 300),
    ],
    ids=["anything", "silent", "low-high-any", "high-silent-low", "silent-any"],
)
def test_points_and_scores_add_up_and_the_end_is_reached(temperaments: list[Temperament], deals: int) -> None:
    rng = Random(deals)
    for _ in range(deals // 300):
        state = new_match(deals=300)
        totals = [0, 0, 0]
        for _ in range(300):
            scored = play_deal(state, rng, temperaments)
            assert sum(scored.points) == 157
            assert sum(scored.scores) == 0
            totals = [total + score for total, score in zip(totals, scored.scores, strict=True)]
        assert state.actor == FINISHED
        assert state.outcome is not None
        assert list(state.outcome.scores) == totals


def test_cards_are_conserved_at_every_step() -> None:
    rng = Random(5)
    state = new_match(deals=30)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        piles = [*state.hands, sum(1 << card for card in state.cards)]
        assert sum(map(count, piles)) == 36
        assert piles[0] | piles[1] | piles[2] | piles[3] == WHOLE_PACK
        state.apply(anything(state, rng))


def test_a_referee_who_only_hears_what_happens_comes_to_the_same_result() -> None:
    """Trump, takers, points and scores of each deal, found a second time from the cards played alone."""
    rng = Random(6)
    state = new_match(deals=300)
    referee = Referee()
    while state.actor != FINISHED:
        events = shuffle(state, rng) if state.actor == CHANCE else state.apply(anything(state, rng))
        for event in events:
            referee.hear(event.full)
    assert referee.deals_scored == 300


class Referee:
    """Judges a deal by ranks and suits, without sets and tables."""

    def __init__(self) -> None:
        self.deals_scored = 0
        self.begin()

    def begin(self) -> None:
        self.trump = NO_TRUMP
        self.trick: list[tuple[int, int]] = []
        self.won: list[list[int]] = [[], [], []]
        self.expected: list[tuple[EventKind, int | None]] = []

    def hear(self, event: MittlereEvent) -> None:
        if self.expected:
            assert (event.kind, event.seat) == self.expected.pop(0)
        if event.kind is EventKind.DEAL_STARTED:
            self.begin()
        elif event.kind is EventKind.CARD_PLAYED:
            self.hear_card(event)
        elif event.kind is EventKind.DEAL_SCORED:
            self.hear_score(event)

    def hear_card(self, event: MittlereEvent) -> None:
        assert event.seat is not None
        self.trick.append((event.seat, event.card))
        led = french_suit(self.trick[0][1])
        if self.trump == NO_TRUMP and french_suit(event.card) != led:
            self.trump = french_suit(event.card)
            self.expected.append((EventKind.TRUMP_SET, event.seat))
        if len(self.trick) == 3:
            cards = [card for _, card in self.trick]
            self.taker = next(seat for seat, card in self.trick if card == highest(cards, self.trump))
            self.won[self.taker] += cards
            self.trick = []
            self.expected.append((EventKind.TRICK_TAKEN, self.taker))

    def hear_score(self, event: MittlereEvent) -> None:
        points = [sum(points_of_card(card, self.trump) for card in cards) for cards in self.won]
        points[self.taker] += 5
        assert event.points == tuple(points)
        assert list(event.scores) == self.scores(points)
        self.deals_scored += 1

    def scores(self, points: list[int]) -> list[int]:
        for seat in range(3):
            if len(self.won[seat]) == 36:
                return [2 if other == seat else -1 for other in range(3)]
        losers = [seat for seat in range(3) if not self.won[seat]]
        losers = losers or [seat for seat in range(3) if points[seat] >= 100]
        losers = losers or [seat for seat in range(3) if min(points) < points[seat] < max(points)]
        return [-2 if seat in losers else 1 for seat in range(3)] if losers else [0, 0, 0]


def points_of_card(card: int, trump: int) -> int:
    rank = french_rank(card)
    if french_suit(card) == trump and rank in (9, 11):
        return {9: 14, 11: 20}[rank]
    if trump == NO_TRUMP and rank == 8:
        return 8
    return {1: 11, 14: 4, 13: 3, 11: 2, 10: 10}.get(rank, 0)


def highest(trick: Sequence[int], trump: int) -> int:
    trumps = [card for card in trick if french_suit(card) == trump]
    if trumps:
        return min(trumps, key=lambda card: TRUMPS_HIGH_TO_LOW.index(french_rank(card)))
    led = [card for card in trick if french_suit(card) == french_suit(trick[0])]
    return min(led, key=lambda card: PLAIN_HIGH_TO_LOW.index(french_rank(card)))
