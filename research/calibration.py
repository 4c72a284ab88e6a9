"""Measures how well a house bot's inference knows the cards it does not see, beside deals that are drawn evenly.

``python research/calibration.py taihe --matches 10`` lets ``solid-4`` play, and at some decisions draws deals. It prints
the bits that they give to the true holder of each card of the others, evenly and weighted: the fewer, the better.
"""

import argparse
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from math import log2
from random import Random
from statistics import mean, stdev
from typing import Any

from in_process import Table, play, player_of

from ordago.cards import cards_in

_DRAWN = 400
_PART_OF_DECISIONS = 0.15


def bits_at(table: Table, likelihood: Any, state: Any, rng: Random) -> Iterator[tuple[float, float]]:  # noqa: ANN401
    """Yield the bits of each card that another seat holds and that is not known, evenly and weighted."""
    view = state.view(state.actor)
    drawn = list(islice(table.game.possible_states(view, rng=rng), _DRAWN))
    chance = likelihood(view)
    weights = [chance(each) for each in drawn]
    for seat in {*range(table.seats)} - {state.actor}:
        for card in cards_in(state.hands[seat]):
            shares = [
                sum(weight for each, weight in zip(drawn, by, strict=True) if each.hands[seat] >> card & 1) / sum(by)
                for by in ([1.0] * _DRAWN, weights)
            ]
            if shares[0] < 1:
                even, weighted = (-log2((share * _DRAWN + 0.5) / (_DRAWN + 1)) for share in shares)
                yield even, weighted


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("mitaines", "taihe"), help="a game with a likelihood")
    parser.add_argument("--matches", type=int, default=10)
    parsed = parser.parse_args()
    table, rng = Table.of(parsed.game), Random(5)
    likelihood = import_module(f"ordago_bot.house.{parsed.game}_likelihood").Likelihood
    solid = player_of("solid-4", table.game)
    found: list[tuple[float, float]] = []

    def observed(state: Any, chance: Random) -> Any:  # noqa: ANN401 - of the game
        if rng.random() < _PART_OF_DECISIONS:
            found.extend(bits_at(table, likelihood, state, rng))
        return solid(state, chance)

    gains = []
    for number in range(parsed.matches):
        before = len(found)
        play(table, [observed] * table.seats, deals=f"calibration {number}", chance=f"{number}")
        gains.append(mean(even - weighted for even, weighted in found[before:]))
    even, weighted = (mean(pair[place] for pair in found) for place in (0, 1))
    error = 1.96 * stdev(gains) / len(gains) ** 0.5
    print(  # noqa: T201 - what it is for
        f"{parsed.game}: {even:.3f} bits evenly, {weighted:.3f} weighted, "
        f"gain {even - weighted:.3f} ± {error:.3f}; {len(found)} cards in {parsed.matches} matches"
    )


if __name__ == "__main__":
    main()
