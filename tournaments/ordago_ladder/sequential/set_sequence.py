"""From matches, in whatever order they end, to what is known after each set, in the order of the schedule.

A test may end only after a set when all sets before it are over, too. If it took the sets as they end, whoever plays
slowly when he loses could keep his losses out of it. So what is decided is a function of the matches alone, whatever
their order and however many are played at once.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from ordago.record import Result
from ordago_ladder.sequential.hypotheses import Conclusion, Hypotheses
from ordago_ladder.sequential.likelihood import SetScores

SETS_IN_A_ROW: Final = 5
"""Whoever forfeits a match in so many sets, one after the other, is broken: such a test compares nothing."""


class Finished(NamedTuple):
    """A match that is over."""

    entrants: tuple[str, ...]
    """The bot at each seat."""
    result: Result

    @property
    def names(self) -> tuple[str, ...]:
        """The bots at the table, each once."""
        return tuple(dict.fromkeys(self.entrants))

    def points_of(self, candidate: str) -> Fraction:
        """Return the candidate's share of the points against the others at the table, from 0 to 1.

        Against each of them it is 1 for a better placing, 1/2 for the same, 0 for a worse one; who forfeits has lost to
        those who do not. Every match counts: nobody can take a bad deal out of the test by forfeiting it.
        """
        gone = self.result.forfeiters(self.entrants)
        rank = {name: (name in gone, self._placing(name, gone)) for name in self.names}
        own, others = rank[candidate], [rank[name] for name in self.names if name != candidate]
        half_points = sum(1 + (own < other) - (own > other) for other in others)
        return Fraction(half_points, 2 * len(others))

    def _placing(self, name: str, gone: dict[str, str]) -> int:
        # Those who forfeited share the last place: the default answers that were taken for them compare nothing.
        return 0 if name in gone else self.result.placings[self.entrants.index(name)]


class SetPlayed(NamedTuple):
    """What is known after a set."""

    number: int
    """How many sets count so far, this one too."""
    score: Fraction
    """The candidate's share of the points in this set."""
    ratio: float
    """The logarithm of the likelihood ratio after it; 0 without hypotheses."""


class SetSequence:
    """How far a comparison has come: what its sets say, and whether it is over."""

    def __init__(
        self, names: Sequence[str], *, matches_in_set: int, most_sets: int, hypotheses: Hypotheses | None = None
    ) -> None:
        """Begin it.

        Args:
            names: the bots; the candidate is the first.
            matches_in_set: how many matches a set has.
            most_sets: with so many sets it is over.
            hypotheses: what is tested; ``None``: all sets are played.
        """
        self.names = tuple(names)
        self.hypotheses = hypotheses
        self.most_sets = most_sets
        self.scores = SetScores()
        self.ratio = 0.0
        self.forfeits = Counter[str]()
        """How many matches each bot has forfeited."""
        self.faults = Counter[str]()
        """How many decisions were taken for each bot."""
        self.broken: str | None = None
        """The bot that forfeits again and again."""
        self._matches_in_set = matches_in_set
        self._waiting: dict[int, list[Finished]] = {}
        self._in_a_row = Counter[str]()

    @property
    def conclusion(self) -> Conclusion:
        """What came of the test so far."""
        if self.hypotheses is None or self.broken is not None:
            return Conclusion.UNDECIDED
        return self.hypotheses.conclusion(self.ratio)

    @property
    def sets(self) -> int:
        """How many sets count."""
        return self.scores.sets

    @property
    def matches(self) -> int:
        """How many matches count."""
        return self.sets * self._matches_in_set

    @property
    def over(self) -> bool:
        """Whether no more sets are needed."""
        return self.conclusion is not Conclusion.UNDECIDED or self.sets == self.most_sets or self.broken is not None

    def add(self, number: int, match: Finished) -> Iterator[SetPlayed]:
        """Take a match of a set, by the set's number from 0. Yield the sets that count now; after the last, none do."""
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
