"""What the house bot ``solid`` does in a game that it has no policy for."""

import logging

import pytest

from ordago import v1
from ordago_bot.bot import answer_of
from ordago_bot.house.solid import SolidBot


def test_in_a_game_without_a_policy_it_takes_the_default_answers_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """Such a game need not even be installed where the bot runs."""
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        bot = SolidBot(v1.MatchStart(game="unheardof"), worlds=4)
    assert caplog.messages == ["the house has no policy for the game 'unheardof': it takes the default answers"]
    decision = v1.Decision(default_answer=v1.Answer(legal_action=2))
    assert bot.choose(decision) == decision.default_answer


@pytest.mark.parametrize(("noise", "least", "most"), [(0, 0, 0), (30, 255, 345), (100, 1000, 1000)])
def test_noise_is_the_share_of_decisions_that_are_taken_by_chance(noise: int, least: int, most: int) -> None:
    """In a game without a policy whatever is not by chance is the default answer, here one that is not offered."""
    bot = SolidBot(v1.MatchStart(game="unheardof", seed=b"seed"), worlds=4, noise=noise)
    decision = v1.Decision(actions=[v1.LegalAction(id=1), v1.LegalAction(id=2)], default_answer=v1.Answer())
    answers = [answer_of(bot.choose(decision), decision).legal_action for _ in range(1000)]
    assert least <= sum(answer != 0 for answer in answers) <= most
    assert {answer for answer in answers if answer} == ({1, 2} if noise else set())
