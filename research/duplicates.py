"""Measures by how much duplicates reduce the variance of what one bot takes from another, in points of the ladder.

``python research/duplicates.py mus solid-4 solid-1 --sets 400`` plays sets in one process. It prints what the first bot
takes from the others at the table, by how much it is ahead of them, and the variance of what it takes as a part of what
it would be with other deals in each seating. Where a table has more sides than bots are named, the last takes the rest.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from statistics import mean, stdev

from in_process import Table, seatings, sets_of

from ordago_ladder.rating.results import Kind, Pairing
from ordago_ladder.rating.variance import variance_ratio


def pairings_of(game: str, played: Sequence[Sequence[tuple[float, ...]]]) -> Iterator[Pairing]:
    """Yield what each match of some sets says of the first bot and each of the others."""
    for number, scored in enumerate(played):
        for seating, scores in zip(seatings(len(scored[0])), scored, strict=True):
            for other in range(1, len(scores)):
                half_points = 1 + (scores[0] > scores[other]) - (scores[0] < scores[other])
                sides = seating.index(0), seating.index(other)
                yield Pairing(Kind(game, ("0",), (f"{other}",), *sides), f"{number}", half_points, rated=True)


def lead(scored: Sequence[tuple[float, ...]]) -> float:
    """Return by how much the first bot was ahead of the mean of the others, on average over a set."""
    return mean(scores[0] - mean(scores[1:]) for scores in scored)


def told(number: float, error: float, *, decimals: int) -> str:
    """Return a number with its standard error."""
    return f"{number:.{decimals}f} ± {error:.{decimals}f}"


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+", help="random, default, seer, solid-WORLDS or solid-WORLDS-NOISE")
    parser.add_argument("--sets", type=int, default=200)
    parsed = parser.parse_args()
    table = Table.of(parsed.game)
    bots = [*parsed.bots, *[parsed.bots[-1]] * table.seats][: len(set(table.sides))]
    begun = time.process_time()
    played = list(sets_of(table, bots, sets=parsed.sets))
    found = list(pairings_of(parsed.game, played))
    left, leads, per_set = variance_ratio(found), [lead(scored) for scored in played], len(found) // parsed.sets
    shares = [
        sum(pairing.half_points for pairing in found[start : start + per_set]) / (2 * per_set)
        for start in range(0, len(found), per_set)
    ]
    columns = (
        f"{parsed.game:9} {' '.join(bots):24}",
        f"takes {told(100 * mean(shares), 100 * stdev(shares) / parsed.sets**0.5, decimals=1)} %",
        f"ahead by {told(mean(leads), stdev(leads) / parsed.sets**0.5, decimals=2)}",
        f"variance left {told(left.ratio, left.standard_error, decimals=2) if left else 'unknown'}",
        f"{parsed.sets} sets, {time.process_time() - begun:.0f} s",
    )
    print("  ".join(columns))  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
