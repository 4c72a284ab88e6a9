"""Elo as a share of points, and back: the logistic curve."""

import math
from typing import Final

MOST_ELO: Final = 1_200.0
"""What is told of whoever wins nearly all or nearly nothing: beyond it differences cannot be measured."""
_SCALE: Final = 400 / math.log(10)


def score_of(elo: float) -> float:
    """Return the share of points that is expected of whoever is so much stronger, in points of Elo."""
    return 1 / (1 + math.exp(-elo / _SCALE))


def elo_of(score: float) -> float:
    """Return by how many points of Elo somebody is stronger who takes this share of points, from 0 to 1."""
    if score <= 0 or score >= 1:
        return math.copysign(MOST_ELO, score - 0.5)
    return min(max(_SCALE * math.log(score / (1 - score)), -MOST_ELO), MOST_ELO)
