"""Measures ratings over time on simulated careers whose strengths are known.

``python research/careers.py`` simulates fields of each kind over 26 weeks, in which a bot plays some 20 or 80 pairings a
week. After every fourth week it looks at the ratings that each method gives to those who played in that week, and
prints: how far they are off, in the mean; how often 95 % intervals held the truth; how long these are, to either side;
and the logarithmic loss in predicting who is placed before whom in the next week, in thousandths above that of whoever
knows the strengths. The last column is the processor's time for a field.

``--by-kind`` prints a line for each kind of field.
"""

import argparse
import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.fit import ELO, SEAT_SPREAD, STRENGTH_SPREAD
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings import Assumptions, CareerResult, Careers, StandingRating
from ordago_ladder.standing.ratings.posterior import Beginning, Posterior
from ordago_ladder.standing.ratings.evidence import evidence_of
from ordago_ladder.standing.ratings.evidence import meetings
from ordago_ladder.standing.ratings.values import Counted
from ordago_bench.simulated.careers import (
    BEGAN,
    HOUSE,
    KINDS,
    WEEKS,
    Field,
    simulated_field,
    simulated_week,
)

DAY: Final = 24 * 60 * 60
LOOKED_AT: Final = range(3, WEEKS - 1, 4)


class Span(NamedTuple):
    """A rating with its interval."""

    elo: float
    low: float
    high: float


Weeks: TypeAlias = Sequence[Sequence[CareerResult]]
Method: TypeAlias = Callable[[Field, Weeks], Iterator[Mapping[int, Span]]]
"""What gives ratings after each week that is looked at."""


def carried(assumptions: Assumptions) -> Method:
    """Return the method of the standing ladder."""

    def method(field: Field, weeks: Weeks) -> Iterator[Mapping[int, Span]]:
        careers = Careers(anchors=HOUSE, assumptions=assumptions)
        careers.enter(career.player for career in field)
        for week, results in enumerate(weeks):
            careers.add(results)
            if week in LOOKED_AT:
                yield _spans(careers.ratings().overall.ratings)

    return method


def windowed(length: int) -> Method:
    """Return a fit of the last weeks alone, within which strengths are constant."""

    def method(field: Field, weeks: Weeks) -> Iterator[Mapping[int, Span]]:
        for week in LOOKED_AT:
            careers = Careers(anchors=HOUSE, assumptions=Assumptions(slice_seconds=BEGAN, leap=100))
            careers.enter(career.player for career in field)
            careers.add(itertools.chain(*weeks[max(0, week + 1 - length) : week + 1]))
            yield _spans(careers.ratings().overall.ratings)

    return method


def whole_history(*, walk: float, leap: float) -> Method:
    """Return one fit of all weeks at once: strengths of each week, which hang together by a random walk."""

    def method(field: Field, weeks: Weeks) -> Iterator[Mapping[int, Span]]:
        for week in LOOKED_AT:
            yield _smoothed(field, weeks[: week + 1], walk=walk, leap=leap)

    return method


def _smoothed(field: Field, weeks: Weeks, *, walk: float, leap: float) -> Mapping[int, Span]:
    newest: dict[int, int] = {}
    beginnings: list[Beginning] = []
    found: list[Counted] = []
    centre = (float(np.mean(list(HOUSE.values()))) - ANCHOR) / ELO
    players = {career.player.player: career.player for career in field}
    seen: dict[int, int] = {}
    for week, results in enumerate(weeks):
        for player in sorted({player for result in results for player in result.players}):
            row, key = players[player], player * WEEKS + week
            before = newest.get(player, newest.get(row.predecessor or 0))
            if row.house:
                beginnings.append(Beginning(key, (HOUSE[row.name] - ANCHOR) / ELO, 0.0))
            elif before is None:
                beginnings.append(Beginning(key, centre, STRENGTH_SPREAD**2))
            else:
                spread = walk * math.sqrt(week - seen[player]) if player in seen else leap
                beginnings.append(Beginning(key, 0.0, (spread / ELO) ** 2, before))
            newest[player], seen[player] = key, week
        for result in results:
            keys = tuple(player * WEEKS + week for player in result.players)
            found.append(Counted(result._replace(players=keys), frozenset()))
    evidence = evidence_of(meetings(found))
    seats = [Beginning(key, 0.0, SEAT_SPREAD**2) for key in evidence.keys if not isinstance(key, int)]
    posterior = Posterior.of_nothing().joined([*beginnings, *seats]).after(evidence)
    return {player: _span_at(posterior, posterior.places[key]) for player, key in newest.items()}


def _span_at(posterior: Posterior, place: int) -> Span:
    elo = ANCHOR + ELO * float(posterior.mean[place])
    half_length = 1.96 * ELO * math.sqrt(posterior.covariance[place, place])
    return Span(elo, elo - half_length, elo + half_length)


def _spans(ratings: Iterable[StandingRating]) -> Mapping[int, Span]:
    return {rating.player: Span(rating.elo, rating.low, rating.high) for rating in ratings}


def _carried(*, days: int = 7, walk: float = 15, drift: float = 10, leap: float = 100) -> Method:
    """Return the method of the standing ladder, with the changes of a week spread over slices."""
    weeks = days / 7
    assumptions = Assumptions(
        slice_seconds=days * DAY,
        walk=walk * math.sqrt(weeks),
        drift=drift * math.sqrt(weeks),
        leap=leap,
        absence=round(12 / weeks),
    )
    return carried(assumptions)


METHODS: Final[Mapping[str, Method]] = {
    "carried": _carried(),
    "window of 4 weeks": windowed(4),
    "window of 12 weeks": windowed(12),
    "never changing": _carried(walk=0, drift=0),
    "whole history, no drift": whole_history(walk=15, leap=100),
    **{f"carried, drift {drift}": _carried(drift=drift) for drift in (0, 5, 20)},
    **{f"carried, walk {walk}": _carried(walk=walk) for walk in (5, 10, 20, 30)},
    **{f"carried, leap {leap}": _carried(leap=leap) for leap in (25, 50, 200, 800)},
    **{f"carried, days {days}": _carried(days=days) for days in (1, 3, 28)},
}


class Found(NamedTuple):
    """What was found of a method in a field."""

    error: float
    held: float
    half_length: float
    loss: float
    seconds: float


def measured(method: Method, field: Field, weeks: Weeks) -> Found:
    """Return how good a method is in a field."""
    truths = {career.player.player: career for career in field}
    begun = time.process_time()
    told = list(method(field, weeks))
    seconds = time.process_time() - begun
    errors, held, lengths, losses = [], [], [], []
    for week, spans in zip(LOOKED_AT, told, strict=True):
        for player, span in spans.items():
            career = truths[player]
            if week in career.strengths and not career.player.house:
                errors.append(abs(span.elo - career.strengths[week]))
                held.append(span.low <= career.strengths[week] <= span.high)
                lengths.append((span.high - span.low) / 2)
        strengths = {number: career.strengths.get(week + 1, 0.0) for number, career in truths.items()}
        elos = {number: span.elo for number, span in spans.items()}
        losses += list(_losses(weeks[week + 1], _begun(elos, field), strengths))
    return Found(*(float(np.mean(values)) for values in (errors, held, lengths, losses)), seconds)


def _begun(elos: Mapping[int, float], field: Field) -> Mapping[int, float]:
    """Return ratings of all, where a new version is taken for as strong as the one before."""
    known = dict(elos)
    for player in sorted((career.player for career in field), key=lambda player: player.player):
        if player.player not in known:
            known[player.player] = known.get(player.predecessor or 0, ANCHOR)
    return known


def _losses(
    results: Iterable[CareerResult], elos: Mapping[int, float], strengths: Mapping[int, float]
) -> Iterator[float]:
    for result in results:
        for (one, place), (other, behind) in itertools.combinations(
            zip(result.players, result.placings, strict=True), 2
        ):
            sign = 1 if place < behind else -1
            lost, least = (
                math.log1p(math.exp(-sign * (known[one] - known[other]) / ELO)) for known in (elos, strengths)
            )
            yield 1000 * (lost - least)


def simulated(kind: str, *, matches: int, seed: int) -> tuple[Field, Weeks]:
    """Return a field and its weeks."""
    field = simulated_field(kind, seed=seed)
    return field, [list(simulated_week(field, week, matches=matches, seed=seed)) for week in range(WEEKS)]


def main() -> None:
    """Measure, and print a line for each method, or for each method and kind of field."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fields", type=int, default=5, help="of each kind (default: %(default)s)")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS, help="only these (default: all)")
    parser.add_argument("--matches", type=int, nargs="+", default=(70, 280), help="a week (default: 70 280)")
    parser.add_argument("--by-kind", action="store_true", help="a line for each kind of field")
    arguments = parser.parse_args()
    print(f"{'':38} matches  error   held     ±   loss  seconds")  # noqa: T201 - it is a command
    for matches in arguments.matches:
        seeds = range(arguments.fields)
        fields = {kind: [simulated(kind, matches=matches, seed=seed) for seed in seeds] for kind in KINDS}
        for name in arguments.methods:
            found = {kind: [measured(METHODS[name], *field) for field in fields[kind]] for kind in KINDS}
            lines = found if arguments.by_kind else {"": list(itertools.chain(*found.values()))}
            for kind, each in lines.items():
                _print(f"{name:25} {kind:12} {matches:7}", Found(*np.mean(each, axis=0).tolist()))


def _print(begin: str, mean: Found) -> None:
    figures = f"{mean.error:5.1f}  {mean.held:5.1%} {mean.half_length:5.0f}  {mean.loss:5.2f}  {mean.seconds:7.2f}"
    print(f"{begin}  {figures}", flush=True)  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
