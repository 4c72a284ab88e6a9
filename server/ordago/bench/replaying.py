"""How fast records are proved by playing them again, beside the speed at which a server plays."""

import os
import time
from typing import NamedTuple

from ordago.bench.in_process import match_of, played_out
from ordago.bench.server import measure_server
from ordago.games import find_game
from ordago.record import from_file_bytes, to_file_bytes, verify

_GAME = "mittlere"


class ReplayRate(NamedTuple):
    """What was measured."""

    records_per_s: float
    """On one core, read from the bytes of their files."""
    ratio: float
    """Decisions that all cores prove in a second, to those that the server makes in a second."""


def measure_replay(*, matches: int) -> ReplayRate:
    """Prove the records of some matches, after a server has played for a while."""
    played = measure_server(_GAME, connections=4, matches=64, seconds=1.0).server.decisions_per_s
    courses = [played_out(*match_of(find_game(_GAME), number)) for number in range(matches)]
    files = [to_file_bytes(course.record) for course in courses]
    began = time.perf_counter()
    wrong = [problem for file in files for problem in verify(from_file_bytes(file))]
    seconds = time.perf_counter() - began
    assert not wrong, wrong
    proved = sum(course.decisions for course in courses) / seconds
    return ReplayRate(matches / seconds, proved * (os.cpu_count() or 1) / played)
