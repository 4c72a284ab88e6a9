"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.taihe.table import exchanging, whole_match
from support.stages import sentences, told

from ordago.cards import card_of
from ordago.games.taihe import GAME
from ordago.games.taihe.values import EventKind, TaiheEvent

PLAYERS = ["Anna", "Bo", "Christine", "Dana"]
TOLD = Path(__file__).with_name("told.txt")


def tell(*events: TaiheEvent) -> list[str]:
    return told(GAME, events, PLAYERS)


def test_a_match_is_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    events = [event.full for event in whole_match(17, seats=4, deals=3, temperament=exchanging)]
    assert "\n".join(tell(*events)) + "\n" == TOLD.read_text(encoding="utf-8")


def scored(seat: int | None, scores: tuple[int, ...], *, value: int = 2, deal: int = 0) -> TaiheEvent:
    return TaiheEvent(EventKind.DEAL_SCORED, seat=seat, deal=deal, value=value, scores=scores)


@pytest.mark.parametrize(
    ("event", "verdict"),
    [
        (scored(1, (-2, 6, -2, -2)), "Bo, the declarer, goes out: Anna −2, Bo +6, Christine −2, Dana −2."),
        (scored(3, (2, -6, 2, 2)), "Dana goes out and beats Bo, the declarer: Anna +2, Bo −6, Christine +2, Dana +2."),
        (scored(None, (0, 0, 0, 0), value=0), "The deal counts as played, and nobody scores."),
    ],
)
def test_each_end_of_a_deal_has_its_words(event: TaiheEvent, verdict: str) -> None:
    (words,) = sentences(GAME, [event], PLAYERS)
    assert words.startswith(verdict)


def test_totals_are_told_after_each_deal() -> None:
    events = [scored(1, (-2, 6, -2, -2), deal=deal) for deal in (4, 5)]
    assert sentences(GAME, events, PLAYERS)[-1].endswith("Totals: Anna −4, Bo +12, Christine −4, Dana −4.")


def test_a_deal_dealt_anew_is_told_so() -> None:
    started = TaiheEvent(EventKind.DEAL_STARTED, seat=0)
    assert tell(started, TaiheEvent(EventKind.PASSED_OUT), started) == [
        "Deal 1: Anna takes the first card.",
        "             Everybody has passed twice.",
        "",
        "Deal 1: The cards are dealt again, and Anna takes the first.",
    ]


def test_a_card_given_back_unseen_is_told_as_such() -> None:
    hands = [TaiheEvent(EventKind.HAND_DEALT, seat=seat) for seat in (0, 1)]
    asked = TaiheEvent(EventKind.ASKED, seat=0, card=card_of("K♥"), holder=1)
    given = TaiheEvent(EventKind.GAVE_BACK, seat=0, holder=1)
    assert sentences(GAME, [*hands, asked, given], PLAYERS) == [
        "Anna asks for K♥ and gets it from Bo.",
        "Anna gives Bo a card in return.",
    ]


def test_rounds_that_were_not_finished_are_told_as_far_as_they_went() -> None:
    events = [
        *(TaiheEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(4)),
        TaiheEvent(EventKind.DECLARER_FOUND, seat=2, value=5),
        TaiheEvent(EventKind.PLAYED, seat=2, cards=(card_of("9♣"), card_of("9♥"))),
        TaiheEvent(EventKind.PASSED, seat=3),
        TaiheEvent(EventKind.PLAYED, seat=0, cards=(card_of("J♣"), card_of("J♥"))),
    ]
    assert tell(*events) == [
        "             Christine is the declarer, and the game value is 5.",
        "  Round 1    Christine leads 9♣ 9♥, Dana passes, Anna J♣ J♥.",
    ]


def test_nothing_is_told_of_nothing() -> None:
    assert tell() == []
