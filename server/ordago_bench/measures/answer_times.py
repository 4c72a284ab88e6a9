"""When each match was answered last, as all bots of a measurement know it, whichever processes they are in."""

import mmap
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

_PLACES: Final = 1 << 20
"""Far more than there are matches at once, so that two of them hardly ever share a place."""
_BYTES: Final = 8 * _PLACES


class AnswerTimes:
    """The time of the last answer in each match, by ``time.perf_counter``, which is one clock for a whole machine.

    It lies in memory that processes can share: whoever is asked next may be another bot than answered last.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Share a file of ``shared_times``, or nothing with other processes."""
        self._times = memoryview(_memory(file)).cast("d")

    def begin(self, match_id: str) -> int:
        """Begin a match, in which nobody has answered yet, and return its place."""
        place = zlib.crc32(match_id.encode()) % _PLACES
        self._times[place] = 0.0
        return place

    def answered(self, place: int) -> None:
        """Note that the match at this place is answered now."""
        self._times[place] = time.perf_counter()

    def since(self, place: int, now: float) -> float | None:
        """Return how many seconds ago the match at this place was answered last; ``None`` if it never was."""
        answered = self._times[place]
        return now - answered if answered else None


@contextmanager
def shared_times() -> Iterator[Path]:
    """Offer a file by which processes share times of answers."""
    with NamedTemporaryFile(prefix="ordago-answer-times-") as file:
        file.truncate(_BYTES)
        yield Path(file.name)


def _memory(file: Path | None) -> mmap.mmap:
    if file is None:
        return mmap.mmap(-1, _BYTES)
    with file.open("r+b") as opened:
        return mmap.mmap(opened.fileno(), _BYTES)
