"""How a match reads: one told in full, and what that one has not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from games.mittlere.table import whole_match

from ordago.cards import card_of
from ordago.games.mittlere import GAME
from ordago.games.mittlere.values import EventKind, MittlereEvent, ScoringRule

PLAYERS = ["Anna", "Bo", "Christine"]
TOLD = Path(__file__).with_name("told.txt")


def tell(events: list[MittlereEvent]) -> list[str]:
    return list(GAME.words.tell(events, players=PLAYERS))


def test_a_match_is_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    events = [event.full for event in whole_match(66, deals=3)]
    assert "\n".join(tell(events)) + "\n" == TOLD.read_text(encoding="utf-8")


def scored(points: tuple[int, ...], scores: tuple[int, ...], rule: ScoringRule, *, deal: int = 0) -> MittlereEvent:
    return MittlereEvent(EventKind.DEAL_SCORED, deal=deal, points=points, scores=scores, rule=rule)


@pytest.mark.parametrize(
    ("event", "verdict"),
    [
        (
            scored((157, 0, 0), (2, -1, -1), ScoringRule.ALL_TRICKS),
            "Anna took every trick: Anna +2, Bo −1, Christine −1.",
        ),
        (scored((0, 90, 67), (-2, 1, 1), ScoringRule.NO_TRICK), "Anna took no trick: Anna −2, Bo +1, Christine +1."),
        (scored((30, 100, 27), (1, -2, 1), ScoringRule.HUNDRED), "Bo reached a hundred: Anna +1, Bo −2, Christine +1."),
        (scored((57, 60, 40), (-2, 1, 1), ScoringRule.MIDDLE), "Anna is in the middle: Anna −2, Bo +1, Christine +1."),
        (
            scored((57, 50, 50), (0, 0, 0), ScoringRule.EQUAL),
            "Two are equal and nobody is in the middle: nobody scores.",
        ),
    ],
)
def test_each_scoring_rule_has_its_words(event: MittlereEvent, verdict: str) -> None:
    assert f"  {verdict}" in tell([event])


def test_a_deal_without_trump_is_told_so() -> None:
    assert "  No trump was ever set: each eight counts 8." in tell(
        [scored((157, 0, 0), (2, -1, -1), ScoringRule.ALL_TRICKS)]
    )


def test_totals_of_a_part_say_since_when() -> None:
    events = [scored((57, 60, 40), (-2, 1, 1), ScoringRule.MIDDLE, deal=deal) for deal in (4, 5)]
    assert tell(events)[-1] == "  Totals since deal 5: Anna −4, Bo +2, Christine +2."


def test_a_hand_that_may_not_be_seen_is_told_as_such() -> None:
    assert tell([MittlereEvent(EventKind.HAND_DEALT, seat=1)]) == ["  Bo         (not shown)"]


def test_a_trick_that_was_not_finished_is_told_as_far_as_it_went() -> None:
    def cards() -> Iterator[MittlereEvent]:
        yield MittlereEvent(EventKind.CARD_PLAYED, seat=1, card=card_of("10♠"))
        yield MittlereEvent(EventKind.CARD_PLAYED, seat=2, card=card_of("A♠"))

    assert tell(list(cards())) == [
        "",
        "      Anna       Bo         Christine",
        "   1             ›10♠         A♠",
    ]


def test_nothing_is_told_of_nothing() -> None:
    assert tell([]) == []
