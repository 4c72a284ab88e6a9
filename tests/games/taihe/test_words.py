"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.taihe.table import exchanging, whole_match

from ordago.cards import card_of
from ordago.games.taihe import GAME
from ordago.games.taihe.values import EventKind, TaiheEvent

PLAYERS = ["Anna", "Bo", "Christine", "Dana"]
TOLD = Path(__file__).with_name("told.txt")


def tell(*events: TaiheEvent) -> list[str]:
    return list(GAME.words.tell(events, players=PLAYERS))


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
        (scored(3, (2, -6, 2, 2)), "Dana goes out and beats Bo: Anna +2, Bo −6, Christine +2, Dana +2."),
        (scored(None, (0, 0, 0, 0), value=0), "The deal counts as played: nobody scores."),
    ],
)
def test_each_end_of_a_deal_has_its_words(event: TaiheEvent, verdict: str) -> None:
    assert f"  {verdict}" in tell(event)


def test_totals_of_a_part_say_since_when() -> None:
    events = [scored(1, (-2, 6, -2, -2), deal=deal) for deal in (4, 5)]
    assert tell(*events)[-1] == "  Totals since deal 5: Anna −4, Bo +12, Christine −4, Dana −4."


def test_a_hand_that_may_not_be_seen_is_told_as_such() -> None:
    assert tell(TaiheEvent(EventKind.HAND_DEALT, seat=1)) == ["  Bo         (not shown)"]


def test_a_deal_dealt_anew_is_told_so() -> None:
    started = TaiheEvent(EventKind.DEAL_STARTED, seat=0)
    told = tell(started, TaiheEvent(EventKind.PASSED_OUT), started)
    assert told == [
        "Deal 1. Anna takes the first card.",
        "",
        "  Everybody has passed twice.",
        "",
        "Deal 1, dealt anew. Anna takes the first card.",
        "",
    ]


def test_a_card_given_back_unseen_is_told_as_such() -> None:
    told = tell(
        TaiheEvent(EventKind.ASKED, seat=0, card=card_of("K♥"), holder=1),
        TaiheEvent(EventKind.GAVE_BACK, seat=0, holder=1),
    )
    assert told == ["  Second round: Anna asks for K♥, Bo gives it and gets a card back."]


def test_a_second_round_without_exchanges_takes_one_line() -> None:
    told = tell(*[TaiheEvent(EventKind.PASSED, seat=seat % 4) for seat in range(8)], TaiheEvent(EventKind.PASSED_OUT))
    assert told == [
        "  First round: Anna passes; Bo passes; Christine passes; Dana passes.",
        "  Second round: Anna passes; Bo passes; Christine passes; Dana passes.",
        "  Everybody has passed twice.",
    ]


def test_rounds_that_were_not_finished_are_told_as_far_as_they_went() -> None:
    assert tell(TaiheEvent(EventKind.PASSED, seat=2)) == ["  First round: Christine passes."]
    told = tell(
        TaiheEvent(EventKind.DECLARER_FOUND, seat=2, value=5),
        TaiheEvent(EventKind.PLAYED, seat=2, cards=(card_of("9♣"), card_of("9♥"))),
        TaiheEvent(EventKind.PASSED, seat=3),
        TaiheEvent(EventKind.PLAYED, seat=0, cards=(card_of("J♣"), card_of("J♥"))),
    )
    assert told == [
        "  Christine is the declarer. The game value is 5.",
        "",
        "   1  Christine 9♣ 9♥ · Anna J♣ J♥",
    ]


def test_nothing_is_told_of_nothing() -> None:
    assert tell() == []
