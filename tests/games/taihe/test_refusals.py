"""What a player is told who did something that he may not do."""

from collections.abc import Sequence

import pytest
from games.taihe.table import after, ask, at_table, cards, dealt, decisions_of_deal, exchanging, give_back, play

from ordago.cards import card_of
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, Phase, TaiheAction

ANY_COMBINATION = "one, two, three or four of a rank, a sequence or a double sequence within K Q J 10 9 or 7 6 5 4"


def sentence(state: TaiheState, action: TaiheAction) -> tuple[str, str]:
    violation = state.check(action)
    assert violation is not None
    return violation.sentence, violation.field


@pytest.mark.parametrize(
    ("to_beat", "played", "told"),
    [
        ("9♣", "7♠", "Equal or lower does not beat it: play a card higher than 9 or a bomb, or pass."),
        ("9♣", "7♠ 7♥", "This does not answer it: play a card higher than 9 or a bomb, or pass."),
        ("K♣ K♦", "7♠ 7♥", "Equal or lower does not beat it: play a pair higher than K or a bomb, or pass."),
        (
            *("9♣ 10♦ J♦", "7♠"),
            "This does not answer it: play a sequence of 3 with a top higher than J or a bomb, or pass.",
        ),
        (
            *("9♣ 9♦ 10♣ 10♦", "7♠"),
            "This does not answer it: play a double sequence of 4 with a top higher than 10 or a bomb, or pass.",
        ),
        (
            *("9♣ 9♦ 9♥", "7♠ 7♥ 7♦"),
            "Equal or lower does not beat it: play three of a rank higher than 9 or four of any rank, or pass.",
        ),
        (
            *("9♣ 9♦ 9♥ 9♠", "7♠ 7♥ 7♦"),
            "This does not answer it: play four of a rank higher than 9, or pass.",
        ),
        ("", "7♠ A♠", f"A♠ 7♠ is no combination: play {ANY_COMBINATION}."),
        ("", "7♣", "You do not hold all of these cards: play cards of your hand."),
    ],
)
def test_refusals_of_cards_say_what_would_be_right(to_beat: str, played: str, told: str) -> None:
    state = at_table(hand=cards("7♠ 7♥ 7♦ A♠"), to_beat=cards(to_beat))
    assert sentence(state, play(played)) == (told, "cards")


def test_other_refusals_say_what_would_be_right() -> None:
    state = dealt("4♥ 5♥", "A♠", seats=3)
    assert sentence(state, ask("A♠")) == ("This is the first round of bidding: pass or declare.", "kind")
    after(state, PASS, PASS, PASS)
    assert sentence(state, DECLARE) == ("This is the second round of bidding: pass or ask for a card.", "kind")
    assert sentence(state, ask("4♠")) == ("Name a card of the pack of 3 players that you do not hold.", "card")
    assert sentence(state, ask("5♥")) == ("You hold 5♥ yourself: ask for a card that you do not hold.", "card")
    after(state, ask("A♠"))
    assert sentence(state, PASS) == ("You received the card that you asked for: give a card back.", "kind")
    assert sentence(state, give_back("A♠")) == ("You have just received A♠: give back another card.", "card")
    assert sentence(state, give_back("4♠")) == ("You do not hold this card: give back a card of your hand.", "card")
    after(state, give_back("5♥"))
    assert sentence(state, ask("A♠")) == ("A♠ was asked for in this bidding: ask for another card.", "card")
    after(state, PASS, PASS)
    assert sentence(state, PASS) == ("You are to lead, and a lead is no pass: play any combination.", "kind")
    assert sentence(state, DECLARE) == ("The bidding is over: pass or play cards.", "kind")


@pytest.mark.parametrize("phase", [Phase.DECLARING, Phase.EXCHANGING, Phase.GIVING_BACK, Phase.PLAYING])
def test_parts_that_an_action_does_not_have_are_refused(phase: Phase) -> None:
    states = [state for seed in range(5) for state in decisions_of_deal(seed, seats=4, temperament=exchanging)]
    for state in [state for state in states if state.phase is phase][:20]:
        for legal in state.legal_actions():
            for action, field in (
                (legal.action._replace(card=card_of("K♥")), "card"),
                (legal.action._replace(cards=tuple(cards("K♥"))), "cards"),
            ):
                if getattr(legal.action, field) or field in fields_of(legal.action.kind):
                    continue
                violation = state.check(action)
                assert violation is not None
                assert (violation.rule, violation.field) == ("superfluous", field)


def fields_of(kind: ActionKind) -> Sequence[str]:
    return {ActionKind.ASK: ["card"], ActionKind.GIVE_BACK: ["card"], ActionKind.PLAY: ["cards"]}.get(kind, [])


@pytest.mark.parametrize("number", [-5, 0, card_of("2♦"), 4711])
def test_nonsense_is_refused_and_never_an_error(number: int) -> None:
    for state in decisions_of_deal(1, seats=4, temperament=exchanging):
        for kind in ActionKind:
            for action in (TaiheAction(kind, card=number), TaiheAction(kind, cards=(number, number))):
                violation = state.check(action)
                assert violation is not None or action in (PASS, DECLARE)
