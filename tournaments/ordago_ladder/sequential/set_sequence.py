"""Sequence of the sets of a comparison, in the order of the schedule whatever the order in which matches end.

A set counts only when all sets before it are over. If sets counted as they end, a bot that plays slowly when it loses
could keep its losses out of the test. So the decision is a function of the matches alone, whatever their order and
however many are played at once.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from ordago.record import Result
from ordago_ladder.sequential.hypotheses import Conclusion, Hypotheses
from ordago_ladder.sequential.likelihood import SetScores

SETS_IN_A_ROW: Final = 5
"""A bot that forfeits a match in this many successive sets is broken: the test would compare nothing."""


class Finished(NamedTuple):
    """A finished match."""

    entrants: tuple[str, ...]
    """The bot at each seat."""
    result: Result

    @property
    def names(self) -> tuple[str, ...]:
        """The bots at the table, each once, in order of seats."""
        return tuple(dict.fromkeys(self.entrants))

    def points_of(self, candidate: str) -> Fraction:
        """Return the candidate's share of the points against the others at the table, from 0 to 1.

        Against each of them it is 1 for a better placing, 1/2 for the same, 0 for a worse one. A bot that forfeits
        loses to those that do not. Every match counts: no bot can take a bad deal out of the test by forfeiting it.
        """
        gone = self.result.forfeiters(self.entrants)
        rank = {name: (name in gone, self._placing(name, gone)) for name in self.names}
        own, others = rank[candidate], [rank[name] for name in self.names if name != candidate]
        half_points = sum(1 + (own < other) - (own > other) for other in others)
        return Fraction(half_points, 2 * len(others))

    def _placing(self, name: str, gone: dict[str, str]) -> int:
        # Bots that forfeited tie: the default answers taken for them say nothing about strength.
        return 0 if name in gone else self.result.placings[self.entrants.index(name)]


class SetPlayed(NamedTuple):
    """The state of a comparison after a set."""

    number: int
    """The number of sets that count so far, including this one."""
    score: Fraction
    """The candidate's share of the points in this set."""
    ratio: float
    """The log likelihood ratio after this set; 0 without hypotheses."""


class SetSequence:
    """The progress of a comparison: its set scores, its faults, and its conclusion."""

    def __init__(
        self, names: Sequence[str], *, matches_in_set: int, most_sets: int, hypotheses: Hypotheses | None = None
    ) -> None:
        """Begin without matches.

        Args:
            names: the bots; the candidate is the first.
            matches_in_set: the number of matches in a set.
            most_sets: the number of sets at which the comparison ends in any case.
            hypotheses: the hypotheses to test; ``None`` plays all sets.
        """
        self.names = tuple(names)
        self.hypotheses = hypotheses
        self.most_sets = most_sets
        self.scores = SetScores()
        self.ratio = 0.0
        self.forfeits = Counter[str]()
        """The number of matches that each bot forfeited."""
        self.faults = Counter[str]()
        """The number of decisions taken for each bot."""
        self.broken: str | None = None
        """The bot that forfeited in ``SETS_IN_A_ROW`` successive sets; ``None`` without one."""
        self._matches_in_set = matches_in_set
        self._waiting: dict[int, list[Finished]] = {}
        self._in_a_row = Counter[str]()

    @property
    def conclusion(self) -> Conclusion:
        """The conclusion of the test so far."""
        if self.hypotheses is None or self.broken is not None:
            return Conclusion.UNDECIDED
        return self.hypotheses.conclusion(self.ratio)

    @property
    def sets(self) -> int:
        """The number of sets that count."""
        return self.scores.sets

    @property
    def matches(self) -> int:
        """The number of matches that count."""
        return self.sets * self._matches_in_set

    @property
    def over(self) -> bool:
        """True once no more sets are needed."""
        return self.conclusion is not Conclusion.UNDECIDED or self.sets == self.most_sets or self.broken is not None

    def add(self, number: int, match: Finished) -> Iterator[SetPlayed]:
        """Add a match of a set, numbered from 0. Yield the sets that count now; none once the comparison is over."""
        self._waiting.setdefault(number, []).append(match)
        while not self.over and len(self._waiting.get(self.sets, ())) == self._matches_in_set:
            yield self._count(self._waiting.pop(self.sets))

    def _count(self, matches: Sequence[Finished]) -> SetPlayed:
        score = sum((match.points_of(self.names[0]) for match in matches), Fraction(0)) / len(matches)
        self.scores.add(score)
        self._count_faults(matches)
        if self.hypotheses is not None:
            self.ratio = self.scores.log_likelihood_ratio(*self.hypotheses.scores)
        return SetPlayed(self.sets, score, self.ratio)

    def _count_faults(self, matches: Sequence[Finished]) -> None:
        gone = Counter(name for match in matches for name in match.result.forfeiters(match.entrants))
        self.forfeits += gone
        for match in matches:
            for name, faults in zip(match.entrants, match.result.faults, strict=True):
                self.faults[name] += sum(fault.decisions for fault in faults)
        self._in_a_row = Counter({name: self._in_a_row[name] + 1 for name in gone})
        self.broken = next((name for name in self.names if self._in_a_row[name] == SETS_IN_A_ROW), None)
