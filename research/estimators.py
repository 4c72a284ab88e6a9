"""Compares ways to estimate strengths, in simulated events of six entrants whose strengths are known.

``python research/estimators.py`` draws strengths from a normal distribution and simulates events. For each spread of
the strengths, number of sets and size of tables it prints a line: the root mean square error of the ladder's ratings,
the slope of estimates on truths (above 1: differences are blown up; below: played down), how many 95 % intervals held
the truth, how sure *above next* was and how often it was right, by how many thousandths of a logarithm left-out sets
are predicted worse than by the truth, and the errors of others: of a fixed prior of 800 points
(as good as none, so what Ordo does), of two virtual draws against everybody (BayesElo), and of packages, where they are
installed: ``pip install choix openskill trueskill glicko2``. TrueSkill and openskill, which have a scale of their own,
are given the factor to Elo that suits each line best, which nobody knows in an actual event. In the end come the cells
in which another one is nearer by more than 2 %, and how often *above next* was right.
"""

import argparse
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.fit import ELO, Floats
from ordago_ladder.rating.rating import ANCHOR, Ratings, rate
from ordago_ladder.rating.results import Kind, Pairing
from ordago_ladder.rating.spreads import Spreads
from ordago_bench.simulated.events import EventSort, simulated

ENTRANTS: Final = 6
FIXED: Final = Spreads(strengths=800, seats=200, wide=800)
FREE: Final = Spreads(strengths=2000, seats=0.01, wide=2000)
"""Hardly any prior, and no seat effects, as in BayesElo beside its virtual draws."""


class Found(NamedTuple):
    """The ladder of one event, compared with the truth."""

    squared_error: float
    slope: tuple[float, float]
    """The products of estimates and truths, and of truths with themselves."""
    held: float
    """The share of intervals that hold the truth."""
    said: float
    """The mean likelihood that *above next* gives."""
    true: float
    """The share of cases in which the upper one is better."""
    neighbours: tuple[tuple[float, bool], ...]
    """For each two neighbours the likelihood that *above next* gives, and whether the upper one is better."""
    loss: float
    """The mean logarithmic loss of predicting left-out sets, less that of the true strengths."""


def sort_of(strengths: Floats, *, sides: int) -> EventSort:
    """Return the event of these strengths."""
    return EventSort(name="random", strengths=tuple(strengths.tolist()), sides=sides)


def found(ratings: Ratings, sort: EventSort, left_out: Sequence[Pairing]) -> Found:
    """Compare the ladder with the truth, and with left-out results."""
    truth_of = sort.strength_of
    mean = sum(share * truth_of[rating.entrant] for rating, share in zip(ratings.ratings, ratings.shares, strict=True))
    truths = np.array([truth_of[rating.entrant] - mean for rating in ratings.ratings])
    elos = np.array([rating.elo - ANCHOR for rating in ratings.ratings])
    lengths = np.array([rating.half_length for rating in ratings.ratings])
    sure = [rating.above_next for rating in ratings.ratings[:-1] if rating.above_next is not None]
    estimates, middle = elos - elos.mean(), truths - truths.mean()
    better = (truths[:-1] > truths[1:]).tolist()
    elo_of = {rating.entrant: rating.elo for rating in ratings.ratings}
    return Found(
        squared_error=float(np.mean((estimates - middle) ** 2)),
        slope=(float(estimates @ middle), float(middle @ middle)),
        held=float(np.mean(np.abs(elos - truths) <= lengths)),
        said=float(np.mean(sure)),
        true=float(np.mean(better)),
        neighbours=tuple(
            (rating.above_next, right)
            for rating, right in zip(ratings.ratings[:-1], better, strict=True)
            if rating.above_next is not None
        ),
        loss=_loss(left_out, elo_of) - _loss(left_out, truth_of),
    )


def _loss(pairings: Sequence[Pairing], elo_of: Mapping[str, float]) -> float:
    """Return the mean logarithmic loss of predicting pairings by these strengths."""
    differences = np.array([elo_of[one.kind.first[0]] - elo_of[one.kind.second[0]] for one in pairings]) / ELO
    shares = np.array([pairing.half_points for pairing in pairings]) / 2
    return float(np.mean(np.logaddexp(0, differences) - shares * differences))


def by_ladder(pairings: Sequence[Pairing], names: str, spreads: Spreads | None = None) -> Floats:
    """Return the ladder's strengths in Elo, in the order of the names."""
    elo_of = {rating.entrant: rating.elo for rating in rate(pairings, entrants=names, spreads=spreads).ratings}
    return np.array([elo_of[name] for name in names])


def by_virtual_draws(pairings: Sequence[Pairing], names: str) -> Floats:
    """Return strengths with two draws added between every two entrants, as BayesElo does."""
    draws = [
        Pairing(Kind("game", (one,), (other,), 0, 1), f"draw {one}{other}{number}", 1, rated=True)
        for one, other in itertools.combinations(names, 2)
        for number in range(2)
    ]
    return by_ladder([*pairings, *draws], names, FREE)


def wins_of(pairings: Sequence[Pairing], names: str) -> list[tuple[int, int]]:
    """Return winner and loser of each pairing that was no tie."""
    ordered = [(pairing.kind.first[0], pairing.kind.second[0], pairing.half_points) for pairing in pairings]
    return [
        (names.index(one), names.index(other)) if half_points == 2 else (names.index(other), names.index(one))
        for one, other, half_points in ordered
        if half_points != 1
    ]


def by_choix(pairings: Sequence[Pairing], names: str) -> Floats:
    """Return the strengths of choix, with the little regularisation that its documentation proposes."""
    import choix

    return ELO * np.asarray(choix.opt_pairwise(len(names), wins_of(pairings, names), alpha=0.01))


def by_openskill(pairings: Sequence[Pairing], names: str) -> Floats:
    """Return the strengths of openskill, Plackett-Luce."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    players = [model.rating() for _ in names]
    for winner, loser in wins_of(pairings, names):
        [players[winner]], [players[loser]] = model.rate([[players[winner]], [players[loser]]])
    return np.array([player.mu for player in players])


def by_trueskill(pairings: Sequence[Pairing], names: str) -> Floats:
    """Return the strengths of TrueSkill."""
    import trueskill

    players = [trueskill.Rating() for _ in names]
    for winner, loser in wins_of(pairings, names):
        players[winner], players[loser] = trueskill.rate_1vs1(players[winner], players[loser])
    return np.array([player.mu for player in players])


def by_glicko(pairings: Sequence[Pairing], names: str) -> Floats:
    """Return the ratings of Glicko-2, all in one rating period."""
    import glicko2

    players = [glicko2.Player() for _ in names]
    before = [(player.rating, player.rd) for player in players]
    met: list[list[tuple[float, float, int]]] = [[] for _ in names]
    for winner, loser in wins_of(pairings, names):
        met[winner].append((*before[loser], 1))
        met[loser].append((*before[winner], 0))
    for player, games in ((player, games) for player, games in zip(players, met, strict=True) if games):
        # Who loses hundreds of games in one period is beyond the numbers of the package, and stays where it was.
        with suppress(OverflowError):
            player.update_player(*map(list, zip(*games, strict=True)))
    return np.array([player.rating for player in players])


Estimate: TypeAlias = tuple[str, Callable[[Sequence[Pairing], str], Floats]]
"""The package that it needs, or nothing, and a function that returns strengths."""
OTHERS: Final[Mapping[str, Estimate]] = {
    "fixed": ("", lambda pairings, names: by_ladder(pairings, names, FIXED)),
    "draws": ("", by_virtual_draws),
    "choix": ("choix", by_choix),
    "openskill": ("openskill", by_openskill),
    "trueskill": ("trueskill", by_trueskill),
    "glicko2": ("glicko2", by_glicko),
}
_LEFT_OUT: Final = 30
"""The sets of each entrant that are predicted."""
_STEPS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.001)
"""The steps of *above next* for which it is counted how often it was right."""
_AS_GOOD: Final = 1.02
"""The ratio of errors up to which two estimates count as equally near."""
OWN_SCALE: Final = ("openskill", "trueskill")


class Cell:
    """Events of one spread, number of sets and size of tables."""

    def __init__(self, *, sides: int, spread: float, sets: int, events: int, others: Mapping[str, Estimate]) -> None:
        """Simulate them, and estimate."""
        self.found: list[Found] = []
        self.others: dict[str, tuple[list[Floats], list[Floats]]] = {}
        for seed in range(events):
            strengths = np.random.RandomState(1000 * sets + seed).normal(0, spread, size=ENTRANTS)
            sort = sort_of(strengths, sides=sides)
            pairings = simulated(sort, sets_of_each=sets, seed=seed)
            left_out = simulated(sort, sets_of_each=_LEFT_OUT, seed=events + seed)
            self.found.append(found(rate(pairings, entrants=sort.names), sort, left_out))
            for name, (package, estimate) in others.items():
                if not package or find_spec(package):
                    estimates, truths = self.others.setdefault(name, ([], []))
                    estimates.append(_centred(estimate(pairings, sort.names)))
                    truths.append(_centred(strengths))

    @property
    def error(self) -> float:
        """The error of the ladder."""
        return math.sqrt(np.mean([one.squared_error for one in self.found]))

    def nearest(self) -> tuple[str, float]:
        """Return the other estimate with the least error, and that error."""
        return min(((name, self._error(name)) for name in self.others), key=lambda one: one[1], default=("", math.inf))

    def line(self) -> str:
        """Return what was found, as a line."""
        found, error = self.found, self.error
        slope = sum(one.slope[0] for one in found) / sum(one.slope[1] for one in found)
        means = [float(np.mean([getattr(one, name) for one in found])) for name in ("held", "said", "true")]
        others = "  ".join(f"{name} {self._error(name):.0f}" for name in self.others)
        loss = 1000 * np.mean([one.loss for one in found])
        return f"{error:4.0f}  {slope:5.2f}  {means[0]:5.1%}  {means[1]:4.0%} {means[2]:4.0%} {loss:5.0f}   {others}"

    def _error(self, name: str) -> float:
        estimates, truths = (np.array(values) for values in self.others[name])
        factor = (estimates * truths).sum() / (estimates**2).sum() if name in OWN_SCALE else 1.0
        return math.sqrt(np.mean((factor * estimates - truths) ** 2))


def calibration(neighbours: Sequence[tuple[float, bool]]) -> str:
    """Return how likely *above next* said, and how often it was right, in steps, with the number of cases."""
    cells = []
    for least, most in itertools.pairwise(_STEPS):
        some = [(said, right) for said, right in neighbours if least <= said < most]
        said, true = np.mean(some, axis=0) if some else (0, 0)
        cells.append(f"{said:4.0%} {true:4.0%} {len(some):5}" if some else " " * 15)
    return "   ".join(cells)


def _centred(values: Floats) -> Floats:
    centred: Floats = values - values.mean()
    return centred


def main() -> None:
    """Compare, and print a line for each cell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100, help="of each cell (default: %(default)s)")
    parser.add_argument("--sets", type=int, nargs="+", default=[2, 5, 10, 30, 100], help="of each entrant")
    parser.add_argument("--spreads", type=float, nargs="+", default=[60, 150, 300, 600], help="of the strengths")
    parser.add_argument("--sides", type=int, nargs="+", default=[2, 3, 4, 5], help="of each table")
    parser.add_argument("--alone", action="store_true", help="leave out the estimates of others")
    arguments = parser.parse_args()
    others = {} if arguments.alone else OTHERS
    neighbours: defaultdict[tuple[int, int], list[tuple[float, bool]]] = defaultdict(list)
    beaten = []
    print("sides spread sets  RMSE  slope   held  said true  loss   RMSE of others")  # noqa: T201 - it is a command
    for sides, spread, sets in itertools.product(arguments.sides, arguments.spreads, arguments.sets):
        cell = Cell(sides=sides, spread=spread, sets=sets, events=arguments.events, others=others)
        neighbours[sides, sets] += [pair for found in cell.found for pair in found.neighbours]
        name, error = cell.nearest()
        if cell.error > _AS_GOOD * error:
            beaten.append(f"{sides:5} {spread:6.0f} {sets:4}  {cell.error:4.0f}  {name} {error:.0f}")
        print(f"{sides:5} {spread:6.0f} {sets:4}  {cell.line()}", flush=True)  # noqa: T201 - it is a command
    print("sides spread sets  RMSE  a nearer one", *beaten, sep="\n")  # noqa: T201 - it is a command
    print("sides sets  above next: said, true, cases")  # noqa: T201 - it is a command
    for (sides, sets), pairs in neighbours.items():
        print(f"{sides:5} {sets:4}  {calibration(pairs)}")  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
