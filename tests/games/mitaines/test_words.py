"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mitaines.table import action_of, whole_match
from support.stages import sentences, told

from ordago.cards import card_of, signs
from ordago.games.mitaines import GAME
from ordago.games.mitaines.values import Clear, EventKind, MitainesEvent

PLAYERS = ["Anna", "Bo", "Christine", "Dominique"]
TOLD = Path(__file__).with_name("told.txt")


def tell(events: list[MitainesEvent], *, seats: int = 2) -> list[str]:
    return told(GAME, events, PLAYERS[:seats])


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


def clear(why: Clear, **points: int) -> MitainesEvent:
    return MitainesEvent(EventKind.PILE_CLEARED, 1, clear=why, points=sum(points.values()), **points)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            clear(Clear.STEAL, declared_points=20)._replace(doubled=True),
            "Bo steals Anna's mitten of nines and clears the pile: doubled declaration 20. Total: 20.",
        ),
        (
            clear(Clear.COMPLETION, declared_points=100, laid_points=10),
            "Bo completes the mitten of nines and clears the pile: declaration 100, laid cards 10. Total: 110.",
        ),
        (
            clear(Clear.MATCH, single_points=50),
            "Bo matches the top card and clears the pile: single card 50. Total: 50.",
        ),
        (
            clear(Clear.JACK, ten_points=50),
            "Bo clears the pile with the jack: ten of diamonds 50. Total: 50.",
        ),
        (clear(Clear.JACK), "Bo clears the pile with the jack."),
    ],
)
def test_a_clear_is_told_with_what_was_scored_for_what(event: MitainesEvent, words: str) -> None:
    assert sentences(GAME, [*begun(), played(0, "9♣ mitten"), event], PLAYERS[:2])[-1] == words


def begun() -> list[MitainesEvent]:
    return [
        MitainesEvent(EventKind.DEAL_STARTED, seat=1),
        *(MitainesEvent(EventKind.HAND_DEALT, seat=seat) for seat in (0, 1)),
    ]


def test_a_stolen_declaration_is_named() -> None:
    stolen = MitainesEvent(EventKind.DECLARATION_STOLEN, seat=1, robbed_seat=0)
    events = [*begun(), played(0, "9♣ mitten"), played(1, "K♣ added glove"), stolen]
    assert sentences(GAME, events, PLAYERS[:2])[-2:] == [
        "Bo plays K♣ and declares an added glove of kings.",
        "Bo steals Anna's mitten of nines.",
    ]


def test_the_last_ten_is_told() -> None:
    ten = MitainesEvent(EventKind.LAST_TEN, 1, points=50, ten_points=50)
    assert sentences(GAME, [ten], PLAYERS[:2]) == [
        "Bo cleared last and gets 50 points for the ten of diamonds. Total: 50."
    ]


def test_partners_are_named_together() -> None:
    scored = MitainesEvent(EventKind.DEAL_SCORED, scores=(10, 60, 10, 60), totals=(110, 60, 110, 60))
    assert sentences(GAME, [scored], PLAYERS) == [
        "Points: Anna & Christine 10, Bo & Dominique 60. Totals: Anna & Christine 110, Bo & Dominique 60."
    ]


def test_hands_and_pile_are_listed_as_far_as_they_are_seen() -> None:
    cards = tuple(sorted(map(card_of, ("2♦", "J♠", "10♥", "A♣", "K♦", "Q♦"))))
    laid = MitainesEvent(EventKind.TABLE_LAID, cards=cards[:4])
    hands = [MitainesEvent(EventKind.HAND_DEALT, seat=0, cards=cards), MitainesEvent(EventKind.HAND_DEALT, seat=1)]
    assert tell([laid, *hands]) == ["", "  Anna  J♠ A♣ K♦ Q♦ 10♥ 2♦", f"  pile  {signs(cards[:4])}", ""]


def test_a_pile_that_was_not_cleared_is_told_as_far_as_it_went() -> None:
    assert tell([*begun(), played(1, "10♠"), played(0, "A♠ added glove")]) == [
        "Deal 1: Bo deals.",
        "  Pile 1     Bo plays 10♠. Anna plays A♠ and declares an added glove of aces.",
    ]


def test_nothing_is_told_of_nothing() -> None:
    assert tell([]) == []
