"""What went wrong with the entrants of an event, and who is suspended for it.

All of it is a function of results, so that a run that was killed, and whoever verifies the event, finds the same.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ordago_ladder.results import MatchResult


class Conduct(NamedTuple):
    """What went wrong with an entrant in some matches."""

    decisions: tuple[tuple[str, int], ...] = ()
    """How many decisions were taken for the entrant, by fault; ascending by the fault's short name."""
    matches: tuple[tuple[str, int], ...] = ()
    """How many matches the entrant forfeited, by the fault that each was forfeited for; ascending too."""

    @property
    def faults(self) -> int:
        """The number of decisions that were taken for the entrant."""
        return sum(number for _, number in self.decisions)

    @property
    def forfeits(self) -> int:
        """The number of matches that the entrant forfeited. One with several of its seats counts once."""
        return sum(number for _, number in self.matches)


def conduct_of(entrant: str, results: Iterable[MatchResult]) -> Conduct:
    """Return what went wrong with an entrant."""
    decisions, matches = Counter[str](), Counter[str]()
    for result in results:
        for name, faults in zip(result.entrants, result.faults, strict=True):
            if name == entrant:
                decisions.update(dict(faults))
        forfeit = result.forfeit_of(entrant)
        if forfeit is not None:
            matches[forfeit] += 1
    return Conduct(tuple(sorted(decisions.items())), tuple(sorted(matches.items())))


class Suspension(NamedTuple):
    """Why an entrant is suspended from an event."""

    entrant: str
    forfeits: int
    """The number of matches that the entrant had to forfeit for it."""
    fault: str
    """The short name of the fault of the last of them."""

    @property
    def sentence(self) -> str:
        """The reason in one sentence."""
        return f"suspended after {self.forfeits} forfeited matches"


def suspensions(results: Iterable[MatchResult], *, suspend_after: int) -> dict[str, Suspension]:
    """Return the suspended entrants by name, in the order in which they reached the number of forfeited matches.

    Args:
        results: the results, in the order in which they count.
        suspend_after: the number of forfeited matches that an entrant is suspended with. Zero: nobody is.
    """
    forfeits, suspended = Counter[str](), dict[str, Suspension]()
    for result in results:
        for entrant in result.sides:
            fault = result.forfeit_of(entrant)
            forfeits[entrant] += fault is not None
            if fault is not None and forfeits[entrant] == suspend_after:
                suspended[entrant] = Suspension(entrant, suspend_after, fault)
    return suspended
