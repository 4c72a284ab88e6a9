"""A trial before an event: a table of what will not work, which is fatal for nobody else."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordago_cli.program import program

EVENT = """
[event]
name = "tried"
# A match of few decisions is enough to forfeit it, whatever is dealt.
forfeit_after = 3
isolation = "none"
decision_ms = 60_000
strikes = 1

[[game]]
name = "mitaines"
seats = 2

[[game]]
name = "mus"

[[entrant]]
name = "well"
house = "default"

[[entrant]]
name = "broken"
command = ["{python}", "-c", "raise SystemExit('no licence')"]

[[entrant]]
name = "half"
command = ["{python}", "-m", "ordago_bot", "default", "--game", "mus"]

[[entrant]]
name = "wrong"
command = ["{python}", "{wrong}"]

[[entrant]]
name = "away"
remote = true
processes = 2
"""
WRONG = """
import ordago_bot
from ordago import v1

class Wrong(ordago_bot.Bot):
    def choose(self, decision):
        return v1.Answer(legal_action=999)

ordago_bot.run(Wrong)
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Any]:
    """What a trial told, by entrant and game."""
    place = tmp_path_factory.mktemp("trial")
    (place / "wrong.py").write_text(WRONG)
    (place / "event.toml").write_text(EVENT.format(python=sys.executable, wrong=place / "wrong.py"))
    tried = CliRunner().invoke(program, ["trial", str(place / "event.toml"), "--json"])
    assert tried.exit_code == 4, tried.output
    assert "these entrants failed: away, broken, half, wrong" in tried.output
    assert not Path("out/tried").exists(), "nothing counts"
    return {(row["entrant"], row["game"]): row for row in json.loads(tried.stdout)}


@pytest.mark.slow
def test_who_plays_well_is_told_with_his_figures(rows: dict[tuple[str, str], Any]) -> None:
    for game in ("mitaines", "mus"):
        row = rows["well", game]
        assert row["problems"] == []
        assert row["decisions"] > 0
        assert row["p50_ms"] <= row["p99_ms"]
        assert row["memory_mib"] > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrant", "game", "words"),
    [
        ("broken", "", ("exited at once with code 1", "its last line: no licence")),
        ("half", "mitaines", ("it does not play mitaines",)),
        ("half", "mus", ()),
        ("wrong", "mus", ("took the default answer: illegal", "it forfeited the match: illegal")),
        ("away", "", ("it plays elsewhere",)),
    ],
)
def test_what_will_not_work_is_told(
    rows: dict[tuple[str, str], Any], entrant: str, game: str, words: Sequence[str]
) -> None:
    said = "; ".join(rows[entrant, game]["problems"])
    assert bool(said) == bool(words)
    for word in words:
        assert word in said
