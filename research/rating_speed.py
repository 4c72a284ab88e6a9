"""Measures how long ratings take, and how much memory, for as many results as are asked for.

``python research/rating_speed.py`` makes a million pairings, as those of a round robin of 40 entrants at tables of three:
all six seatings of 55,556 duplicate sets, 18 pairings in each. It prints how long it takes to count them and to fit
them, to know how exact the ratings are, and to fit 1,000 resamplings of the sets, which the ladder does not need.
Before that come the results of matches that the pairings are made of, as a store gives them.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ordago_bench.ratings import PAIRINGS_OF_A_SET, names_of, results
from ordago_ladder.rating.rating import connectivity
from ordago_ladder.rating.dispersion import scatter_of
from ordago_ladder.rating.fit import evidence_of, fit, refit
from ordago_ladder.rating.results import pairings
from ordago_ladder.rating.uncertainty import uncertainty_of


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long something takes, and the most memory that was ever used."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    seconds = f"{time.perf_counter() - wall:7.2f} s, {time.process_time() - processor:7.2f} s of a processor"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:34} {seconds}, {memory:5.0f} MB", flush=True)  # noqa: T201 - it is a command


def main() -> None:
    """Measure, and print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairings", type=int, default=1_000_000, help="how many (default: %(default)s)")
    parser.add_argument("--entrants", type=int, default=40, help="how many (default: %(default)s)")
    parser.add_argument("--resamplings", type=int, default=1_000, help="how many (default: %(default)s)")
    arguments = parser.parse_args()
    with timed("results, made up"):
        played = list(results(entrants=arguments.entrants, sets=-(-arguments.pairings // PAIRINGS_OF_A_SET)))
    with timed(f"pairings of {len(played):,} results"):
        found = list(pairings(played))
    del played
    with timed(f"evidence of {len(found):,} pairings"):
        evidence = evidence_of(found, entrants=names_of(arguments.entrants))
    del found
    with timed(f"fit of {len(evidence.kinds):,} kinds"):
        point = fit(evidence)
    with timed("dispersion"):
        scatter = scatter_of(evidence)
    with timed("intervals"):
        uncertainty_of(evidence, point, scatter)
        connectivity(evidence)
    with timed(f"{arguments.resamplings:,} resamplings"):
        refit(evidence, point, resamplings=arguments.resamplings, seed=0)


if __name__ == "__main__":
    main()
