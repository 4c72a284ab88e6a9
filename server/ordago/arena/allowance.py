"""How much of something may happen: so much at a stroke, and so much again each second."""

from typing import Final

_KEPT: Final = 1024
"""So many are remembered at least by what they have left, before those are forgotten who have it all."""
_ROUNDING: Final = 1e-6
"""So much may be missing, since times are no exact numbers: who waits for as long as he is told has waited enough."""


class Allowance:
    """A token bucket. It has no clock of its own: whoever takes from it says when."""

    def __init__(self, *, per_second: float, at_once: float) -> None:
        """Begin full.

        Args:
            per_second: how much comes back each second, more than 0.
            at_once: how much there is at most.
        """
        self._per_second = per_second
        self._at_once = at_once
        self._left = at_once
        self._as_of = 0.0

    def take(self, *, at: float, amount: float = 1.0) -> float:
        """Take an amount if it is there, and return for how many seconds it is not yet: 0 if it was taken."""
        self._fill(at)
        missing = amount - self._left
        if missing > _ROUNDING:
            return missing / self._per_second
        self._left -= amount
        return 0.0

    def is_full(self, *, at: float) -> bool:
        """Say whether nothing was taken for so long that it makes no difference any more."""
        self._fill(at)
        return self._left >= self._at_once

    def _fill(self, at: float) -> None:
        # What arrived earlier may be looked at later; time does not go back for that.
        passed = max(0.0, at - self._as_of)
        self._as_of += passed
        self._left = min(self._at_once, self._left + passed * self._per_second)


class Allowances:
    """An allowance for each of many."""

    def __init__(self, *, per_second: float, at_once: float) -> None:
        """Give each as much; see ``Allowance``."""
        self._per_second = per_second
        self._at_once = at_once
        self._of: dict[str, Allowance] = {}
        self._kept = _KEPT
        """Number of entries at which they are looked through."""

    def take(self, who: str, *, at: float) -> float:
        """Take from the allowance of somebody, and return for how many seconds it is used up: 0 if it was not."""
        if len(self._of) >= self._kept:
            self._of = {name: one for name, one in self._of.items() if not one.is_full(at=at)}
            # Else, where more than that have something taken, all would be looked through each time.
            self._kept = max(_KEPT, 2 * len(self._of))
        if who not in self._of:
            self._of[who] = Allowance(per_second=self._per_second, at_once=self._at_once)
        return self._of[who].take(at=at)
