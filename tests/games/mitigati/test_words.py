"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mitigati.table import cards, whole_match
from support.stages import sentences, told

from ordago.games.mitigati import GAME
from ordago.games.mitigati.values import EventKind, Holding, MitigatiEvent

PLAYERS = ["Anna", "Bo", "Christine"]
TOLD = Path(__file__).with_name("told.txt")


def tell(*events: MitigatiEvent) -> list[str]:
    return told(GAME, events, PLAYERS)


def test_a_match_is_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    events = [event.full for event in whole_match(8, max_bid=9)]
    assert "\n".join(tell(*events)) + "\n" == TOLD.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("holding", "number", "shown", "phrase"),
    [
        (Holding.TAROCCHI, 10, "I II III IV V VI VII VIII XXI O", "10 tarocchi (XXI VIII VII VI V IV III II I O)"),
        (Holding.REALE, 0, "", "reale"),
        (Holding.REALE, 1, "", "reale with one extra"),
        (Holding.REALE, 3, "", "reale with 3 extras"),
        (Holding.MITIGATI, 0, "", "mitigati"),
        (Holding.MITIGATI, 1, "", "mitigati with one king"),
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
    assert sentences(GAME, [event], PLAYERS) == [f"Bo declares {phrase}, and gets 10 from each of the others."]


def test_cards_that_may_not_be_seen_are_told_as_such() -> None:
    dealt = [MitigatiEvent(EventKind.CARDS_DEALT, seat=seat, number=10) for seat in range(3)]
    discarded = MitigatiEvent(EventKind.CARDS_DISCARDED, seat=2, number=3)
    assert tell(*dealt, discarded) == ["  Discard    Christine, the dealer, discards 3 cards."]


def test_a_bargain_and_a_trick_that_were_not_finished_are_told_as_far_as_they_went() -> None:
    statement = MitigatiEvent(EventKind.STATEMENT_MADE, seat=1, amount=0)
    dealt = MitigatiEvent(EventKind.CARDS_DEALT, seat=2, number=10)
    card = MitigatiEvent(EventKind.CARD_PLAYED, seat=2, card=cards("XVIII")[0])
    assert tell(statement) == ["  Bargain 1  Bo: zero."]
    assert tell(dealt, card) == ["  Trick 1    Christine leads XVIII."]


def test_a_bargain_that_failed_is_told_with_what_was_asked_for_last() -> None:
    said = [
        MitigatiEvent(EventKind.STATEMENT_MADE, seat=seat, amount=amount) for seat, amount in enumerate((1, -2, -8))
    ]
    assert sentences(GAME, [*said, MitigatiEvent(EventKind.BARGAIN_FAILED)], PLAYERS)[-1].startswith(
        "The last three statements come to −9:"
    )


def test_a_deal_after_a_struck_bargain_is_dealt_again_and_the_chips_are_kept() -> None:
    started = MitigatiEvent(EventKind.DEAL_STARTED, seat=2, deal=4, turn=3)
    struck = MitigatiEvent(EventKind.BARGAIN_STRUCK, deal=4, scores=(5, -5, 0))
    said = sentences(GAME, [started, struck, started._replace(deal=5), struck], PLAYERS)
    assert said[::2] == ["Christine deals.", "Christine deals again."]
    assert said[-1].endswith("Chips: Anna +10, Bo −10, Christine 0.")


def test_nothing_is_told_of_nothing() -> None:
    assert tell() == []
