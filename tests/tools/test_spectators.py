"""The tool that measures what spectators cost: in a short form all of them are shown all."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "spectators.py"


@pytest.mark.torture
def test_many_look_on_and_each_is_shown_each_step():
    told = subprocess.run(  # noqa: S603 - ours
        [sys.executable, str(TOOL), "--spectators", "60", "--rounds", "1", "--seconds", "5"],
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    ).stdout.splitlines()
    spectators, _, _, _, sent, missed = map(float, told[2].split())
    assert (spectators, missed) == (60, 0)
    assert sent > 0
    assert told[-2].startswith("matches, 60 to 1: ")
