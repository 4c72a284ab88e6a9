"""The knowledge of a seat about cards that it does not see, and the drawing of states that fit it.

Only declarations reveal anything about a hand. A declarer shows a minimum number of cards of the rank, and each one
played afterwards lowers it. (Playing a card without declaring shows nothing about the
others, since nobody ever has to declare.) So for each rank and each other seat there is a least number of cards that
the seat still holds, mostly zero. Every distribution of the unseen cards with at least these numbers fits.

A state is drawn uniformly from these, and no draw is ever rejected. First the cards of each rank with something known
are distributed, each distribution with a weight: the number of ways to distribute all other cards after it. Then the
rest are dealt at random. The stock counts as one more place for cards, and its order is drawn uniformly, too.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb
from operator import sub
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ordago.cards import card_set, cards_in
from ordago.games.mitaines.combinations import OWN_CARDS
from ordago.games.mitaines.pack import CARDS_OF_RANK, RANK_OF, WHOLE_PACK
from ordago.games.mitaines.values import HAND_CARDS, MitainesView

Partition: TypeAlias = tuple[int, ...]
"""A number of cards for each place: the other seats in order of play, then the stock."""

_REMEMBERED_COUNTS: Final = 1 << 14
"""The number of counts kept for later draws. It only bounds the memory."""


class Group(NamedTuple):
    """The unseen cards of a rank about which something is known."""

    cards: tuple[int, ...]
    """The cards, ascending."""
    least: Partition
    """The least number of them in each place."""


class Knowledge(NamedTuple):
    """A seat's knowledge of the cards that it does not see."""

    seat: int
    """The seat that knows."""
    hand: int
    """Its own cards as a set."""
    room: Partition
    """The cards that are in each place."""
    groups: tuple[Group, ...]
    """The ranks about which something is known."""
    others: tuple[int, ...]
    """The unseen cards of all other ranks, ascending."""


def knowledge_of(view: MitainesView) -> Knowledge:
    """Return the knowledge of a view's seat about the cards that it does not see."""
    others = [(view.seat + place) % view.seats for place in range(1, view.seats)]
    unseen = WHOLE_PACK & ~card_set(view.hand) & ~card_set(view.laid) & ~card_set(view.played)
    least_of = _least_held(view)
    known = sorted({rank for seat, rank in least_of if seat != view.seat})
    groups = []
    for rank in known:
        least = (*(least_of.get((seat, rank), 0) for seat in others), 0)
        groups.append(Group(tuple(cards_in(unseen & CARDS_OF_RANK[rank])), least))
        unseen &= ~CARDS_OF_RANK[rank]
    room = (*(view.hand_sizes[seat] for seat in others), view.stock)
    return Knowledge(view.seat, card_set(view.hand), room, tuple(groups), tuple(cards_in(unseen)))


def _least_held(view: MitainesView) -> dict[tuple[int, int], int]:
    """Return the least number of cards of a rank that a seat holds, if it is not zero, by seat and rank."""
    least: dict[tuple[int, int], int] = {}
    dealt_before = len(view.played) // (HAND_CARDS[view.seats] * view.seats) * HAND_CARDS[view.seats] * view.seats
    for place in range(dealt_before, len(view.played)):
        of_seat = (view.dealer + 1 + place) % view.seats, RANK_OF[view.played[place]]
        shown = OWN_CARDS[view.declared[place]]
        least[of_seat] = max(least.get(of_seat, 0), shown) - 1
    return {of_seat: number for of_seat, number in least.items() if number}


def draw_unseen(knowledge: Knowledge, *, rng: Random) -> tuple[list[int], list[int]]:
    """Draw the hands of all seats, as sets in order of seats, and the stock, uniformly from all that fit."""
    room = knowledge.room
    places: list[list[int]] = [[] for _ in room]
    for number, group in enumerate(knowledge.groups):
        partition = _draw_partition(group, knowledge.groups[number + 1 :], room, rng=rng)
        _part(group.cards, partition, places, rng=rng)
        room = tuple(map(sub, room, partition))
    _part(knowledge.others, room, places, rng=rng)
    *others, stock = places
    if knowledge.groups:
        rng.shuffle(stock)
    seats = len(room)
    hands = [knowledge.hand] * seats
    for place, cards in enumerate(others, start=1):
        hands[(knowledge.seat + place) % seats] = card_set(cards)
    return hands, stock


def _part(cards: Sequence[int], partition: Partition, places: Sequence[list[int]], *, rng: Random) -> None:
    """Add cards to the places in any order, to each as many as the partition says."""
    mixed = list(cards)
    rng.shuffle(mixed)
    start = 0
    for place, number in zip(places, partition, strict=True):
        place += mixed[start : start + number]
        start += number


def _draw_partition(group: Group, later: tuple[Group, ...], room: Partition, *, rng: Random) -> Partition:
    """Draw the number of a group's cards in each place, with each partition weighted by its number of completions."""
    ways = {partition: _ways_after(partition, later, room) for partition in _partitions(group, room)}
    drawn = rng.randrange(sum(ways.values()))
    for partition, number in ways.items():
        drawn -= number
        if drawn < 0:
            return partition
    raise AssertionError("one of the partitions was drawn")


def _partitions(group: Group, room: Partition) -> Iterator[Partition]:
    """Yield the possible numbers of a group's cards in each place."""
    number = len(group.cards)
    for partition in product(
        *(range(least, min(free, number) + 1) for least, free in zip(group.least, room, strict=True))
    ):
        if sum(partition) == number:
            yield partition


def _ways_after(partition: Partition, later: tuple[Group, ...], room: Partition) -> int:
    """Return the number of ways to distribute all cards, given the partition of one group."""
    return _arrangements(partition) * _ways(later, tuple(map(sub, room, partition)))


@lru_cache(maxsize=_REMEMBERED_COUNTS)
def _ways(groups: tuple[Group, ...], room: Partition) -> int:
    """Return the number of ways to fill the remaining room with the cards of these groups and then all others."""
    if not groups:
        return _arrangements(room)
    first, *later = groups
    return sum(_ways_after(partition, tuple(later), room) for partition in _partitions(first, room))


@lru_cache(maxsize=_REMEMBERED_COUNTS)
def _arrangements(partition: Partition) -> int:
    """Return the number of ways to partition different cards like this."""
    ways, left = 1, sum(partition)
    for number in partition:
        ways *= comb(left, number)
        left -= number
    return ways
