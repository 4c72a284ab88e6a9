"""Measures whether an analysis tells weak play from strong: what the choices of bots of known order cost by it.

``python research/choice_costs.py mus --matches 6`` plays the same deals by the house with more and more noise in all
seats, and analyses each match. Printed is for each noise how many choices are like those of the analysis, and what a
choice costs on average, with the standard error over the matches. ``--house 16 --worlds 64`` has the house think in 16
worlds and judges it in 64.
"""

import argparse
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from statistics import mean, stdev

from in_process import OPTIONS, Table

from ordago_bot.house.analysis import WORLDS, Judgement, opinions
from ordago_bot.house.solid import SolidBot
from ordago_bot.house.weighing import Unit
from ordago_bot.local import play_locally

NOISES = (0, 10, 20, 50, 100)


def judged(game: str, *, house: int, noise: int, matches: int, worlds: int) -> Iterator[list[Judgement]]:
    """Play matches, and yield the judgements on each, of choices that are counted in what the game is won by."""
    bots = [partial(SolidBot, worlds=house, noise=noise)] * Table.of(game).seats
    # The seatings of a set are the same deals, and the bots are all alike: one of them is enough.
    played_all = play_locally(bots, game, options=OPTIONS.get(game, {}), matches=matches * len(bots))
    for played in islice(played_all, 0, None, len(bots)):
        found = opinions(played.record, worlds=worlds)
        yield [each for each in found if isinstance(each, Judgement) and each.unit is not Unit.HAND]


def main() -> None:
    """Measure, and print a line for each noise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=6)
    parser.add_argument("--house", type=int, default=4, help="the worlds of the house")
    parser.add_argument("--worlds", type=int, default=WORLDS, help="the worlds of the analysis")
    parser.add_argument("--noise", type=int, action="append", help="per cent; may be given several times")
    parsed = parser.parse_args()
    for noise in parsed.noise or NOISES:
        begun = time.process_time()
        found = list(judged(parsed.game, house=parsed.house, noise=noise, matches=parsed.matches, worlds=parsed.worlds))
        costs = [mean(each.cost for each in match) for match in found]
        choices = [each for match in found for each in match]
        columns = (
            f"{parsed.game:9} house {parsed.house} noise {noise:3} %",
            f"{sum(each.like_the_house for each in choices):5} of {len(choices):5} like the house",
            f"{sum(each.dear for each in choices):5} dear",
            f"cost {mean(costs):.4f} ± {stdev(costs) / len(costs) ** 0.5:.4f} {choices[0].unit.value}",
            f"{time.process_time() - begun:.0f} s",
        )
        print("  ".join(columns), flush=True)  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
