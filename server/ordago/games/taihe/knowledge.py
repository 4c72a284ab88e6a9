"""The knowledge of a seat about the hands and exchanges of the others, and the drawing of deals that fit it.

A deal that fits is the hands that were dealt together with the cards that were given back unseen; it is drawn evenly
from all of them. Only one thing limits hands: at some time the holder of a card becomes known, because the card was
asked for, because the seat itself gave it back, or because it is the 4 of hearts of the first deal. Such a card is
called settled. It may still move once more: its new holder may give it back unseen for another card.

So all *ways* that the settled cards may have gone are tried, at most a handful. In each way, every other unseen card
can be anywhere, and a card that was given back unseen can be any that its receiver then held, except for the settled
ones. Hence the number of deals of a way is a product. Drawing first a way by these numbers, then the hands, then the
unseen cards from the last exchange to the first is uniform, and no draw is ever rejected.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import factorial, prod
from random import Random
from typing import NamedTuple

from ordago.cards import NO_CARD, card_set, cards_in, count, holds
from ordago.games.taihe.pack import FOUR_OF_HEARTS, pack_of, pack_set_of
from ordago.games.taihe.values import Exchange, Phase, TaiheView


class Way(NamedTuple):
    """One way that the settled cards may have gone."""

    places: Mapping[int, int]
    """The seat that each settled card came to in the end."""
    given: tuple[int, ...] = ()
    """The card given back in each exchange; none for an unseen card that was not settled, and while it is awaited."""
    excluded: tuple[int | None, ...] = ()
    """For each exchange whose unseen card was not settled: the settled cards that its receiver then held, as a set."""


class Spread(NamedTuple):
    """A way, and the cards that it leaves free."""

    way: Way
    hands: tuple[int, ...]
    """The cards that each seat holds for certain, as sets."""
    free: tuple[int, ...]
    """The cards that may be anywhere else, ascending."""
    lacking: tuple[int, ...]
    """The number of free cards that each seat holds."""


class Knowledge(NamedTuple):
    """A seat's knowledge of the hands and exchanges."""

    exchanges: tuple[Exchange, ...]
    """The exchanges, as the seat sees them."""
    played: tuple[int, ...]
    """The cards that each seat has played, as sets."""
    spreads: tuple[Spread, ...]
    """All ways that the settled cards may have gone."""
    weights: tuple[int, ...]
    """The number of deals that fit each of them."""


class Drawn(NamedTuple):
    """The cards that a seat does not see, drawn from all that fit."""

    hands: tuple[int, ...]
    """The hand of each seat, as sets."""
    exchanges: tuple[Exchange, ...]
    """The exchanges with all cards given back."""


def actor_of(view: TaiheView) -> int:
    """Return the seat that is to act at a view."""
    if view.phase is Phase.PLAYING:
        assert view.declarer is not None
        return (view.declarer + len(view.turns)) % len(view.totals)
    assert view.first_bidder is not None
    return (view.first_bidder + len(view.bids)) % len(view.totals)


def turns_of(view: TaiheView) -> Iterator[int]:
    """Yield the cards of each turn of the play, as sets; a pass is empty."""
    start = 0
    for size in view.turns:
        yield card_set(view.played[start : start + size])
        start += size


def knowledge_of(view: TaiheView) -> Knowledge:
    """Return the knowledge of a view's seat about the hands and exchanges."""
    played = _played_by(view)
    ways = [way for way in _ways(view) if _fits_play(way, played)]
    spreads = tuple(_spread(view, way, card_set(view.played)) for way in ways)
    fitting = tuple(spread for spread in spreads if min(spread.lacking) >= 0)
    hand_size = len(pack_of(len(played))) // len(played)
    weights = tuple(_deals_of(spread, hand_size=hand_size) for spread in fitting)
    return Knowledge(view.exchanges, played, fitting, weights)


def _played_by(view: TaiheView) -> tuple[int, ...]:
    seats = len(view.totals)
    played = [0] * seats
    for place, turn in enumerate(turns_of(view)):
        assert view.declarer is not None
        played[(view.declarer + place) % seats] |= turn
    return tuple(played)


def _ways(view: TaiheView) -> list[Way]:
    ways = [Way({FOUR_OF_HEARTS: view.first_bidder} if view.deal == 0 and view.first_bidder is not None else {})]
    for number, exchange in enumerate(view.exchanges):
        awaited = view.phase is Phase.GIVING_BACK and number == len(view.exchanges) - 1
        unseen = not awaited and view.seat not in (exchange.seat, exchange.holder)
        ways = [longer for way in ways for longer in _continued(way, exchange, unseen=unseen)]
    return ways


def _continued(way: Way, exchange: Exchange, *, unseen: bool) -> Iterator[Way]:
    """Yield the ways that begin like this one and continue through an exchange."""
    seat, asked, holder, given_back = exchange
    if way.places.get(asked, holder) != holder or way.places.get(given_back, seat) != seat:
        return
    places = {**way.places, asked: seat}
    if not unseen:
        after = {**places, given_back: holder} if given_back else places
        yield Way(after, (*way.given, given_back), (*way.excluded, None))
        return
    excluded = card_set(card for card, place in places.items() if place == holder)
    yield Way(places, (*way.given, NO_CARD), (*way.excluded, excluded))
    for card, place in places.items():
        if place == seat and card != asked:
            yield Way({**places, card: holder}, (*way.given, card), (*way.excluded, None))


def _fits_play(way: Way, played: Sequence[int]) -> bool:
    return not any(
        holds(cards, card) and place != seat for card, place in way.places.items() for seat, cards in enumerate(played)
    )


def _spread(view: TaiheView, way: Way, played: int) -> Spread:
    hands = [0] * len(view.totals)
    for card, place in way.places.items():
        hands[place] |= 1 << card & ~played
    hands[view.seat] = card_set(view.hand)
    free = pack_set_of(len(hands)) & ~played & ~sum(hands)
    lacking = tuple(size - count(hand) for size, hand in zip(view.hand_sizes, hands, strict=True))
    return Spread(way, tuple(hands), tuple(cards_in(free)), lacking)


def _deals_of(spread: Spread, *, hand_size: int) -> int:
    """Return the number of deals of a way, given the size of hands between two exchanges."""
    unseen = prod(hand_size - count(excluded) for excluded in spread.way.excluded if excluded is not None)
    return unseen * factorial(len(spread.free)) // prod(factorial(lacking) for lacking in spread.lacking)


def draw(knowledge: Knowledge, *, rng: Random) -> Drawn:
    """Draw what a seat does not see, evenly from all that fits."""
    spread = rng.choices(knowledge.spreads, knowledge.weights)[0]
    free = rng.sample(spread.free, len(spread.free))
    hands = []
    for certain, lacking in zip(spread.hands, spread.lacking, strict=True):
        hands.append(certain | card_set(free[:lacking]))
        del free[:lacking]
    return Drawn(tuple(hands), _exchanges(knowledge, spread.way, hands, rng=rng))


def _exchanges(knowledge: Knowledge, way: Way, hands: Sequence[int], *, rng: Random) -> tuple[Exchange, ...]:
    """Return the exchanges that led to these hands, each unseen card drawn evenly, from the last exchange back."""
    before = [hand | played for hand, played in zip(hands, knowledge.played, strict=True)]
    exchanges = list(knowledge.exchanges)
    for number in reversed(range(len(exchanges))):
        seat, asked, holder, _ = exchanges[number]
        given_back, excluded = way.given[number], way.excluded[number]
        if excluded is not None:
            given_back = rng.choice(cards_in(before[holder] & ~excluded))
        exchanges[number] = Exchange(seat, asked, holder, given_back)
        moved = card_set(card for card in (asked, given_back) if card != NO_CARD)
        before[seat] ^= moved
        before[holder] ^= moved
    return tuple(exchanges)
