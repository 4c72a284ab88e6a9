"""Inference of hidden cards: imagined deals weighted by how likely the others' actions were in them, and resampled.

A sampler of the rules draws evenly from the deals that fit a view. But a seat that passed could probably not beat what
lay on the table, so deals in which it could have are less likely than others. A likelihood says how much less: it is
the chance that a cheap policy of the game would have done in this deal what the others did.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from random import Random
from typing import Final, TypeVar

StateT = TypeVar("StateT")

_DRAWN_FOR_EACH: Final = 4
"""The deals drawn evenly for each deal that is kept."""


def likely(
    states: Iterator[StateT], likelihood: Callable[[StateT], float], *, rng: Random, worlds: int
) -> Sequence[StateT]:
    """Draw states in proportion to their likelihood. A state may come several times: clone it before changing it.

    Args:
        states: states drawn evenly from all that fit, without end.
        likelihood: the chance of what was seen in a state, up to a constant factor; greater than 0.
        rng: the source of chance.
        worlds: the number of states to return.
    """
    drawn = list(islice(states, worlds * _DRAWN_FOR_EACH))
    return resampled(drawn, [likelihood(state) for state in drawn], rng=rng, number=worlds)


def resampled(drawn: Sequence[StateT], weights: Sequence[float], *, rng: Random, number: int) -> Sequence[StateT]:
    """Draw a number of elements by their weights, with one random number, which varies less than drawing each."""
    bounds = list(accumulate(weights))
    step = bounds[-1] / number
    offset, place, picked = rng.random(), 0, []
    for count in range(number):
        while bounds[place] < (count + offset) * step and place < len(drawn) - 1:
            place += 1
        picked.append(drawn[place])
    return picked
