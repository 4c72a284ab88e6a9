"""The time left that a bot is told while it chooses."""

import math
from typing import Any

import pytest
from support.talk import Talk, refused, start

from ordago import v1
from ordago_bot import Bot, Match, play_locally
from ordago_bot.__main__ import paced
from ordago_bot.bot import Countdown
from ordago_bot.house.baselines import DefaultBot

CLOCK = v1.ClockState(decision_ms=1000, bank_ms=10_000)


def decision(number: int = 1, handle: int = 1, *, clock: v1.ClockState | None = CLOCK) -> v1.Decision:
    return v1.Decision(
        match_handle=handle, number=number, clock=clock, actions=[v1.LegalAction(id=1), v1.LegalAction(id=2)]
    )


class Timed(Bot):
    """Notes its time, and thinks for two seconds."""

    talk: Talk
    left: list[float]

    def choose(self, decision: v1.Decision) -> Any:
        self.left.append(self.time_left())
        self.talk.now += 2
        return decision.actions[0]

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Any:  # noqa: ARG002 - as it is called
        return self.choose(decision)


class Threaded(Timed):
    threads = 1


def talk_with(base: type[Timed] = Timed) -> tuple[Talk, list[float]]:
    left: list[float] = []
    bot = type("Timing", (base,), {"left": left})
    talk = Talk(bot).open()
    bot.talk = talk  # type: ignore[attr-defined]  # it is a Timed
    return talk, left


def test_it_is_the_whole_time_less_what_passed_since_the_frame_arrived() -> None:
    talk, left = talk_with()
    talk.now = 5.0
    talk.says_at(4.5, start(1), start(2, "n"), decision(handle=1), decision(handle=2))
    assert left == [10.5, 8.5], "what a decision waits behind another match counts"


def test_it_is_never_below_zero() -> None:
    talk, left = talk_with()
    talk.now = 50.0
    talk.says_at(1.0, start(), decision())
    assert left == [0.0]


def test_after_a_refusal_it_is_what_the_server_says_less_what_passed_since() -> None:
    talk, left = talk_with()
    talk.says(start(), decision())
    talk.now = 7.0
    talk.says_at(6.5, refused(rule="follow_suit", strikes_left=1, time_left_ms=900))
    assert left == [11.0, pytest.approx(0.4)]


def test_without_a_clock_it_has_no_end() -> None:
    talk, left = talk_with()
    talk.says(start(), decision(clock=None))
    talk.says(refused(rule="follow_suit", strikes_left=1, time_left_ms=900))
    assert left == [math.inf, math.inf]


def test_a_decision_that_comes_again_has_its_time_anew() -> None:
    talk, left = talk_with(Threaded)
    talk.says(start(), decision())
    [question] = talk.player.questions()
    question.think()
    assert question.bot.time_left() == 9.0
    talk.now = 100.0
    assert question.bot.time_left() == 0.0
    talk.breaks().says(start(), decision())
    assert (left, question.bot.time_left()) == ([11.0], 11.0)


def test_a_bot_in_a_thread_has_no_time_left_for_a_decision_that_was_closed() -> None:
    talk, _ = talk_with(Threaded)
    talk.says(start(), decision())
    [question] = talk.player.questions()
    question.think()
    talk.says(v1.MatchEnd(match_handle=1))
    assert question.bot.time_left() == 0.0


def test_without_a_server_no_time_runs_out() -> None:
    left = []

    class Noting(DefaultBot):
        def choose(self, decision: v1.Decision) -> Any:
            left.append(self.time_left())
            return super().choose(decision)

    list(play_locally([Noting, DefaultBot, DefaultBot], "mittlere", options={"deals": 3}))
    assert set(left) == {math.inf}


@pytest.mark.virtual_time
async def test_a_bot_that_asks_another_one_passes_its_time_on() -> None:
    made: list[Bot] = []

    def make(match: Match) -> Bot:
        made.append(DefaultBot(match))
        return made[0]

    bot = paced(make, pause_seconds=1.0)(Match(start()))
    bot.countdown = Countdown(5.0, clock=lambda: 3.0)
    choosing = bot.choose(decision())
    await choosing  # type: ignore[misc]  # it is asynchronous
    assert made[0].time_left() == 2.0
