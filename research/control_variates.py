"""Measures what a control variate gains: the value of a deal to each seat, from the house's own play of the same cards.

``python research/control_variates.py mus solid-4 solid-1 --sets 200`` plays sets of the two bots and, with the same deals,
matches of the house's quickest player in all seats. What the seats had there, less what seats have there on average, is
taken from what the first bot took, times a coefficient that is fitted to the other half of the sets. Printed is the
variance that is left, as a part of what it was: by control variates alone, and by duplicates alone. A half-width is its
square root.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from duplicates import told
from in_process import Table, play, player_of, seatings, sets_of
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_QUICK: Final = "solid-1"
_RESAMPLINGS: Final = 400


class Measured(NamedTuple):
    """A row for each set, a column for each of its seatings."""

    taken: Floats
    """What the first bot took, less its mean over the sets."""
    value: Floats
    """The value of its seat in this deal, likewise."""


def measured(table: Table, bots: Sequence[str], *, sets: int, replays: int) -> Measured:
    """Play sets, and the same deals by the house alone."""
    taken = [[_share(scores) for scores in scored] for scored in sets_of(table, bots, sets=sets)]
    values = [_values(table, number, replays=replays) for number in range(sets)]
    seats = [seating.index(0) for seating in seatings(len(bots))]
    value = np.array(values)[:, seats]
    return Measured(_centred(np.array(taken)), _centred(value))


def _share(scores: Sequence[float]) -> float:
    others = scores[1:]
    return sum((scores[0] > other) + (scores[0] == other) / 2 for other in others) / len(others)


def _centred(numbers: Floats) -> Floats:
    centred: Floats = numbers - numbers.mean(axis=0)
    return centred


def _values(table: Table, number: int, *, replays: int) -> Floats:
    """Return what each side is ahead by, and what it takes, where the house's quickest player plays all of them."""
    players = [player_of(_QUICK, table.game)] * table.seats
    first_seats = [table.sides.index(side) for side in range(len(set(table.sides)))]
    taken = np.zeros(len(first_seats))
    for replay in range(replays):
        scores = play(table, players, deals=f"set {number}", chance=f"{number} replay {replay}").scores
        of_side = [scores[seat] for seat in first_seats]
        taken += [_share([own, *of_side[:side], *of_side[side + 1 :]]) for side, own in enumerate(of_side)]
    return taken / replays


def by_control_variates(found: Measured) -> float:
    """Return the variance left in a match, each half of the sets with the coefficient of the other."""
    halves = np.arange(len(found.taken)) % 2 == 0
    left = 0.0
    for half in (halves, ~halves):
        value, taken = found.value[~half], found.taken[~half]
        coefficient = (value * taken).sum() / max((value**2).sum(), 1e-9)
        left += ((found.taken[half] - coefficient * found.value[half]) ** 2).sum()
    return float(left / (found.taken**2).sum())


def by_duplicates(found: Measured) -> float:
    """Return the variance left in the mean of a set."""
    return float((found.taken.sum(axis=1) ** 2).sum() / (found.taken**2).sum())


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+", help="random, default, solid-WORLDS or solid-WORLDS-NOISE")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--replays", type=int, default=4)
    parsed = parser.parse_args()
    begun = time.process_time()
    table = Table.of(parsed.game)
    bots = [*parsed.bots, *[parsed.bots[-1]] * table.seats][: len(set(table.sides))]
    found = measured(table, bots, sets=parsed.sets, replays=parsed.replays)
    random = np.random.RandomState(1)
    drawn = [random.randint(0, parsed.sets, parsed.sets) for _ in range(_RESAMPLINGS)]
    columns = [f"{parsed.game:9} {' '.join(bots):24}"]
    for name, left in (("control variates", by_control_variates), ("duplicates", by_duplicates)):
        error = np.std([left(Measured(found.taken[rows], found.value[rows])) for rows in drawn])
        columns.append(f"{name} leave {told(left(found), float(error), decimals=2)}")
    unseen = abs(found.value.sum(axis=1)).max()
    columns.append(
        f"of the values duplicates leave {unseen:.2f}  {parsed.sets} sets, {time.process_time() - begun:.0f} s"
    )
    print("  ".join(columns))  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
