"""A folder of records that is proved as ``ordago verify`` does it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from ordago.games import find_game
from ordago.match import Question, Reply
from ordago.record import finished_file
from ordago_bench.in_process import Instant, PlayedMatch, match_of, played_out
from ordago_ladder.verification.records import verify_records

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
    """How many there are in all of them."""

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
