"""Latencies counted in logarithmic bins, so that those of several processes can be added up.

They begin when a match was answered last, which all bots of a measurement know, whichever processes they are in.
"""

import math
import mmap
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

_BINS_A_DECADE: Final = 50
"""Each bin ends at 1.047 times the latency of the one before: a quantile is exact to 5 %."""


class Latencies:
    """The number of times each latency occurred, to five per cent."""

    def __init__(self, bins: Mapping[int, int] | None = None) -> None:
        """Start with some bins, or with none."""
        self.bins = Counter(bins or {})

    def add(self, seconds: float) -> None:
        """Count one latency."""
        self.bins[math.floor(_BINS_A_DECADE * math.log10(max(seconds, 1e-6)))] += 1

    def since(self, earlier: "Latencies") -> "Latencies":
        """Return what was counted since an earlier state of the same count."""
        return Latencies(self.bins - earlier.bins)

    def shares(self) -> list[tuple[float, float]]:
        """Return the ends of the bins in milliseconds, ascending, each with the share that took no longer."""
        found, counted = [], 0
        for number in sorted(self.bins):
            counted += self.bins[number]
            found.append((1000 * 10 ** ((number + 1) / _BINS_A_DECADE), counted / self.bins.total()))
        return found

    def quantile_ms(self, share: float) -> float:
        """Return the latency in milliseconds that this share, 0 to 1, does not exceed; 0 if nothing was counted."""
        due = share * self.bins.total()
        for number in sorted(self.bins):
            due -= self.bins[number]
            if due <= 0:
                return round(1000 * 10 ** ((number + 1) / _BINS_A_DECADE), 3)
        return 0.0


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
