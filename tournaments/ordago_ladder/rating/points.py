"""Mean scores of an entrant in the matches of a game, with intervals from the spread of the duplicate sets."""

import math
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from ordago.store import MatchResult
from ordago_ladder.rating.intervals import Interval, student_95
from ordago_ladder.settings.written_values import Value

_FEWEST_SETS: Final = 3
"""With fewer sets their differences say too little for an interval."""
_DEALS: Final = ("deals", "rounds")
"""The options that fix the number of deals of a match."""
_DECIMALS: Final = 9


def deals_of(options: Mapping[str, Value]) -> int | None:
    """Return the number of deals of a match, from its complete options; ``None`` if it ends at a target score."""
    return next((int(options[name]) for name in _DEALS if name in options), None)


def points_per_match(entrant: str, results: Iterable[MatchResult]) -> Interval | None:
    """Return the mean score of an entrant in its matches, with its interval; ``None`` with too few sets for one.

    All matches count with their scores, forfeited ones too.
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
