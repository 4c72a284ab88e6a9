"""The speed of verifying records, as ``ordago verify`` does, compared with the speed of play."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple

from ordago.games import find_game
from ordago.match import Question, Reply
from ordago.record import finished_file
from ordago_bench.in_process import Instant, PlayedMatch, match_of, played_out
from ordago_bench.server import measure_play
from ordago_ladder.verification.records import verify_records
from ordago_ladder.verification.sharing import processors

_THINKING_SECONDS: Final = 0.4
"""The mean thinking time in the records. It varies as in real ones, where hardly two times are equal."""


class _Thinking(Instant):
    """A seat with the answers of an instant bot, and thinking times drawn from a seed."""

    def __init__(self, seed: str) -> None:
        """Seed the thinking times."""
        self._rng = Random(seed)

    def reply(self, question: Question) -> Reply:
        """Answer, with a simulated thinking time."""
        return Reply(super().reply(question).answer, self._rng.expovariate(1 / _THINKING_SECONDS))


class RecordFolder(NamedTuple):
    """A folder of records."""

    path: Path
    decisions: int
    """The number of decisions in all records together."""

    def prove(self, *, processes: int) -> None:
        """Verify all records, and check that they pass."""
        found = verify_records(self.path, processes=processes)
        assert found.revealed, "the deals are proved, too"
        assert not found.findings, found.findings


@contextmanager
def record_folder(game: str, *, matches: int, copies: int) -> Iterator[RecordFolder]:
    """Play matches of a game, and provide a temporary folder with ``copies`` of each record."""
    courses = [_course(game, number) for number in range(matches)]
    with tempfile.TemporaryDirectory() as folder:
        for number, course in enumerate(courses):
            first = Path(folder, f"{number}-0.record")
            first.write_bytes(finished_file(course.record))
            for copy in range(1, copies):
                Path(folder, f"{number}-{copy}.record").hardlink_to(first)
        yield RecordFolder(Path(folder), copies * sum(course.decisions for course in courses))


def _course(game: str, number: int) -> PlayedMatch:
    """Play a match with varying thinking times, as in matches over a network."""
    return played_out(*match_of(find_game(game), number, seat_of=lambda seat: _Thinking(f"{game} {number} {seat}")))


_GAME: Final = "mittlere"


class ReplayRate(NamedTuple):
    """The measured speed."""

    records_per_s: float
    """The records verified a second on all cores, from files, including the start of the processes."""
    ratio: float
    """The decisions verified a second, relative to those that a server with records plays a second."""


def measure_replay(*, matches: int, copies: int, rounds: int) -> ReplayRate:
    """Measure verification and play in turns; return medians of the rounds."""
    with record_folder(_GAME, matches=matches, copies=copies) as folder:
        found = [(_decisions_played(), _seconds_to_prove(folder)) for _ in range(rounds)]
    seconds = median(took for _, took in found)
    ratio = median(folder.decisions / took / played for played, took in found)
    return ReplayRate(matches * copies / seconds, ratio)


def _decisions_played() -> float:
    """Return the decisions a second of a server that writes records, as any source of records has to."""
    return measure_play(_GAME, connections=4, matches=64, seconds=1.0, all_in=True).decisions_per_s


def _seconds_to_prove(folder: RecordFolder) -> float:
    began = time.perf_counter()
    folder.prove(processes=processors())
    return time.perf_counter() - began
