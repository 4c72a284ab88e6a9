"""The bot answers legally, and plays its game against itself, without a server."""

from pathlib import Path

import pytest
from bot import MyBot

from ordago_bot import play_locally
from ordago_bot.testing import Asked, ask, is_legal, load_decisions

GAME, SEATS = "mittlere", 3
DECISIONS = [one for one in load_decisions(Path(__file__).with_name("decisions.jsonl")) if one.match.game == GAME]


@pytest.mark.parametrize("asked", DECISIONS)
def test_an_answer_is_legal(asked: Asked) -> None:
    """Add to the file what went wrong at a server: a bot writes it with --log-decisions FILE."""
    assert is_legal(asked.decision, ask(MyBot, asked))


def test_no_answer_is_refused() -> None:
    """An answer that is refused would raise."""
    assert list(play_locally([MyBot] * SEATS, GAME, seed=1, strict=True))
