"""The process in which the house thinks: what it answers, and what becomes of it."""

import signal

import pytest
import trio
from support.people import Person, ThinkingHere, wish

from ordago import v1
from ordago.games import find_game
from ordago.match import FaultTerms, Match, SeatTerms, TimeTerms, single_match_terms
from ordago_web.play.human_match import Person as PersonThere
from ordago_web.play.opponents import STRENGTHS
from ordago_web.play.sessions import opened_sessions
from ordago_web.play.thinking import ThinkingFailedError, ThinkingProcess, Thought
from ordago_web.play.waiting_table import Guest


def question(strength="regular"):
    """Return what the first player of a match is asked first."""
    terms = single_match_terms(
        game=find_game("mittlere"), options={}, seats=[SeatTerms(name) for name in "abc"], secret=bytes(32),
        event="test", nonces={}, time=TimeTerms(), faults=FaultTerms(),
    )  # fmt: skip
    match = Match(terms)
    starts, asked = match.begin().messages, match.step(None).question
    start = starts[asked.seat].message.SerializeToString()
    return Thought(start, asked.serialized(), strength)


@pytest.mark.slow
async def test_the_process_answers_as_the_bots_do_and_the_same_each_time():
    thinking = ThinkingProcess()
    try:
        for strength in STRENGTHS:
            expected = await ThinkingHere().answer(question(strength))
            assert expected == await thinking.answer(question(strength))
            assert expected != v1.Answer()
    finally:
        await thinking.close()


@pytest.mark.slow
async def test_the_process_advises_as_the_house_does_and_answers_afterwards():
    thinking = ThinkingProcess()
    try:
        advised = await thinking.advise(question())
        assert advised == await ThinkingHere().advise(question())
        assert len(advised.options) == 3
        assert await thinking.answer(question("habit")) == await ThinkingHere().answer(question("habit"))
    finally:
        await thinking.close()


@pytest.mark.slow
async def test_a_process_that_ends_fails_one_question_and_the_next_is_answered_by_another():
    thinking = ThinkingProcess()
    try:
        await thinking.answer(question())
        first = thinking._process
        first.send_signal(signal.SIGKILL)
        with pytest.raises(ThinkingFailedError):
            await thinking.answer(question())
        await thinking.answer(question())
        assert thinking._process.pid != first.pid
    finally:
        await thinking.close()


@pytest.mark.slow
async def test_a_question_that_nobody_waits_for_any_more_is_not_taken_for_the_next():
    thinking = ThinkingProcess()
    try:
        with trio.move_on_after(0.001) as left:
            await thinking.answer(question("strong"))
        assert left.cancelled_caught
        assert await thinking.answer(question("habit")) == await ThinkingHere().answer(question("habit"))
    finally:
        await thinking.close()


@pytest.mark.slow
async def test_the_process_ends_with_whoever_asks_it():
    thinking = ThinkingProcess()
    await thinking.answer(question())
    process = thinking._process
    await process.stdin.aclose()
    with trio.fail_after(20):
        assert await process.wait() == 0
    await process.stdout.aclose()


@pytest.mark.slow
async def test_a_parlour_is_opened_with_a_process_that_ends_with_it():
    async with opened_sessions() as play_sessions:
        human_match = play_sessions.open(wish("mittlere", strength="habit"), Guest(PersonThere("a session", ""), str))
        end = await Person(human_match).play()
        process = play_sessions._thinking._process
        assert len(end["scores"]) == 3
        assert process.poll() is None
    assert process.poll() is not None
