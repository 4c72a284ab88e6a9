"""Points at a table: what its sets are worth to each entrant against each of its opponents."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ordago.store import MatchResult
from ordago_ladder.schedule.meetings import comparisons
from ordago_ladder.settings.settings import Settings


class Share(NamedTuple):
    """The outcome of a match for an entrant against one opponent. All shares of an entrant at a table weigh 1."""

    game: str
    entrant: str
    opponent: str
    weight: Fraction
    points: Fraction
    """The whole weight for a win, half of it for a tie."""


def shares_of(played: Sequence[MatchResult], settings: Settings) -> Iterator[Share]:
    """Yield the shares of all tables of a round.

    Whoever beats all opponents in all matches of its table makes one point, however many matches and opponents there
    are; a tie counts half.

    Args:
        played: all matches of the round. Tables are told apart by game and entrants.
        settings: the event.
    """
    sizes = Counter(table_key(result) for result in played)
    sides = {game.name: game.sides for game in settings.games}
    for result in played:
        game, found = result.planned.game, list(comparisons(result, sides[result.planned.game]))
        opponents = Counter(name for one in found for name in one[:2])
        for one in found:
            half_points = {one.first: one.half_points, one.second: 2 - one.half_points}
            for entrant, opponent in ((one.first, one.second), (one.second, one.first)):
                weight = Fraction(1, opponents[entrant] * sizes[table_key(result)])
                yield Share(game, entrant, opponent, weight, weight * half_points[entrant] / 2)


def table_key(result: MatchResult) -> tuple[str, tuple[str, ...]]:
    """Return the game and the entrants of a match, whatever their seats."""
    return result.planned.game, tuple(sorted(set(result.planned.entrants)))
