"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mittlere.table import whole_match
from support.stages import sentences, told

from ordago.cards import card_of
from ordago.games.mittlere import GAME
from ordago.games.mittlere.values import EventKind, MittlereEvent, ScoringRule

PLAYERS = ["Anna", "Bo", "Christine"]
TOLD = Path(__file__).with_name("told.txt")


def tell(events: list[MittlereEvent]) -> list[str]:
    return told(GAME, events, PLAYERS)


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
            "Two are level, so nobody is in the middle and nobody scores.",
        ),
    ],
)
def test_each_scoring_rule_has_its_words(event: MittlereEvent, verdict: str) -> None:
    (words,) = sentences(GAME, [event], PLAYERS)
    assert f". {verdict} " in words


def test_a_deal_without_trump_is_told_so() -> None:
    (words,) = sentences(GAME, [scored((157, 0, 0), (2, -1, -1), ScoringRule.ALL_TRICKS)], PLAYERS)
    assert words.startswith("No trump was ever set: each eight counts 8.")


def test_totals_are_told_after_each_deal() -> None:
    events = [scored((57, 60, 40), (-2, 1, 1), ScoringRule.MIDDLE, deal=deal) for deal in (4, 5)]
    assert sentences(GAME, events, PLAYERS)[-1].endswith("Totals: Anna −4, Bo +2, Christine +2.")


def test_hands_that_may_not_be_seen_are_not_listed() -> None:
    assert tell([MittlereEvent(EventKind.HAND_DEALT, seat=1)]) == []


def test_a_trick_that_was_not_finished_is_told_as_far_as_it_went() -> None:
    hands = [MittlereEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(3)]
    cards = [
        MittlereEvent(EventKind.CARD_PLAYED, seat=1, card=card_of("10♠")),
        MittlereEvent(EventKind.CARD_PLAYED, seat=2, card=card_of("A♠")),
    ]
    assert tell([*hands, *cards]) == ["  Trick 1    Bo leads 10♠, Christine A♠."]


def test_who_takes_a_trick_is_told_with_its_best_card_and_the_tricks_of_all() -> None:
    hands = [MittlereEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(3)]
    cards = [
        MittlereEvent(EventKind.CARD_PLAYED, seat=seat, card=card_of(card))
        for seat, card in enumerate(("10♠", "A♠", "9♠"))
    ]
    said = sentences(GAME, [*hands, *cards, MittlereEvent(EventKind.TRICK_TAKEN, seat=1)], PLAYERS)
    assert said[-1] == "Bo takes the trick with A♠. Tricks: 0–1–0."


def test_nothing_is_told_of_nothing() -> None:
    assert tell([]) == []
