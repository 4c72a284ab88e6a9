"""Scores and faults of players in a season, counted result by result."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from ordago.store.ladder.rows import LadderResult


class Tally(NamedTuple):
    """Sums over the matches of a player, in one game or in all."""

    matches: int = 0
    scored: int = 0
    """The sum of its scores."""
    deals: int | None = 0
    """The number of deals; ``None`` if some match had no fixed number."""
    faults: int = 0
    """The number of decisions that were taken for it because of its faults."""
    forfeits: int = 0
    """The number of its seats that were forfeited."""

    def with_match(self, scored: int, *, deals: int | None, faults: int, forfeits: int) -> "Tally":
        """Return the tally with one more match."""
        all_deals = None if self.deals is None or deals is None else self.deals + deals
        return Tally(self.matches + 1, self.scored + scored, all_deals, self.faults + faults, self.forfeits + forfeits)


Tallies: TypeAlias = Mapping[tuple[str | None, int], Tally]
"""The tallies of a season, by game (``None``: all games together) and number of the player."""

_NOTHING = Tally()


class SeasonTallies:
    """Counters over the results of a season, which may come in any order."""

    def __init__(self, deals_of: Callable[[int, str], int | None]) -> None:
        """Begin without results.

        Args:
            deals_of: returns the number of deals of a match, by epoch and game; ``None`` if it is not fixed.
        """
        self._deals_of = deals_of
        self._counted: dict[tuple[str | None, int], Tally] = {}

    def add(self, result: LadderResult) -> None:
        """Count a result."""
        game, deals = result.seating.game, self._deals_of(result.seating.epoch, result.seating.game)
        for seat, player in enumerate(result.seating.players):
            faults = sum(fault.decisions for fault in result.result.faults[seat])
            forfeits = sum(forfeit.seat == seat for forfeit in result.result.forfeits)
            for key in ((game, player), (None, player)):
                self._counted[key] = self._counted.get(key, _NOTHING).with_match(
                    result.result.scores[seat], deals=deals, faults=faults, forfeits=forfeits
                )

    def tallies(self) -> Tallies:
        """Return the current tallies."""
        return dict(self._counted)
