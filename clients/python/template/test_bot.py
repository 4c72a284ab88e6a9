"""The bot plays every game against itself, without a server."""

import logging

import pytest
from bot import MyBot

from ordago_bot import play_locally

SEATS = {"mitaines": 4, "mitigati": 3, "mittlere": 3, "mus": 4, "taihe": 3}


@pytest.mark.parametrize("game", SEATS)
def test_no_answer_is_refused(game: str, caplog: pytest.LogCaptureFixture) -> None:
    """Refused answers are logged as warnings, so the log of a good bot is empty."""
    with caplog.at_level(logging.WARNING):
        matches = list(play_locally([MyBot] * SEATS[game], game, seed=1))
    assert len(matches) == 1
    assert caplog.messages == []
