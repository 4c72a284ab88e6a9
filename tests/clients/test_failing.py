"""Bots that fail: the process ends, or the default answer is taken. The transcripts have more of it."""

import logging
import threading
from typing import Any

import pytest
from support.processes import PATIENCE_SECONDS
from support.talk import DEFAULT, Talk, accepted, decision, refused, start

from ordago import v1
from ordago_bot import Bot, Match
from ordago_bot.bot import answer_of
from ordago_bot.minds import Minds
from ordago_bot.seat import authors_frames


class Careless(Bot):
    """Fails where a test says so."""

    fails_in = ""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self._pass("start")

    def choose(self, decision: v1.Decision) -> Any:
        self._pass("choose")
        return decision.actions[0]

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Any:  # noqa: ARG002 - as it is called
        self._pass("refused")
        return decision.actions[1]

    def forfeited(self, notice: v1.Forfeited) -> None:  # noqa: ARG002 - as it is called
        self._pass("forfeited")

    def ended(self, end: v1.MatchEnd) -> None:  # noqa: ARG002 - as it is called
        self._pass("ended")

    def _pass(self, place: str) -> None:
        if place == self.fails_in:
            raise ValueError(place)


class Threaded(Careless):
    threads = 1


class Async(Careless):
    async def choose(self, decision: v1.Decision) -> Any:
        return super().choose(decision)


def assert_begins_with_the_author(trace: str) -> None:
    frames = [line for line in trace.splitlines() if line.startswith("  File ")]
    assert all(__file__ in frame for frame in frames), trace
    assert frames[-1].endswith(", in _pass")


PLACES = ["start", "choose", "refused", "forfeited", "ended"]


def failing(place: str, base: type[Careless] = Careless) -> type[Careless]:
    return type("Failing", (base,), {"fails_in": place})


def played(talk: Talk) -> list[v1.Answer]:
    """Play a match in which everything happens, and return the answers."""
    choices = talk.says(start(), decision()) + talk.says(refused(rule="follow_suit", strikes_left=1))
    talk.says(accepted(), v1.Forfeited(match_handle=1), v1.MatchEnd(match_handle=1))
    return [choice.answer for choice in choices]


@pytest.mark.parametrize("place", PLACES)
def test_a_failure_ends_the_process_unless_the_author_says_otherwise(place: str) -> None:
    with pytest.raises(ValueError, match=place) as error:
        played(Talk(failing(place)).open())
    decision = ", decision 1" if place in ("choose", "refused") else ""
    assert error.value.__notes__ == [f"match m{decision}: the bot failed: {place}"]


def test_an_error_from_elsewhere_keeps_its_trace() -> None:
    with pytest.raises(TypeError) as error:
        answer_of(None, v1.Decision())
    here = error.value.__traceback__
    assert here is not None
    error.value.__traceback__ = here.tb_next
    assert here.tb_next is not None
    assert authors_frames(error.value) is here.tb_next


@pytest.mark.parametrize(("place", "answers"), list(zip(PLACES, ["dd", "d2", "1d", "12", "12"], strict=True)))
def test_a_bot_that_fails_goes_on_with_the_default_answer(
    place: str, answers: str, caplog: pytest.LogCaptureFixture
) -> None:
    meant = {"1": v1.Answer(legal_action=1), "2": v1.Answer(legal_action=2), "d": DEFAULT}
    talk = Talk(failing(place), stops_on_error=False).open()
    with caplog.at_level(logging.ERROR, "ordago_bot"):
        assert played(talk) == [meant[sign] for sign in answers]
    [line] = caplog.records
    assert vars(line)["event"] == "failed"
    assert vars(line)["fields"]["error"] == place
    assert_begins_with_the_author(vars(line)["fields"]["trace"])
    assert talk.player.summary().failures == 1


@pytest.mark.parametrize("base", [Threaded, Async])
def test_a_bot_that_fails_elsewhere_goes_on_too(base: type[Careless], caplog: pytest.LogCaptureFixture) -> None:
    talk, minds, thought = Talk(failing("choose", base), stops_on_error=False).open(), Minds(), threading.Semaphore(0)
    minds.wake = thought.release
    assert talk.says(start(), decision()) == []
    minds.think(talk.player.questions())
    assert thought.acquire(timeout=PATIENCE_SECONDS)
    frame = talk.player.answer(minds.finished())
    minds.close()
    assert [message.choice.answer for message in v1.PlayRequest.FromString(frame).messages] == [DEFAULT]
    [line] = caplog.records
    assert "in choose" in vars(line)["fields"]["trace"]
    assert "/ordago_bot/" not in vars(line)["fields"]["trace"].partition("in choose")[0]
    assert vars(line)["fields"]["asked"]["number"] == 1


def test_a_failure_at_a_decision_that_was_closed_is_told_but_not_answered(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk(Threaded, stops_on_error=False).open()
    talk.says(start(), decision())
    [question] = talk.player.questions()
    talk.says(accepted(1, fault=v1.FAULT_TOO_LATE))
    assert talk.player.answer([(question, ValueError("too slow"))]) == b""
    assert [vars(line)["event"] for line in caplog.records] == ["default_taken", "failed"]
