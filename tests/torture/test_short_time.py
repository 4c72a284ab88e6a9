"""The house keeps a short time on a busy machine: with 50 ms a decision it is hardly ever late."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from support.command_line import ordago
from support.figures import Note, Size

DECISION_MS = 50
BUSY = 8
"""Processes that only count, so that each bot waits for most of the time."""
MOST_LATE = 4
"""The most decisions of a match of some two hundred that the server may have to take for the house."""
MATCHES = {"mittlere": ("--option", "deals=6"), "taihe": ("--option", "deals=6")}

pytestmark = [pytest.mark.alone, pytest.mark.slow]


@contextmanager
def busy() -> Iterator[None]:
    """Keep the processors busy."""
    with ExitStack() as stack:
        for _ in range(BUSY):
            counting = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(counting.wait)
            stack.callback(counting.kill)
        yield


@pytest.mark.parametrize("game", MATCHES)
def test_the_strongest_level_is_hardly_ever_late(game: str, size: Size, note: Note) -> None:
    bots = ["--bot", "house:house:level=5"] * 3
    time = ("--decision-ms", str(DECISION_MS), "--matches", str(size(2, 12)), "--seed", "2a", "--json")
    with busy():
        played = ordago("play", game, *bots, *MATCHES[game], *time, longest_seconds=600)
    matches = [json.loads(line) for line in played.splitlines() if line.startswith("{")]
    late = sum(match["faults"] for match in matches)
    note(f"late in {game}", late / len(matches), "decisions a match", bound=f"{MOST_LATE}")
    assert late <= MOST_LATE * len(matches)
    assert not any(match["forfeits"] for match in matches)
