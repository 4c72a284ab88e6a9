"""The knowledge of a seat about cards that it does not see, and the drawing of deals that fit it.

Until the dealer has discarded, only the sizes of the hands are known: the unseen cards are put in
any order, dealt into the hands, and the rest is the stock. Each order has the same chance.

During the play there are three places for an unseen card: the hands of the two other seats, and the discard, unless it
is the seat's own. The following limits them:

- each place takes a known number of cards;
- a card played may show that its player holds none of a suit, or no trump;
- a declaration, or its absence, shows how many kings and how many of trump I, trump XXI and the Fool a hand had;
  tarocchi show all its trumps, and their absence shows that there were fewer than ten;
- the discard has no king, no XXI and no Fool, and it has the I only if the dealer had no other trump.

So the deals that fit are counted: for each placing of the unseen kings, trump I, trump XXI and the Fool that fits, and
for each number of the other trumps in each place, the ways to distribute the other cards. One deal is drawn in exact
proportion to these numbers, so all are equally likely, and no draw is ever rejected.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, product
from random import Random
from typing import Final, NamedTuple

from ordago.cards import card_set, cards_in, count
from ordago.games.mitigati.following import ruled_out
from ordago.games.mitigati.pack import (
    ALL_TRUMPS,
    HONOURS,
    KINGS,
    LED,
    MITIGATI_CARDS,
    PAGAT,
    TAROCCHI_CARDS,
    WHOLE_PACK,
)
from ordago.games.mitigati.refusals import NEVER_DISCARDED
from ordago.games.mitigati.sampling import Groups, Parted, Room, draw, drawn_index, grouped, ways
from ordago.games.mitigati.scoring import TAROCCHI_FROM, honours_holding
from ordago.games.mitigati.values import DISCARDED, SEATS, TRICKS, Holding, MitigatiView, Phase


class Evidence(NamedTuple):
    """The known facts about the cards that a seat holds now."""

    left: int
    """The number of cards that it holds."""
    played: int
    """The cards that it played, as a set."""
    shown: int
    """The cards that it showed for tarocchi and did not play yet, as a set."""
    excluded: int
    """The cards that it cannot hold, as a set."""
    declared: tuple[Holding, int] | None
    """The holding that it declared besides tarocchi, with its number."""
    most_tarocchi: int
    """The most cards of ``TAROCCHI_CARDS`` that it may hold."""

    @property
    def has_shown_a_trump(self) -> bool:
        """True if it has certainly held a trump since the discard."""
        return bool((self.played | self.shown) & ALL_TRUMPS)

    def allows_honours(self, honours: int) -> bool:
        """Return True if these can be all its kings, trump I, trump XXI and Fool, as a set."""
        ever = honours | self.played
        return honours_holding(count(ever & KINGS), count(ever & MITIGATI_CARDS)) == self.declared


def evidence_of(view: MitigatiView) -> list[Evidence]:
    """Return the evidence about each seat during the play."""
    played, excluded = _from_play(view)
    return [_of_seat(view, seat, played=played[seat], excluded=excluded[seat]) for seat in range(SEATS)]


def _of_seat(view: MitigatiView, seat: int, *, played: int, excluded: int) -> Evidence:
    declared = {each.holding: each for each in view.declarations if each.seat == seat}
    tarocchi = declared.pop(Holding.TAROCCHI, None)
    other = next(((each.holding, each.number) for each in declared.values()), None)
    if tarocchi is None:
        most = TAROCCHI_FROM - 1 - count(played & TAROCCHI_CARDS)
        return Evidence(TRICKS - count(played), played, 0, excluded, other, most)
    shown = card_set(tarocchi.cards) & ~played
    return Evidence(TRICKS - count(played), played, shown, excluded, other, count(shown))


def _from_play(view: MitigatiView) -> tuple[list[int], list[int]]:
    """Return the cards that each seat played, and those that it thereby showed not to hold, as sets."""
    played, excluded = [0] * SEATS, [0] * SEATS
    leaders = ((view.dealer + 1) % SEATS, *view.takers)
    seat = led = 0
    for position, card in enumerate(view.played + view.trick):
        if position % SEATS == 0:
            seat, led = leaders[position // SEATS], 0
        played[seat] |= 1 << card
        excluded[seat] |= ruled_out(card, led=led)
        led = led or LED[card]
        seat = (seat + 1) % SEATS
    return played, excluded


_PAGAT: Final = 1 << PAGAT
_FIRST, _SECOND, _DISCARD = range(3)
_PLACES: Final = (_FIRST, _SECOND, _DISCARD)


class Layout(NamedTuple):
    """The places of all cards that have not been played."""

    hands: tuple[int, ...]
    """The hand of each seat, as sets."""
    discard: int
    """The cards that the dealer laid away, as a set."""
    stock: tuple[int, ...]
    """The cards still to be dealt, in dealing order."""


class Knowledge(NamedTuple):
    """A seat's knowledge, during the play, of the places that it does not see: two hands and the discard."""

    rest: Groups
    """The unseen cards that are neither trumps nor honours, by where they may be."""
    trumps: Groups
    """The unseen trumps from II to XX, by where they may be."""
    placings: tuple[Parted, ...]
    """The ways to place the unseen honours."""
    rooms: tuple[Room, ...]
    """For each placing, how many cards the places still take."""
    most_trumps: tuple[Room, ...]
    """For each placing, the most trumps from II to XX that the places can hold."""
    deals: tuple[int, ...]
    """For each placing, the number of deals that fit."""

    def draw(self, *, rng: Random) -> Parted:
        """Draw the cards in each place, evenly from all that fit."""
        chosen = drawn_index(self.deals, rng=rng)
        honours, room = self.placings[chosen], self.rooms[chosen]
        splits = list(_splits(self.trumps.total, self.most_trumps[chosen]))
        weights = [_ways_of_split(self.trumps.sizes, self.rest.sizes, split, room) for split in splits]
        split = splits[drawn_index(weights, rng=rng)]
        trumps = draw(self.trumps, split, rng=rng)
        rest = draw(self.rest, _less(room, split), rng=rng)
        return Parted(*(one | two | three for one, two, three in zip(honours, trumps, rest, strict=True)))


def possible_layouts(view: MitigatiView, *, rng: Random) -> Iterator[Layout]:
    """Draw layouts without end, uniformly from all that fit the knowledge of a seat that is to act."""
    return _in_play(view, rng=rng) if view.phase is Phase.TRICKS else _in_dealing(view, rng=rng)


def _in_dealing(view: MitigatiView, *, rng: Random) -> Iterator[Layout]:
    own = card_set(view.hand)
    unseen = cards_in(WHOLE_PACK & ~own)
    first, second = accumulate(view.held[seat] for seat in _others(view))
    while True:
        rng.shuffle(unseen)
        hands = (own, card_set(unseen[:first]), card_set(unseen[first:second]))
        yield Layout(_by_seat(view, hands), 0, tuple(unseen[second:]))


def _in_play(view: MitigatiView, *, rng: Random) -> Iterator[Layout]:
    knowledge = knowledge_of(view)
    own, own_discard = card_set(view.hand), card_set(view.discard)
    while True:
        first, second, discard = knowledge.draw(rng=rng)
        yield Layout(_by_seat(view, (own, first, second)), own_discard | discard, ())


def _others(view: MitigatiView) -> tuple[int, int]:
    """Return the seats whose hands are not seen, in order of play."""
    return (view.seat + 1) % SEATS, (view.seat + 2) % SEATS


def _by_seat(view: MitigatiView, hands: Sequence[int]) -> tuple[int, ...]:
    """Reorder hands, which begin with that of the viewing seat, by seats."""
    return tuple(hands[(seat - view.seat) % SEATS] for seat in range(SEATS))


def knowledge_of(view: MitigatiView) -> Knowledge:
    """Return the knowledge of a view's seat during the play."""
    evidence = evidence_of(view)
    others = [evidence[seat] for seat in _others(view)]
    unseen = WHOLE_PACK & ~card_set((*view.hand, *view.discard, *view.played, *view.trick))
    dealer = None if view.seat == view.dealer else _others(view).index(view.dealer)
    allowed = _allowed(unseen, others, dealer=dealer)
    room = Room(others[_FIRST].left, others[_SECOND].left, 0 if dealer is None else DISCARDED)
    trumps = grouped(unseen & ALL_TRUMPS & ~HONOURS, allowed)
    rest = grouped(unseen & ~ALL_TRUMPS & ~HONOURS, allowed)
    placings = tuple(_placings(unseen & HONOURS, allowed, others, dealer=dealer))
    rooms = tuple(_less(room, Room(*map(count, placing))) for placing in placings)
    most = tuple(_most_trumps(placing, trumps, others, dealer=dealer) for placing in placings)
    deals = tuple(_deals_of(trumps.sizes, rest.sizes, *limits) for limits in zip(rooms, most, strict=True))
    return Knowledge(rest, trumps, placings, rooms, most, deals)


def _allowed(unseen: int, others: Sequence[Evidence], *, dealer: int | None) -> tuple[int, int, int]:
    """Return the unseen cards that may be in each place, as sets."""
    first, second = others
    in_discard = 0
    if dealer is not None:
        in_discard = unseen & ~NEVER_DISCARDED & ~first.shown & ~second.shown
        if others[dealer].has_shown_a_trump:
            in_discard &= ~_PAGAT
    return unseen & ~first.excluded & ~second.shown, unseen & ~second.excluded & ~first.shown, in_discard


def _placings(
    honours: int, allowed: Sequence[int], others: Sequence[Evidence], *, dealer: int | None
) -> Iterator[Parted]:
    """Yield the ways to place the unseen honours that agree with the declarations."""
    first, second = others
    cards = cards_in(honours)
    places = [[place for place in _PLACES if allowed[place] >> card & 1] for card in cards]
    for chosen in product(*places):
        sets = [0, 0, 0]
        for card, place in zip(cards, chosen, strict=True):
            sets[place] |= 1 << card
        if not (first.allows_honours(sets[_FIRST]) and second.allows_honours(sets[_SECOND])):
            continue
        if dealer is None or not sets[_DISCARD] or not sets[dealer] & ALL_TRUMPS:
            yield Parted(*sets)


def _most_trumps(placing: Parted, trumps: Groups, others: Sequence[Evidence], *, dealer: int | None) -> Room:
    """Return the most trumps from II to XX that each place can hold beside the honours placed in it."""
    most = [trumps.total] * len(_PLACES)
    for place, evidence in enumerate(others):
        most[place] = evidence.most_tarocchi - count(placing[place] & TAROCCHI_CARDS)
    # The dealer who laid away the I had no other trump.
    if placing.discard and dealer is not None:
        most[dealer], most[_DISCARD] = min(most[dealer], 0), 0
    return Room(*most)


def _splits(trumps: int, most: Room) -> Iterator[Room]:
    """Yield the ways to split a number of trumps into numbers for each place."""
    for in_discard in range(min(trumps, most.discard, DISCARDED) + 1):
        in_hands = trumps - in_discard
        for in_first in range(max(0, in_hands - most.second), min(in_hands, most.first) + 1):
            yield Room(in_first, in_hands - in_first, in_discard)


@lru_cache(maxsize=1 << 12)
def _deals_of(trumps: tuple[int, ...], rest: tuple[int, ...], room: Room, most: Room) -> int:
    """Return the number of ways to part trumps and other cards in groups of these sizes."""
    return sum(_ways_of_split(trumps, rest, split, room) for split in _splits(sum(trumps), most))


def _ways_of_split(trumps: tuple[int, ...], rest: tuple[int, ...], split: Room, room: Room) -> int:
    return ways(trumps, split) * ways(rest, _less(room, split))


def _less(room: Room, taken: Room) -> Room:
    return Room(room.first - taken.first, room.second - taken.second, room.discard - taken.discard)
