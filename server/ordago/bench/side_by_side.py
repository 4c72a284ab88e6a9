"""Runners by themselves, side by side: what each of them costs where others want the same processors and caches.

Two workers of one run are measured on the machine on which they play, and there each has the other one beside it. A
runner that has the machine to itself has the near caches, too, so by that alone it would seem cheaper than they are.
"""

import argparse
import json
from collections.abc import Sequence

from ordago.bench.event import EventRate, played_over_a_network
from ordago.bench.worker import Worker

_MODULE = "ordago.bench.side_by_side"


def measure_side_by_side(game: str, *, repetitions: int, parallel: int, runners: int) -> Sequence[EventRate]:
    """Return how fast some events are played at the same time, each by a runner by itself.

    Args:
        game: the short name of the game.
        repetitions: how often every table of an event plays.
        parallel: how many matches each plays at once.
        runners: how many there are.
    """
    workers = [Worker(_MODULE, game, repetitions, parallel) for _ in range(runners)]
    try:
        return [EventRate(**worker.ready) for worker in workers]
    finally:
        for worker in workers:
            worker.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("repetitions", type=int)
    parser.add_argument("parallel", type=int)
    parsed = parser.parse_args()
    _rate = played_over_a_network(parsed.game, repetitions=parsed.repetitions, parallel=parsed.parallel)
    print(json.dumps(_rate._asdict()), flush=True)  # noqa: T201 - the standard output is how it speaks
