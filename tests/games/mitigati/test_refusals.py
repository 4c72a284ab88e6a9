"""Refusals name the rule and the field, and say what would be right."""

import pytest
from games.mitigati.table import at_table, cards, dealt, in_bargain, mid_deal, new_match, say

from ordago.cards import card_of, card_set
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    CARD,
    OPEN_DISCARD,
    OPEN_STATEMENT,
    PLAY,
    ActionKind,
    MitigatiAction,
    Phase,
    discard_of,
    statement_of,
)


@pytest.mark.parametrize(
    ("state", "action", "rule", "field", "sentence"),
    [
        (in_bargain(), CARD[1], "not_asked", "kind", "A bargain is on: make a statement or say play."),
        (in_bargain(), discard_of(PACK[:3]), "not_asked", "kind", "A bargain is on: make a statement or say play."),
        (dealt("", "", ""), PLAY, "not_asked", "kind", "The discard is due: lay away three cards."),
        (mid_deal(1, plays=4), PLAY, "not_asked", "kind", "A trick is on: play a card."),
        (new_match(), PLAY, "not_asked", "kind", "Nothing is asked now: the cards are not dealt yet."),
        (in_bargain(), OPEN_STATEMENT, "parts", "amount", "This kind of action fills in 'amount'."),
        (in_bargain(), PLAY._replace(amount=0), "parts", "amount", "This kind of action leaves 'amount' empty."),
        (in_bargain(), statement_of(5)._replace(card=3), "parts", "card", "This kind of action leaves 'card' empty."),
        (in_bargain(), PLAY._replace(cards=(3,)), "parts", "cards", "This kind of action leaves 'cards' empty."),
        (dealt("", "", ""), OPEN_DISCARD, "parts", "cards", "This kind of action fills in 'cards'."),
        (
            mid_deal(1, plays=4),
            MitigatiAction(ActionKind.CARD),
            "parts",
            "card",
            "This kind of action fills in 'card'.",
        ),
        (
            *(in_bargain(max_bid=30), statement_of(31), "max_bid", "amount"),
            "A statement receives or pays at most 30 chips: state from -30 to 30.",
        ),
    ],
)
def test_refusals_say_what_would_be_right(
    state: MitigatiState, action: MitigatiAction, rule: str, field: str, sentence: str
) -> None:
    assert state.check(action) == (rule, sentence, field)


def test_refusals_of_statements_say_what_is_left() -> None:
    state = in_bargain(max_bid=9)
    say(state, "5 9 9")
    violation = state.check(statement_of(5))
    assert violation is not None
    assert violation.sentence == "Your last statement in this bargain was 5: state less than 5, or say play."
    state = in_bargain(max_bid=9)
    say(state, "-9 9 9")
    violation = state.check(statement_of(3))
    assert violation is not None
    assert violation.sentence == "Your last statement in this bargain was -9: nothing lower is left, so say play."


@pytest.mark.parametrize(
    ("hand", "trick", "card", "sentence"),
    [
        ("A♠ 7♦", "9♠", "6♣", "You do not hold 6♣: play a card of your hand."),
        ("A♠ 7♦", "9♠", "7♦", "You hold spades, the suit led: play one of them."),
        ("A♠ 7♦ O", "9♠", "7♦", "You hold spades, the suit led: play one of them or the Fool."),
        ("II 7♦", "9♠", "7♦", "You cannot follow suit and hold trumps: play any of them."),
        ("II 7♦ O", "9♠", "7♦", "You cannot follow suit and hold trumps: play any of them or the Fool."),
        ("II 7♦", "IX", "7♦", "You hold trumps, the suit led: play one of them."),
    ],
)
def test_refusals_of_cards_say_what_would_be_right(hand: str, trick: str, card: str, sentence: str) -> None:
    violation = at_table(hand=cards(hand), trick=cards(trick)).check(CARD[card_of(card)])
    assert violation is not None
    assert (violation.sentence, violation.field) == (sentence, "card")


@pytest.mark.parametrize(
    ("discard", "sentence"),
    [
        ("2♣ 3♣", "Lay away 3 different cards."),
        ("2♣ 3♣ 4♣", "You do not hold 4♣: lay away cards of your hand."),
        ("2♣ 3♣ O", "Kings, the XXI and the Fool stay: keep the Fool."),
        ("2♣ 3♣ K♠", "Kings, the XXI and the Fool stay: keep K♠."),
        ("2♣ 3♣ I", "You hold other trumps than the I: it may be laid away only if it is your only trump."),
    ],
)
def test_refusals_of_discards_say_what_would_be_right(discard: str, sentence: str) -> None:
    state = in_bargain()
    state.phase, state.actor = Phase.DISCARD, 2
    state.hands[2] = card_set(cards("2♣ 3♣ K♠ II I O"))
    violation = state.check(discard_of(cards(discard)))
    assert violation is not None
    assert (violation.sentence, violation.field) == (sentence, "cards")
