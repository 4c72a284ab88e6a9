"""``ordago doctor`` says what it found, for people and for programs, and by its exit code."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.ports import free_port
from support.processes import is_running

from ordago_cli.program import program
from ordago_doctor import Checkup, Mark, Practice, shipped_cases

BOT = str(Path(__file__).parent / "gallery" / "bot.py")
SECONDS = 60


def doctor(*words: str, wrong: str = "") -> Result:
    """Examine a bot of the gallery, or do something else."""
    bot = ["--", sys.executable, BOT, wrong] if wrong else []
    return CliRunner().invoke(program, ["doctor", *words, *bot])


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


@pytest.mark.slow
def test_a_good_bot_passes() -> None:
    done = doctor(*only("hello", "refused", "token"), wrong="nothing")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "3 passed: all required cases passed" in done.stdout


@pytest.mark.slow
def test_what_fails_is_explained_and_counts() -> None:
    done = doctor(*only("refused", "hello"), wrong="refused")
    assert done.exit_code == 1
    said = " ".join(done.stdout.split())
    for words in (
        "✓",
        "✗",
        "refused: After a refusal it answers again (failed)",
        "expected To Refused with time left the bot sends another legal answer",
        "came it repeated the refused answer",
        "why The decision is still open and its clock runs.",
        "mend On Refused with time_left_ms above 0 send Choice",
        "messages ← hello {gallery, a nonce of 16 bytes, no resume}",
        "→ refused {match_handle: 1 number: 1 fault: FAULT_ILLEGAL",
        "1 passed, 1 failed: not all required cases passed",
    ):
        assert words in said


@pytest.mark.slow
def test_advice_costs_nothing() -> None:
    done = doctor(*only("thoughts", "hello"), wrong="thoughts")
    assert done.exit_code == 0
    assert "!" in done.stdout
    assert "1 passed, 1 failed (advice): all required cases passed" in done.stdout


@pytest.mark.slow
def test_programs_read_the_same_words() -> None:
    done = doctor("--json", *only("refused", "thoughts"), wrong="refused")
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["well"] is False
    found = {case["name"]: case for case in told["cases"]}
    [case] = [case for case in shipped_cases() if case.name == "refused"]
    assert found["refused"]["result"] == "failed"
    assert found["refused"]["mend"] == case.mend
    assert "refused" in found["refused"]["came"]
    assert found["refused"]["messages"]
    assert (found["thoughts"]["result"], found["thoughts"]["required"]) == ("passed", False)


@pytest.mark.parametrize(
    ("words", "sentence", "code"),
    [
        (["--only", "godbye", "--", "sh"], "there is no case 'godbye'; did you mean 'goodbye'?", 2),
        ([], "give the command that starts the bot after --", 2),
        (["--", "no-such-program"], "there is no program 'no-such-program'", 2),
        (
            ["--address", "127.0.0.1", "--only", "hello"],
            "--address: '127.0.0.1' is not HOST:PORT",
            2,
        ),
        (["--address", "127.0.0.1:7447", "--", "sh"], "not both", 2),
        (["--cases", "EMPTY", "--list"], "there are no cases in", 2),
        (["--address", "BUSY", "--only", "hello"], "cannot examine the bot: ", 3),
    ],
)
def test_a_mistake_is_told_in_a_sentence(tmp_path: Path, words: list[str], sentence: str, code: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        stand_in = {"EMPTY": str(tmp_path), "BUSY": f"127.0.0.1:{busy.getsockname()[1]}"}
        done = doctor(*(stand_in.get(word, word) for word in words))
    assert sentence in done.stderr
    assert done.exit_code == code


@pytest.mark.slow
def test_cases_of_ones_own_are_tried(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'about = "It greets"\nexpected = "a Hello."\nwhy = "so."\nmend = "so."\nrequired = true\n'
        '[[step]]\nconnect = \'{"bot": {"name": "somebody"}}\'\n'
    )
    done = doctor("--cases", str(tmp_path), wrong="nothing")
    assert done.exit_code == 1
    assert "the Hello: bot.name is gallery, not somebody" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "send", ['{"match_start": 5}', '{"decision": "$decision 999"}', '{"decision": "$nothing"}', '{"hello": {}}', "[]"]
)
def test_what_is_wrong_in_a_script_is_told_and_is_no_fault_of_the_bot(tmp_path: Path, send: str) -> None:
    words = 'about = "a"\nexpected = "b"\nwhy = "c"\nmend = "d"\nrequired = true\nsession = true\n'
    (tmp_path / "mine.toml").write_text(f"{words}[[step]]\nsend = '{send}'\n")
    done = doctor("--cases", str(tmp_path), wrong="nothing")
    assert done.exit_code == 1
    assert "not tried: the case itself is wrong: " in " ".join(done.stdout.split())


@pytest.mark.slow
def test_a_bot_that_its_author_starts_is_waited_for() -> None:
    """It comes back for each case. What is about its process is not tried, and does not count as passed."""
    address = f"127.0.0.1:{free_port()}"
    cases = only("hello", "refused", "lost-before-welcome", "goodbye")
    command = [sys.executable, "-m", "ordago", "doctor", "--address", address, *cases]
    with started(command) as examining:
        assert examining.stderr is not None
        assert address in examining.stderr.readline()
        with subprocess.Popen([sys.executable, BOT], env={"ORDAGO_ADDRESS": address}) as bot:  # noqa: S603 - ours
            said, _ = examining.communicate(timeout=SECONDS)
            bot.kill()
    assert examining.returncode == 1
    assert "3 passed, 1 not tried: not all required cases passed" in said


def examined(command: tuple[str, ...], *names: str, environment: Mapping[str, str] | None = None) -> dict[str, Mark]:
    practice = Practice(command, environment or {}, patience_seconds=1.0, start_seconds=8.0)
    cases = [case for case in shipped_cases() if not names or case.name in names]
    findings = Checkup(practice, cases, lanes=2, slow=False, report=lambda _case, _finding: None).run()
    return {name: finding.mark for name, finding in findings.items()}


@pytest.mark.slow
def test_a_bot_is_asked_only_for_the_games_that_it_plays() -> None:
    bot = (sys.executable, "-m", "ordago_bot", "random", "--game", "mus")
    marks = examined(bot, "hello", "mus-4", "mittlere-3", "refused", "open-picks")
    assert {name for name, mark in marks.items() if mark is Mark.LEFT_OUT} == {"mittlere-3"}
    assert set(marks.values()) == {Mark.PASSED, Mark.LEFT_OUT}


@pytest.mark.slow
def test_a_bot_that_hangs_is_told_of_quickly() -> None:
    began = time.monotonic()
    marks = examined((sys.executable, BOT, "first-decision"))
    assert time.monotonic() - began < 10
    assert (marks["hello"], marks["first-decision"]) == (Mark.PASSED, Mark.FAILED)
    assert Mark.PASSED not in {mark for name, mark in marks.items() if name != "hello"}


@pytest.mark.slow
def test_where_no_certificates_can_be_made_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trustme", None)
    assert examined((sys.executable, BOT), "hello", "tls") == {"hello": Mark.PASSED, "tls": Mark.NOT_TRIED}


@pytest.mark.slow
def test_whoever_stops_it_has_no_bot_left(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").write_text(f"echo $$ > {tmp_path}/number; exec {sys.executable} {BOT}")
    command = [sys.executable, "-m", "ordago", "doctor", *only("hello", "half-open"), "--", "sh", f"{tmp_path}/bot.sh"]
    with started(command, scratch=tmp_path) as examining:
        assert examining.stdout is not None
        assert "hello" in examining.stdout.readline()
        examining.send_signal(signal.SIGINT)
        _, said = examining.communicate(timeout=SECONDS)
    assert examining.returncode == 130
    assert "stopped" in said
    assert not is_running(int((tmp_path / "number").read_text()))
    assert not list(tmp_path.glob("ordago-doctor-*")), "nor anything else"


def started(command: Sequence[str], *, scratch: Path | None = None) -> "subprocess.Popen[str]":
    environment = {**os.environ, **({} if scratch is None else {"TMPDIR": str(scratch)})}
    return subprocess.Popen(  # noqa: S603 - ours
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
