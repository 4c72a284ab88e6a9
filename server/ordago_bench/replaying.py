"""How fast records are proved, as by ``ordago verify``, beside the speed at which a server plays."""

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
"""The mean of what a bot takes for an answer: most are quick, few take long, and hardly two take as long in records."""


class _Thinking(Instant):
    """A seat that answers as an instant bot does, and takes some time for it, which depends on a seed."""

    def __init__(self, seed: str) -> None:
        """Begin to play."""
        self._rng = Random(seed)

    def reply(self, question: Question) -> Reply:
        """Answer after a while."""
        return Reply(super().reply(question).answer, self._rng.expovariate(1 / _THINKING_SECONDS))


class RecordFolder(NamedTuple):
    """A folder of records."""

    path: Path
    decisions: int
    """Their number in all records together."""

    def prove(self, *, processes: int) -> None:
        """Prove all of them."""
        found = verify_records(self.path, processes=processes)
        assert found.revealed, "the deals are proved, too"
        assert not found.findings, found.findings


@contextmanager
def record_folder(game: str, *, matches: int, copies: int) -> Iterator[RecordFolder]:
    """Play some matches of a game, and keep so many copies of each record in a folder, while it lasts."""
    courses = [_course(game, number) for number in range(matches)]
    with tempfile.TemporaryDirectory() as folder:
        for number, course in enumerate(courses):
            first = Path(folder, f"{number}-0.record")
            first.write_bytes(finished_file(course.record))
            for copy in range(1, copies):
                Path(folder, f"{number}-{copy}.record").hardlink_to(first)
        yield RecordFolder(Path(folder), copies * sum(course.decisions for course in courses))


def _course(game: str, number: int) -> PlayedMatch:
    """Play a match, in which each decision takes another time, as in those that are played over a network."""
    return played_out(*match_of(find_game(game), number, seat_of=lambda seat: _Thinking(f"{game} {number} {seat}")))


_GAME: Final = "mittlere"


class ReplayRate(NamedTuple):
    """What was measured."""

    records_per_s: float
    """By all processors, from the files of a folder, the start of the processes included."""
    ratio: float
    """Decisions that they prove in a second, to those that a server makes in a second that keeps such records."""


def measure_replay(*, matches: int, copies: int, rounds: int) -> ReplayRate:
    """Prove the records of some matches, in turns with a server that plays; medians of the rounds."""
    with record_folder(_GAME, matches=matches, copies=copies) as folder:
        found = [(_decisions_played(), _seconds_to_prove(folder)) for _ in range(rounds)]
    seconds = median(took for _, took in found)
    ratio = median(folder.decisions / took / played for played, took in found)
    return ReplayRate(matches * copies / seconds, ratio)


def _decisions_played() -> float:
    """Return how many decisions a server makes in a second. It keeps records: from no other do any come."""
    return measure_play(_GAME, connections=4, matches=64, seconds=1.0, all_in=True).decisions_per_s


def _seconds_to_prove(folder: RecordFolder) -> float:
    began = time.perf_counter()
    folder.prove(processes=processors())
    return time.perf_counter() - began
