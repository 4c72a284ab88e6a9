"""Random draws that every version of Python repeats: ``Random.random`` alone is promised to stay."""

from collections.abc import Sequence
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
        """Return cards in an order that deals whole suits, or many cards of few ranks, to the same seat.

        They are laid out in rows, from any card on, and taken up by columns, once or twice. In rows as long as a suit
        the columns are ranks; by the second time these stay together, however the cards are dealt.
        """
        size, start = len(cards), self.below(len(cards))
        mixed = [*cards[start:], *cards[:start]]
        for _ in range(1 + self.below(2)):
            widths: Sequence[int] = range(1, size + 1)
            if self.chance(0.5):
                widths = [width for width in widths if size % width == 0]
            width = self.one_of(widths)
            mixed = [card for column in range(width) for card in mixed[column::width]]
        for _ in range(self.below(_SWAPS + 1)):
            one, other = self.below(size), self.below(size)
            mixed[one], mixed[other] = mixed[other], mixed[one]
        return mixed
