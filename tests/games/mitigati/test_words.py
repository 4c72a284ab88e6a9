"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mitigati.table import cards, whole_match

from ordago.games.mitigati import GAME
from ordago.games.mitigati.values import EventKind, Holding, MitigatiEvent

PLAYERS = ["Anna", "Bo", "Christine"]
TOLD = Path(__file__).with_name("told.txt")


def tell(*events: MitigatiEvent) -> list[str]:
    return list(GAME.words.tell(events, players=PLAYERS))


def test_a_match_is_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    events = [event.full for event in whole_match(8, max_bid=9)]
    assert "\n".join(tell(*events)) + "\n" == TOLD.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("holding", "number", "shown", "phrase"),
    [
        (Holding.TAROCCHI, 10, "I II III IV V VI VII VIII XXI O", "10 tarocchi (XXI VIII VII VI V IV III II I O)"),
        (Holding.REALE, 0, "", "reale"),
        (Holding.REALE, 1, "", "reale with 1 extra"),
        (Holding.REALE, 3, "", "reale with 3 extras"),
        (Holding.MITIGATI, 0, "", "mitigati"),
        (Holding.MITIGATI, 1, "", "mitigati with 1 king"),
        (Holding.MITIGATI, 2, "", "mitigati with 2 kings"),
        (Holding.ONORI, 5, "", "5 onori"),
    ],
)
def test_each_holding_has_its_words(holding: Holding, number: int, shown: str, phrase: str) -> None:
    event = MitigatiEvent(
        EventKind.HOLDING_DECLARED,
        seat=1,
        holding=holding,
        number=number,
        cards=tuple(cards(shown)),
        scores=(-10, 20, -10),
    )
    assert tell(event) == [f"  Bo declares {phrase}: Anna −10, Bo +20, Christine −10."]


def test_cards_that_may_not_be_seen_are_told_as_such() -> None:
    dealt = [MitigatiEvent(EventKind.CARDS_DEALT, seat=seat, number=10) for seat in range(3)]
    discarded = MitigatiEvent(EventKind.CARDS_DISCARDED, seat=2, number=3)
    assert tell(*dealt, discarded) == [
        "",
        "  10 cards each:",
        "  Anna       (not shown)",
        "  Bo         (not shown)",
        "  Christine  (not shown)",
        "",
        "  Christine lays away 3 cards.",
    ]


def test_a_bargain_and_a_trick_that_were_not_finished_are_told_as_far_as_they_went() -> None:
    statement = MitigatiEvent(EventKind.STATEMENT_MADE, seat=1, amount=0)
    card = MitigatiEvent(EventKind.CARD_PLAYED, seat=2, card=cards("XVIII")[0])
    assert tell(statement) == ["", "       Anna         Bo           Christine", "                   ›zero"]
    assert tell(card) == ["", "       Anna        Bo          Christine", "   1                          ›XVIII"]


def test_chips_of_a_part_say_since_when() -> None:
    started = MitigatiEvent(EventKind.DEAL_STARTED, seat=2, deal=4, turn=3)
    struck = MitigatiEvent(EventKind.BARGAIN_STRUCK, deal=4, scores=(5, -5, 0))
    assert tell(started, struck)[-1] == "  Chips since deal 5: Anna +5, Bo −5, Christine 0."


def test_nothing_is_told_of_nothing() -> None:
    assert tell() == []
