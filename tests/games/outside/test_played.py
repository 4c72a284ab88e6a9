"""The game of another package is played, recorded, proved, rated, told, shown and examined as ours are."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import assert_told, event_file, ordago

BOT = "ordago_highcard.bot"
EVENT = """
[event]
name = "outside"

[[game]]
name = "highcard"
seats = 2
options = {{ deals = 2 }}

[[entrant]]
name = "typed"
folder = "{folder}"
command = ["{python}", "-m", "ordago_highcard.bot"]
env = {{ PYTHONPATH = "." }}

[[entrant]]
name = "random"
house = "random"

[[entrant]]
name = "default"
house = "solid"
"""


@pytest.fixture(scope="module")
def record(highcard: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a match over gRPC between the typed bot and one of the house."""
    path = tmp_path_factory.mktemp("played") / "match.record"
    typed = f"cmd:env PYTHONPATH={highcard} {sys.executable} -m {BOT}"
    played = ordago("play", "highcard", "--bot", typed, "--bot", "house:random", "--seed", "1", "--record", path)
    assert_told(played, 0)
    return path


def test_it_is_listed_with_its_rule_page(highcard: Path) -> None:
    assert_told(ordago("games"), 0, "highcard", "High Card", "deals=12")
    assert ordago("games", "highcard").output.strip() == (highcard / "ordago_highcard/highcard.md").read_text().strip()


@pytest.mark.slow
def test_its_record_is_proved_and_told(record: Path) -> None:
    assert_told(ordago("verify", record), 0, "clean: 1 record")
    assert_told(ordago("record", record), 0, "High Card, deals 12", "Deal 1", "takes the trick with")


@pytest.mark.slow
def test_its_record_is_the_same_as_json(record: Path, tmp_path: Path) -> None:
    told = ordago("record", "--json", record)
    assert_told(told, 0, "type.googleapis.com/highcard.v1.HighcardAction")
    (tmp_path / "match.json").write_text(told.output)
    assert_told(ordago("verify", tmp_path / "match.json"), 0, "clean: 1 record")


def test_the_typed_bot_does_nothing_that_is_refused(record: Path) -> None:
    entries = json.loads(ordago("record", "--json", record).output)["record"]["entries"]
    assert len(entries) > 120
    assert not [entry for entry in entries if "refusal" in entry]


@pytest.mark.slow
def test_where_it_is_not_installed_its_records_and_events_say_so(record: Path) -> None:
    alone = {"env": {"PATH": "/usr/bin:/bin"}, "capture_output": True, "text": True, "check": False}
    ordago_alone = [sys.executable, "-m", "ordago"]
    for command, told in (
        ("verify", "there is no game 'highcard'"),
        ("record", "An unknown game, 'highcard'"),
    ):
        result = subprocess.run([*ordago_alone, command, record], **alone)  # noqa: S603 - own
        assert told in result.stdout + result.stderr
        assert "Traceback" not in result.stderr
    told_as_json = subprocess.run([*ordago_alone, "record", "--json", record], **alone)  # noqa: S603 - own
    assert "a game that is not installed" in told_as_json.stderr


@pytest.mark.slow
def test_an_event_of_it_is_rated_proved_and_shown(highcard: Path, tmp_path: Path) -> None:
    file = event_file(tmp_path, EVENT.format(folder=highcard, python=sys.executable))
    out = tmp_path / "out"
    assert_told(ordago("run", file, "--out", out), 0, "verified: 6 records")
    assert_told(ordago("verify", out), 0, "clean: 6 records")
    ladder = json.loads((out / "ladder.json").read_text())
    rows = ladder["by_game"]["highcard"]["ladder"]
    assert {row["entrant"] for row in rows} == {"typed", "random", "default"}
    # Deals of so few matches are chance: whoever won all or none has a note in place of a number. Whoever won more
    # of them stands higher.
    assert all((row["elo"] is None) == bool(row["rating_note"]) for row in rows)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    replays = [page.read_text() for page in (out / "told").glob("*.html")]
    assert len(replays) == 6
    assert all("takes the trick" in page and "French" not in page for page in replays)
    assert (out / "faces-french" / "1.svg").exists()


@pytest.mark.slow
def test_the_doctor_examines_its_bot(highcard: Path) -> None:
    cases = ["hello", "first-decision", "refused", "unknown-field", "highcard-2", "highcard-3", "highcard-4"]
    only = [word for case in cases for word in ("--only", case)]
    result = ordago("doctor", "--json", *only, "--env", f"PYTHONPATH={highcard}", "--", sys.executable, "-m", BOT)
    assert result.exit_code == 0, result.output
    assert {case["name"]: case["result"] for case in json.loads(result.stdout)["cases"]} == dict.fromkeys(
        cases, "passed"
    )


@pytest.mark.usefixtures("highcard")
def test_its_rules_can_be_ported(tmp_path: Path) -> None:
    out = tmp_path / "highcard.jsonl"
    assert_told(ordago("game", "conformance", "highcard", "--out", out, "--steps", "200"), 0, "written")
    *steps, end = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    decisions = [step for step in steps if step["line"] == "decision"]
    assert all(decision["action"]["other"]["@type"].endswith("HighcardAction") for decision in decisions)
    assert {"answer"} < set(end["refusals"])
    assert sum(end["actions"].values()) == len(decisions)
