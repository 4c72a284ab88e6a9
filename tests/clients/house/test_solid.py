"""What the house bot ``solid`` does in a game that it has no policy for."""

import logging

import pytest

from ordago import v1
from ordago_bot.house.solid import SolidBot


def test_in_a_game_without_a_policy_it_takes_the_default_answers_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """Such a game need not even be installed where the bot runs."""
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        bot = SolidBot(v1.MatchStart(game="whist"), worlds=4)
    assert caplog.messages == ["the house has no policy for the game 'whist': it takes the default answers"]
    decision = v1.Decision(default_answer=v1.Answer(legal_action=2))
    assert bot.choose(decision) == decision.default_answer
