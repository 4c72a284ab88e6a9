"""A server that is killed again and again in the middle of what it writes loses no result, and doubles none."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest
from support import ladder_writer
from support.figures import Note, Size

from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.rows import MatchFilter

_TESTS: Final = Path(ladder_writer.__file__).parents[1]


def lines_until_killed(place: Path | str, lines: int) -> list[str]:
    """Start the writer, kill it when it has said so many lines, and return all that it said."""
    writer = subprocess.Popen(  # noqa: S603 - a program of the tests
        [sys.executable, ladder_writer.__file__, str(place)],
        env=os.environ | {"PYTHONPATH": str(_TESTS)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(lines)]
        writer.kill()
        return [*said, *writer.stdout.read().splitlines(keepends=True)]


@pytest.mark.slow
def test_kills_lose_no_result_and_double_none(place: Path | str, size: Size, note: Note):
    chances = Random(1)
    begun, committed = set[str](), set[str]()
    kills = size(3, 100)
    for _ in range(kills):
        for line in lines_until_killed(place, chances.randrange(1, 60)):
            what, match_id = line.split()
            (begun if what == "begun" else committed).add(match_id)
    with LadderInspection.open(place) as queries:
        epochs = queries.check()
        results = [found.seating.match_id for found in queries.results_since()]
        running = {match.seating.match_id for match in queries.matches(MatchFilter(running=True), size=500).matches}
    assert len(results) == len(set(results)) == sum(epoch.results for epoch in epochs)
    assert committed <= {*results}
    assert begun <= {*results} | running
    assert sum(epoch.pruned for epoch in epochs) > 0
    note("kills of who writes a ladder", kills, bound=f"{len(results)} results, none lost, none doubled")
