"""The tool that measures what spectators cost: in a short form all of them are shown all."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "spectators.py"


@pytest.mark.slow
def test_many_look_on_and_each_is_shown_each_step():
    told = subprocess.run(  # noqa: S603 - ours
        [sys.executable, str(TOOL), "--spectators", "60", "--rounds", "1", "--seconds", "2"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout.splitlines()
    spectators, _, _, steps, events = map(float, told[2].split())
    assert spectators == 60
    assert steps > 0
    assert abs(events - steps * 2 * 60) <= 60, "a step more or less, at the edges of the window"
    assert told[-2].startswith("matches, 60 to 1: ")
