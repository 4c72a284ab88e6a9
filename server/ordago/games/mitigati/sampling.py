"""The ways to distribute cards among three places, and one of them drawn uniformly.

The places are the hands of the two other seats and the dealer's discard. Each card is allowed in some of them, so a set
of cards falls into groups by where they may be: the group of ``FIRST | DISCARD`` may be in the first hand or in the
discard, and so on. Binomial coefficients count the ways to distribute each group; the sums are short, since the discard
has at most three cards.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb
from random import Random
from typing import Final, NamedTuple

from ordago.cards import card_set, cards_in, count

FIRST, SECOND, DISCARD = 1, 2, 4
"""The places, as a bit mask."""

_EVERYWHERE: Final = FIRST | SECOND | DISCARD
_PLACES: Final = (FIRST, SECOND, DISCARD)


class Room(NamedTuple):
    """The number of cards for each place."""

    first: int
    second: int
    discard: int


class Parted(NamedTuple):
    """The cards in each place, as sets."""

    first: int
    second: int
    discard: int


class _Way(NamedTuple):
    """The number of cards from each open group in the discard, and of the remaining ones in the first hand."""

    ways: int
    from_first: int
    from_second: int
    from_anywhere: int
    to_first: int


class Groups(NamedTuple):
    """Cards by where they may be."""

    cards: tuple[int, ...]
    """The cards of each group as a set, indexed by the places allowed."""
    sizes: tuple[int, ...]
    """The number of cards of each group."""

    @property
    def total(self) -> int:
        """The number of all cards."""
        return sum(self.sizes)


def grouped(cards: int, allowed: Sequence[int]) -> Groups:
    """Return cards in groups.

    Args:
        cards: the cards, as a set.
        allowed: for each place in the order of ``Room`` the cards that may be there, as a set.
    """
    groups = [0] * (_EVERYWHERE + 1)
    for places in range(_EVERYWHERE + 1):
        groups[places] = cards
        for place, here in zip(_PLACES, allowed, strict=True):
            groups[places] &= here if places & place else ~here
    return Groups(tuple(groups), tuple(map(count, groups)))


@lru_cache(maxsize=1 << 15)
def ways(sizes: tuple[int, ...], room: Room) -> int:
    """Return the number of ways to part groups of these sizes so that each place gets as many cards as it takes."""
    return sum(way.ways for way in _each_way(sizes, room))


def _each_way(sizes: tuple[int, ...], room: Room) -> Iterator[_Way]:
    """Yield the ways that differ in the number of cards from each group in each place."""
    nowhere, _, _, _, only_discard, first_or_discard, second_or_discard, anywhere = sizes
    laid_away = room.discard - only_discard
    if nowhere or min(room) < 0 or laid_away < 0 or sum(sizes) != sum(room):
        return
    for from_first in range(min(laid_away, first_or_discard) + 1):
        for from_second in range(min(laid_away - from_first, second_or_discard) + 1):
            from_anywhere = laid_away - from_first - from_second
            free = sizes[FIRST | SECOND] + anywhere - from_anywhere
            to_first = room.first - sizes[FIRST] - (first_or_discard - from_first)
            if from_anywhere > anywhere or not 0 <= to_first <= free:
                continue
            number = comb(first_or_discard, from_first) * comb(second_or_discard, from_second)
            number *= comb(anywhere, from_anywhere) * comb(free, to_first)
            yield _Way(number, from_first, from_second, from_anywhere, to_first)


def draw(groups: Groups, room: Room, *, rng: Random) -> Parted:
    """Distribute the cards of groups, each of the ``ways`` with the same chance. There is at least one."""
    way = _drawn(list(_each_way(groups.sizes, room)), rng=rng)
    cards = groups.cards
    discard = cards[DISCARD]
    discard |= _some(cards[FIRST | DISCARD], way.from_first, rng=rng)
    discard |= _some(cards[SECOND | DISCARD], way.from_second, rng=rng)
    discard |= _some(cards[_EVERYWHERE], way.from_anywhere, rng=rng)
    free = (cards[FIRST | SECOND] | cards[_EVERYWHERE]) & ~discard
    to_first = _some(free, way.to_first, rng=rng)
    first = cards[FIRST] | cards[FIRST | DISCARD] & ~discard | to_first
    second = cards[SECOND] | cards[SECOND | DISCARD] & ~discard | free & ~to_first
    return Parted(first, second, discard)


def _drawn(choices: Sequence[_Way], *, rng: Random) -> _Way:
    return choices[drawn_index([way.ways for way in choices], rng=rng)]


def drawn_index(weights: Sequence[int], *, rng: Random) -> int:
    """Return an index, each with a chance in exact proportion to its weight, a whole number. One is above zero."""
    left = rng.randrange(sum(weights))
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the number drawn is below the sum")


def _some(cards: int, number: int, *, rng: Random) -> int:
    """Return a number of cards of a set, drawn uniformly."""
    return card_set(rng.sample(cards_in(cards), number)) if number else 0
