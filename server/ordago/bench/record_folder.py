"""A folder of records that is proved as ``ordago verify`` does it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ordago.bench.in_process import match_of, played_out
from ordago.games import find_game
from ordago.record import to_file_bytes
from ordago_ladder.verification.records import verify_records


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
    courses = [played_out(*match_of(find_game(game), number)) for number in range(matches)]
    with tempfile.TemporaryDirectory() as folder:
        for number, course in enumerate(courses):
            data = to_file_bytes(course.record)
            for copy in range(copies):
                Path(folder, f"{number}-{copy}.record").write_bytes(data)
        yield RecordFolder(Path(folder), copies * sum(course.decisions for course in courses))
