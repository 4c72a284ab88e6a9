"""Pairs of accounts whose results with each other chance does not explain.

Three tests for each pair that met often enough. ``AGAINST`` and ``TOGETHER`` compare scores with what strengths and
seats explain, by the model of the ratings, fitted to all results at once. The chance of a mean score at least so far
from its expectation is at most exp(-n KL(score, expectation)), where KL is the Kullback-Leibler divergence of two coins
(Hoeffding 1963, theorem 1). Unlike a normal approximation that holds for few matches and one-sided pairings. It is
averaged over the uncertainty of the difference of strengths. ``FORFEITS`` is the exact test of Fisher. All of them
together are corrected by Holm's method, which needs no independence. docs/standing-ladder/suspicious.md has more.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum, unique
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.fit import ELO, SEAT_SPREAD, Floats, logistic
from ordago_ladder.standing.ratings.evidence import Meetings, evidence_of, meetings
from ordago_ladder.standing.ratings.posterior import Beginning, Posterior
from ordago_ladder.standing.ratings.values import CareerResult, Counted

LEAST_MEETINGS: Final = 20
"""With fewer matches not even a pair that always loses to each other stands out among a hundred."""
_SPREAD: Final = 350 / ELO
"""The spread of strengths before results, as in the ratings."""
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)
"""Nodes and weights that integrate over a normal distribution."""


@unique
class Test(StrEnum):
    """A test of a pair."""

    AGAINST = "against"
    """The score of the first against the second is too high or too low."""
    TOGETHER = "together"
    """The scores of both against the others at their tables, or as partners, are too high."""
    FORFEITS = "forfeits"
    """The first forfeits more often where the second sits than elsewhere."""


class Suspicion(NamedTuple):
    """A pair, and the outcome of a test."""

    first: str
    second: str
    test: Test
    meetings: int
    """The number of matches in which both sat."""
    observed: float
    """The mean score, from 0 to 1; of forfeits their share of the meetings."""
    expected: float
    probability: float
    """The probability of an outcome at least so extreme, if strengths and chance explain all."""
    adjusted: float
    """The same after Holm's correction for the number of all tests."""


class _Score(NamedTuple):
    """The score of a pair in a match."""

    score: float
    expected: float
    variance: float
    """The variance of the difference of strengths on which the expectation depends, in units of the fit."""


_Scores: TypeAlias = dict[tuple[Test, str, str], list[_Score]]


def suspicious_pairs(
    results: Iterable[CareerResult], owners: Mapping[int, str], *, rate: float, least: int = LEAST_MEETINGS
) -> list[Suspicion]:
    """Return the pairs that stand out, the least likely first.

    Args:
        results: the rated results in which strengths are taken for constant: those of some weeks.
        owners: the account of each player; empty for a house bot, which is in no pair.
        rate: the probability of one false alarm or more on an honest ladder, at most.
        least: the matches in which a pair has to have met.
    """
    all_results = list(results)
    tested = [*_scored(all_results, owners, least), *_forfeited(all_results, owners, least)]
    return [found for found in _adjusted(tested) if found.adjusted <= rate]


def _adjusted(tested: Sequence[Suspicion]) -> Iterator[Suspicion]:
    """Yield the outcomes of all tests, the least likely first, corrected by Holm's method."""
    largest = 0.0
    for passed, found in enumerate(sorted(tested, key=lambda found: (found.probability, found))):
        largest = max(largest, min(1.0, (len(tested) - passed) * found.probability))
        yield found._replace(adjusted=largest)


def _scored(results: Sequence[CareerResult], owners: Mapping[int, str], least: int) -> Iterator[Suspicion]:
    """Yield the outcomes of the tests of scores. Matches with forfeits count in the other test alone."""
    forms: defaultdict[tuple[str, int], list[Counted]] = defaultdict(list)
    for result in results:
        if not result.forfeits:
            forms[result.game, len(result.players)].append(Counted(result, frozenset()))
    scores: _Scores = defaultdict(list)
    for game in sorted({game for game, _ in forms}):
        found = [meetings(alike) for (played, _), alike in sorted(forms.items()) if played == game]
        posterior = _fitted([met for form in found for met in form])
        for form in found:
            _add_scores(scores, form, posterior, owners)
    for (test, first, second), seen in scores.items():
        if len(seen) >= least:
            yield _outcome(test, first, second, seen)


def _fitted(found: Sequence[Meetings]) -> Posterior:
    """Return the strengths and seat effects in a game."""
    evidence = evidence_of(found)
    spreads = {int: _SPREAD, tuple: SEAT_SPREAD}
    return (
        Posterior.of_nothing()
        .joined([Beginning(key, 0.0, spreads[type(key)] ** 2) for key in evidence.keys])
        .after(evidence)
    )


def _add_scores(scores: _Scores, form: Sequence[Meetings], posterior: Posterior, owners: Mapping[int, str]) -> None:
    """Add the scores of the pairs at the tables of one form."""
    expected = [_expected(met, posterior) for met in form]
    for row in range(len(form[0].wins)):
        table = [
            (
                _owners(met.first[row], owners),
                _owners(met.second[row], owners),
                float(met.wins[row]),
                *map(float, own[:, row]),
            )
            for met, own in zip(form, expected, strict=True)
        ]
        seated = sorted({owner for first, second, *_ in table for owner in (*first, *second) if owner})
        for pair in combinations(seated, 2):
            for test, sides in ((Test.AGAINST, _against(table, *pair)), (Test.TOGETHER, _together(table, pair))):
                if sides:
                    scores[test, *pair].append(_Score(*np.mean(sides, axis=0).tolist()))


_Side: TypeAlias = tuple[frozenset[str], frozenset[str], float, float, float]
"""The owners of two sides, the score of the first, its expectation, and the variance of the difference of strengths."""


def _owners(players: Iterable[int], owners: Mapping[int, str]) -> frozenset[str]:
    return frozenset(owners[int(player)] for player in players)


def _against(table: Sequence[_Side], one: str, other: str) -> list[_Score]:
    """Return the scores of one owner against another at a table."""
    found = [_Score(*side[2:]) for side in table if one in side[0] and other in side[1]]
    return found + [_turned(side) for side in table if other in side[0] and one in side[1]]


def _together(table: Sequence[_Side], pair: Sequence[str]) -> list[_Score]:
    """Return the scores of two owners against sides without them."""
    found = [_Score(*side[2:]) for side in table if not side[0].isdisjoint(pair) and side[1].isdisjoint(pair)]
    return found + [_turned(side) for side in table if side[0].isdisjoint(pair) and not side[1].isdisjoint(pair)]


def _turned(side: _Side) -> _Score:
    return _Score(1 - side[2], 1 - side[3], side[4])


def _expected(met: Meetings, posterior: Posterior) -> Floats:
    """Return the expected score of each pairing, and the variance of the difference of strengths: two rows."""
    players = np.concatenate([met.first, met.second], axis=1)
    keys = [[*row, *met.seats] for row in players.tolist()]
    places = np.array([[posterior.places[key] for key in row] for row in keys], dtype=np.int64)
    first, second = met.first.shape[1], met.second.shape[1]
    shares = np.array([1 / first] * first + [-1 / second] * second + [1.0, -1.0])
    covariances = posterior.covariance[places[:, :, np.newaxis], places[:, np.newaxis, :]]
    return np.array([logistic(posterior.mean[places] @ shares), np.einsum("i,nij,j->n", shares, covariances, shares)])


def _outcome(test: Test, first: str, second: str, seen: Sequence[_Score]) -> Suspicion:
    scores, expected, variances = np.array(seen).T
    chances = np.clip(expected, 1e-9, 1 - 1e-9)
    shifts = math.sqrt(float(variances.mean())) * _NODES
    shifted = logistic(np.log(chances / (1 - chances)) + shifts[:, np.newaxis]).mean(axis=1)
    score = float(scores.mean())
    bound = np.exp(-len(seen) * _divergence(score, shifted))
    high = float(_WEIGHTS @ np.where(score > shifted, bound, 1.0) / _WEIGHTS.sum())
    low = float(_WEIGHTS @ np.where(score < shifted, bound, 1.0) / _WEIGHTS.sum())
    probability = min(1.0, high if test is Test.TOGETHER else 2 * min(high, low))
    return Suspicion(first, second, test, len(seen), score, float(expected.mean()), probability, 1.0)


def _divergence(score: float, expected: Floats) -> Floats:
    """Return the Kullback-Leibler divergence of a coin that falls as a score from coins that fall as expected."""
    found = np.zeros_like(expected)
    for share, other in ((score, expected), (1 - score, 1 - expected)):
        if share > 0:
            found += share * np.log(share / other)
    return found


def _forfeited(results: Iterable[CareerResult], owners: Mapping[int, str], least: int) -> Iterator[Suspicion]:
    """Yield the outcomes of the tests of forfeits, of those who forfeited at all."""
    played: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    gone: Counter[str] = Counter()
    gone_from: Counter[tuple[str, str]] = Counter()
    for result in results:
        seated = {owners[player] for player in result.players} - {""}
        left = {owners[result.players[seat]] for seat in result.forfeits} - {""}
        pairs = [(one, other) for one in seated for other in seated if one != other]
        played.update(seated)
        met.update(pairs)
        gone.update(left)
        gone_from.update(pair for pair in pairs if pair[0] in left)
    for (one, other), meetings_ in met.items():
        if meetings_ >= least and gone[one]:
            left_there = gone_from[one, other]
            chance = _at_least(left_there, of=meetings_, marked=gone[one], total=played[one])
            share, usual = left_there / meetings_, gone[one] / played[one]
            yield Suspicion(one, other, Test.FORFEITS, meetings_, share, usual, chance, 1.0)


def _at_least(count: int, *, of: int, marked: int, total: int) -> float:
    """Return the probability that of some matches drawn from all at least so many are marked ones."""
    ways = sum(
        math.comb(marked, hit) * math.comb(total - marked, of - hit) for hit in range(count, min(of, marked) + 1)
    )
    return ways / math.comb(total, of)
