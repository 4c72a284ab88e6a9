"""Latencies in logarithmic bins, which can be added up over several processes.

A latency begins at the last answer in a match. All bots of a measurement share the times of answers, across processes.
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
"""Each bin ends at 1.047 times the end of the one before, so quantiles are exact to 5 %."""


class Latencies:
    """A histogram of latencies, exact to 5 %."""

    def __init__(self, bins: Mapping[int, int] | None = None) -> None:
        """Start with some bins, or empty."""
        self.bins = Counter(bins or {})

    def add(self, seconds: float) -> None:
        """Count one latency."""
        self.bins[math.floor(_BINS_A_DECADE * math.log10(max(seconds, 1e-6)))] += 1

    def since(self, earlier: "Latencies") -> "Latencies":
        """Return the latencies counted since an earlier state of the same histogram."""
        return Latencies(self.bins - earlier.bins)

    def shares(self) -> list[tuple[float, float]]:
        """Return the ends of the bins in milliseconds, ascending, each with the share of latencies up to it."""
        found, counted = [], 0
        for number in sorted(self.bins):
            counted += self.bins[number]
            found.append((1000 * 10 ** ((number + 1) / _BINS_A_DECADE), counted / self.bins.total()))
        return found

    def quantile_ms(self, share: float) -> float:
        """Return a quantile in milliseconds, for a share from 0 to 1; 0 if nothing was counted."""
        due = share * self.bins.total()
        for number in sorted(self.bins):
            due -= self.bins[number]
            if due <= 0:
                return round(1000 * 10 ** ((number + 1) / _BINS_A_DECADE), 3)
        return 0.0


_PLACES: Final = 1 << 20
"""Far more than matches at once, so that two matches hardly ever share a place."""
_BYTES: Final = 8 * _PLACES


class AnswerTimes:
    """The time of the last answer in each match, by ``time.perf_counter``, which is the same clock in all processes.

    The times are in shared memory, since the next decision may go to a bot in another process.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Use a file of ``shared_times``, or memory of this process alone."""
        self._times = memoryview(_memory(file)).cast("d")

    def begin(self, match_id: str) -> int:
        """Begin a match without answers, and return its place."""
        place = zlib.crc32(match_id.encode()) % _PLACES
        self._times[place] = 0.0
        return place

    def answered(self, place: int) -> None:
        """Record an answer in the match at this place."""
        self._times[place] = time.perf_counter()

    def since(self, place: int, now: float) -> float | None:
        """Return the seconds since the last answer in the match at this place; ``None`` if there was none."""
        answered = self._times[place]
        return now - answered if answered else None


@contextmanager
def shared_times() -> Iterator[Path]:
    """Create a temporary file through which processes share the times of answers."""
    with NamedTemporaryFile(prefix="ordago-answer-times-") as file:
        file.truncate(_BYTES)
        yield Path(file.name)


def _memory(file: Path | None) -> mmap.mmap:
    if file is None:
        return mmap.mmap(-1, _BYTES)
    with file.open("r+b") as opened:
        return mmap.mmap(opened.fileno(), _BYTES)
