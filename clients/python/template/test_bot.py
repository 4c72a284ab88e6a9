"""The bot answers legally, and plays every game against itself, without a server."""

from pathlib import Path

import pytest
from bot import MyBot

from ordago_bot import play_locally
from ordago_bot.testing import Asked, ask, is_legal, load_decisions

DECISIONS = load_decisions(Path(__file__).with_name("decisions.jsonl"))
SEATS = {"mitaines": 4, "mitigati": 3, "mittlere": 3, "mus": 4, "taihe": 3}


@pytest.mark.parametrize("asked", DECISIONS, ids=lambda asked: asked.match.game)
def test_an_answer_is_legal(asked: Asked) -> None:
    """Add to the file what went wrong at a server: a bot writes it with --log-decisions FILE."""
    assert is_legal(asked.decision, ask(MyBot, asked))


@pytest.mark.parametrize("game", SEATS)
def test_no_answer_is_refused(game: str) -> None:
    """An answer that is refused would raise."""
    assert list(play_locally([MyBot] * SEATS[game], game, seed=1, strict=True))
