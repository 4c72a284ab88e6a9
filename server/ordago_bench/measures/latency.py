"""Latencies counted in logarithmic bins, so that those of several processes can be added up."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

_BINS_A_DECADE: Final = 50
"""Each bin ends at 1.047 times the latency of the one before: a quantile is exact to 5 %."""


class Latencies:
    """How often each latency occurred, to a precision of five per cent."""

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
