"""Token buckets: an amount at once, which refills at a fixed rate."""

from typing import Final

_KEPT: Final = 1024
"""Number of buckets to hold before full ones are dropped; a dropped bucket and a full one behave alike."""
_ROUNDING: Final = 1e-6
"""Amount that may be missing. Without it, rounding errors refuse a caller that waited exactly as long as told."""


class Allowance:
    """A token bucket. It has no clock of its own: the caller gives the time, in seconds."""

    def __init__(self, *, per_second: float, at_once: float) -> None:
        """Begin full.

        Args:
            per_second: the amount that comes back each second, more than 0.
            at_once: the capacity.
        """
        self._per_second = per_second
        self._at_once = at_once
        self._left = at_once
        self._as_of = 0.0

    def take(self, *, at: float, amount: float = 1.0) -> float:
        """Take an amount and return 0; if it is not there, take nothing and return the seconds until it is."""
        self._fill(at)
        missing = amount - self._left
        if missing > _ROUNDING:
            return missing / self._per_second
        self._left -= amount
        return 0.0

    def is_full(self, *, at: float) -> bool:
        """Return True if the bucket is full again, and so no different from a new one."""
        self._fill(at)
        return self._left >= self._at_once

    def _fill(self, at: float) -> None:
        # Messages may be counted in another order than they arrived in; time must not go back for that.
        passed = max(0.0, at - self._as_of)
        self._as_of += passed
        self._left = min(self._at_once, self._left + passed * self._per_second)


class Allowances:
    """A token bucket for each name."""

    def __init__(self, *, per_second: float, at_once: float) -> None:
        """Give every name the same rate and capacity; see ``Allowance``."""
        self._per_second = per_second
        self._at_once = at_once
        self._of: dict[str, Allowance] = {}
        self._kept = _KEPT
        """Number of buckets at which full ones are dropped next."""

    def take(self, who: str, *, at: float) -> float:
        """Take one from the bucket of a name and return 0; if it is empty, return the seconds until there is one."""
        if len(self._of) >= self._kept:
            self._of = {name: one for name, one in self._of.items() if not one.is_full(at=at)}
            # Otherwise, with more than _KEPT buckets in use, each call would scan all of them.
            self._kept = max(_KEPT, 2 * len(self._of))
        if who not in self._of:
            self._of[who] = Allowance(per_second=self._per_second, at_once=self._at_once)
        return self._of[who].take(at=at)
