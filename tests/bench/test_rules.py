"""The player of the bench: whatever is open, all that is legal can come of it."""

from itertools import combinations
from random import Random

from ordago.game import AmountRange, LegalAction, Pick
from ordago.games import find_game
from ordago.games.mus.values import ActionKind, MusAction
from ordago.search.playouts import any_action

HAND = (79, 80, 81, 82)


def drawn(legal: LegalAction[MusAction]) -> set[MusAction]:
    rng = Random(7)
    return {any_action(find_game("mus"), legal, rng) for _ in range(500)}


def test_any_number_of_any_cards_is_picked() -> None:
    legal = LegalAction(MusAction(ActionKind.DISCARD), picks=(Pick(HAND, 1, 4),))
    ways = [cards for number in range(1, 5) for cards in combinations(HAND, number)]
    assert drawn(legal) == {MusAction(ActionKind.DISCARD, cards=cards) for cards in ways}


def test_any_amount_is_drawn() -> None:
    legal = LegalAction(MusAction(ActionKind.ENVIDO), amount=AmountRange(2, 9))
    assert drawn(legal) == {MusAction(ActionKind.ENVIDO, amount=amount) for amount in range(2, 10)}
