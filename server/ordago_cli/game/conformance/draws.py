"""Random draws that every version of Python repeats: ``Random.random`` alone is promised to stay."""

from collections.abc import Sequence
from math import gcd
from random import Random
from typing import Final, TypeVar, final

T = TypeVar("T")

_SWAPS: Final = 4
"""Enough to keep stacked packs from repeating, and too few to mix them."""


@final
class Draws:
    """A source of random choices."""

    def __init__(self, seed: str) -> None:
        """Begin with a seed."""
        self._random: Final = Random(seed).random

    def below(self, limit: int) -> int:
        """Return a number from 0, less than a limit."""
        return int(self._random() * limit)

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self._random() < probability

    def one_of(self, choices: Sequence[T]) -> T:
        """Return one of some choices."""
        return choices[self.below(len(choices))]

    def some_of(self, choices: Sequence[T], number: int) -> list[T]:
        """Return a number of different choices, in random order."""
        return self.shuffled(choices)[:number]

    def shuffled(self, cards: Sequence[T]) -> list[T]:
        """Return cards in random order."""
        mixed = list(cards)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def stacked(self, cards: Sequence[T]) -> list[T]:
        """Return cards in an order that deals whole suits, or many cards of few ranks, to the same seat."""
        size, start = len(cards), self.below(len(cards))
        stride = self.one_of([number for number in range(1, size + 1) if gcd(number, size) == 1])
        mixed = [cards[(start + place * stride) % size] for place in range(size)]
        for _ in range(self.below(_SWAPS + 1)):
            one, other = self.below(size), self.below(size)
            mixed[one], mixed[other] = mixed[other], mixed[one]
        return mixed
