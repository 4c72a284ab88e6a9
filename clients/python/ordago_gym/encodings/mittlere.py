"""The encoding of Mittlere Jass.

Suits are alike but for the trump suit, so they are put in order by what the seat sees: first the trump suit, once there
is one; then the suit in which the seat was dealt the highest cards; of suits dealt alike, the one whose lowest cards
were played first. Two deals that differ in the names of suits alone give the same observation, and its ids mean cards
of the same kind.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from ordago.cards import ACE, JACK, KING, LAST_CARD, QUEEN, french_rank
from ordago.games.mittlere.pack import NO_TRUMP, PACK, POINTS, SUIT_OF
from ordago.games.mittlere.values import PLAY, TRICKS, MittlereOptions, MittlereView, PlayCard
from ordago_gym.encoding import Decision, Encoding, Mask, Memory
from ordago_gym.fields import Field, Row, by_seat, number, seat
from ordago_gym.tricks import SEATS, Marks, TrickHistory, trick_fields

_SUITS: Final = 4
_CARDS: Final = len(PACK)
_RANKS: Final = _CARDS // _SUITS
_MOST_DEALS: Final = 300
_MOST_GAIN: Final = 2
"""The most that a seat can gain in a deal."""
_MOST_POINTS: Final = 157
"""The points of a deal."""
_LOW_TO_HIGH: Final = (6, 7, 8, 9, 10, JACK, QUEEN, KING, ACE)
_HEIGHT: Final = tuple(_LOW_TO_HIGH.index(french_rank(card)) if card in PACK else 0 for card in range(LAST_CARD + 1))
"""The place of each card in its suit."""


class SuitOrder(NamedTuple):
    """An order of the suits."""

    suits: tuple[int, ...]
    """The suits, from the first to the last."""
    places: tuple[int, ...]
    """The place of each card of the pack: nine for each suit, the lowest first."""
    cards: tuple[int, ...]
    """The card at each place."""


def _suit_order(suits: tuple[int, ...]) -> SuitOrder:
    places = [0] * (LAST_CARD + 1)
    for card in PACK:
        places[card] = _RANKS * suits.index(SUIT_OF[card]) + _HEIGHT[card]
    return SuitOrder(suits, tuple(places), tuple(sorted(PACK, key=places.__getitem__)))


_ORDERS: Final = {suits: _suit_order(suits) for suits in permutations(range(_SUITS))}
_BIT: Final = tuple(1 << height for height in _HEIGHT)


@lru_cache(maxsize=1 << 16)
def _order_of(dealt: tuple[int, ...], trump: int) -> SuitOrder | None:
    """Return the order by the cards dealt in each suit, as sets of heights; ``None`` if two suits were dealt alike."""
    keys = [(suit == trump, cards) for suit, cards in enumerate(dealt)]
    if len(set(keys)) < _SUITS:
        return None
    return _ORDERS[tuple(sorted(range(_SUITS), key=keys.__getitem__, reverse=True))]


def _dealt(view: MittlereView) -> tuple[int, ...]:
    """Return the cards that the seat was dealt in each suit, as sets of heights."""
    dealt = [0] * _SUITS
    for card in view.hand:
        dealt[SUIT_OF[card]] |= _BIT[card]
    own, place, played = view.seat - view.dealer - 1, 0, view.played
    for taker in view.takers:
        card = played[place + own % SEATS]
        dealt[SUIT_OF[card]] |= _BIT[card]
        place, own = place + SEATS, view.seat - taker
    if own % SEATS < len(view.trick):
        card = view.trick[own % SEATS]
        dealt[SUIT_OF[card]] |= _BIT[card]
    return tuple(dealt)


def _trump_of(view: MittlereView) -> int:
    return NO_TRUMP if view.trump is None else SUIT_OF[view.trump.card]


def _points(view: MittlereView) -> list[int]:
    """Return the points of the cards that each seat has taken."""
    count, points = POINTS[_trump_of(view)], [0] * SEATS
    for place, card in enumerate(view.played):
        points[view.takers[place // SEATS]] += count[card]
    return points


def _order_by_play(view: MittlereView, dealt: Sequence[int], trump: int) -> SuitOrder:
    """Return the order of suits of which some were dealt alike: what was played at which time tells these apart."""
    times = {card: -time for time, card in enumerate(view.played + view.trick)}

    def key(suit: int) -> tuple[bool, int, list[int]]:
        cards = [card for card in PACK if SUIT_OF[card] == suit]
        return suit == trump, dealt[suit], [times.get(card, -_CARDS) for card in sorted(cards, key=_HEIGHT.__getitem__)]

    return _ORDERS[tuple(sorted(range(_SUITS), key=key, reverse=True))]


class MittlereEncoding(Encoding):
    """The observations and action ids of Mittlere Jass: an id is the place of a card, nine for each suit."""

    name = "mittlere"
    version = 0

    def __init__(self, options: MittlereOptions, *, seats: int) -> None:  # noqa: ARG002 - a view has all options
        """Declare the fields."""
        fields = (
            Field("hand", (_SUITS, _RANKS), "The cards of this seat: suits in the order above, each from the 6 up."),
            *trick_fields(cards=_CARDS, tricks=TRICKS),
            Field("trump", (1,), "1 once there is a trump suit, which is then the first."),
            Field(
                "points",
                (SEATS,),
                f"The card points that each seat has taken, by the trump now, divided by {_MOST_POINTS}.",
            ),
            Field("trump_card", (_CARDS,), "The card that set the trump suit."),
            seat("leader", SEATS, "The seat that led the trick on the table, or is to lead it."),
            seat("dealer", SEATS, "The dealer.", constant=True),
            by_seat("totals", SEATS, _MOST_DEALS * _MOST_GAIN, "The score of each seat.", signed=True, constant=True),
            number("deal", _MOST_DEALS, "The deal, counted from 0.", constant=True),
            number("deals", _MOST_DEALS, "The number of deals of the match.", constant=True),
        )
        super().__init__(fields, actions=_CARDS, seats=seats)
        self._tricks: Final = TrickHistory(self.layout, cards=_CARDS)

    def _context(self, view: MittlereView, memory: Memory | None) -> SuitOrder:
        trump = _trump_of(view)
        if memory is not None and memory.kept is not None and memory.kept[0] == (view.deal, trump):
            order: SuitOrder = memory.kept[1]
            return order
        dealt = _dealt(view)
        by_hand = _order_of(dealt, trump)
        if memory is not None and by_hand is not None:
            memory.kept = (view.deal, trump), by_hand
        return by_hand or _order_by_play(view, dealt, trump)

    def _key(self, decision: Decision) -> object:
        return decision.view.deal, decision.context.suits

    def _remember(self, decision: Decision, row: Row, marks: Marks | None) -> Marks:
        return self._tricks.remember(row, decision.view, decision.context.places, marks)

    def _observe(self, decision: Decision, row: Row) -> None:
        view, order, at = decision.view, decision.context, self.layout.at
        places = order.places
        for card in view.hand:
            row[places[card]] = 1.0  # The hand is the first field.
        self._tricks.observe(row, view, places)
        if view.trump is not None:
            row[at["trump"]] = row[at["trump_card"] + places[view.trump.card]] = 1.0
        for place, points in enumerate(_points(view), at["points"] - view.seat):
            row[place if place >= at["points"] else place + SEATS] = points / _MOST_POINTS

    def allow(self, decision: Decision, mask: Mask) -> None:
        """Write 1 for each card that may be played."""
        places = decision.context.places
        for legal in decision.legal:
            mask[places[legal.action.card]] = 1

    def action(self, decision: Decision, ids: tuple[int, ...]) -> PlayCard:
        """Return the action of playing the card at a place."""
        return PLAY[decision.context.cards[ids[0]]]

    def ids(self, decision: Decision, action: PlayCard) -> tuple[int, ...]:
        """Return the place of the card."""
        return (decision.context.places[action.card],)


ENCODING: Final = MittlereEncoding
