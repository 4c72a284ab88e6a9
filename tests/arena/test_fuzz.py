"""Whatever a bot sends, and however often it goes and comes, its match is played to the end and nobody else is hurt."""

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from support.clocks import run_in_virtual_time
from support.connections import Lobby, default, take_in
from support.frames import from_bot, hello
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.connection import Departure, Status
from ordago.arena.play import play
from ordago.protocol import TACIT_ACCEPTANCE, BotConnection
from ordago.record import faults_of, verify

NUMBERS = st.integers(0, 8)
ANSWERS = st.one_of(
    st.builds(v1.Answer),
    *[st.builds(v1.Answer, legal_action=st.sampled_from([1, 2, 3, 13]))] * 3,
    st.builds(v1.Answer, legal_action=st.integers(0, 13), amount=st.integers(-9, 9), extra=st.integers(0, 3)),
    st.builds(lambda card: v1.Answer(action=v1.Action(mittlere=v1.MittlereAction(card=card))), st.integers(0, 130)),
    st.builds(v1.Answer, legal_action=st.just(1), cards=st.lists(st.integers(0, 130), max_size=3)),
)
CHOICES = st.builds(v1.Choice, match_handle=st.sampled_from([1, 1, 1, 0, 2]), number=NUMBERS, answer=ANSWERS)
FRAMES = st.one_of(
    st.lists(CHOICES, min_size=1, max_size=4).map(lambda choices: from_bot(*choices)),
    st.sampled_from([b"", b"\xff", from_bot(hello()), from_bot(v1.Goodbye())]),
    st.binary(max_size=20),
)
OFFSETS = st.sampled_from([-3.0, -0.001, 0.0])
CAPABILITIES = st.sampled_from([(), (TACIT_ACCEPTANCE,)])
DETAILS: dict[str, st.SearchStrategy[tuple[object, ...]]] = {
    "answer": st.tuples(ANSWERS, OFFSETS),
    "send": st.tuples(FRAMES, OFFSETS),
    "resume": st.tuples(CAPABILITIES),
    **dict.fromkeys(["wait", "vanish"], st.just(())),
}
# What keeps a session alive is more likely than what ends it.
KINDS = st.sampled_from([*["answer"] * 6, *["resume"] * 2, "send", "wait", "vanish"])
STEPS = KINDS.flatmap(lambda kind: DETAILS[kind].map(lambda details: (kind, *details)))


class Deaf:
    """A connection that lets everything pass that a bot says, and holds the server to the order of the contract."""

    token, cut_off, lacks_bearer, event = None, False, False, ""
    origin = "192.0.2.1"

    def __init__(self, lobby: Lobby, greeting: v1.Hello) -> None:
        self.decision = v1.Decision()
        self.resume = v1.Resume()
        self._connection = BotConnection()
        self._connection.send(greeting)
        self.handler = lobby.server(self)
        self.say(from_bot(greeting))

    def send(self, frame: bytes, _departure: Departure | None = None) -> None:
        for message in self._connection.receive(frame):
            if message.HasField("decision"):
                self.decision = message.decision
            elif message.HasField("welcome"):
                self.resume.session_id = message.welcome.session_id
                self.resume.resume_token = message.welcome.resume_token

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:  # noqa: ARG002 - Connection's
        assert status
        assert sentence

    def say(self, frame: bytes, offset: float = 0.0) -> None:
        take_in(self.handler, frame, trio.current_time() + offset)

    def answer(self, answer: v1.Answer, offset: float) -> None:
        self.say(from_bot(v1.Choice(match_handle=1, number=self.decision.number, answer=answer)), offset)


async def played_against(steps: list[tuple[Any, ...]], capabilities: Sequence[str]) -> v1.MatchRecord:
    """Return the record of a match in which seat 0 takes these steps."""
    lobby, records = Lobby(), []
    connection = Deaf(lobby, hello(max_open_decisions=1, capabilities=capabilities))
    bot, resume = lobby.bots[0], connection.resume
    others = [lobby.enter(answering=default)[1] for _ in range(2)]

    async def match() -> None:
        records.append(
            (await play(match_terms(decision_ms=1000), [seated.take_seat() for seated in (bot, *others)])).message
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(match)
        for step, *details in steps:
            await wait_all_tasks_blocked()
            if step == "send":
                connection.say(*details)
            elif step == "answer":
                connection.answer(*details)
            elif step == "resume":
                [capabilities] = details
                connection = Deaf(lobby, hello(resume=resume, capabilities=capabilities))
            elif step == "vanish":
                connection.handler.lost()
            elif step == "wait":
                await trio.sleep(1.5)
    assert bot.matches == 0
    return records[0]


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(STEPS, min_size=10, max_size=25), CAPABILITIES)
def test_one_bad_bot_never_stops_a_match(steps: list[tuple[Any, ...]], capabilities: Sequence[str]) -> None:
    record = run_in_virtual_time(lambda: played_against(steps, capabilities))
    assert not verify(record)
    assert faults_of(record)[1:] == ((), ()), "the others are not at fault"
    charged = [entry.choice.charged_ms for entry in record.entries if entry.HasField("choice")]
    assert max(charged) <= 1000
