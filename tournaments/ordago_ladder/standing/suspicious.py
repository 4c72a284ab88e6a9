"""Pairs of accounts whose results with each other chance does not explain.

Scores are compared with what the ratings expect. The probability of a mean score at least so far from its expectation
is at most exp(-n KL(score, expectation)), with the Kullback-Leibler divergence of two coins (Hoeffding 1963, theorem
1). Unlike a normal approximation, that holds for few matches and uneven pairs. It is averaged over the uncertainty of
the ratings. Forfeits are compared by Fisher's exact test. Holm's method corrects for the number of all tests, and needs
no independence. docs/standing-ladder/suspicious.md says what this finds, and what not.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum, unique
from itertools import combinations, permutations
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.fit import ELO, Floats, logistic
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.standing.ratings.values import CareerResult, StandingRating, StandingRatings
from ordago_ladder.standing.reading.messages import sides_of

LEAST_MEETINGS: Final = 20
"""In fewer matches not even a pair that always loses to each other stands out among some hundreds."""
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
"""Nodes and weights that integrate over a normal distribution."""


@unique
class Comparison(StrEnum):
    """The kind of a test of a pair."""

    AGAINST = "against"
    """The score of the first against the second, which is too high or too low."""
    TOGETHER = "together"
    """The scores of both, as partners or apart, against others at their tables, which are too high."""
    FORFEITS = "forfeits"
    """The forfeits of the first, which are more frequent where the second sits."""


class Suspicion(NamedTuple):
    """The outcome of a test of a pair of accounts."""

    probability: float
    """The probability of an outcome at least so extreme, at most, if ratings and chance explain all."""
    kind: Comparison
    first: str
    second: str
    meetings: int
    """The number of matches in which both sat, and which count in the test."""
    observed: float
    """The mean score, from 0 to 1; of forfeits their share of the meetings."""
    expected: float
    adjusted: float = 1.0
    """The probability after Holm's correction."""


class _Side(NamedTuple):
    owners: frozenset[str]
    placing: int
    strength: float
    variance: float


class _Score(NamedTuple):
    """The score of one side against another, and the difference of strengths on which its expectation depends."""

    score: float
    difference: float
    variance: float


_Scores: TypeAlias = dict[tuple[Comparison, str, str], list[Sequence[_Score]]]
"""The scores of each pair, match by match."""


def suspicious_pairs(
    results: Sequence[CareerResult],
    owners: Mapping[int, str],
    ratings: StandingRatings,
    *,
    rate: float,
    least: int = LEAST_MEETINGS,
) -> list[Suspicion]:
    """Return the pairs that stand out, the least likely first.

    Args:
        results: the rated results of some weeks, in which strengths change little.
        owners: the account of each player; empty for a house bot, which is in no pair.
        ratings: the ratings of the players. A match of one without a rating in its game is left out.
        rate: the probability of any false alarm on an honest ladder, at most.
        least: the matches in which a pair has to have met.
    """
    scores: _Scores = defaultdict(list)
    known = {game: {rating.player: rating for rating in scale.ratings} for game, scale in ratings.games}
    for result in results:
        # A forfeit says nothing about strength, and has a test of its own.
        if not result.forfeits and known.get(result.game, {}).keys() >= set(result.players):
            _add_scores(scores, _sides(result, owners, known[result.game]))
    tested = [_outcome(*pair, seen) for pair, seen in scores.items() if len(seen) >= least]
    tested += _forfeited(results, owners, least)
    return [found for found in _adjusted(tested) if found.adjusted <= rate]


def _adjusted(tested: Sequence[Suspicion]) -> Iterator[Suspicion]:
    largest = 0.0
    for passed, found in enumerate(sorted(tested)):
        largest = max(largest, min(1.0, (len(tested) - passed) * found.probability))
        yield found._replace(adjusted=largest)


def _sides(result: CareerResult, owners: Mapping[int, str], ratings: Mapping[int, StandingRating]) -> Iterator[_Side]:
    seats = sides_of(result.game, len(result.players))
    for side in sorted(set(seats)):
        here = [seat for seat, own in enumerate(seats) if own == side]
        partners = [ratings[result.players[seat]] for seat in here]
        names = frozenset(owners[rating.player] for rating in partners)
        spreads = [rating.half_length / NORMAL_95 / ELO / len(here) for rating in partners]
        strength = sum(rating.elo for rating in partners) / ELO / len(here)
        yield _Side(names, result.placings[here[0]], strength, sum(spread**2 for spread in spreads))


def _add_scores(scores: _Scores, table: Iterable[_Side]) -> None:
    """Add the scores of all pairs at a table."""
    met = list(permutations(table, 2))
    for pair in combinations(sorted({owner for side, _ in met for owner in side.owners if owner}), 2):
        one, other = pair
        against = [_score(*both) for both in met if one in both[0].owners and other in both[1].owners]
        together = [
            _score(*both) for both in met if both[1].owners.isdisjoint(pair) and not both[0].owners.isdisjoint(pair)
        ]
        for kind, found in ((Comparison.AGAINST, against), (Comparison.TOGETHER, together)):
            if found:
                scores[kind, one, other].append(found)


def _score(first: _Side, second: _Side) -> _Score:
    score = (1 + (first.placing < second.placing) - (first.placing > second.placing)) / 2
    return _Score(score, first.strength - second.strength, first.variance + second.variance)


def _outcome(kind: Comparison, first: str, second: str, seen: Sequence[Sequence[_Score]]) -> Suspicion:
    """Return the outcome of a test of scores. Those of one match depend on each other, and count as one."""
    score = float(np.mean([np.mean([each.score for each in match]) for match in seen]))
    each, shares = np.array([one for match in seen for one in match]), [1 / len(match) for match in seen for _ in match]
    shifts = math.sqrt(np.average(each[:, 2], weights=shares)) * _NODES
    expected = np.average(logistic(each[:, 1] + shifts[:, np.newaxis]), axis=1, weights=shares)
    bound = np.exp(-len(seen) * _divergence(score, expected))
    high = float(np.average(np.where(score > expected, bound, 1.0), weights=_WEIGHTS))
    low = float(np.average(np.where(score < expected, bound, 1.0), weights=_WEIGHTS))
    probability = high if kind is Comparison.TOGETHER else min(1.0, 2 * min(high, low))
    return Suspicion(probability, kind, first, second, len(seen), score, float(np.average(expected, weights=_WEIGHTS)))


def _divergence(score: float, expected: Floats) -> Floats:
    """Return the Kullback-Leibler divergence of a coin that falls as a score from those that fall as expected."""
    terms = [share * np.log(share / other) for share, other in ((score, expected), (1 - score, 1 - expected)) if share]
    return np.asarray(sum(terms))


def _forfeited(results: Iterable[CareerResult], owners: Mapping[int, str], least: int) -> Iterator[Suspicion]:
    """Yield the outcomes of the tests of accounts that forfeited at all."""
    played, gone = Counter[str](), Counter[str]()
    met, gone_from = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for result in results:
        seated = {owners[player] for player in result.players} - {""}
        left = {owners[result.players[seat]] for seat in result.forfeits} - {""}
        played.update(seated)
        gone.update(left)
        met.update(permutations(seated, 2))
        gone_from.update(pair for pair in permutations(seated, 2) if pair[0] in left)
    for (one, other), times in met.items():
        if times >= least and gone[one]:
            chance = _at_least(gone_from[one, other], drawn=times, marked=gone[one], total=played[one])
            shares = gone_from[one, other] / times, gone[one] / played[one]
            yield Suspicion(chance, Comparison.FORFEITS, one, other, times, *shares)


def _at_least(count: int, *, drawn: int, marked: int, total: int) -> float:
    """Return the probability that of matches drawn without return at least so many are marked ones."""
    ways = [
        _log_ways(marked, hit) + _log_ways(total - marked, drawn - hit) - _log_ways(total, drawn)
        for hit in range(max(count, drawn + marked - total), min(drawn, marked) + 1)
    ]
    return min(1.0, sum(map(math.exp, ways)))


def _log_ways(of: int, chosen: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(chosen + 1) - math.lgamma(of - chosen + 1)
