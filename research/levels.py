"""Measures how far one house bot is from another, in Elo with a 95 % interval, and how long both think.

``python research/levels.py mittlere level-4 level-3 --sets 200`` plays the first bot on each side in turn against the
second on all others, on the same deals. Milliseconds are those of the thread's processor for a decision on average.
"""

import argparse
import time
from collections.abc import Iterator
from math import log10
from random import Random
from statistics import mean, stdev
from typing import Any

from in_process import Player, Table, play, player_of


class Timed:
    """A player that counts its decisions and their time."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.decisions = 0
        self.seconds = 0.0

    def __call__(self, state: Any, rng: Random) -> Any:  # noqa: ANN401 - of the game
        begun = time.thread_time()
        action = self._player(state, rng)
        self.seconds += time.thread_time() - begun
        self.decisions += 1
        return action

    @property
    def ms(self) -> float:
        """Milliseconds for a decision on average."""
        return 1000 * self.seconds / max(1, self.decisions)


def shares(table: Table, first: Player, second: Player, *, sets: int, start: int = 0) -> Iterator[float]:
    """Yield what the first player takes of the points against the others, set by set."""
    for number in range(start, start + sets):
        points = []
        for side in range(len(set(table.sides))):
            seated = [first if of_seat == side else second for of_seat in table.sides]
            scores = play(table, seated, deals=f"set {number}", chance=f"{number} {side}").scores
            own = scores[table.sides.index(side)]
            others = [score for score, of_seat in zip(scores, table.sides, strict=True) if of_seat != side]
            points += [(1 + (own > score) - (own < score)) / 2 for score in others]
        yield mean(points)


def elo(share: float) -> float:
    """Return the Elo of a share of the points."""
    share = min(0.999, max(0.001, share))
    return 400 * log10(share / (1 - share))


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("bots", nargs=2, help="names as in in_process.py")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--start", type=int, default=0, help="number of the first set")
    parser.add_argument("--seats", type=int, default=0, help="players at the table; 0: as in in_process.py")
    parsed = parser.parse_args()
    table = Table.of(parsed.game, seats=parsed.seats)
    first, second = (Timed(player_of(bot, table.game)) for bot in parsed.bots)
    taken = list(shares(table, first, second, sets=parsed.sets, start=parsed.start))
    error = 1.96 * stdev(taken) / parsed.sets**0.5
    low, middle, high = (elo(mean(taken) + shift) for shift in (-error, 0, error))
    print(  # noqa: T201 - what it is for
        f"{parsed.game:9} {parsed.bots[0]:18} {parsed.bots[1]:18} {middle:+.0f} [{low:.0f}, {high:.0f}]  "
        f"{parsed.sets} sets, {first.ms:.1f} and {second.ms:.1f} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()
