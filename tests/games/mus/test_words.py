"""How a match reads: one told in full, and what that one has not."""

from pathlib import Path

import pytest
from games.mus.table import dealt, exchange_until_shuffle, say, whole_match
from support.stages import sentences, told

from ordago.games.mus import GAME
from ordago.games.mus.values import EventKind, Lance, MusEvent, Reason, Result

PLAYERS = ["Anna", "Bo", "Christine", "Dora"]
TOLD = Path(__file__).with_name("told.txt")


def tell(events: list[MusEvent], **options: str | int) -> list[str]:
    return told(GAME, events, PLAYERS, **options)


def test_matches_are_told_as_in_the_file() -> None:
    """To accept a change of the words, read the difference and write the new text to told.txt."""
    events = [event.full for event in whole_match(22, games=3, target=20, signals="open")]
    assert "\n".join(tell(events, games=3)) + "\n" == TOLD.read_text(encoding="utf-8")


def test_a_stock_that_ran_out_is_told() -> None:
    dealt_unseen = [MusEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(4)]
    told_of_it = sentences(GAME, [*dealt_unseen, *exchange_until_shuffle()], PLAYERS)
    assert "The stock runs out: 28 discards are shuffled." in told_of_it


def test_a_game_at_the_cap_is_told_so() -> None:
    state = dealt("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So", max_deals=1)
    events = say(state, "no mus", "envido 2", "no quiero!", *["paso"] * 8)
    assert sentences(GAME, events, PLAYERS)[-1] == (
        "No more deals are played. Anna & Christine win the game: Anna & Christine 1, Bo & Dora 0."
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (MusEvent(EventKind.DISCARDED, seat=1, amount=3), "Bo discards 3 cards."),
        (MusEvent(EventKind.DRAWN, seat=2, amount=1), "Christine draws one card."),
        (MusEvent(EventKind.DENTRO, side=1), "Bo & Dora are dentro."),
        (
            MusEvent(EventKind.LANCE_SETTLED, lance=Lance.PARES, result=Result.UNCONTESTED, side=0),
            "Pares: Anna & Christine alone.",
        ),
        (
            MusEvent(EventKind.POINTS_SCORED, side=0, amount=3, lance=Lance.PARES, reason=Reason.BONUS),
            "Anna & Christine score 3 for pares.",
        ),
        (MusEvent(EventKind.LANCE_STARTED, lance=Lance.JUEGO, seats=(0, 1, 3)), "Anna, Bo & Dora have juego."),
        (MusEvent(EventKind.LANCE_STARTED, lance=Lance.JUEGO, seats=(1,)), "Bo has juego."),
    ],
)
def test_single_events_have_their_words(event: MusEvent, words: str) -> None:
    draws = [MusEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(4)]
    assert sentences(GAME, [*draws, event], PLAYERS) == [words]


def test_hands_that_may_not_be_seen_are_not_listed() -> None:
    assert tell([MusEvent(EventKind.HAND_DEALT, seat=1)]) == []


def test_pares_of_nobody_are_told_once() -> None:
    events = [
        MusEvent(EventKind.LANCE_STARTED, lance=Lance.PARES),
        MusEvent(EventKind.LANCE_SETTLED, lance=Lance.PARES, result=Result.NOBODY),
    ]
    assert tell(events) == ["  Pares      Nobody has pares."]


def test_the_hand_that_wins_a_called_lance_is_named() -> None:
    state = dealt("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So")
    events = say(state, "no mus", "envido 2", "quiero!", *["paso"] * 8)
    assert "Bo & Dora win grande with Bo's Rc Cc 6c 4c: 2 points." in sentences(GAME, events, PLAYERS)


def test_an_envido_upon_a_bet_is_told_as_a_raise() -> None:
    state = dealt("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So")
    events = say(state, "no mus", "envido 2", "envido 3", "no quiero!")
    assert {"Anna: Envido 2.", "Bo: Envido 3 more."} <= set(sentences(GAME, events, PLAYERS))


def test_no_line_is_too_long_to_read() -> None:
    for seed in range(20):
        events = [event.full for event in whole_match(seed, signals="open", games=3)]
        assert max(map(len, tell(events))) <= 118


def test_nothing_is_told_of_nothing() -> None:
    assert tell([]) == []
