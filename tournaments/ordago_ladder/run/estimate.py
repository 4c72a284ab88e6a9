"""Estimates of an event before it is played: its size, duration and precision."""

import math
from typing import NamedTuple

from ordago_ladder.rating.fit import ELO
from ordago_ladder.schedule.counts import fewest_matches, match_count, set_counts
from ordago_ladder.schedule.process_slots import processes_at_once, slots_needed
from ordago_ladder.schedule.tables import seating_count
from ordago_ladder.settings.settings import Settings

_NORMAL_95 = 1.96
"""Half the length of a 95 % interval, in standard deviations of a normal distribution."""


class Estimate(NamedTuple):
    """The figures of a planned event: upper bounds if results decide when it ends."""

    matches: int
    fewest_matches: int
    """The number of matches at least; the same unless results decide when the event ends."""
    sets: int
    """The number of duplicate sets. Without duplicates each match counts as one."""
    process_slots: int
    """The number of process slots of each entrant."""
    processes: int
    """The number of processes of all entrants that run at once."""
    elo_error: float
    """Half the length of the 95 % interval of an overall rating, in Elo, if all entrants were equally strong."""
    seconds: float | None
    """The duration of the event; ``None`` if no speed was given."""


def estimate(settings: Settings, *, matches_per_second: float | None = None) -> Estimate:
    """Return the figures of an event.

    Args:
        settings: the event.
        matches_per_second: the number of matches completed in a second, all parallel ones together.
    """
    matches = match_count(settings)
    return Estimate(
        matches=matches,
        fewest_matches=fewest_matches(settings),
        sets=_sets(settings),
        process_slots=slots_needed(settings),
        processes=processes_at_once(settings),
        elo_error=elo_error(settings),
        seconds=None if matches_per_second is None else matches / matches_per_second,
    )


def _sets(settings: Settings) -> int:
    counts = set_counts(settings)
    return sum(
        counts[game.name] * (1 if settings.has_duplicates(game) else seating_count(game.table_size))
        for game in settings.games
    )


def elo_error(settings: Settings) -> float:
    """Return half the length of the 95 % interval of an overall rating, in Elo, if all entrants were equally strong.

    At equal strength a pairing carries the information 1/4, and any two entrants meet equally often, so the variance
    of a strength has a closed form. The pairings of one table are not independent, though: among n sides, the number of
    sides that one of them beats is uniform over 0 to n - 1, which has (n + 1) / 3 times the variance of as many
    independent pairings. A mixed pair tells half as much about each partner as about the pair. The gain from duplicates
    depends on the game and is ignored, and so are ties; both make the error smaller. In a gauntlet, where every table
    has a newcomer, the ratings of newcomers are more precise than this, and those of the field less.
    """
    entrants = len(settings.entrants)
    information = variance = 0.0
    for game in settings.games:
        sides = len(set(game.sides))
        sets_of_two = set_counts(settings)[game.name] * math.comb(sides, 2) / math.comb(entrants, 2)
        borne = sets_of_two * seating_count(game.table_size) / (8 if game.mixed else 4)
        information += borne
        variance += borne * (sides + 1) / 3
    return _NORMAL_95 * ELO * math.sqrt(variance * (entrants - 1)) / (information * entrants)
