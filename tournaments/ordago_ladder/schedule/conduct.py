"""What went wrong with the entrants of an event, and who is suspended for it.

All of it is a function of results, so that a run that was killed, and whoever verifies the event, finds the same.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ordago.record import Result
from ordago.record.ledgers.event import SuspensionEntry
from ordago.store import MatchResult


class Conduct(NamedTuple):
    """What went wrong with an entrant in some matches."""

    decisions: tuple[tuple[str, int], ...] = ()
    """How many decisions were taken for the entrant, by fault; ascending by the fault's short name."""
    matches: tuple[tuple[str, int], ...] = ()
    """How many matches the entrant forfeited, by the fault that each was forfeited for; ascending too."""
    broken_rules: tuple[tuple[str, int], ...] = ()
    """How many answers of the entrant were refused, by the short name of the rule that each broke; ascending too."""

    @property
    def faults(self) -> int:
        """The number of decisions that were taken for the entrant."""
        return sum(number for _, number in self.decisions)

    @property
    def forfeits(self) -> int:
        """The number of matches that the entrant forfeited. One with several of its seats counts once."""
        return sum(number for _, number in self.matches)

    @property
    def strikes(self) -> int:
        """The number of answers of the entrant that were refused."""
        return sum(number for _, number in self.broken_rules)


def conduct_of(entrant: str, results: Iterable[MatchResult]) -> Conduct:
    """Return what went wrong with an entrant."""
    decisions, matches, broken_rules = Counter[str](), Counter[str](), Counter[str]()
    for played in results:
        result = played.result
        for name, faults, strikes in zip(played.planned.entrants, result.faults, result.strikes, strict=True):
            if name == entrant:
                decisions.update(dict(faults))
                broken_rules.update(dict(strikes))
        forfeit = played.forfeit_of(entrant)
        if forfeit is not None:
            matches[forfeit] += 1
    return Conduct(*(tuple(sorted(counter.items())) for counter in (decisions, matches, broken_rules)))


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

    @property
    def entry(self) -> SuspensionEntry:
        """What the ledger tells of it."""
        return SuspensionEntry(entrant=self.entrant, fault=self.fault, sentence=self.sentence)


class Suspensions:
    """Counts the matches that entrants forfeit, and says who is suspended for it."""

    def __init__(self, *, suspend_after: int) -> None:
        """Begin with nobody. With this many forfeited matches an entrant is suspended; with zero nobody ever is."""
        self._suspend_after = suspend_after
        self._forfeits = Counter[str]()
        self._suspended: list[Suspension] = []

    @property
    def suspended(self) -> tuple[Suspension, ...]:
        """Who is suspended, in the order in which it came to that."""
        return tuple(self._suspended)

    def count(self, entrants: Sequence[str], result: Result) -> list[Suspension]:
        """Count a match with these entrants by seat. Return who is suspended by it."""
        new = []
        for entrant, fault in result.forfeiters(entrants).items():
            self._forfeits[entrant] += 1
            if self._forfeits[entrant] == self._suspend_after:
                new.append(Suspension(entrant, self._suspend_after, fault))
        self._suspended += new
        return new
