"""Faults, forfeits and broken rules of entrants, and the suspensions that follow.

All of it is a function of results, so that a resumed run and a verification find the same.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ordago.record import Result
from ordago.record.ledgers.event import SuspensionEntry
from ordago.store import MatchResult


class Conduct(NamedTuple):
    """Faults, forfeits and broken rules of an entrant in some matches."""

    decisions: tuple[tuple[str, int], ...] = ()
    """The number of decisions taken for the entrant by fault, ascending by the short name of the fault."""
    matches: tuple[tuple[str, int], ...] = ()
    """The number of matches that the entrant forfeited, by the fault that caused it; ascending too."""
    broken_rules: tuple[tuple[str, int], ...] = ()
    """The number of refused answers, by the short name of the rule that each broke; ascending too."""

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
    """Count the faults, forfeits and broken rules of an entrant."""
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
    """The suspension of an entrant from an event, with its reason."""

    entrant: str
    forfeits: int
    """The number of forfeited matches that leads to a suspension."""
    fault: str
    """The short name of the fault of the last of them."""

    @property
    def sentence(self) -> str:
        """The reason in one sentence."""
        return f"suspended after {self.forfeits} forfeited matches"

    @property
    def entry(self) -> SuspensionEntry:
        """The entry of the ledger."""
        return SuspensionEntry(entrant=self.entrant, fault=self.fault, sentence=self.sentence)


def suspended_by(results: Iterable[MatchResult], *, suspend_after: int) -> frozenset[str]:
    """Return the entrants that are suspended by these results, whatever their order."""
    suspensions = Suspensions(suspend_after=suspend_after)
    for played in results:
        suspensions.count(played.planned.entrants, played.result)
    return suspensions.names


class Suspensions:
    """Counts of forfeited matches, and the suspensions that follow from them."""

    def __init__(self, *, suspend_after: int) -> None:
        """Begin without suspensions. An entrant is suspended after this many forfeited matches; with 0 none ever is."""
        self._suspend_after = suspend_after
        self._forfeits = Counter[str]()
        self._suspended: list[Suspension] = []

    @property
    def suspended(self) -> tuple[Suspension, ...]:
        """The suspensions so far, oldest first."""
        return tuple(self._suspended)

    @property
    def names(self) -> frozenset[str]:
        """The names of the suspended entrants."""
        return frozenset(suspension.entrant for suspension in self._suspended)

    def copy(self) -> "Suspensions":
        """Return an independent copy, to be counted on."""
        other = Suspensions(suspend_after=self._suspend_after)
        other._forfeits, other._suspended = self._forfeits.copy(), self._suspended.copy()
        return other

    def count(self, entrants: Sequence[str], result: Result) -> list[Suspension]:
        """Count a match with these entrants by seat. Return the suspensions that it causes."""
        new = []
        for entrant, fault in result.forfeiters(entrants).items():
            self._forfeits[entrant] += 1
            if self._forfeits[entrant] == self._suspend_after:
                new.append(Suspension(entrant, self._suspend_after, fault))
        self._suspended += new
        return new
