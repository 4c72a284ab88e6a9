"""What players score in a season, and what goes wrong with them: counted result by result, beside their ratings."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from ordago.store.ladder.rows import LadderResult


class Tally(NamedTuple):
    """What came of the matches of a player, in a game or in all."""

    matches: int = 0
    scored: int = 0
    """The sum of its scores."""
    deals: int | None = 0
    """How many deals these were; ``None`` where some match had no fixed number."""
    faults: int = 0
    """How many decisions were taken for it because of its faults."""
    forfeits: int = 0
    """How many seats of it were forfeited."""

    def with_match(self, scored: int, *, deals: int | None, faults: int, forfeits: int) -> "Tally":
        """Return the tally with a further match."""
        all_deals = None if self.deals is None or deals is None else self.deals + deals
        return Tally(self.matches + 1, self.scored + scored, all_deals, self.faults + faults, self.forfeits + forfeits)


Tallies: TypeAlias = Mapping[tuple[str | None, int], Tally]
"""The tallies of a season, by game, ``None`` for all games together, and number of the player."""

_NOTHING = Tally()


class SeasonTallies:
    """Counts the results of a season, in whatever order they come."""

    def __init__(self, deals_of: Callable[[int, str], int | None]) -> None:
        """Begin without results.

        Args:
            deals_of: tells how many deals the matches of an epoch have in a game; ``None`` where that is not fixed.
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
        """Return what is counted by now."""
        return dict(self._counted)
