"""Single matches between bots that are started for them."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordago_bot.asked import Asked
from ordago_cli.options.arguments import distinct
from ordago_cli.program import program

STUBBORN = """
import ordago_bot
from ordago import v1

class Stubborn(ordago_bot.Bot):
    def choose(self, decision):
        return v1.Answer(legal_action=99)

ordago_bot.run(Stubborn)
"""
DECISIONS = 36


@pytest.fixture
def stubborn(tmp_path: Path) -> str:
    """Return a bot whose every answer is illegal, until it is refused: then the SDK takes the default answer."""
    path = tmp_path / "stubborn.py"
    path.write_text(STUBBORN)
    return f"cmd:{sys.executable} {path}"


def play(*arguments: str) -> str:
    fixed = ("--option", "deals=3", "--seed", "2a")
    result = CliRunner().invoke(program, ["play", "mittlere", *arguments, *fixed])
    assert result.exit_code == 0, result.output
    return result.output


def bots(*specs: str) -> list[str]:
    return [word for spec in specs for word in ("--bot", spec)]


@pytest.mark.slow
def test_a_bot_has_the_name_that_it_gives_itself(stubborn: str):
    told = json.loads(play(*bots(stubborn, "house:solid:worlds=1", stubborn), "--json"))
    assert [seat["name"] for seat in told["seats"]] == ["Stubborn", "solid:worlds=1", "Stubborn 2"]


def test_names_are_distinct():
    assert distinct(["a", "b", "a", "a 2", "a"]) == ["a", "b", "a 2", "a 2 2", "a 3"]


@pytest.mark.slow
def test_a_bot_that_breaks_rules_all_the_time_is_told_so(stubborn: str, tmp_path: Path):
    record = str(tmp_path / "match.record")
    told = json.loads(play(*bots(stubborn, "house:random", "house:default"), "--json"))
    assert [seat["strikes"] for seat in told["seats"]] == [{"answer": DECISIONS}, {}, {}]
    assert told["faults"] == 0, "each time the bot found an answer in the end"
    name = told["seats"][0]["name"]
    lines = play(*bots(stubborn, "house:random", "house:default"), "--record", record)
    assert f"answers of {name} were refused by these rules: answer {DECISIONS}" in lines
    assert f"Refused answers of {name}: answer {DECISIONS}" in CliRunner().invoke(program, ["record", record]).output


@pytest.mark.slow
def test_many_matches_rotate_the_bots_and_begin_with_the_single_one():
    three = bots("house:solid:worlds=1", "house:random", "house:default")
    lines = [json.loads(line) for line in play(*three, "--matches", "4", "--json").splitlines()]
    assert [[seat["bot"] for seat in line["seats"]] for line in lines] == [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 1, 2]]
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    assert len({line["match_id"] for line in lines}) == 4
    single = json.loads(play(*three, "--json"))
    assert lines[0] == single
    assert [json.loads(line) for line in play(*three, "--matches", "2", "--json").splitlines()] == lines[:2]


@pytest.mark.slow
def test_many_matches_are_told_with_their_sums():
    three = bots("house:default", "house:default", "house:default")
    *matches, total = play(*three, "--matches", "3").splitlines()
    assert [line.split(":")[0] for line in matches] == ["match 1", "match 2", "match 3"]
    # Three that play alike, with the same cards at each seat in turn, gain nothing from each other.
    assert total == "sum of 3 matches: default 0, default 2 0, default 3 0"


def test_scores_have_a_sign_only_where_the_rules_know_points_below_zero():
    for game, seats, has_sign in (("mus", 4, False), ("taihe", 3, True)):
        words = ["play", game, *bots(*["house:random"] * seats)]
        told = CliRunner().invoke(program, words).output
        matches = CliRunner().invoke(program, [*words, "--matches", "2"]).output
        assert [re.search(r" \+\d", text) is not None for text in (told, matches)] == [has_sign] * 2, told + matches


def test_a_file_holds_one_record_alone(tmp_path: Path):
    words = ["play", "mus", *bots(*["house:random"] * 4), "--matches", "2", "--record", str(tmp_path / "a.record")]
    result = CliRunner().invoke(program, words)
    assert result.exit_code == 2
    assert "ordago match --out" in result.output


@pytest.mark.slow
def test_the_decisions_of_a_seat_are_lines_of_json(tmp_path: Path):
    record = str(tmp_path / "match.record")
    play(*bots("house:random", "house:random", "house:default"), "--record", record)
    told = CliRunner().invoke(program, ["record", record, "--decisions", "3"])
    lines = [Asked.from_json(line) for line in told.output.splitlines()]
    assert [line.decision.number for line in lines] == [*range(1, DECISIONS + 1)]
    assert all(line.start.seat == 2 and line.answer is not None and not line.error for line in lines)
    for wrong in (["--decisions", "4"], ["--decisions", "0"], ["--decisions", "1", "--json"]):
        assert CliRunner().invoke(program, ["record", record, *wrong]).exit_code == 2
