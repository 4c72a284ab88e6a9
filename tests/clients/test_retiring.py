"""How a bot takes no more seats: the player without I/O, and the process that is told to stop, at a scripted server."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any, ClassVar

import grpc
import pytest
from support.frames import body_of, from_server
from support.processes import PATIENCE_SECONDS
from support.scripted_server import ScriptedServer, Stage
from support.talk import RecordingBot, Talk, accepted, decision, start

from ordago import v1

RETIRE = v1.Retire()
COMMAND = (sys.executable, "-m", "ordago_bot", "default")
ONCE_MORE = "running matches are played to their end; once more to leave at once"


def retire(talk: Talk) -> list[Any]:
    return [body_of(message) for message in talk.link.receive(talk.player.retire())]


def test_a_player_retires_once_on_each_connection() -> None:
    talk = Talk().open()
    assert retire(talk) == [RETIRE]
    assert retire(talk) == []
    talk.greet()
    assert retire(talk) == [], "a Hello is not answered yet"
    assert talk.says(v1.Welcome(resumed=True), start()) == [RETIRE]
    assert talk.says(v1.Draining(), decision())[0].number == 1


def test_what_is_played_when_a_player_retires_is_played_on() -> None:
    talk = Talk().open()
    talk.says(start(1))
    retire(talk)
    choices = talk.says(start(2, "crossed"), decision(handle=1), decision(handle=2))
    assert [choice.match_handle for choice in choices] == [1, 2]


def test_a_bot_may_retire_in_the_middle_of_a_match_and_at_its_end() -> None:
    class Tired(RecordingBot):
        made: ClassVar = []

        def choose(self, decision: v1.Decision) -> Any:
            if decision.number == 2:
                self.retire()
            return super().choose(decision)

    class Content(RecordingBot):
        made: ClassVar = []

        def ended(self, _end: v1.MatchEnd) -> None:
            self.retire()

    talk = Talk(Tired).open()
    assert len(talk.says(start(), decision(1))) == 1
    assert talk.says(v1.Accepted(match_handle=1, number=1), decision(2))[1:] == [RETIRE]
    talk = Talk(Content).open()
    assert talk.says(start()) == []
    assert talk.says(v1.MatchEnd(match_handle=1)) == [RETIRE]


def test_who_retires_begins_no_new_session() -> None:
    talk = Talk().open()
    retire(talk)
    talk.greet()
    assert talk.player.lose_session("no such session")
    assert talk.player.farewell == "no such session"


def test_who_retires_does_not_come_back_after_a_goodbye_for_now() -> None:
    talk = Talk().open()
    retire(talk)
    talk.says(v1.Goodbye(sentence="until later", retry_after_ms=1500))
    assert talk.player.farewell == "until later"


def test_the_number_of_matches_in_all_holds_over_sessions() -> None:
    talk = Talk(matches_in_all=3)
    talk.open()
    assert talk.hello.matches_in_all == 3
    talk.says(start(1), start(2, "n"), v1.MatchEnd(match_handle=1))
    talk.breaks().says(start(2, "n"))
    assert talk.hello.matches_in_all == 3, "of a resume it means nothing"
    assert talk.player.lose_session("no such session")
    talk.open()
    assert talk.hello.matches_in_all == 1
    talk.says(start(1, "o"))
    assert talk.player.farewell is None
    assert talk.player.lose_session("no such session")
    assert talk.player.farewell == "no such session"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


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
    server: ScriptedServer, number: signal.Signals
) -> None:
    playing = Playing()

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        yield from playing.play_to_the_end(stage)

    bot = server.start(COMMAND, scene)
    playing.stop(bot, number)
    output = said(bot)
    assert playing.heard == ["retire", "choice"], output
    assert output.count(ONCE_MORE) == 1
    assert "the server said goodbye: no seats any more" in output
    assert bot.returncode == 0


def test_a_bot_that_is_told_to_stop_twice_leaves_at_once(server: ScriptedServer) -> None:
    playing = Playing()

    def scene(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        playing.asked.set()
        playing.hear(stage)

    bot = server.start(COMMAND, scene)
    playing.stop(bot)
    playing.stop(bot)
    output = said(bot)
    assert playing.heard == ["retire", "goodbye"], output
    assert bot.returncode == 130


def test_a_bot_that_retires_comes_back_to_play_on_and_says_so_again(server: ScriptedServer) -> None:
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

    bot = server.start(COMMAND, breaks, goes_on)
    playing.stop(bot)
    output = said(bot)
    assert playing.heard == ["retire", "retire", "choice"], output
    assert output.count(ONCE_MORE) == 1
    assert bot.returncode == 0


def test_a_bot_that_retires_ends_when_its_session_is_over(server: ScriptedServer) -> None:
    playing = Playing()

    def breaks(stage: Stage) -> Iterator[bytes]:
        yield from playing.ask(stage)
        playing.hear(stage)
        stage.break_off(grpc.StatusCode.UNAVAILABLE)

    def is_too_old(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        stage.break_off(grpc.StatusCode.UNAUTHENTICATED, "there is no such session to resume")
        yield b""

    bot = server.start(COMMAND, breaks, is_too_old, is_too_old)
    playing.stop(bot)
    output = said(bot)
    assert (bot.returncode, server.unplayed) == (0, 1), output
    assert "there is no such session to resume" in output


def test_a_bot_that_is_not_connected_leaves_at_once(server: ScriptedServer) -> None:
    greeted = Playing()

    def never_welcomes(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        greeted.asked.set()
        greeted.heard += [message.WhichOneof("body") for frame in stage.requests for message in frame.messages]
        yield b""

    bot = server.start(COMMAND, never_welcomes)
    greeted.stop(bot)
    output = said(bot)
    assert (bot.returncode, greeted.heard) == (130, []), output


def test_a_bot_between_two_connections_leaves_at_once(server: ScriptedServer) -> None:
    gone = Playing()

    def is_away(stage: Stage) -> Iterator[bytes]:
        stage.hello()
        gone.asked.set()
        stage.break_off(grpc.StatusCode.UNAVAILABLE, "away", retry_after_ms=600_000)
        yield b""

    bot = server.start(COMMAND, is_away)
    gone.stop(bot)
    output = said(bot)
    assert bot.returncode == 130, output
