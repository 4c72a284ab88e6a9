"""The combinations of Taihe A Bao, and their order.

Without the suits there are 65 combinations. Each has a number, and a set of combinations is an integer whose bit
``number`` is set for each combination in it. So four lookups find the combinations of a hand, and one intersection
finds the legal ones.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum, unique
from typing import Final, NamedTuple

from ordago.cards import ACE, CLUBS, card_set, french
from ordago.games.taihe.pack import CARDS_OF_RANK, LOW_TO_HIGH, ROWS, RanksByCount, parts_of, ranks_by_count


@unique
class Kind(IntEnum):
    """The kind of a combination."""

    SINGLE = 1
    """One card."""
    PAIR = 2
    """Two cards of a rank."""
    SEQUENCE = 3
    """Three or more ranks in a row, one card of each."""
    DOUBLE_SEQUENCE = 4
    """Two or more ranks in a row, two cards of each."""
    TRIPLE = 5
    """Three cards of a rank, a bomb."""
    QUAD = 6
    """Four cards of a rank, a bomb."""


_SHORTEST: Final = {Kind.SEQUENCE: 3, Kind.DOUBLE_SEQUENCE: 2}
_CARDS_OF_EACH_RANK: Final = {
    Kind.SINGLE: 1,
    Kind.PAIR: 2,
    Kind.SEQUENCE: 1,
    Kind.DOUBLE_SEQUENCE: 2,
    Kind.TRIPLE: 3,
    Kind.QUAD: 4,
}


class Combination(NamedTuple):
    """A combination without its suits."""

    kind: Kind
    """The kind of the combination."""
    ranks: tuple[int, ...]
    """Its ranks, from the lowest up."""

    @property
    def each(self) -> int:
        """The number of cards of each rank."""
        return _CARDS_OF_EACH_RANK[self.kind]

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.each * len(self.ranks)

    @property
    def top(self) -> int:
        """The height of the highest rank, from 0 for a 4 to 9 for an ace."""
        return LOW_TO_HIGH.index(self.ranks[-1])

    def beats(self, other: "Combination") -> bool:
        """Return True if it may be played on another combination."""
        if self.kind == other.kind and self.size == other.size:
            return self.top > other.top
        return self.kind >= Kind.TRIPLE and self.kind > other.kind


def _all_of(kind: Kind) -> Iterator[Combination]:
    if kind not in _SHORTEST:
        yield from (Combination(kind, (rank,)) for rank in LOW_TO_HIGH)
        return
    for length in range(_SHORTEST[kind], len(max(ROWS, key=len)) + 1):
        for row in ROWS:
            yield from (Combination(kind, row[low : low + length]) for low in range(len(row) - length + 1))


COMBINATIONS: Final = tuple(combination for kind in Kind for combination in _all_of(kind))
"""All combinations by number: by kind, then from the fewest cards up, then from the lowest top up."""
NOTHING: Final = len(COMBINATIONS)
"""Stands for the number of a combination where there is none."""


def _combination_set(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _stronger(than: Combination) -> int:
    return _combination_set(number for number, other in enumerate(COMBINATIONS) if other.beats(than))


STRONGER: Final = (*(_stronger(combination) for combination in COMBINATIONS), (1 << len(COMBINATIONS)) - 1)
"""The combinations that beat each combination, as sets; after them, for ``NOTHING``, all."""
CARDS_OF: Final = tuple(sum(CARDS_OF_RANK[rank] for rank in combination.ranks) for combination in COMBINATIONS)
"""All cards of the ranks of each combination, as sets."""


def _ranks(combination: Combination) -> int:
    return card_set(french(CLUBS, rank) for rank in combination.ranks)


def _ranks_by_count(combination: Combination) -> RanksByCount:
    one, two, three, four = (_ranks(combination) if each <= combination.each else 0 for each in range(1, 5))
    return one, two, three, four


_NUMBER: Final = {_ranks_by_count(combination): number for number, combination in enumerate(COMBINATIONS)}


def combination_of(cards: int) -> int:
    """Return the number of the combination that the cards of a set form, or ``NOTHING`` if they form none."""
    return _NUMBER.get(ranks_by_count(cards), NOTHING)


def _made_of(each: int) -> list[int]:
    """Return, for any set of ranks, the combinations that take this number of cards from each of some of them only."""
    ranks_of = {number: _ranks(one) for number, one in enumerate(COMBINATIONS) if one.each == each}
    made_of = {0: 0}
    for row in (*ROWS, (ACE,)):
        made = {
            part: _combination_set(number for number, ranks in ranks_of.items() if not ranks & ~part)
            for part in parts_of(card_set(french(CLUBS, rank) for rank in row))
        }
        made_of = {ranks | part: before | more for ranks, before in made_of.items() for part, more in made.items()}
    # A list is read several times as quickly as a dictionary where this is compiled.
    by_ranks = [0] * (max(made_of) + 1)
    for ranks, combinations in made_of.items():
        by_ranks[ranks] = combinations
    return by_ranks


_MADE_OF_ONE, _MADE_OF_TWO, _MADE_OF_THREE, _MADE_OF_FOUR = (_made_of(each) for each in range(1, 5))


def combinations_in(hand: int) -> int:
    """Return the combinations that a hand can form, as a set."""
    one, two, three, four = ranks_by_count(hand)
    return _MADE_OF_ONE[one] | _MADE_OF_TWO[two] | _MADE_OF_THREE[three] | _MADE_OF_FOUR[four]
