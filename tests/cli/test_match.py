"""``ordago match``: comparisons of bots that are started for it."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result

from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.record import Result as Outcome
from ordago_cli.match import command as match
from ordago_cli.match.display import Display
from ordago_cli.program import program
from ordago_ladder.sequential import playing
from ordago_ladder.sequential.set_sequence import Finished

CRASHING = """
import os, ordago_bot

class Crashing(ordago_bot.Bot):
    def choose(self, decision):
        os._exit(3)

ordago_bot.run(Crashing)
"""
SLOW_AT_SEAT_0 = """
import sys, time, ordago_bot

class Slow(ordago_bot.Bot):
    def choose(self, decision):
        if self.match.seat == 0:
            time.sleep(float(sys.argv[1]))
        return ordago_bot.complete(self.random.choice(decision.actions), self.random)

ordago_bot.run(Slow, arguments=[])
"""
SHORT = ("--game", "mitaines", "--option", "target=10", "--seed", "2a", "--isolation", "none")
ASKED = ("--exit-code",)
RANDOM, DEFAULT = "house:random", "house:default"


def ordago_match(*arguments: object) -> Result:
    return CliRunner().invoke(program, ["match", *map(str, arguments)])


def lines_of(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.slow
def test_the_same_seed_brings_the_same_sets_however_slow_a_bot_is_and_many_are_played_at_once(tmp_path: Path) -> None:
    """What is kept of it can be proved, with the secret that is told at the end."""
    bot, kept = tmp_path / "slow.py", tmp_path / "kept"
    bot.write_text(SLOW_AT_SEAT_0)
    sprt = ("--sprt", "elo0=0", "elo1=600", "alpha=0.2", "beta=0.2", "--json-lines")
    one, many = (
        lines_of(ordago_match(f"cmd:{sys.executable} {bot} {seconds}", DEFAULT, *SHORT, *sprt, *options))
        for seconds, options in ((0, ("--parallel", 1)), (0.02, ("--parallel", 12, "--out", kept)))
    )
    assert many[:-1] == one[:-1]
    assert [line["set"] for line in one[:-1]] == list(range(1, len(one)))
    assert one[-1]["over"]
    assert one[-1]["conclusion"] in {"stronger", "not stronger"}
    assert len(list(kept.glob("*.record"))) == many[-1]["matches"] == 2 * many[-1]["sets"]
    assert json.loads((kept / "match.json").read_text()) == many[-1]
    verified = CliRunner().invoke(program, ["verify", str(kept), "--secret", many[-1]["seed"], "--json"])
    assert verified.exit_code == 0, verified.output


@pytest.mark.slow
def test_a_bot_that_crashes_each_time_ends_it(tmp_path: Path) -> None:
    bot = tmp_path / "crashing.py"
    bot.write_text(CRASHING)
    result = ordago_match(RANDOM, f"cmd:{sys.executable} {bot}", *SHORT, "--sprt", "elo0=0", "elo1=20")
    assert result.exit_code == 4, result.output
    assert "crashing.py forfeited in 5 sets in a row" in result.output
    assert "warning: bot 'crashing.py' crashed: it ended with code 3" in result.output
    assert "random forfeited" not in result.output


@pytest.mark.slow
def test_who_is_stopped_tells_how_far_it_came() -> None:
    command = [sys.executable, "-m", "ordago", "match", RANDOM, DEFAULT, *SHORT, "--sets", "5000", "--json-lines"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        last = json.loads(process.stdout.readlines()[-1])
        assert process.wait(60) == 130
    assert first["set"] == 1
    assert 1 <= last["sets"] < 5000
    assert (last["conclusion"], last["over"]) == ("undecided", False)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((RANDOM,), "a comparison needs at least two bots"),
        ((RANDOM, "random"), "a bot is written house:NAME or cmd:COMMAND, not 'random'"),
        ((RANDOM, DEFAULT, "--game", "chess"), "there is no game 'chess'"),
        ((RANDOM,) * 3 + ("--game", "mus"), "mus has 2 sides at most, and there are 3 bots"),
        ((RANDOM, DEFAULT, "--seats", "5"), "mitaines is played by 2 or 3 or 4, not by 5"),
        ((RANDOM, DEFAULT, "elo1=20"), "elo1=20 needs --sprt before it"),
        ((RANDOM, DEFAULT, "--sprt", "elo0=0"), "--sprt lacks elo1"),
        ((RANDOM, DEFAULT, "--sprt", "elo0=20", "elo1=20"), "--sprt takes an elo0 below elo1"),
        ((RANDOM, DEFAULT, "--sprt", "elo0=nan", "elo1=20"), "--sprt takes an elo0 below elo1"),
        ((RANDOM, DEFAULT, "--sprt", "elo0=0", "elo1=x"), "elo1 takes a number, not 'x'"),
        ((RANDOM, DEFAULT, "--sprt", "elo0=0 elo1=9 gamma=1"), "--sprt takes elo0, elo1, alpha, beta, not 'gamma'"),
        ((RANDOM, DEFAULT, "--sprt", "elo0=0", "elo1=9", "alpha=0.5"), "alpha and beta are above 0 and at most 0.4"),
        ((RANDOM, DEFAULT, "--limit", "memory=5"), "did you mean 'memory_mib'?"),
        ((RANDOM, DEFAULT, "--option", "target=x"), "target"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = ordago_match("--game", "mitaines", *arguments)
    assert result.exit_code == 2, result.output
    assert sentence in result.output
    assert "Traceback" not in result.output


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    result = ordago_match(RANDOM, DEFAULT, *SHORT, "--out", tmp_path)
    assert (result.exit_code, [path.name for path in tmp_path.iterdir()]) == (3, ["mine"])


@pytest.mark.parametrize(
    ("wins", "options", "exit_code"),
    [(2, ASKED, 0), (0, ASKED, 1), (1, ASKED, 6), (0, (), 0), (1, (), 0)],
)
def test_the_exit_code_tells_what_came_of_it_if_it_is_asked_to(
    monkeypatch: pytest.MonkeyPatch, wins: int, options: tuple[str, ...], exit_code: int
) -> None:
    """The candidate wins so many matches of two."""

    def compare(_play: object, display: Display) -> int:
        course = display.course
        for number in range(30):
            for won in (wins > 0, wins > 1):
                placings = (1, 2) if won else (2, 1)
                result = Outcome((0, 0), placings, faults=((), ()), forfeits=(), strikes=((), ()))
                list(course.add(number, Finished(course.names, result)))
        return 0

    monkeypatch.setattr(match, "_compare", compare)
    sprt = ("--sprt", "elo0=-200 elo1=200", "--sets", 30 if wins != 1 else 1)
    result = ordago_match(RANDOM, DEFAULT, *SHORT, *sprt, *options)
    assert result.exit_code == exit_code, result.output


def test_a_machine_that_cannot_isolate_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(_settings: object) -> NoReturn:
        raise NoIsolationError("bots cannot be isolated on this machine")

    monkeypatch.setattr(playing, "isolation_of", cannot)
    result = ordago_match(RANDOM, DEFAULT, "--game", "mitaines")
    assert result.exit_code == 3
    assert "--isolation none" in result.output
