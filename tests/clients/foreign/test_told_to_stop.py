"""What the bots do when they are told to stop, the one in Python too, at a server that follows a script."""

import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence

import grpc
import pytest
from support.frames import from_server
from support.processes import PATIENCE_SECONDS
from support.scripted_server import ScriptedServer, Stage
from support.talk import accepted, decision, start

from ordago import v1

ONCE_MORE = "running matches are played to their end; once more to leave at once"


class Playing:
    """A bot at a server that asks it something, and what it says when it is told to stop."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.heard: list[str | None] = []

    def ask(self, stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(v1.Welcome(session_id="s"), start(), decision(1))
        stage.choice()
        yield from_server(accepted(1))
        self.asked.set()

    def hear(self, stage: Stage) -> None:
        self.heard += [message.WhichOneof("body") for message in stage.hear()]

    def play_to_the_end(self, stage: Stage) -> Iterator[bytes]:
        """Let the match that runs go on, and say goodbye when it is over."""
        yield from_server(decision(2))
        self.hear(stage)
        yield from_server(v1.MatchEnd(match_handle=1), v1.Goodbye(sentence="no seats any more"))

    def stop(self, bot: "subprocess.Popen[str]", number: signal.Signals = signal.SIGINT) -> None:
        assert self.asked.wait(PATIENCE_SECONDS)
        self.asked.clear()
        bot.send_signal(number)


def said(bot: "subprocess.Popen[str]") -> str:
    try:
        return bot.communicate(timeout=PATIENCE_SECONDS)[0]
    finally:
        bot.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_bot_that_is_told_to_stop_plays_its_matches_to_their_end(
    command: Sequence[str], server: ScriptedServer, number: signal.Signals
) -> None:
    playing = Playing()

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        yield from playing.play_to_the_end(stage)

    bot = server.start(command, scene)
    playing.stop(bot, number)
    output = said(bot)
    assert playing.heard == ["retire", "choice"], output
    assert output.count(ONCE_MORE) == 1
    assert "no seats any more" in output
    assert bot.returncode == 0


def test_a_bot_that_is_told_to_stop_twice_leaves_at_once(command: Sequence[str], server: ScriptedServer) -> None:
    playing = Playing()

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        playing.asked.set()
        playing.hear(stage)

    bot = server.start(command, scene)
    playing.stop(bot)
    playing.stop(bot)
    output = said(bot)
    assert playing.heard == ["retire", "goodbye"], output
    assert bot.returncode == 130


def test_a_bot_that_retires_comes_back_to_play_on_and_says_so_again(
    command: Sequence[str], server: ScriptedServer
) -> None:
    playing = Playing()

    def breaks(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        stage.break_off(grpc.StatusCode.UNAVAILABLE, "the server is started anew")

    def goes_on(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(v1.Welcome(session_id="s", resumed=True), start(last_decision=1))
        playing.hear(stage)
        yield from playing.play_to_the_end(stage)

    bot = server.start(command, breaks, goes_on)
    playing.stop(bot)
    output = said(bot)
    assert playing.heard == ["retire", "retire", "choice"], output
    assert output.count(ONCE_MORE) == 1
    assert bot.returncode == 0


def test_a_bot_that_retires_ends_when_its_session_is_over(command: Sequence[str], server: ScriptedServer) -> None:
    playing = Playing()

    def breaks(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        stage.break_off(grpc.StatusCode.UNAVAILABLE)

    def is_too_old(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        stage.break_off(grpc.StatusCode.UNAUTHENTICATED, "there is no such session to resume")
        yield b""

    bot = server.start(command, breaks, is_too_old, is_too_old)
    playing.stop(bot)
    output = said(bot)
    assert (bot.returncode, server.unplayed) == (0, 1), output
    assert "there is no such session to resume" in output


def test_a_bot_that_is_not_connected_leaves_at_once(command: Sequence[str], server: ScriptedServer) -> None:
    greeted = Playing()

    def never_welcomes(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        greeted.asked.set()
        greeted.heard += [message.WhichOneof("body") for message in stage.hear_all()]
        yield b""

    bot = server.start(command, never_welcomes)
    greeted.stop(bot)
    output = said(bot)
    assert (bot.returncode, greeted.heard) == (130, []), output


def test_a_bot_between_two_connections_leaves_at_once(command: Sequence[str], server: ScriptedServer) -> None:
    gone = Playing()

    def is_away(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        gone.asked.set()
        stage.break_off(grpc.StatusCode.UNAVAILABLE, "away", retry_after_ms=600_000)
        yield b""

    bot = server.start(command, is_away)
    gone.stop(bot)
    output = said(bot)
    assert bot.returncode == 130, output
