"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mus.table import dealt, exchange_until_shuffle, say, whole_match

from ordago.cards import card_of
from ordago.games.mus import GAME
from ordago.games.mus.values import EventKind, Lance, MusEvent, Reason, Result

PLAYERS = ["Anna", "Bo", "Christine", "Dora"]
TOLD = Path(__file__).with_name("told.txt")


def tell(events: list[MusEvent]) -> list[str]:
    return list(GAME.words.tell(events, players=PLAYERS))


def test_matches_are_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    told = [event.full for event in whole_match(22, games=3, target=20, signals="open")]
    assert "\n".join(tell(told)) + "\n" == TOLD.read_text(encoding="utf-8")


def test_a_stock_that_ran_out_is_told() -> None:
    text = " ".join(" ".join(tell(exchange_until_shuffle())).split())
    assert "The stock runs out: 28 discards are shuffled." in text


def test_a_game_at_the_cap_is_told_so() -> None:
    state = dealt("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So", max_deals=1)
    events = say(state, "no mus", "envido 2", "no quiero!", *["paso"] * 8)
    assert tell(events)[-1] == (
        "  Anna and Christine 1, Bo and Dora 0. No more deals are played: Anna and Christine win the game."
    )


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (MusEvent(EventKind.HAND_DEALT, seat=1), "  Bo         (not shown)"),
        (MusEvent(EventKind.DISCARDED, seat=1, amount=3), "            Bo discards 3."),
        (MusEvent(EventKind.DRAWN, seat=2, amount=2), "            Christine draws 2."),
        (MusEvent(EventKind.DENTRO, side=1), "            Bo and Dora are dentro."),
        (
            MusEvent(EventKind.LANCE_SETTLED, lance=Lance.PARES, result=Result.UNCONTESTED, side=0),
            "            No betting: only Anna and Christine have it.",
        ),
        (
            MusEvent(EventKind.POINTS_SCORED, side=0, amount=3, lance=Lance.PARES, reason=Reason.BONUS),
            "            Pares, what it is worth: 3 to Anna and Christine.",
        ),
        (MusEvent(EventKind.HAND_DEALT, seat=3, cards=(card_of("4o"), card_of("Ro"))), "  Dora       Ro 4o"),
    ],
)
def test_single_events_have_their_words(event: MusEvent, line: str) -> None:
    assert tell([event]) == [line]


def test_pares_of_nobody_are_told() -> None:
    events = [
        MusEvent(EventKind.LANCE_STARTED, lance=Lance.PARES),
        MusEvent(EventKind.LANCE_SETTLED, lance=Lance.PARES, result=Result.NOBODY),
    ]
    assert tell(events) == ["  pares     Announced by nobody. Nobody has it."]


def test_no_line_is_too_long_to_read() -> None:
    for seed in range(20):
        events = [event.full for event in whole_match(seed, signals="open", games=3)]
        assert max(map(len, tell(events))) <= 118


def test_nothing_is_told_of_nothing() -> None:
    assert tell([]) == []
