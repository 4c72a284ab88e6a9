"""The player and its transport over real gRPC, at a server that follows a script."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from support.frames import from_server
from support.scripted_server import ScriptedServer, Stage

from ordago import v1
from ordago.addresses import parse_address
from ordago_bot import Bot, transport
from ordago_bot.minds import Minds
from ordago_bot.player import Player
from ordago_bot.transport import SessionEndedError, play

START = v1.MatchStart(match_handle=1, match_id="m", game="mittlere", seed=b"s" * 16)
DECISION = v1.Decision(match_handle=1, number=1, actions=[v1.LegalAction(id=id_) for id_ in range(1, 1000)])
GOODBYE = from_server(v1.Goodbye(sentence="that is all"))


class CountingBot(Bot):
    """Takes any action, and counts how often it was asked."""

    asked = 0

    def choose(self, decision: v1.Decision) -> Any:
        type(self).asked += 1
        return self.random.choice(decision.actions)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


def played(server: ScriptedServer) -> tuple[str | None, type[CountingBot]]:
    bot = type("FreshBot", (CountingBot,), {})
    return play(Player(bot, name="ana"), address=server.address), bot


def test_a_decision_that_was_open_when_the_connection_broke_is_answered_alike(server: ScriptedServer) -> None:
    resumes, answers = [], []

    def asks(stage: Stage) -> Iterator[bytes]:
        resumes.append(stage.hello().resume)
        yield from_server(v1.Welcome(session_id="s", resumed=bool(answers)), START, DECISION)
        answers.append(stage.choice().answer)

    def breaks(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        stage.break_off(grpc.StatusCode.UNAVAILABLE)

    def goes_on(stage: Stage) -> Iterator[bytes]:
        yield from asks(stage)
        yield GOODBYE

    server.stage(breaks, goes_on)
    farewell, bot = played(server)
    assert farewell == "that is all"
    assert resumes[1].matches == [v1.KnownMatch(match_handle=1, last_decision=1)]
    assert answers[0] == answers[1]
    assert bot.asked == 1


def test_a_full_server_is_tried_again_when_it_says_so(server: ScriptedServer) -> None:
    def is_full(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        stage.break_off(grpc.StatusCode.RESOURCE_EXHAUSTED, "full", retry_after_ms=20)
        yield b""

    def has_room(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(v1.Welcome())
        yield GOODBYE

    server.stage(is_full, has_room)
    assert played(server)[0] == "that is all"


def test_a_server_that_was_flooded_is_not(server: ScriptedServer) -> None:
    def dismisses(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(v1.Welcome(), v1.Goodbye(fault=v1.FAULT_FLOODING, sentence="too much"))
        stage.break_off(grpc.StatusCode.RESOURCE_EXHAUSTED, "too much", retry_after_ms=20)

    server.stage(dismisses, dismisses)
    with pytest.raises(SessionEndedError, match="too much"):
        played(server)
    assert server.unplayed == 1


@pytest.fixture
def frozen_server() -> Iterator[str]:
    """Start a server that freezes once a bot is connected, and yield its address."""
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-m", "support.frozen_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    with process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


@pytest.mark.slow
def test_a_connection_that_is_half_open_is_noticed(frozen_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all times a hundredth of what they are; a setting that does not work leaves a minute that nothing shortens.

    gRPC takes settings that it does not know, or does not heed, without a word, so nothing but the wire proves them.
    """
    shorter = [(key, value // 100 if key.endswith("_ms") else value) for key, value in transport._OPTIONS]
    monkeypatch.setattr(transport, "_OPTIONS", shorter)
    stream, begin = (
        transport._Stream(
            Player(CountingBot, name="ana"), Minds(), address=parse_address(frozen_server), token="", event=""
        ),
        time.monotonic(),
    )
    assert stream.run().status == "UNAVAILABLE"
    assert stream.alive
    assert time.monotonic() - begin < 30
