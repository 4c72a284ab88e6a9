"""Prints how often sequential tests err, how many sets they take, and what their estimates are worth.

``python research/sequential_errors.py`` plays tests of candidates of known strength, for set scores that are spread in
several ways, and compares them with tests of a fixed size that have the same errors.
"""

import argparse
from typing import Final

from ordago_ladder.sequential.hypotheses import Hypotheses
from ordago_bench.simulated.comparisons import Figures, Shape, simulate

SHAPES: Final = (
    # Two seatings without ties, as in Mus: the deals decide most sets.
    Shape("mus, 3 values", (30, 40, 30)),
    Shape("pairs with ties, 5 values", (5, 20, 50, 20, 5)),
    # Six seatings and two opponents, as in Mittlere.
    Shape("three sides, 25 values", tuple((n + 1) * (25 - n) for n in range(25))),
    Shape("lopsided, 5 values", (40, 5, 10, 5, 40)),
)
HYPOTHESES: Final = (Hypotheses(0, 100), Hypotheses(0, 50), Hypotheses(0, 20))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=1_000, help="how many tests each line stands for")
    parser.add_argument("--seed", type=int, default=0, help="where chance begins")
    arguments = parser.parse_args()
    print(f"{'set scores':26}  elo0 elo1 truth  errors   sets  fixed ratio covered  above")  # noqa: T201 - its purpose
    for hypotheses in HYPOTHESES:
        for shape in SHAPES:
            for elo in (hypotheses.elo0, (hypotheses.elo0 + hypotheses.elo1) / 2, hypotheses.elo1):
                found = simulate(shape, hypotheses, elo=elo, runs=arguments.runs, seed=arguments.seed)
                print(_line(shape, hypotheses, elo, found), flush=True)  # noqa: T201 - as above


def _line(shape: Shape, hypotheses: Hypotheses, elo: float, found: Figures) -> str:
    errors = f"{found.errors:6.1%}" if elo in hypotheses[:2] else "     –"
    tested = f"{hypotheses.elo0:5g}{hypotheses.elo1:5g}{elo:6g}  {errors}"
    saved = f"{found.sets:7.0f}{found.fixed_sets:7d}{found.sets / found.fixed_sets:6.2f}"
    return f"{shape.name:26} {tested}{saved}  {found.coverage:6.1%} {found.above:6.1%}"


if __name__ == "__main__":
    main()
