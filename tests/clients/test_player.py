"""A player without I/O, against the server's end of the session machine."""

import logging
from typing import Any

import pytest
from support.frames import from_server
from support.talk import DEFAULT, Talk, accepted, decision, pause_of, refused, start

from ordago import v1
from ordago.protocol import TACIT_ACCEPTANCE, ConnectionState, RemoteProtocolError, SeatState
from ordago_bot import Bot, complete, events
from ordago_bot.back_off import End, Over


def test_the_greeting_says_who_plays_and_how_much() -> None:
    talk = Talk(version="3", games=["mittlere"], nonce=b"n" * 16, max_open_decisions=2, max_matches=4)
    talk.greet()
    hello = talk.hello
    assert (hello.min_version, hello.max_version) == (1, 1)
    assert (hello.bot.name, hello.bot.version, list(hello.games)) == ("ana", "3", ["mittlere"])
    assert (hello.nonce, hello.max_open_decisions, hello.max_matches) == (b"n" * 16, 2, 4)
    assert hello.sdk.name
    assert not hello.HasField("resume")


def test_a_player_needs_no_word_that_its_answers_were_taken_unless_somebody_watches(
    caplog: pytest.LogCaptureFixture,
) -> None:
    talk = Talk()
    talk.greet()
    assert talk.hello.capabilities == [TACIT_ACCEPTANCE]
    with caplog.at_level(logging.DEBUG, "ordago_bot"):
        watched = Talk()
        watched.greet()
    assert not watched.hello.capabilities


def test_what_was_taken_without_a_word_is_closed() -> None:
    talk = Talk().open(capabilities=[TACIT_ACCEPTANCE])
    assert len(talk.says(start(), decision(1))) == 1
    assert len(talk.says(decision(2))) == 1
    assert talk.says(refused(1, time_left_ms=500, fault=v1.FAULT_ILLEGAL)) == [], "it is not open any more"
    talk.says(v1.MatchEnd(match_handle=1))
    assert [bot.asked for bot in talk.bots] == [[1, 2]]


def test_chance_gives_a_nonce_where_none_is_given() -> None:
    nonces = set()
    for _ in range(2):
        talk = Talk()
        talk.greet()
        nonces.add(talk.hello.nonce)
    assert [len(nonce) for nonce in nonces] == [16, 16]


def test_each_decision_is_answered_at_its_match() -> None:
    talk = Talk().open()
    choices = talk.says(start(1), start(2), decision(1, handle=2), decision(1, handle=1))
    assert [(choice.match_handle, choice.number) for choice in choices] == [(2, 1), (1, 1)]
    assert [talk.link.seat_state(handle) for handle in (1, 2)] == [SeatState.ANSWERED] * 2
    assert {choice.answer.legal_action for choice in choices} == {1}


def test_each_match_has_a_bot_of_its_own() -> None:
    talk = Talk().open()
    talk.says(start(1, "m", seat=2), start(2, "n"), decision(1, handle=1))
    first, second = talk.bots
    assert (first.match.match_id, first.match.seat, second.match.match_id) == ("m", 2, "n")
    assert (first.asked, second.asked) == ([1], [])
    assert first.random is not second.random


def test_a_bot_that_was_refused_takes_the_default_unless_it_knows_better() -> None:
    talk = Talk().open()
    talk.says(start(), decision())
    [again] = talk.says(refused())
    assert (again.number, again.answer) == (1, DEFAULT)


def test_a_bot_may_answer_a_refusal_itself() -> None:
    class Learning(Bot):
        def choose(self, decision: v1.Decision) -> Any:
            return decision.actions[0]

        def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Any:
            assert refusal.rule == "follow_suit"
            return decision.actions[1]

    talk = Talk(Learning).open()
    talk.says(start(), decision())
    assert talk.says(refused(rule="follow_suit", strikes_left=1))[0].answer == v1.Answer(legal_action=2)


@pytest.mark.parametrize("fields", [{"time_left_ms": 0}, {"number": 7}, {"match_handle": 9}, {"match_handle": 0}])
def test_a_refusal_of_something_else_is_not_answered(fields: dict[str, int]) -> None:
    talk = Talk().open()
    talk.says(start(), decision())
    assert talk.says(refused(**{"fault": v1.FAULT_TOO_LATE, **fields})) == []


def test_the_last_strike_is_not_answered() -> None:
    talk = Talk().open()
    talk.says(start(), decision())
    assert talk.says(refused(rule="follow_suit", strikes=3, strikes_left=0)) == []


def test_the_end_of_a_match_is_told_to_its_bot() -> None:
    talk = Talk().open()
    talk.says(start(seat=1))
    end = v1.MatchEnd(match_handle=1, outcome=v1.Outcome(scores=[0, 2], placings=[2, 1]))
    assert talk.says(end) == []
    assert talk.bots[0].ends == [end]
    talk.says(start(2), v1.MatchEnd(match_handle=2))
    assert talk.bots[1].ends[0].HasField("outcome") is False, "a void match ends too"


def test_a_goodbye_is_for_good() -> None:
    talk = Talk().open()
    talk.says(v1.Draining(sentence="soon"), v1.Goodbye(sentence="that is all"))
    assert talk.player.lost(End("OK")) == Over(0, events.goodbye("that is all"))


def test_a_thought_lasts_from_the_arrival_of_the_frame_to_the_last_answer_to_it() -> None:
    class Slow(Bot):
        def choose(self, decision: v1.Decision) -> Any:
            talk.now += 0.2
            return decision.actions[0]

    talk = Talk(Slow).open()
    talk.now = 5.0
    choices = talk.says_at(4.5, start(1), start(2), decision(1, handle=1), decision(1, handle=2))
    assert [choice.thought_ms for choice in choices] == [900, 900]


def test_a_thought_about_a_refusal_counts_from_the_arrival_of_the_decision() -> None:
    talk = Talk().open()
    talk.now = 1.0
    [first] = talk.says(start(), decision())
    talk.now = 1.25
    [second] = talk.says(refused())
    assert first.HasField("thought_ms"), "no time is a time too"
    assert (first.thought_ms, second.thought_ms) == (0, 250)


def test_a_thought_about_a_decision_that_came_again_counts_from_its_last_arrival() -> None:
    talk = Talk().open()
    talk.says(start(), decision())
    talk.now = 30.0
    talk.breaks()
    [again] = talk.says(start(), decision())
    assert again.thought_ms == 0


class Drawing(Bot):
    """Shows by its answers what chance it was given, and draws more often from decision to decision."""

    def choose(self, decision: v1.Decision) -> Any:
        amounts = [self.random.getrandbits(30) for _ in range(decision.number)]
        return v1.Answer(legal_action=1, amount=amounts[0])


def drawn(match: v1.MatchStart, *, first: int, last: int) -> list[int]:
    """Return what a new process draws for the decisions from the first to the last."""
    talk = Talk(Drawing).open()
    talk.says(match)
    choices = [talk.says(decision(number), accepted(number))[0] for number in range(first, last + 1)]
    return [choice.answer.amount for choice in choices]


def test_a_process_that_carries_on_in_the_middle_has_the_chance_of_one_that_was_there_from_the_beginning() -> None:
    whole = drawn(start(), first=1, last=4)
    assert drawn(start(last_decision=2), first=3, last=4) == whole[2:]
    assert len(set(whole)) == 4, "each decision has a chance of its own"


def test_each_seed_has_a_chance_of_its_own() -> None:
    other = start()
    other.seed = b"t" * 16
    assert drawn(start(), first=1, last=1) != drawn(other, first=1, last=1)


def test_a_goodbye_that_says_when_to_come_back_is_no_farewell() -> None:
    talk = Talk().open()
    talk.says(v1.Goodbye(sentence="maintenance", retry_after_ms=1500))
    assert pause_of(talk.player.lost(End("OK"))) == 1.5
    talk.greet()
    assert not talk.hello.HasField("resume"), "a Goodbye ends the session"
    assert pause_of(talk.player.lost(End("OK"))) == 0.25, "it is said once"


def test_a_goodbye_for_a_fault_is_a_farewell_whatever_it_says_besides() -> None:
    talk = Talk().open()
    talk.says(v1.Goodbye(sentence="too many messages", fault=v1.FAULT_FLOODING, retry_after_ms=1500))
    assert talk.player.lost(End("OK")) == Over(0, events.goodbye("too many messages"))


def test_a_session_that_is_lost_is_not_resumed() -> None:
    talk = Talk().open()
    talk.greet()
    assert talk.hello.HasField("resume")
    gone = End("UNAUTHENTICATED", "no such session")
    assert pause_of(talk.player.lost(gone)) == 0.25
    talk.greet()
    assert not talk.hello.HasField("resume")
    ended = events.session_ended("server:1", "UNAUTHENTICATED", "no such session")
    assert ended.message == "the server at server:1 ended the session (UNAUTHENTICATED): no such session"
    assert talk.player.lost(gone, address="server:1") == Over(3, ended)


def test_a_player_leaves_by_a_goodbye_while_the_session_is_open() -> None:
    talk = Talk().open()
    [goodbye] = talk.link.receive(talk.player.leave())
    assert goodbye.goodbye.sentence == "the bot was told to stop"
    assert talk.link.state is ConnectionState.LEAVING


def test_a_player_that_was_not_welcomed_yet_or_has_left_leaves_without_a_word() -> None:
    talk = Talk()
    assert talk.player.leave() == b""
    talk = Talk()
    talk.greet()
    assert talk.player.leave() == b""
    talk = Talk().open()
    talk.player.leave()
    assert talk.player.leave() == b""
    assert talk.says(start(), decision()) == [], "who has left answers nothing"


def test_what_a_player_does_not_know_does_no_harm(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk().open()
    talk.says(start(), decision())
    unknown = v1.PlayResponse(messages=[v1.ServerMessage.FromString(b"\xa2\x06\x03abc")]).SerializeToString()
    assert talk.player.receive(unknown) == b""
    newer = accepted()
    newer.fault = 77  # type: ignore[assignment]  # a fault that a later version knows
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        assert talk.player.receive(from_server(newer)) == b""
    assert "fault 77" in caplog.text


def test_a_server_that_breaks_the_contract_is_told() -> None:
    talk = Talk().open()
    with pytest.raises(RemoteProtocolError):
        talk.player.receive(from_server(decision()))
    with pytest.raises(RemoteProtocolError):
        talk.player.receive(b"\xff")


def test_a_bot_that_returns_nothing_is_told_so() -> None:
    class Forgetful(Bot):
        def choose(self, decision: v1.Decision) -> Any:
            decision.actions[0]

    talk = Talk(Forgetful).open()
    with pytest.raises(TypeError, match="it returned no answer"):
        talk.says(start(), decision())


def test_a_bot_needs_choose_and_nothing_else() -> None:
    class MyBot(Bot):
        def choose(self, decision: v1.Decision) -> Any:
            action = self.random.choice(decision.actions)
            return complete(action, self.random)

    talk = Talk(MyBot).open()
    choices = talk.says(start(), decision())
    assert choices[0].answer.legal_action in (1, 2)
    talk.says(v1.MatchEnd(match_handle=1))
    with pytest.raises(TypeError, match="abstract"):
        Bot(start())  # type: ignore[abstract]  # that it cannot be made is the point
