"""A session at a server as a function call."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.frames import from_server
from support.scripted_server import ScriptedServer, Stage
from support.talk import accepted, decision, start

import ordago_bot
from ordago import v1
from ordago_bot import Bot, SessionEndedError, Stop, play_at
from ordago_bot.asked import load_decisions
from ordago_bot.house.baselines import RandomBot


class Scene:
    """One match, in which the bot is asked once."""

    def __init__(self) -> None:
        self.hello = v1.Hello()

    def __call__(self, stage: Stage) -> Iterator[bytes]:
        self.hello = stage.hello()
        yield from_server(v1.Welcome(session_id="s"), start(), decision())
        stage.choice()
        yield from_server(accepted(), v1.MatchEnd(match_handle=1, outcome=v1.Outcome(placings=[2, 1])))
        yield from_server(v1.Goodbye(sentence="that is all"))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


def test_a_session_returns_its_outcome(server: ScriptedServer, tmp_path: Path) -> None:
    scene, file = Scene(), tmp_path / "decisions.jsonl"
    server.stage(scene)
    outcome = play_at(server.address, RandomBot, version="7", games=["mittlere"], matches_in_all=1, log_decisions=file)
    assert outcome.goodbye == "that is all"
    assert (outcome.summary.matches, outcome.summary.placings, outcome.summary.is_clean) == (1, {2: 1}, True)
    assert (scene.hello.bot.name, scene.hello.bot.version, scene.hello.matches_in_all) == ("RandomBot", "7", 1)
    assert [asked.match.match_id for asked in load_decisions(file)] == ["m"]


class Failing(Bot):
    def choose(self, _decision: v1.Decision) -> Any:
        raise ValueError("no idea")


def test_what_a_bot_raises_is_raised_unless_default_answers_are_asked_for(server: ScriptedServer) -> None:
    server.stage(Scene())
    with pytest.raises(ValueError, match="no idea"):
        play_at(server.address, Failing)
    server.stage(Scene())
    outcome = play_at(server.address, Failing, name="careless", on_error="default")
    assert (outcome.summary.matches, outcome.summary.failures) == (1, 1)


def test_a_session_that_the_server_ends_is_raised(server: ScriptedServer) -> None:
    server.stage()
    with pytest.raises(SessionEndedError, match=r"ended the session \(ABORTED\): the script is over"):
        play_at(server.address, RandomBot)


@pytest.mark.parametrize("named", [{"token": "secret\n"}, {"event": "The Cup"}])
def test_what_cannot_be_sent_is_raised_at_once(server: ScriptedServer, named: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"no token has|is no event") as error:
        play_at(server.address, RandomBot, **named)  # type: ignore[arg-type]  # both are texts
    assert "secret" not in str(error.value)


def test_a_bot_that_is_told_to_leave_has_heard_no_goodbye(server: ScriptedServer) -> None:
    leave = threading.Event()
    leave.set()
    assert play_at(server.address, RandomBot, stop=Stop(leave, leave)).goodbye is None


@pytest.mark.parametrize("name", ordago_bot.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(ordago_bot, name) is not None


def test_a_name_that_is_not_there_is_told() -> None:
    with pytest.raises(AttributeError, match="module 'ordago_bot' has no attribute 'speil'"):
        ordago_bot.speil  # noqa: B018 - that it cannot be read is the point
