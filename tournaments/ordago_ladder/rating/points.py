"""What an entrant scores in a match of a game, and in a deal, with intervals over the duplicate sets."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from ordago.store import MatchResult
from ordago_ladder.rating.intervals import Interval, student_95
from ordago_ladder.settings.written_values import Value

_FEWEST_SETS: Final = 3
"""With fewer nothing is known of how much sets differ."""
_DEALS: Final = ("deals", "rounds")
"""The options that say how many deals a match has."""
_DECIMALS: Final = 9


def deals_of(options: Mapping[str, Value]) -> int | None:
    """Return how many deals a match with these options has, which are complete; ``None`` where it ends with a score."""
    return next((int(options[name]) for name in _DEALS if name in options), None)


def points_per_match(entrant: str, results: Iterable[MatchResult]) -> Interval | None:
    """Return what an entrant scored in the mean of his matches; ``None`` with too few sets to say how exact that is.

    All matches count, with what was scored in them, forfeits too.
    """
    sets: dict[str, list[int]] = {}
    for played in sorted(results):
        sets.setdefault(played.planned.set_key, []).append(played.score(entrant))
    if len(sets) < _FEWEST_SETS:
        return None
    matches = sum(map(len, sets.values()))
    mean = sum(map(sum, sets.values())) / matches
    squares = math.fsum((sum(scores) - mean * len(scores)) ** 2 for scores in sets.values())
    deviation = math.sqrt(squares * len(sets) / (len(sets) - 1)) / matches
    half_length = float(student_95(np.array(len(sets) - 1.0))) * deviation
    return Interval(*(round(value, _DECIMALS) for value in (mean, mean - half_length, mean + half_length)))
