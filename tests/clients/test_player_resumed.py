"""A player whose connection breaks: what it says when it is back, and what it remembers."""

from support.talk import DEFAULT, Talk, accepted, decision, refused, start

from ordago import v1
from ordago.protocol import SeatState


def test_a_session_is_taken_up_again_with_its_bots() -> None:
    talk = Talk().open()
    talk.says(start(), decision(1))
    talk.greet()
    assert (talk.hello.resume.session_id, talk.hello.resume.resume_token) == ("s", "t")
    talk.says(v1.Welcome(resumed=True), start(last_decision=1), decision(2))
    assert len(talk.bots) == 1
    assert talk.bots[0].asked == [1, 2]


def test_the_greeting_that_resumes_says_how_far_each_match_has_come() -> None:
    talk = Talk().open()
    talk.says(start(1, "m"), start(2, "n"), start(3, "o"), decision(1, handle=1), decision(1, handle=2))
    talk.says(accepted(1), decision(2), v1.MatchEnd(match_handle=2))
    for _ in range(2):
        talk.greet()
        known = [(match.match_handle, match.last_decision) for match in talk.hello.resume.matches]
        assert known == [(1, 2), (3, 0)]


def test_a_decision_that_comes_again_gets_the_same_answer_and_the_bot_is_asked_once() -> None:
    talk = Talk().open()
    [first] = talk.says(start(), decision(1))
    [on_the_same_connection] = talk.says(decision(1))
    talk.breaks()
    [after_a_break] = talk.says(start(), decision(1))
    assert first.answer == on_the_same_connection.answer == after_a_break.answer
    assert talk.link.seat_state(1) is SeatState.ANSWERED
    assert talk.bots[0].asked == [1]


def test_the_answer_to_a_refusal_is_the_one_that_is_repeated() -> None:
    talk = Talk().open()
    [first] = talk.says(start(), decision(1))
    [second] = talk.says(refused())
    talk.breaks()
    [again] = talk.says(start(), decision(1))
    assert first.answer != second.answer == again.answer == DEFAULT


def test_what_was_accepted_before_a_break_does_not_confuse() -> None:
    talk = Talk().open()
    talk.says(start(), decision(1))
    talk.breaks()
    [choice] = talk.says(start(last_decision=1), accepted(1), decision(2))
    assert choice.number == 2
    assert talk.bots[0].asked == [1, 2]


def test_a_match_that_goes_on_from_an_earlier_point_has_a_new_bot() -> None:
    """It must not remember what has not happened."""
    talk = Talk().open()
    talk.says(start(), decision(1), accepted(1), decision(2))
    talk.breaks()
    [choice] = talk.says(start(last_decision=0), decision(1))
    assert choice.number == 1
    assert [bot.asked for bot in talk.bots] == [[1, 2], [1]]


def test_a_match_that_ended_during_a_break_is_told_to_its_bot() -> None:
    talk = Talk().open()
    talk.says(start(), decision(1))
    talk.breaks()
    end = v1.MatchEnd(match_handle=1, sentence="the server failed")
    assert talk.says(start(last_decision=1), end) == []
    assert [bot.ends for bot in talk.bots] == [[end]]


def test_a_refusal_of_a_decision_before_the_break_is_not_answered() -> None:
    talk = Talk().open()
    talk.says(start(), decision(1))
    talk.open(resumed=True)
    assert talk.says(start(last_decision=1), refused()) == []


def test_a_new_session_has_new_bots() -> None:
    talk = Talk().open()
    talk.says(start())
    talk.open(resumed=False)
    talk.says(start())
    assert len(talk.bots) == 2
