"""Which ratings can be compared: who has met whom, and who has taken anything from whom."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordago_ladder.rating.fit import Evidence


class Connectivity(NamedTuple):
    """How the entrants of an event hang together, by their rated results."""

    groups: tuple[tuple[str, ...], ...]
    """Entrants who have met, directly or through others. Between groups ratings cannot be compared."""
    tiers: tuple[tuple[str, ...], ...]
    """Entrants who have all taken something from one another, a win or a tie, directly or through others. Between the
    tiers of one group one side has won everything, so that how far they are apart rests on the prior of the fit."""


def connectivity(evidence: Evidence) -> Connectivity:
    """Return how entrants hang together, groups and tiers in ascending order. Partners share what they take."""
    names = evidence.entrants
    number = {name: index for index, name in enumerate(names)}
    took = np.eye(len(names), dtype=np.bool_)
    met = took.copy()
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds))
    wins = np.bincount(evidence.kind_numbers, weights=evidence.wins, minlength=len(evidence.kinds))
    for kind, some, all_won in zip(evidence.kinds, wins > 0, wins == counts, strict=True):
        for one, other in itertools.product(kind.first, kind.second):
            first, second = number[one], number[other]
            met[first, second] = met[second, first] = True
            took[first, second] |= some
            took[second, first] |= not all_won
    return Connectivity(groups=_mutual(met, names), tiers=_mutual(took, names))


def _mutual(related: NDArray[np.bool_], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the names that are related to one another, directly or through others."""
    reached = related.copy()
    for through in range(len(names)):
        reached |= np.outer(reached[:, through], reached[through])
    both = reached & reached.T
    return tuple(sorted({tuple(name for name, holds in zip(names, row, strict=True) if holds) for row in both}))
