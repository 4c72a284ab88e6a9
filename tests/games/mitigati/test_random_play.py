"""What holds in every match, seen in many: whatever the players do, the cards, the chips and the turns add up.

``MITIGATI_DEALS`` in the environment asks for more deals than the suite takes time for, for instance 10000.
"""

import os
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

import pytest
from games.mitigati.table import any_action, any_card, new_match, shuffle

from ordago.cards import FOOL, card_set, cards_in, count, french_rank, french_suit
from ordago.game import CHANCE, FINISHED, OutcomeReason
from ordago.games.mitigati.pack import KINGS, MITIGATI_CARDS, PACK, TAROCCHI_CARDS, WHOLE_PACK
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    CARD,
    PLAY,
    EventKind,
    Holding,
    MitigatiAction,
    MitigatiEvent,
    Phase,
    Ranking,
    discard_of,
    statement_of,
)

Temperament: TypeAlias = Callable[[MitigatiState, Random], MitigatiAction]

DEALS = int(os.environ.get("MITIGATI_DEALS", "3000"))


def silent(state: MitigatiState, _rng: Random) -> MitigatiAction:
    return state.default_action()


def bold(state: MitigatiState, _rng: Random) -> MitigatiAction:
    """Ask for as much as may be asked, lay away and play the highest codes."""
    legal = state.legal_actions()[0]
    if legal.amount:
        return statement_of(legal.amount.max)
    return highest_cards(state)


def shy(state: MitigatiState, _rng: Random) -> MitigatiAction:
    """Pay as much as the highest bid, lay away and play the lowest codes."""
    legal = state.legal_actions()[0]
    if legal.amount:
        return statement_of(legal.amount.min)
    if legal.picks:
        return discard_of(legal.picks[0].cards[:3])
    return legal.action


def highest_cards(state: MitigatiState) -> MitigatiAction:
    legal = state.legal_actions()[-1]
    return discard_of(legal.picks[0].cards[-3:]) if legal.picks else legal.action


def agreeable(state: MitigatiState, rng: Random) -> MitigatiAction:
    """Take and give nothing, so that every bargain is struck."""
    if state.phase is not Phase.BARGAIN:
        return any_action(state, rng)
    return PLAY if state.check(statement_of(0)) else statement_of(0)


def stalling(state: MitigatiState, rng: Random) -> MitigatiAction:
    """Go down by one chip at a time and never say play while anything else is left."""
    legal = state.legal_actions()[0]
    return statement_of(legal.amount.max) if legal.amount else any_action(state, rng)


MIXTURES = {
    "anything": [any_action] * 3,
    "always played": [any_card] * 3,
    "silent": [silent] * 3,
    "agreeable": [agreeable] * 3,
    "stalling": [stalling] * 3,
    "bold-shy-anything": [bold, shy, any_action],
    "shy-bold-silent": [shy, bold, silent],
    "bold-agreeable-stalling": [bold, agreeable, stalling],
    "anything-stalling-shy": [any_action, stalling, shy],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MIXTURES)
def test_chips_cards_and_turns_add_up_and_the_end_is_reached(name: str) -> None:
    rng = Random(name)
    deals = 0
    while deals < DEALS // len(MIXTURES):
        options = {"rounds": rng.randint(1, 3), "max_bid": rng.choice([1, 5, 100]), "max_struck": rng.randint(1, 5)}
        state = new_match(**options, ranking=rng.choice(list(Ranking)))
        events = play_match(state, rng, MIXTURES[name])
        deals += check_match(state, events, **options)


def play_match(state: MitigatiState, rng: Random, temperaments: Sequence[Temperament]) -> list[MitigatiEvent]:
    events: list[MitigatiEvent] = []
    while state.actor != FINISHED:
        happened = shuffle(state, rng) if state.actor == CHANCE else state.apply(temperaments[state.actor](state, rng))
        events += [event.full for event in happened]
    return events


def check_match(
    state: MitigatiState, events: Sequence[MitigatiEvent], *, rounds: int, max_bid: int, max_struck: int
) -> int:
    """Check the sums of a whole match, and return the number of its deals."""
    scored = [event for event in events if event.scores]
    chips = tuple(sum(event.scores[seat] for event in scored) for seat in range(3))
    assert all(sum(event.scores) == 0 for event in scored)
    assert state.outcome is not None
    assert state.outcome.scores == state.chips == chips
    assert all(abs(event.amount) <= max_bid for event in events if event.amount is not None)
    started = [event for event in events if event.kind is EventKind.DEAL_STARTED]
    ended = [event for event in events if event.kind in (EventKind.BARGAIN_STRUCK, EventKind.DEAL_SCORED)]
    assert [event.deal for event in started] == [event.deal for event in ended] == list(range(len(started)))
    check_turns(started, ended, rounds=rounds, max_struck=max_struck)
    capped = ended[-1].kind is EventKind.BARGAIN_STRUCK
    assert state.outcome.reason is (OutcomeReason.CAP_REACHED if capped else OutcomeReason.DEALS_PLAYED)
    assert all(sum(event.points) == 129 for event in ended if event.points)
    return len(started)


def check_turns(
    started: Sequence[MitigatiEvent], ended: Sequence[MitigatiEvent], *, rounds: int, max_struck: int
) -> None:
    """Check that each turn has struck bargains below the cap and then a deal played, or as many as the cap."""
    for turn in range(3 * rounds):
        kinds = [end.kind for start, end in zip(started, ended, strict=True) if start.turn == turn]
        struck = [EventKind.BARGAIN_STRUCK] * kinds.count(EventKind.BARGAIN_STRUCK)
        assert kinds == (struck if len(struck) == max_struck else [*struck, EventKind.DEAL_SCORED])
        assert {start.seat for start in started if start.turn == turn} == {(turn + 2) % 3}
    assert max(start.turn for start in started) == 3 * rounds - 1


def test_cards_are_conserved_at_every_step() -> None:
    rng = Random(5)
    state = new_match(rounds=4)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        piles = [*state.hands, state.discard, card_set(state.cards), card_set(state.stock)]
        assert sum(map(count, piles)) == 78
        assert sum(piles) == WHOLE_PACK
        state.apply(any_action(state, rng))


def test_stalling_players_come_to_an_end_of_each_bargain() -> None:
    """Nobody can state more than 2 * max_bid + 1 times, so a bargain has at most three times as many statements."""
    rng = Random(1)
    for _ in range(10):
        events = play_match(new_match(max_bid=5), rng, [stalling] * 3)
        longest = run = 0
        for event in events:
            run = run + 1 if event.kind is EventKind.STATEMENT_MADE else 0
            longest = max(longest, run)
        assert longest <= 3 * 11


def may_say(action: MitigatiAction, state: MitigatiState) -> bool:
    """Say whether an action is legal, by the words of the rule page, from the view of the actor alone."""
    view = state.view(state.actor)
    if view.phase is Phase.BARGAIN:
        return may_state(action, view.bargains[-1].statements, view.options.max_bid)
    if view.phase is Phase.DISCARD:
        return may_lay_away(action.cards, view.hand)
    return may_play(action.card, view.hand, view.trick)


def may_state(action: MitigatiAction, statements: Sequence[int], max_bid: int) -> bool:
    if action == PLAY:
        return True
    own = statements[len(statements) % 3 :: 3]
    return action.amount is not None and -max_bid <= action.amount <= max_bid and action.amount < min([*own, 10_000])


def may_lay_away(discard: Sequence[int], hand: Sequence[int]) -> bool:
    trumps = [card for card in hand if 57 <= card <= 77]
    if len(set(discard)) != 3 or any(card not in hand for card in discard):
        return False
    if any(card in (77, FOOL) or (card < 57 and french_rank(card) == 14) for card in discard):
        return False
    return 57 not in discard or trumps == [57]


def may_play(card: int, hand: Sequence[int], trick: Sequence[int]) -> bool:
    if card not in hand:
        return False
    led = [french_suit(other) for other in trick if other != FOOL]
    if card == FOOL or not led:
        return True
    suits = [french_suit(other) for other in hand if other != FOOL]
    required = led[0] if led[0] in suits else 4
    return french_suit(card) == required or required not in suits


def probes(state: MitigatiState, rng: Random) -> list[MitigatiAction]:
    """Return actions to be judged: all statements and cards, or a sample of the discards."""
    if state.phase is Phase.BARGAIN:
        return [PLAY, *(statement_of(amount) for amount in range(-12, 13))]
    if state.phase is Phase.TRICKS:
        return list(CARD.values())
    hand = cards_in(state.hands[state.actor])
    samples = [discard_of(rng.sample(hand, 3)) for _ in range(150)]
    return [*samples, *(discard_of(rng.sample(PACK, 3)) for _ in range(10)), discard_of(hand[:2]), discard_of(hand[:4])]


@pytest.mark.slow
def test_what_is_listed_and_what_is_not_refused_is_what_the_rule_page_allows() -> None:
    rng = Random(1)
    state = new_match(rounds=5, max_bid=10)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        judged = probes(state, rng)
        expected = [action for action in judged if may_say(action, state)]
        assert [action for action in judged if state.check(action) is None] == expected
        if state.phase is not Phase.DISCARD:
            assert listed(state) == set(expected)
        else:
            offered = state.legal_actions()[0].picks[0].cards
            assert all(set(action.cards) <= set(offered) for action in expected)
            assert may_lay_away(rng.sample(offered, 3), cards_in(state.hands[state.actor]))
        state.apply(any_card(state, rng) if rng.random() < 0.5 else any_action(state, rng))


def listed(state: MitigatiState) -> set[MitigatiAction]:
    """Return all that the legal actions of a bargain or a trick stand for."""
    actions = set()
    for legal in state.legal_actions():
        if legal.amount:
            actions |= {statement_of(amount) for amount in range(legal.amount.min, legal.amount.max + 1)}
        else:
            actions.add(legal.action)
    return actions


def test_a_referee_who_only_hears_what_happens_comes_to_the_same_result() -> None:
    """Declarations, takers and points of each deal, found a second time from the cards alone."""
    rng = Random(6)
    referee = Referee()
    for event in play_match(new_match(rounds=50), rng, [any_card] * 3):
        referee.hear(event)
    assert referee.deals_scored == 150


class Referee:
    """Judges a deal card by card, without sets of trumps and suits."""

    def __init__(self) -> None:
        self.deals_scored = 0
        self.declared: list[tuple[int, Holding, int]] = []
        self.expected_declarations: list[tuple[int, Holding, int]] = []
        self.begin()

    def begin(self) -> None:
        self.hands: list[set[int]] = [set(), set(), set()]
        self.won: list[list[int]] = [[], [], []]
        self.trick: list[tuple[int, int]] = []
        self.declared = []

    def hear(self, event: MitigatiEvent) -> None:
        seat = event.seat if event.seat is not None else -1
        if event.kind is EventKind.DEAL_STARTED:
            self.begin()
        elif event.kind is EventKind.CARDS_DEALT:
            self.hands[seat] |= set(event.cards)
        elif event.kind is EventKind.CARDS_DISCARDED:
            self.hands[seat] -= set(event.cards)
            self.won[seat] += event.cards
            self.expected_declarations = sorted(self.declarations())
        elif event.kind is EventKind.HOLDING_DECLARED:
            assert event.holding is not None
            self.declared.append((seat, event.holding, event.number))
        elif event.kind is EventKind.CARD_PLAYED:
            assert sorted(self.declared) == self.expected_declarations
            self.trick.append((seat, event.card))
        elif event.kind is EventKind.TRICK_TAKEN:
            self.hear_trick(seat)
        elif event.kind is EventKind.DEAL_SCORED:
            assert event.points == tuple(sum(map(points_of_card, cards)) for cards in self.won)
            self.deals_scored += 1

    def hear_trick(self, taker: int) -> None:
        others = [(seat, card) for seat, card in self.trick if card != FOOL]
        assert taker == max(others, key=lambda played: strength(played[1], others[0][1]))[0]
        for seat, card in self.trick:
            self.won[seat if card == FOOL else taker].append(card)
        self.trick = []

    def declarations(self) -> list[tuple[int, Holding, int]]:
        found = []
        for seat, hand in enumerate(self.hands):
            cards = card_set(hand)
            kings, three = count(cards & KINGS), count(cards & MITIGATI_CARDS)
            if count(cards & TAROCCHI_CARDS) >= 10:
                found.append((seat, Holding.TAROCCHI, count(cards & TAROCCHI_CARDS)))
            worth = {
                (Holding.REALE, three): (20 + 5 * three) * (kings == 4),
                (Holding.MITIGATI, kings): (15 + 5 * kings) * (three == 3),
                (Holding.ONORI, kings + three): (10 + 5 * (kings + three - 4)) * (kings + three >= 4),
            }
            dearest = max(worth, key=lambda holding: (worth[holding], -holding[0]))
            if worth[dearest]:
                found.append((seat, *dearest))
        return found


def strength(card: int, led: int) -> int:
    if card > 56:
        return 100 + card
    return french_rank(card) if led <= 56 and french_suit(card) == french_suit(led) else -1


def points_of_card(card: int) -> int:
    if card > 56:
        return {57: 5, 77: 5, FOOL: 4}.get(card, 1)
    return {14: 5, 13: 4, 12: 3, 11: 2}.get(french_rank(card), 1)
