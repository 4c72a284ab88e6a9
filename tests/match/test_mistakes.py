"""Mistakes of bots in each game, sent as typed actions: refused with the rule, and the match goes on."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Strategy, Thought, play_match

from ordago import v1
from ordago.games import find_game
from ordago.games.mittlere.pack import PACK
from ordago.match import DealTerms
from ordago.record import verify
from ordago_bot.bot import complete

Mistake = Callable[[v1.Decision], Iterator[dict[str, Any]]]
"""Yields the fields of the game's action for each such mistake that the decision allows to make."""

MOST_MATCHES = 40


def french_ranks(cards: Sequence[int]) -> list[int]:
    return [(card - 1) % 14 + 1 for card in cards]


def a_card_not_held(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    yield from ({"card": card} for card in PACK if card not in decision.view.mittlere.hand)


def an_undertrump(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    """The six of trumps on a plain lead that was trumped, while another card may be played."""
    view = decision.view.mittlere
    if len(view.trick) == 2 and view.HasField("trump"):
        six = 14 * (view.trump.suit - 1) + 6
        suits = [(card - 1) // 14 + 1 for card in view.trick]
        legal = [action.action.mittlere.card for action in decision.actions]
        if suits[0] != view.trump.suit == suits[1] and six in view.hand and six not in legal:
            yield {"card": six}


def a_sock_with_three_cards(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    view = decision.view.mitaines
    ranks = french_ranks(view.hand)
    for card, rank in zip(view.hand, ranks, strict=True):
        if ranks.count(rank) == 3 and not view.HasField("declaration"):
            yield {"card": card, "combination": v1.MITAINES_COMBINATION_SOCK}


def a_discarded_king(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    view = decision.view.mitigati
    kings = [card for card in view.hand if card <= 56 and card % 14 == 0]
    if decision.actions[0].action.mitigati.kind == v1.MITIGATI_ACTION_KIND_DISCARD and kings:
        others = [card for card in view.hand if 57 > card not in kings]
        yield {"kind": v1.MITIGATI_ACTION_KIND_DISCARD, "cards": [kings[0], *others[:2]]}


def a_double_sequence_over_the_gap(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    """Two sevens and two nines: there is no eight, but they are no neighbours."""
    hand = decision.view.taihe.hand
    playing = any(action.action.taihe.kind == v1.TAIHE_ACTION_KIND_PLAY for action in decision.actions)
    by_rank = [[card for card in hand if french_ranks([card]) == [rank]] for rank in (7, 9)]
    if playing and all(len(cards) >= 2 for cards in by_rank):
        yield {"kind": v1.TAIHE_ACTION_KIND_PLAY, "cards": by_rank[0][:2] + by_rank[1][:2]}


def a_bet_of_one(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    if any(action.action.mus.kind == v1.MUS_ACTION_KIND_ENVIDO for action in decision.actions):
        yield {"kind": v1.MUS_ACTION_KIND_ENVIDO, "amount": 1}


def an_untrue_signal(decision: v1.Decision) -> Iterator[dict[str, Any]]:
    """Signal ciego with a hand that is not, along with an action that is legal."""
    said = {extra.action.mus.signal for extra in decision.extras}
    plain = next((action.action.mus for action in decision.actions if not action.picks and not action.amount.max), None)
    if said and v1.MUS_SIGNAL_CIEGO not in said and plain is not None:
        yield {"kind": plain.kind, "binding": plain.binding, "signal": v1.MUS_SIGNAL_CIEGO}


def mistaken(game: str, mistake: Mistake) -> Strategy:
    """Return a strategy that plays by chance, and makes the mistake as often as it can."""
    rng = Random(11)

    def strategy(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        if not refusals:
            for fields in mistake(decision):
                return v1.Answer(action=v1.Action(**{game: fields}))
        return complete(rng.choice(decision.actions), rng)

    return strategy


@pytest.mark.parametrize(
    ("game", "options", "mistake", "rule"),
    [
        ("mittlere", {}, a_card_not_held, "not_in_hand"),
        ("mittlere", {}, an_undertrump, "undertrump"),
        ("mitaines", {}, a_sock_with_three_cards, "too_few"),
        ("mitigati", {}, a_discarded_king, "discard_honour"),
        ("taihe", {}, a_double_sequence_over_the_gap, "no_combination"),
        ("mus", {}, a_bet_of_one, "least_bet"),
        ("mus", {"signals": "open"}, an_untrue_signal, "untrue_signal"),
    ],
)
def test_a_mistake_is_refused_by_its_rule_and_the_match_goes_on(
    game: str, options: dict[str, object], mistake: Mistake, rule: str
) -> None:
    found = find_game(game)
    refused: list[v1.Refused] = []
    for number in range(MOST_MATCHES):
        players = [FakePlayer(mistaken(game, mistake)) for _ in range(found.rules.seat_counts[0])]
        deals = DealTerms.of(b"s" * 32, f"ordago-shuffle-1|{number}", revealed=False)
        terms = match_terms(found, options=found.rules.options(options), deals=deals)
        record = play_match(terms, players)
        assert not verify(record, secret=b"s" * 32)
        refused += [refusal for player in players for refusal in player.refused]
        if refused:
            break
    assert {refusal.rule for refusal in refused} == {rule}
    assert all(refusal.sentence and refusal.fault == v1.FAULT_ILLEGAL for refusal in refused)
    assert {refusal.field.split(".")[:2] == ["action", game] for refusal in refused} == {True}
