"""Which ratings can be compared: who has met whom, and who has taken anything from whom."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordago_ladder.results import Pairing


class Connectivity(NamedTuple):
    """How the entrants of an event hang together, by their rated results."""

    groups: tuple[tuple[str, ...], ...]
    """Entrants who have met, directly or through others. Between groups ratings cannot be compared."""
    tiers: tuple[tuple[str, ...], ...]
    """Entrants who have all taken something from one another, a win or a tie, directly or through others. Between the
    tiers of one group one side has won everything, so that how far they are apart rests on the prior of the fit."""


def connectivity(pairings: Iterable[Pairing], *, entrants: Sequence[str]) -> Connectivity:
    """Return how entrants hang together, groups and tiers in ascending order."""
    names = sorted(entrants)
    number = {name: index for index, name in enumerate(names)}
    took = np.eye(len(names), dtype=np.bool_)
    met = took.copy()
    for pairing in pairings:
        if pairing.rated:
            first, second = number[pairing.first], number[pairing.second]
            met[first, second] = met[second, first] = True
            took[first, second] |= pairing.half_points > 0
            took[second, first] |= pairing.half_points < 2
    return Connectivity(groups=_mutual(met, names), tiers=_mutual(took, names))


def _mutual(related: NDArray[np.bool_], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the names that are related to one another, directly or through others."""
    reached = related.copy()
    for through in range(len(names)):
        reached |= np.outer(reached[:, through], reached[through])
    both = reached & reached.T
    return tuple(sorted({tuple(name for name, holds in zip(names, row, strict=True) if holds) for row in both}))
