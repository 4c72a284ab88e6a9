"""What holds in every match, seen in many: whatever the players do, cards and points add up and the end is reached.

``ORDAGO_DEALS=10000`` plays so many deals with each number of players instead of the few of the usual run.
"""

import os
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest
from games.mitaines.table import new_match, shuffle

from ordago.cards import card_of, count, french_rank
from ordago.game import CHANCE, FINISHED, OutcomeReason
from ordago.games.mitaines.pack import WHOLE_PACK
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import Clear, EventKind, MitainesEvent, PlayCard

DEALS = int(os.environ.get("ORDAGO_DEALS", "1000"))
TEN_OF_DIAMONDS = card_of("10♦")

Temperament: TypeAlias = Callable[[MitainesState, Random], PlayCard]


def anything(state: MitainesState, rng: Random) -> PlayCard:
    return rng.choice(state.legal_actions()).action


def bold(state: MitainesState, rng: Random) -> PlayCard:
    """Declare the most that can be declared."""
    actions = [legal.action for legal in state.legal_actions()]
    most = max(action.combination for action in actions)
    return rng.choice([action for action in actions if action.combination == most])


def shy(state: MitainesState, rng: Random) -> PlayCard:
    """Never declare."""
    return rng.choice([legal.action for legal in state.legal_actions() if not legal.action.combination])


def silent(state: MitainesState, _rng: Random) -> PlayCard:
    return state.default_action()


def stalling(state: MitainesState, rng: Random) -> PlayCard:
    """Keep from clearing and completing as long as that is possible."""
    kept = [legal.action for legal in state.legal_actions() if not clears(state, legal.action)]
    return rng.choice(kept) if kept else anything(state, rng)


def clears(state: MitainesState, action: PlayCard) -> bool:
    before = len(state.clears), state.deal
    twin = state.clone()
    twin.apply(action)
    return (len(twin.clears), twin.deal) != before


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("temperament", "share"), [(anything, 1), (bold, 0.5), (shy, 0.25), (silent, 0.25), (stalling, 0.1)]
)
def test_a_referee_who_only_hears_what_happens_comes_to_the_same_result(
    temperament: Temperament, share: float, seats: int
) -> None:
    """Every steal, clear and score of each deal is found a second time from the cards played and said alone."""
    rng = Random(seats)
    referee = Referee(seats)
    while referee.deals_scored < DEALS * share:
        state = new_match(seats=seats)
        referee.totals = [0] * seats
        while state.actor != FINISHED:
            chance = state.actor == CHANCE
            events = shuffle(state, rng) if chance else state.apply(temperament(state, rng))
            for event in events:
                referee.hear(event.full)
        assert state.outcome is not None
        assert list(state.outcome.scores) == referee.totals
    assert not referee.expected


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_are_conserved_at_every_step(seats: int) -> None:
    rng = Random(5)
    state = new_match(seats=seats, target=10_000, max_deals=10)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        mixed = [*state.hands, *(1 << card for card in [*state.stock, *state.laid, *state.played])]
        assert sum(map(count, mixed)) == 52
        assert sum(mixed) == WHOLE_PACK
        assert set(state.pile) <= {*state.laid, *state.played}
        state.apply(rng.choice([anything, bold])(state, rng))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_silent_players_end_every_match(seats: int) -> None:
    for seed in range(10):
        rng = Random(seed)
        state = new_match(seats=seats)
        while state.actor != FINISHED:
            shuffle(state, rng) if state.actor == CHANCE else state.apply(state.default_action())
        assert state.outcome is not None
        assert state.deal < 60


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("max_deals", [1, 5])
def test_stalling_ends_at_the_cap(seats: int, max_deals: int) -> None:
    rng = Random(seats)
    state = new_match(seats=seats, target=10_000, max_deals=max_deals)
    deals = 0
    while state.actor != FINISHED:
        deals += state.actor == CHANCE
        shuffle(state, rng) if state.actor == CHANCE else state.apply(stalling(state, rng))
    assert deals == max_deals
    assert state.outcome is not None
    assert state.outcome.reason is OutcomeReason.CAP_REACHED


class Referee:
    """Judges a deal with lists and names, knowing only what is said at the table."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.deals_scored = 0
        self.totals = [0] * seats
        self.expected: list[dict[str, object]] = []

    def hear(self, event: MitainesEvent) -> None:
        if event.kind is EventKind.TABLE_LAID:
            self.laid, self.pile = list(event.cards), list(event.cards)
            self.scores = [0] * self.seats
            self.left = 48
            self.last_clearer: int | None = None
            self.claims: list[tuple[int, int]] = []
            self.stands: tuple[int, int] | None = None
        elif event.kind is EventKind.CARD_PLAYED:
            assert not self.expected
            assert event.seat is not None
            self.hear_card(event.seat, event.card, event.combination.name)
            self.left -= 1
            if not self.left:
                self.end_deal()
        elif event.kind not in (EventKind.DEAL_STARTED, EventKind.HAND_DEALT):
            expected = self.expected.pop(0)
            assert {name: getattr(event, name) for name in expected} == expected

    def hear_card(self, seat: int, card: int, said: str) -> None:
        self.pile.append(card)
        rank = french_rank(card)
        if said != "NONE":
            self.hear_declaration(seat, rank, said)
        elif self.stands is None:
            self.hear_plain_card(seat, rank)
        elif rank == self.stands[1]:
            self.hear_declared_rank(seat)

    def hear_declaration(self, seat: int, rank: int, said: str) -> None:
        if self.stands is not None:
            self.expected.append({"kind": EventKind.DECLARATION_STOLEN, "seat": seat, "robbed_seat": self.stands[0]})
        self.stands = seat, rank
        self.claims.append((["MITTEN", "GLOVE", "SOCK"].index(said.removeprefix("ADDED_")), rank))
        self.to_play = {"MITTEN": 2, "GLOVE": 3, "SOCK": 4, "ADDED_GLOVE": 2, "ADDED_SOCK": 3}[said] - 1

    def hear_plain_card(self, seat: int, rank: int) -> None:
        if len(self.pile) == 1:
            return
        if french_rank(self.pile[-2]) == rank:
            single = price(0, rank) if len(self.pile) == 2 else 0
            self.clear(seat, Clear.MATCH, single=single)
        elif rank == 11:
            self.clear(seat, Clear.JACK)

    def hear_declared_rank(self, seat: int) -> None:
        assert self.stands is not None
        claimed = sum(price(kind, rank) for kind, rank in self.claims)
        if seat != self.stands[0]:
            twice = len(self.pile) == 2
            self.clear(seat, Clear.STEAL, declared=claimed * (1 + twice), doubled=twice)
            return
        self.to_play -= 1
        if not self.to_play:
            self.clear(seat, Clear.COMPLETION, declared=claimed)

    def clear(self, seat: int, clear: Clear, *, declared: int = 0, single: int = 0, doubled: bool = False) -> None:
        ten = 50 if TEN_OF_DIAMONDS in self.pile else 0
        ranks = Counter(french_rank(card) for card in self.laid)
        laid = sum(price(number - 2, rank) for rank, number in ranks.items() if number > 1)
        laid = laid if self.last_clearer is None else 0
        parts = {"declared_points": declared, "single_points": single, "ten_points": ten, "laid_points": laid}
        points = sum(parts.values())
        self.expected.append(
            {
                "kind": EventKind.PILE_CLEARED,
                "seat": seat,
                "clear": clear,
                "doubled": doubled,
                "points": points,
                **parts,
            }
        )
        self.score(seat, points)
        self.last_clearer = seat
        self.pile, self.claims, self.stands = [], [], None

    def score(self, seat: int, points: int) -> None:
        for mate in [seat, (seat + 2) % 4] if self.seats == 4 else [seat]:
            self.scores[mate] += points

    def end_deal(self) -> None:
        assert self.stands is None
        if TEN_OF_DIAMONDS in self.pile and self.last_clearer is not None:
            self.expected.append({"kind": EventKind.LAST_TEN, "seat": self.last_clearer, "points": 50})
            self.score(self.last_clearer, 50)
        self.totals = [total + score for total, score in zip(self.totals, self.scores, strict=True)]
        scores, totals = tuple(self.scores), tuple(self.totals)
        self.expected.append({"kind": EventKind.DEAL_SCORED, "scores": scores, "totals": totals})
        self.deals_scored += 1


def price(kind: int, rank: int) -> int:
    return [(10, 50), (100, 150), (200, 300)][kind][rank == 11]
