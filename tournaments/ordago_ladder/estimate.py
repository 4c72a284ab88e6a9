"""What an event will take and what it will tell, before anybody has played."""

import math
from typing import Final, NamedTuple

from ordago_ladder.fit import ELO
from ordago_ladder.schedule import lives_needed, seating_count, set_count
from ordago_ladder.settings import GameSettings, Settings

_NORMAL_95 = 1.96
_MOST_MATCHES: Final = 100_000
"""As many as are held in memory, and verified, in minutes."""
_LARGE: Final = 10**15
_MOST_TABLES: Final = 30_000
"""Which of them plays next is searched among all, for each of them."""


class Estimate(NamedTuple):
    """The figures of an event that is planned."""

    matches: int
    sets: int
    """The number of duplicate sets. Without duplicates each match is one."""
    lives: int
    """The number of processes that each entrant needs."""
    processes: int
    """The number of processes of all entrants together."""
    elo_error: float
    """Half the length of the 95 % interval of an overall rating, in Elo, were all entrants equally strong."""
    seconds: float | None
    """How long the event takes; ``None`` where no speed was given."""


def estimate(settings: Settings, *, matches_per_second: float | None = None) -> Estimate:
    """Return the figures of an event.

    Args:
        settings: the event.
        matches_per_second: how many matches are completed in a second, all that run at once counted.
    """
    matches = match_count(settings)
    lives = lives_needed(settings)
    return Estimate(
        matches=matches,
        sets=sum(set_count(settings, game) for game in settings.games) if settings.event.duplicates else matches,
        lives=lives,
        processes=lives * len(settings.entrants),
        elo_error=elo_error(settings),
        seconds=None if matches_per_second is None else matches / matches_per_second,
    )


def match_count(settings: Settings) -> int:
    """Return the number of matches of an event."""
    return sum(set_count(settings, game) * seating_count(_side_count(game)) for game in settings.games)


def size_problem(settings: Settings) -> str | None:
    """Return why an event is too large for its schedule to be made, in one sentence; ``None`` where it is not."""
    matches = match_count(settings)
    if matches > _MOST_MATCHES:
        return f"this event has {_written(matches)} matches, and {_MOST_MATCHES:,} are the most; make it smaller"
    entrants = len(settings.entrants)
    tables = max(math.comb(entrants, _side_count(game)) for game in settings.games)
    if tables > _MOST_TABLES:
        return f"{entrants} entrants make {_written(tables)} tables, and {_MOST_TABLES:,} are the most; make it smaller"
    return None


def _written(number: int) -> str:
    return f"{number:,}" if number < _LARGE else "far too many"


def elo_error(settings: Settings) -> float:
    """Return half the length of the 95 % interval of an overall rating, in Elo, were all entrants equally strong.

    At equal strength a pairing bears the information 1/4, and every two entrants meet equally often, so that the
    variance of a strength has a closed form. The pairings of one table are not independent, though: among n sides the
    number that a side leaves behind is spread evenly over 0 to n - 1, which has (n + 1) / 3 times the variance of as
    many independent pairings. What duplicates save is not counted, since it depends on the game; nor are ties, which
    make the error smaller too.
    """
    entrants = len(settings.entrants)
    information = variance = 0.0
    for game in settings.games:
        sides = _side_count(game)
        sets_of_two = set_count(settings, game) * math.comb(sides, 2) / math.comb(entrants, 2)
        borne = sets_of_two * seating_count(sides) / 4
        information += borne
        variance += borne * (sides + 1) / 3
    return _NORMAL_95 * ELO * math.sqrt(variance * (entrants - 1)) / (information * entrants)


def _side_count(game: GameSettings) -> int:
    return len(set(game.sides))
