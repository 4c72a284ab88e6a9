"""The six SDKs when a bot's own code fails, and what they write down: the log as JSON, the summary, the decisions.

A decision without actions, which no server sends, makes a bot fail that takes a random one.
"""

import json
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from support.frames import from_server
from support.scripted_server import ScriptedServer, Stage
from support.talk import DEFAULT, accepted, decision, refused, start

from ordago import v1

SECONDS = 20.0
WELCOME = v1.Welcome(session_id="s", games=[v1.OfferedGame(game="mittlere")])
GOODBYE = v1.Goodbye(sentence="that is all")


def impossible(number: int, handle: int = 1) -> v1.Decision:
    """Return a decision that nothing can be chosen in."""
    return v1.Decision(match_handle=handle, number=number, default_answer=DEFAULT)


def ended(handle: int = 1, **fields: Any) -> v1.MatchEnd:
    return v1.MatchEnd(match_handle=handle, outcome=v1.Outcome(placings=[2, 1, 3]), **fields)


class Scene:
    """A session in which the bot fails twice in one match, and plays another one well."""

    def __init__(self) -> None:
        self.answers: list[v1.Answer] = []

    def __call__(self, stage: Stage) -> Iterator[bytes]:
        stage.hello()
        yield from_server(WELCOME, start(seat=1), start(2, "n", seat=0), impossible(1))
        self.answers.append(stage.choice().answer)
        yield from_server(accepted(1), impossible(2))
        self.answers.append(stage.choice().answer)
        yield from_server(accepted(2), decision(1, 2))
        self.answers.append(stage.choice().answer)
        yield from_server(accepted(1, 2), ended(), ended(2), GOODBYE)


def said_by(
    server: ScriptedServer,
    command: Sequence[str],
    *scenes: Any,
    options: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Return the exit code of a bot, and what it said."""
    bot = server.start([*command, *options], *scenes, environment=environment)
    said = bot.communicate(timeout=SECONDS)[0]
    return bot.returncode, said


def events(said: str) -> list[dict[str, Any]]:
    """Return the lines of a log in JSON, without their times."""
    lines = [json.loads(line) for line in said.splitlines()]
    assert all(list(line)[:4] == ["time", "level", "event", "message"] for line in lines), said
    return [{key: value for key, value in line.items() if key != "time"} for line in lines]


@pytest.mark.parametrize("way", ["by itself", "stop"])
@pytest.mark.parametrize("log", ["text", "json"])
def test_a_bot_that_fails_ends_with_1(command: Sequence[str], server: ScriptedServer, way: str, log: str) -> None:
    options = [] if way == "by itself" else ["--on-error", "stop"]
    code, said = said_by(server, command, Scene(), options=options, environment={"ORDAGO_LOG": log})
    assert code == 1, said
    lines = said.splitlines()
    assert len(lines) > 4, said
    assert re.fullmatch(r"match m, decision 1: the bot failed: \S.*", lines[-1]), said
    as_text = [line for line in lines if not re.match(r"\{|\d{4}-\d\d-\d\dT", line)]
    # The bot in Rust returns an error, which has no stack but what it shows of itself.
    assert len(as_text) > (1 if "/rust/" in command[0] else 4), said


@pytest.mark.parametrize("way", ["--on-error", "ORDAGO_ON_ERROR"])
def test_a_bot_that_fails_takes_the_default_answer_and_goes_on(
    command: Sequence[str], server: ScriptedServer, way: str
) -> None:
    scene = Scene()
    options, variables = ([way, "default"], {}) if way.startswith("-") else ([], {way: "default"})
    code, said = said_by(server, command, scene, options=options, environment=variables)
    assert code == 0, said
    assert scene.answers[:2] == [DEFAULT, DEFAULT]
    assert scene.answers[2].legal_action in (1, 2)
    failures = [line for line in said.splitlines() if " ERROR " in line]
    for number, line in enumerate(failures, start=1):
        assert f"ERROR match m, decision {number}: the bot failed, and the default answer is taken: " in line
    assert len(failures) == 2
    assert said.count("the decision: {") == 1, "the decision and the stack trace are told once"
    last = said.splitlines()[-1]
    assert "INFO 2 matches: placing 1: 1, placing 2: 1, void: 0; slowest decision: " in last
    assert last.endswith("; failures: 2")


def test_failures_have_their_fields(command: Sequence[str], server: ScriptedServer) -> None:
    variables = {"ORDAGO_ON_ERROR": "default", "ORDAGO_LOG": "json"}
    _, said = said_by(server, command, Scene(), environment=variables)
    first, second = (line for line in events(said) if line["event"] == "failed")
    assert list(first)[3:] == ["match", "decision", "error", "trace", "asked"]
    assert list(second)[3:] == ["match", "decision", "error"]
    assert ParseDict(first["asked"], v1.Decision()) == impossible(1)
    assert first["message"].endswith(first["error"])


def everything(stage: Stage) -> Iterator[bytes]:
    """Say what a bot writes lines and counts about."""
    stage.hello()
    yield from_server(WELCOME, start(seat=1), start(2, "n", seat=1), decision(1))
    stage.choice()
    yield from_server(refused(1, rule="follow_suit", sentence="a club is led", strikes_left=3))
    stage.choice()
    yield from_server(
        accepted(1, fault=v1.FAULT_TOO_LATE, sentence="too late", faults_left=2),
        v1.Forfeited(match_handle=2, fault=v1.FAULT_ILLEGAL),
        v1.MatchEnd(match_handle=2, sentence="a bot of the house failed"),
        ended(forfeits=[v1.Forfeit(seat=2, fault=v1.FAULT_CRASHED)]),
        GOODBYE,
    )


EVERYTHING: list[dict[str, Any]] = [
    {"level": "INFO", "event": "connected", "message": "connected; games: mittlere", "games": ["mittlere"]},
    {
        "level": "INFO", "event": "match_begins", "message": "match m of mittlere begins, seat 1",
        "match": "m", "game": "mittlere", "seat": 1,
    },
    {
        "level": "INFO", "event": "match_begins", "message": "match n of mittlere begins, seat 1",
        "match": "n", "game": "mittlere", "seat": 1,
    },
    {
        "level": "WARNING", "event": "refused",
        "message": "match m, decision 1: refused: a club is led (follow_suit)",
        "match": "m", "decision": 1, "cause": "follow_suit", "sentence": "a club is led",
    },
    {
        "level": "WARNING", "event": "default_taken",
        "message": "match m, decision 1: the default answer was taken: too late (FAULT_TOO_LATE); "
        "2 more and the match is forfeited",
        "match": "m", "decision": 1, "fault": "FAULT_TOO_LATE", "faults_left": 2, "sentence": "too late",
    },
    {
        "level": "WARNING", "event": "forfeited",
        "message": "match n is forfeited: no reason was given (FAULT_ILLEGAL)",
        "match": "n", "fault": "FAULT_ILLEGAL", "sentence": "",
    },
    {
        "level": "INFO", "event": "match_ended", "message": "match n ended: void: a bot of the house failed",
        "match": "n", "void": "a bot of the house failed",
    },
    {
        "level": "INFO", "event": "match_ended",
        "message": "match m ended: placing 1, seat 2 forfeited (FAULT_CRASHED)",
        "match": "m", "placing": 1, "forfeits": [{"seat": 2, "fault": "FAULT_CRASHED"}],
    },
    {
        "level": "INFO", "event": "goodbye", "message": "the server said goodbye: that is all",
        "sentence": "that is all",
    },
]  # fmt: skip


def test_the_log_is_the_same_in_json(command: Sequence[str], server: ScriptedServer) -> None:
    code, said = said_by(server, command, everything, environment={"ORDAGO_LOG": "json"})
    assert code == 0, said
    *lines, summary = events(said)
    assert [list(line) for line in lines] == [list(line) for line in EVERYTHING], "the fields are in this order"
    assert lines == EVERYTHING
    slowest = summary.pop("slowest_ms")
    assert summary == {
        "level": "INFO",
        "event": "summary",
        "message": f"2 matches: placing 1: 1, void: 1; slowest decision: {slowest} ms (match m, decision 1); "
        "refused: 1 (follow_suit 1); default answers: 1 (FAULT_TOO_LATE 1); forfeited: 1",
        "matches": 2,
        "placings": {"1": 1},
        "void": 1,
        "slowest_match": "m",
        "slowest_decision": 1,
        "refused": {"follow_suit": 1},
        "default_answers": {"FAULT_TOO_LATE": 1},
        "forfeited": 1,
        "failures": 0,
    }


def good(stage: Stage) -> Iterator[bytes]:
    """Let the bot play a match without a fault."""
    stage.hello()
    yield from_server(WELCOME, start(seat=1), decision(1))
    stage.choice()
    yield from_server(accepted(1), ended(), GOODBYE)


@pytest.mark.parametrize(("scene", "code"), [(good, 0), (everything, 1), (Scene(), 1)], ids=["good", "all", "failing"])
def test_a_strict_session_fails_by_any_fault(
    command: Sequence[str], server: ScriptedServer, scene: Any, code: int
) -> None:
    exit_code, said = said_by(server, command, scene, options=["--strict", "--on-error", "default"])
    assert exit_code == code, said


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (["--on-error", "continue"], {}), ([], {"ORDAGO_ON_ERROR": "Default"}), ([], {"ORDAGO_LOG": "xml"}),
        (["--log-decisions", "/no/such/folder/file"], {}), ([], {"ORDAGO_LOG_DECISIONS": "/no/such/folder/file"}),
    ],
    ids=["on-error", "ON_ERROR", "LOG", "log-decisions", "LOG_DECISIONS"],
)  # fmt: skip
def test_a_wrong_value_ends_with_2(
    command: Sequence[str], server: ScriptedServer, options: list[str], variables: dict[str, str]
) -> None:
    code, said = said_by(server, command, good, options=options, environment=variables)
    assert (code, server.unplayed) == (2, 1), said


def test_decisions_are_written_down(command: Sequence[str], server: ScriptedServer, tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    code, said = said_by(server, command, everything, options=["--log-decisions", str(file)])
    assert code == 0, said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first, second = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    assert set(first) == {"start", "decision", "answer", "milliseconds"}
    assert set(second) == {*first, "refused"}
    for line in (first, second):
        assert ParseDict(line["start"], v1.MatchStart()) == start(seat=1)
        assert ParseDict(line["decision"], v1.Decision()) == decision(1)
        assert isinstance(line["milliseconds"], int)
    assert ParseDict(first["answer"], v1.Answer()).legal_action in (1, 2)
    assert ParseDict(second["answer"], v1.Answer()) == DEFAULT
    assert ParseDict(second["refused"], v1.Refused()).rule == "follow_suit"


def test_failures_are_written_down_and_lines_are_appended(
    command: Sequence[str], server: ScriptedServer, tmp_path: Path
) -> None:
    file = tmp_path / "decisions.jsonl"
    file.write_text("{}\n")
    variables = {"ORDAGO_LOG_DECISIONS": str(file), "ORDAGO_ON_ERROR": "default"}
    _, said = said_by(server, command, Scene(), environment=variables)
    _, *lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    assert ["error" in line for line in lines] == [True, True, False], said
    assert all(ParseDict(line["answer"], v1.Answer()) == DEFAULT for line in lines[:2])


def test_decisions_that_cannot_be_written_end_no_bot(command: Sequence[str], server: ScriptedServer) -> None:
    code, said = said_by(server, command, everything, options=["--log-decisions", "/dev/full"])
    assert code == 0, said
    assert sum("/dev/full" in line for line in said.splitlines()) == 1, said
