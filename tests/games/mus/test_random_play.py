"""What holds in every match, seen in many: whatever the players do, cards and points add up and an end is reached.

``ORDAGO_DEALS`` in the environment asks for so many deals of any play, for instance 10000; usually they are fewer.
"""

import os
from collections.abc import Callable, Sequence
from itertools import groupby
from random import Random
from typing import TypeAlias

import pytest
from games.mus.table import action, any_action, filled, new_match, shuffle

from ordago.cards import cards_in, count
from ordago.game import CHANCE, FINISHED, AmountRange, OutcomeReason
from ordago.games.mus.hands import WHOLE_PACK
from ordago.games.mus.holdings import Holdings
from ordago.games.mus.state import MusState
from ordago.games.mus.values import (
    SIDE_OF,
    ActionKind,
    EventKind,
    Lance,
    MusAction,
    MusEvent,
    Phase,
    Signal,
    Statement,
)

Temperament: TypeAlias = Callable[[MusState, Random], MusAction]

DEALS = int(os.environ.get("ORDAGO_DEALS", "1500"))
CALM = (ActionKind.MUS, ActionKind.PASO, ActionKind.QUIERO)


def anything(state: MusState, rng: Random) -> MusAction:
    return any_action(state, rng)


def bold(state: MusState, rng: Random) -> MusAction:
    """Raise while anything fits, else anything but a fold."""
    kinds = {legal.action.kind: legal for legal in state.legal_actions()}
    legal = kinds.get(ActionKind.ENVIDO) or kinds.get(ActionKind.QUIERO) or rng.choice(state.legal_actions())
    return filled(legal, rng)


def shy(state: MusState, rng: Random) -> MusAction:
    """Never bet; call what is bet."""
    calm = [legal for legal in state.legal_actions() if legal.action.kind in CALM]
    return filled(rng.choice(calm or state.legal_actions()), rng)


def silent(state: MusState, _rng: Random) -> MusAction:
    return state.default_action()


def stalling(state: MusState, rng: Random) -> MusAction:
    """Say mus as long as possible, discard all, and raise by the least."""
    if state.phase is Phase.MUS:
        return action("mus")
    if state.phase is Phase.DISCARD:
        return MusAction(ActionKind.DISCARD, cards=tuple(cards_in(state.holdings.hands[state.actor])))
    for legal in state.legal_actions():
        if legal.amount is not None:
            return legal.action._replace(amount=legal.amount.min)
    return filled(rng.choice(state.legal_actions()), rng)


TEMPERAMENTS = [anything, bold, shy, silent, stalling]
TABLES = [
    *([temperament] * 4 for temperament in TEMPERAMENTS),
    [bold, shy, anything, stalling],
    [silent, anything, silent, anything],
    [stalling, stalling, stalling, silent],
]


def check_cards(holdings: Holdings) -> None:
    piles = [*holdings.hands, holdings.pile, sum(1 << card for card in holdings.stock)]
    assert sum(map(count, piles)) == 40
    assert sum(piles) == WHOLE_PACK


class Bookkeeper:
    """Adds up the points that are told, and knows nothing else."""

    def __init__(self, *, target: int) -> None:
        self.target = target
        self.points = [0, 0]
        self.games = [0, 0]
        self.dentro: list[int | None] = []
        self.deals = 0

    def hear(self, event: MusEvent) -> None:
        if event.kind is EventKind.DEAL_STARTED:
            self.deals += 1
            assert (event.points, event.games) == (tuple(self.points), tuple(self.games))
        elif event.kind is EventKind.POINTS_SCORED:
            assert event.side is not None
            assert event.amount > 0
            self.points[event.side] += event.amount
            assert self.points[event.side] <= self.target
            assert event.points == tuple(self.points)
        elif event.kind is EventKind.DENTRO:
            assert event.side not in self.dentro
            self.dentro.append(event.side)
        elif event.kind is EventKind.GAME_WON:
            self.end_game(event)

    def end_game(self, event: MusEvent) -> None:
        assert event.side is not None
        assert self.points[event.side] == max(self.points)
        assert event.reason is not None or self.points[event.side] == self.target
        self.games[event.side] += 1
        self.points, self.dentro = [0, 0], []


def play(state: MusState, temperaments: Sequence[Temperament], rng: Random) -> Bookkeeper:
    """Play a match to its end, and check what holds at every step."""
    books = Bookkeeper(target=state.options.target)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            events = shuffle(state, rng)
        else:
            said = temperaments[state.actor](state, rng)
            assert state.check(said) is None, said
            events = state.apply(said)
        if state.holdings.shuffles:
            check_cards(state.holdings)
        assert len(state.holdings.reshuffled) <= state.options.max_mus
        for event in events:
            books.hear(event.full)
    return books


@pytest.mark.parametrize("temperaments", TABLES, ids=lambda table: "-".join(each.__name__ for each in table))
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ruleset": "federation", "kings": 4, "signals": "partner"},
        {"games": 3, "target": 10, "signals": "open", "max_mus": 3},
    ],
    ids=["source", "federation", "games"],
)
def test_cards_and_points_add_up_and_the_end_is_reached(
    temperaments: list[Temperament], options: dict[str, object]
) -> None:
    for seed in range(2):
        state = new_match(**options)
        books = play(state, temperaments, Random(seed))
        outcome = state.outcome
        assert outcome is not None
        final = books.games if state.options.games > 1 else state.scoreboard.points
        assert outcome.scores == tuple(final[side] for side in SIDE_OF)
        assert sorted(outcome.placings) == [1, 1, 2, 2]
        assert outcome.scores[outcome.placings.index(1)] == max(outcome.scores)
        assert max(books.games) == state.options.games // 2 + 1


@pytest.mark.slow
def test_many_deals_of_any_play() -> None:
    rng = Random(1)
    deals = 0
    while deals < DEALS:
        deals += play(new_match(signals="open"), [anything] * 4, rng).deals


def test_a_game_of_silent_players_ends_at_the_cap_or_before() -> None:
    for seed in range(5):
        state = new_match(max_deals=8)
        books = play(state, [silent] * 4, Random(seed))
        assert state.outcome is not None
        if state.outcome.reason is OutcomeReason.CAP_REACHED:
            assert books.deals >= 8


def may_say(state: MusState, said: MusAction) -> bool:
    """Say whether an action is legal, by the words of the rule page, from what was said in the lance."""
    if not may_signal(state, said.signal):
        return False
    hand = set(cards_in(state.holdings.hands[state.actor]))
    if said.kind is ActionKind.DISCARD:
        fits = set(said.cards) <= hand and 0 < len(said.cards) == len(set(said.cards))
        return state.phase is Phase.DISCARD and fits and not (said.amount or said.binding)
    if said.cards or (said.amount and said.kind is not ActionKind.ENVIDO):
        return False
    if said.kind in (ActionKind.MUS, ActionKind.NO_MUS):
        return state.phase is Phase.MUS and not said.binding
    return state.phase is Phase.BETTING and may_bet(state, said)


def may_bet(state: MusState, said: MusAction) -> bool:
    lance = state.view(state.actor).lance
    bets = bets_that_count(state, lance)
    if said.binding and not bets:
        return False
    if said.kind in (ActionKind.QUIERO, ActionKind.NO_QUIERO):
        return bool(bets)
    if bets and bets[-1].kind is ActionKind.ORDAGO:
        return False
    if said.kind is ActionKind.ENVIDO:
        return said.amount >= 2 and sum(bet.amount for bet in bets) + said.amount <= state.options.target
    return said.kind is ActionKind.ORDAGO or (said.kind is ActionKind.PASO and not bets)


BOLDNESS = (ActionKind.NO_QUIERO, ActionKind.QUIERO, ActionKind.ENVIDO, ActionKind.ORDAGO)


def bets_that_count(state: MusState, lance: Lance | None) -> list[Statement]:
    """Return the bets of a lance so far, one for each turn of a side: its last word if binding, else the boldest."""
    spoken = [one for one in state.said if one.lance is lance and one.kind is not ActionKind.PASO]
    turns = [list(turn) for _, turn in groupby(spoken, key=lambda one: SIDE_OF[one.seat])]
    if turns and SIDE_OF[turns[-1][0].seat] == SIDE_OF[state.actor]:
        turns.pop()  # The partner has answered, and the actor is asked too.
    return [
        turn[-1] if turn[-1].binding else max(turn, key=lambda one: (BOLDNESS.index(one.kind), one.amount))
        for turn in turns
    ]


def may_signal(state: MusState, signal: Signal | None) -> bool:
    return signal is None or any(extra.signal is signal for extra in state.extras())


def candidates(state: MusState, rng: Random) -> list[MusAction]:
    """Return actions of all kinds, sensible and not."""
    hand = cards_in(state.holdings.hands[state.actor])
    plain = [MusAction(kind, binding=binding) for kind in ActionKind for binding in (False, True)]
    amounts = range(state.options.target + 2)
    bets = [MusAction(ActionKind.ENVIDO, amount, (), binding) for amount in amounts for binding in (False, True)]
    picks = [rng.sample(hand, number) for number in (1, 2, 3, 4)] + [[*hand, 79], [hand[0], hand[0]], [79], [118, 79]]
    discards = [MusAction(ActionKind.DISCARD, cards=tuple(pick)) for pick in picks]
    odd = [MusAction(kind, 3, tuple(hand[:1])) for kind in ActionKind]
    signalled = [one._replace(signal=rng.choice(list(Signal))) for one in rng.sample(plain + bets + discards, 20)]
    return plain + bets + discards + odd + signalled


@pytest.mark.slow
@pytest.mark.parametrize("signals", ["off", "open"])
def test_what_is_listed_is_exactly_what_is_legal(signals: str) -> None:
    rng = Random(4)
    for _ in range(40):
        state = new_match(signals=signals, target=12)
        while state.actor != FINISHED:
            if state.actor == CHANCE:
                shuffle(state, rng)
                continue
            for said in candidates(state, rng):
                legal = may_say(state, said)
                assert (state.check(said) is None) == legal, said
                assert is_listed(state, said) == legal, said
            state.apply(any_action(state, rng))


def is_listed(state: MusState, said: MusAction) -> bool:
    for legal in state.legal_actions():
        amount = legal.amount or AmountRange(0, 0)
        offered = {card for pick in legal.picks for card in pick.cards}
        least, most = next(((pick.min, pick.max) for pick in legal.picks), (0, 0))
        if (
            (legal.action.kind, legal.action.binding) == (said.kind, said.binding)
            and amount.min <= said.amount <= amount.max
            and least <= len(said.cards) <= most
            and len(set(said.cards)) == len(said.cards)
            and set(said.cards) <= offered
        ):
            return said.signal is None or MusAction(signal=said.signal) in state.extras()
    return False
