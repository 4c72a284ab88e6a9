"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mitaines.table import action_of, whole_match

from ordago.cards import card_of
from ordago.games.mitaines import GAME
from ordago.games.mitaines.values import Clear, EventKind, MitainesEvent

PLAYERS = ["Anna", "Bo", "Christine", "Dominique"]
TOLD = Path(__file__).with_name("told.txt")


def tell(events: list[MitainesEvent], *, seats: int = 2) -> list[str]:
    return list(GAME.words.tell(events, players=PLAYERS[:seats]))


def test_deals_with_two_three_and_four_players_are_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    matches = (
        tell([event.full for event in whole_match(seed, seats=seats, max_deals=deals, eager=True)], seats=seats)
        for seed, seats, deals in ((170, 2, 1), (339, 3, 1), (251, 4, 2))
    )
    assert "\n\n".join("\n".join(lines) for lines in matches) + "\n" == TOLD.read_text(encoding="utf-8")


def played(seat: int, said: str) -> MitainesEvent:
    card, combination = action_of(said)
    return MitainesEvent(EventKind.CARD_PLAYED, seat=seat, card=card, combination=combination)


@pytest.mark.parametrize(
    ("event", "remark"),
    [
        (MitainesEvent(EventKind.DECLARATION_STOLEN, seat=1, robbed_seat=0), "Bo steals from Anna."),
        (
            MitainesEvent(
                *(EventKind.PILE_CLEARED, 1),
                clear=Clear.STEAL,
                doubled=True,
                points=70,
                declared_points=20,
                ten_points=50,
            ),
            "Bo 70: stolen and doubled 20, ten of diamonds 50.",
        ),
        (
            MitainesEvent(
                *(EventKind.PILE_CLEARED, 1), clear=Clear.COMPLETION, points=110, declared_points=100, laid_points=10
            ),
            "Bo 110: completed 100, laid cards 10.",
        ),
        (
            MitainesEvent(EventKind.PILE_CLEARED, 1, clear=Clear.MATCH, points=50, single_points=50),
            "Bo 50: single card 50.",
        ),
        (MitainesEvent(EventKind.PILE_CLEARED, 1, clear=Clear.JACK), ""),
    ],
)
def test_what_a_play_caused_stands_beside_its_round(event: MitainesEvent, remark: str) -> None:
    row = tell([played(0, "9♣ mitten"), played(1, "K♣"), event])[-1]
    assert row.endswith(remark)
    assert ("*" in row) == (event.kind is EventKind.PILE_CLEARED)


def test_the_last_ten_is_told_after_the_last_round() -> None:
    lines = tell([played(0, "9♣"), played(1, "10♦"), MitainesEvent(EventKind.LAST_TEN, 1, points=50, ten_points=50)])
    assert lines[-1] == "  The ten of diamonds is left for Bo, who cleared last: 50."


def test_partners_are_named_together() -> None:
    scored = MitainesEvent(EventKind.DEAL_SCORED, scores=(10, 60, 10, 60), totals=(110, 60, 110, 60))
    assert tell([scored], seats=4)[-2:] == [
        "  Points: Anna and Christine 10, Bo and Dominique 60.",
        "  Totals: Anna and Christine 110, Bo and Dominique 60.",
    ]


def test_a_hand_that_may_not_be_seen_is_told_as_such() -> None:
    assert tell([MitainesEvent(EventKind.HAND_DEALT, seat=0)])[-1] == "  Anna  (not shown)"


def test_a_hand_is_told_from_the_strongest_rank_down() -> None:
    cards = tuple(sorted(map(card_of, ("2♦", "J♠", "10♥", "A♣", "K♦", "Q♦"))))
    assert tell([MitainesEvent(EventKind.HAND_DEALT, seat=0, cards=cards)])[-1] == "  Anna  J♠ A♣ K♦ Q♦ 10♥ 2♦"


def test_a_round_that_was_not_finished_is_told_as_far_as_it_went() -> None:
    assert tell([played(1, "10♠"), played(2, "A♠ added glove")], seats=3) == [
        "",
        "      Anna         Bo           Christine",
        "   1               ›10♠           A♠ +glove",
    ]


def test_nothing_is_told_of_nothing() -> None:
    assert tell([]) == []
