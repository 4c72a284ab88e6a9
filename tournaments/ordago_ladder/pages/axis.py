"""The axis of rating charts."""

import math
from collections.abc import Collection
from typing import Final, NamedTuple

_MOST_TICKS: Final = 5
"""The labels of more ticks would overlap on a phone."""
_TICK_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Axis(NamedTuple):
    """A rating axis in Elo: its ends and its ticks."""

    low: float
    high: float
    ticks: tuple[int, ...]

    def share(self, elo: float) -> float:
        """Return the position of a rating on the axis, from 0 to 1."""
        return (elo - self.low) / (self.high - self.low)

    def position(self, elo: float) -> str:
        """Return the position of a rating on the axis, as a CSS length."""
        return f"{100 * self.share(elo):.2f}%"


def axis_of(elos: Collection[float], *, most_ticks: int = _MOST_TICKS) -> Axis:
    """Return an axis that contains all of these ratings, with a margin."""
    low, high = min(elos), max(elos)
    margin = 0.04 * (high - low) + 1
    low, high = low - margin, high + margin
    step = next((step for step in _TICK_STEPS if (high - low) / step <= most_ticks), _TICK_STEPS[-1])
    first = math.ceil(low / step) * step
    return Axis(low, high, tuple(range(first, math.floor(high) + 1, step)))
