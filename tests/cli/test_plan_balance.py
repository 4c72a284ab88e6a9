"""``ordago plan --balance`` shows the balance of a schedule, to people and to programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordago_cli.program import program

DEMO = str(Path(__file__).parents[2] / "tournaments" / "events" / "demo.toml")


@pytest.mark.slow
def test_it_is_shown_to_people_and_to_programs() -> None:
    told = CliRunner().invoke(program, ["plan", DEMO, "--balance"])
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["entrant", "house-1", "house-2", "house-3", "house-4", "random"]
    read = json.loads(CliRunner().invoke(program, ["plan", DEMO, "--balance", "--json"]).stdout)
    assert [game["game"] for game in read["games"]] == ["mitaines", "mitigati", "mittlere", "mus", "taihe"]
    # Of three at a table each meets two others: 48 matches without duplicates, twice, and 8 sets with them.
    assert sum(map(sum, read["meetings"])) == 2 * (3 * (48 + 48 + 8) + 2 * 20)
