"""Bots that think in threads or under trio: what a player makes of their answers, whenever these come."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import trio
import trio.lowlevel
from support.frames import body_of, from_server
from support.processes import PATIENCE_SECONDS
from support.scripted_server import ScriptedServer, Stage
from support.talk import DEFAULT, Talk, accepted, decision, refused, start

from ordago import v1
from ordago_bot import Bot, Match
from ordago_bot.minds import Minds
from ordago_bot.player import Player
from ordago_bot.seat import Question
from ordago_bot.transport import play

FIRST = v1.Answer(legal_action=1)


class Elsewhere(Bot):
    """Asks for threads, and remembers what it was told."""

    threads = 2
    heard: ClassVar[list[str]] = []

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.heard.clear()

    def choose(self, decision: v1.Decision) -> Any:
        self.heard.append(f"choose {decision.number}")
        return decision.actions[0]

    def forfeited(self, _notice: v1.Forfeited) -> None:
        self.heard.append("forfeited")

    def ended(self, _end: v1.MatchEnd) -> None:
        self.heard.append("ended")


def asked(talk: Talk) -> Question:
    [question] = talk.player.questions()
    return question


def answer(talk: Talk, *thoughts: tuple[Question, v1.Answer | None]) -> list[Any]:
    return [body_of(message) for message in talk.link.receive(talk.player.answer(thoughts))]


def test_a_question_goes_out_and_its_answer_is_sent_when_it_is_there() -> None:
    talk = Talk(Elsewhere).open()
    talk.now = 1.0
    assert talk.says(start(), decision(1)) == []
    question = asked(talk)
    assert talk.player.questions() == [], "it is asked once"
    assert (question.decision.number, question.is_open) == (1, True)
    talk.now = 3.5
    [choice] = answer(talk, (question, FIRST))
    assert (choice.number, choice.answer, choice.thought_ms) == (1, FIRST, 2500)


def test_other_matches_go_on_while_one_is_thought_about_and_answers_that_are_ready_together_go_in_one_frame() -> None:
    talk = Talk(Elsewhere).open()
    assert talk.says(*[start(handle, f"m{handle}") for handle in (1, 2, 3)]) == []
    talk.says(*[decision(1, handle=handle) for handle in (1, 2, 3)])
    first, second, third = talk.player.questions()
    assert [choice.match_handle for choice in answer(talk, (third, FIRST), (first, FIRST))] == [3, 1]
    assert answer(talk, (second, FIRST))[0].match_handle == 2


def test_an_answer_that_is_ready_while_nobody_is_connected_is_sent_when_the_decision_comes_again() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.greet()
    assert talk.player.answer([(question, FIRST)]) == b""
    [choice] = talk.says(v1.Welcome(session_id="s", resumed=True), start(), decision(1))
    assert choice.answer == FIRST
    assert talk.player.questions() == []


def test_a_decision_that_comes_again_while_it_is_thought_about_is_not_asked_again() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.breaks()
    talk.now = 9.0
    assert talk.says(start(), decision(1)) == []
    assert talk.player.questions() == []
    assert question.is_open
    assert answer(talk, (question, FIRST))[0].thought_ms == 0, "it counts from when it came last"


@pytest.mark.parametrize(
    "messages",
    [
        [v1.MatchEnd(match_handle=1)],
        [accepted(1, fault=v1.FAULT_TOO_LATE)],
        [accepted(1, fault=v1.FAULT_TOO_LATE), v1.Forfeited(match_handle=1)],
    ],
)
def test_nobody_waits_for_an_answer_to_what_is_over(messages: list[Any]) -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.says(*messages)
    assert not question.is_open
    assert answer(talk, (question, FIRST)) == []


def test_nobody_waits_for_the_answers_of_a_session_that_is_lost() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.open(resumed=False)
    assert not question.is_open
    assert answer(talk, (question, FIRST)) == []


def test_nobody_waits_for_the_answers_of_a_match_that_goes_on_from_an_earlier_point() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(last_decision=4), decision(5))
    question = asked(talk)
    talk.breaks()
    talk.says(start(last_decision=3), decision(4))
    assert not question.is_open
    assert asked(talk).decision.number == 4


def test_a_decision_that_was_closed_while_it_was_thought_about_is_asked_again_where_it_comes_again() -> None:
    """A server that was started anew may have lost that the time was up; the answer before was to another decision."""
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    answer(talk, (asked(talk), FIRST))
    talk.says(accepted(1), decision(2))
    late = asked(talk)
    talk.says(accepted(2, fault=v1.FAULT_TOO_LATE))
    answer(talk, (late, FIRST))
    talk.breaks()
    assert talk.says(start(last_decision=1), decision(2)) == []
    assert asked(talk).decision.number == 2


def test_a_bot_is_asked_and_told_nothing_while_it_thinks() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.says(accepted(1, fault=v1.FAULT_TOO_LATE), decision(2))
    assert talk.player.questions() == [], "it still thinks about the decision before"
    answer(talk, (question, None))
    following = asked(talk)
    assert following.decision.number == 2
    talk.says(accepted(2), v1.Forfeited(match_handle=1), v1.MatchEnd(match_handle=1))
    assert Elsewhere.heard == []
    answer(talk, (following, FIRST))
    assert Elsewhere.heard == ["forfeited", "ended"]


def test_what_it_would_be_asked_next_is_dropped_too() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.says(accepted(1, fault=v1.FAULT_TOO_LATE), decision(2), v1.MatchEnd(match_handle=1))
    answer(talk, (question, None))
    assert talk.player.questions() == []


def test_a_refusal_is_a_question_too() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    answer(talk, (asked(talk), FIRST))
    assert talk.says(refused()) == []
    question = asked(talk)
    assert talk.says(refused()) == []
    assert talk.player.questions() == [], "a server that says it twice is not answered twice"
    assert question.think() == DEFAULT
    assert answer(talk, (question, DEFAULT))[0].answer == DEFAULT


def test_a_bot_that_retires_while_it_thinks_says_so_with_its_answer() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    question.bot.retire()
    assert answer(talk, (question, FIRST))[1:] == [v1.Retire()]


def test_a_player_that_leaves_waits_for_nothing() -> None:
    talk = Talk(Elsewhere).open()
    talk.says(start(), decision(1))
    question = asked(talk)
    talk.player.leave()
    assert not question.is_open
    assert talk.player.answer([(question, FIRST)]) == b""


class Slow(Bot):
    """Thinks about its first match until it is told to go on."""

    go_on: ClassVar[threading.Event]
    given_up: ClassVar[threading.Event]

    def is_first(self) -> bool:
        return self.match.match_id == "m1"


class SlowInThread(Slow):
    threads = 2

    def choose(self, decision: v1.Decision) -> Any:
        assert not self.is_first() or self.go_on.wait(PATIENCE_SECONDS)
        return decision.actions[0]


class SlowUnderTrio(Slow):
    async def choose(self, decision: v1.Decision) -> Any:
        if self.is_first():
            assert await trio.to_thread.run_sync(self.go_on.wait, PATIENCE_SECONDS)
        return decision.actions[0]


class Stuck(Slow):
    async def choose(self, decision: v1.Decision) -> Any:
        if self.is_first():
            try:
                await trio.sleep_forever()
            finally:
                self.given_up.set()
        return decision.actions[0]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


def fresh(bot: type[Bot]) -> type[Bot]:
    return type(bot.__name__, (bot,), {"go_on": threading.Event(), "given_up": threading.Event()})


HANDLES = (1, 2, 3)


def asks(stage: Stage) -> Iterator[bytes]:
    stage.hello()
    yield from_server(v1.Welcome(session_id="s"), *[start(handle, f"m{handle}") for handle in HANDLES])
    for handle in HANDLES:
        yield from_server(decision(1, handle=handle))


@pytest.mark.parametrize("bot", [SlowInThread, SlowUnderTrio])
def test_a_bot_that_thinks_long_about_one_match_answers_the_others_meanwhile(
    server: ScriptedServer, bot: type[Bot]
) -> None:
    answered: list[int] = []
    slow: Any = fresh(bot)

    def hear(stage: Stage, handles: set[int]) -> None:
        while not handles <= set(answered):
            answered.extend(message.choice.match_handle for message in stage.hear())

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        hear(stage, {2, 3})
        slow.go_on.set()
        hear(stage, {1})
        yield from_server(v1.Goodbye(sentence="over"))

    server.stage(scene)
    assert play(Player(slow, name="ana"), address=server.address) == "over"
    assert sorted(answered[:2]) == [2, 3]
    assert answered[2:] == [1]


def test_an_asynchronous_bot_is_told_to_give_up_when_its_match_is_over(server: ScriptedServer) -> None:
    bot: Any = fresh(Stuck)

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        yield from_server(v1.MatchEnd(match_handle=1))
        assert bot.given_up.wait(PATIENCE_SECONDS)
        yield from_server(v1.Goodbye(sentence="over"))

    server.stage(scene)
    assert play(Player(bot, name="ana"), address=server.address) == "over"


def test_a_bot_that_never_answers_does_not_keep_its_process(server: ScriptedServer) -> None:
    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        yield from_server(v1.Goodbye(sentence="over"))

    bot: Any = fresh(Stuck)
    server.stage(scene)
    assert play(Player(bot, name="ana"), address=server.address) == "over"
    assert bot.given_up.wait(PATIENCE_SECONDS)


@pytest.mark.parametrize("threads", [0, 1])
def test_what_a_bot_raises_that_thinks_elsewhere_ends_it(server: ScriptedServer, threads: int) -> None:
    def fails(_self: Bot, _decision: v1.Decision) -> Any:
        raise ZeroDivisionError("of the author")

    async def fails_later(self: Bot, decision: v1.Decision) -> Any:
        await trio.lowlevel.checkpoint()
        return fails(self, decision)

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        # Whoever ends the connection before the bot has thought ends the bot for another reason.
        list(stage.hear_all())

    server.stage(scene)
    bot = type("Failing", (Bot,), {"choose": fails if threads else fails_later, "threads": threads})
    with pytest.raises(ZeroDivisionError, match="of the author"):
        play(Player(bot, name="ana"), address=server.address)


BLOCKED = """
import threading, ordago_bot

class Blocked(ordago_bot.Bot):
    threads = 1

    def choose(self, decision):
        threading.Event().wait()

ordago_bot.run(Blocked)
"""


def test_a_thread_that_never_ends_does_not_keep_its_process(server: ScriptedServer, tmp_path: Path) -> None:
    def scene(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        yield from_server(v1.Goodbye(sentence="over"))

    program = tmp_path / "blocked.py"
    program.write_text(BLOCKED, encoding="utf-8")
    with server.start([sys.executable, str(program)], scene) as bot:
        try:
            assert bot.wait(PATIENCE_SECONDS) == 0
        finally:
            bot.kill()


def test_a_bot_that_thinks_elsewhere_and_returns_nothing_is_told_so(server: ScriptedServer) -> None:
    class Forgetful(Bot):
        threads = 1

        def choose(self, decision: v1.Decision) -> Any:
            decision.actions[0]

    server.stage(asks)
    with pytest.raises(TypeError, match="it returned no answer"):
        play(Player(Forgetful, name="ana"), address=server.address)


def test_no_more_matches_are_thought_about_at_once_than_the_bot_asks_for() -> None:
    running, most, lock, gate = [0], [0], threading.Lock(), threading.Event()

    class Counting(Bot):
        threads = 2

        def choose(self, decision: v1.Decision) -> Any:
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
                if running[0] == self.threads:
                    gate.set()
            assert gate.wait(PATIENCE_SECONDS)
            with lock:
                running[0] -= 1
            return decision.actions[0]

    talk, minds, thought = Talk(Counting).open(), Minds(), threading.Semaphore(0)
    minds.wake = thought.release
    handles = range(1, 7)
    talk.says(*[start(handle, f"m{handle}") for handle in handles])
    talk.says(*[decision(1, handle=handle) for handle in handles])
    minds.think(talk.player.questions())
    for _ in handles:
        assert thought.acquire(timeout=PATIENCE_SECONDS)
    assert len(answer(talk, *minds.finished())) == len(handles)
    assert most == [2]
    minds.close()


def test_a_bot_that_does_not_think_elsewhere_starts_no_thread() -> None:
    minds = Minds()
    minds.think([])
    minds.close()
    assert minds._thread is None
