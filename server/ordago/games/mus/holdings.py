"""The places of the forty cards of a deal, and their history."""

from collections.abc import Sequence
from typing import Final

from ordago.build import mypyc_attr
from ordago.cards import FIRST_SPANISH, LAST_CARD, card_set, cards_in, count
from ordago.games.clonable import Clonable
from ordago.games.mus.hands import PACK
from ordago.games.mus.values import HAND, SEATS

_DEALT: Final = SEATS * HAND
_LOW_BIT: Final = tuple([1 << card - FIRST_SPANISH if card in PACK else 0 for card in range(LAST_CARD + 1)])
"""The set of a single card as if the pack began at 0: what fits into a word of the processor is joined at once."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class Holdings(Clonable):
    """The hands, the stock and the discards of a deal, with the history of its exchanges.

    Places count from the mano: place 0 is the mano, place 1 the next seat, and so on, exchange after exchange.

    Attributes:
        mano: the seat that is dealt to first.
        hands: the hand of each seat, as sets.
        stock: the cards left to deal; the last is dealt next.
        pile: the discards that were not shuffled anew, as a set.
        discarded: the discards at each place, as sets.
        drawn: the cards dealt at each place in return, in the order of dealing.
        reshuffled: the number of discards shuffled in each exchange to go on dealing.
        shuffles: the shuffles of this deal so far.
        partly: what the place that waits for a shuffle was already dealt.
    """

    __slots__ = ("discarded", "drawn", "hands", "mano", "partly", "pile", "reshuffled", "shuffles", "stock")

    def __init__(self, mano: int) -> None:
        """Begin a deal before its first shuffle."""
        self.mano = mano
        self.hands = [0] * SEATS
        self.stock: list[int] = []
        self.pile = 0
        self.discarded: list[int] = []
        self.drawn: list[tuple[int, ...]] = []
        self.reshuffled: list[int] = []
        self.shuffles = 0
        self.partly: tuple[int, ...] = ()

    def to_shuffle(self) -> tuple[int, ...]:
        """Return the cards that are to be shuffled: the pack, or discards when the stock ran out.

        When a single player still needs cards, that player's own last discards stay out of it.
        """
        if not self.shuffles:
            return PACK
        is_last = len(self.discarded) - len(self.drawn) == 1
        return tuple(cards_in(self.pile & ~self.discarded[-1] if is_last else self.pile))

    def deal(self, order: Sequence[int]) -> None:
        """Deal the hands from the shuffled pack, a card at a time."""
        cards = tuple(order)
        for place in range(SEATS):
            hand = _LOW_BIT[cards[place]] | _LOW_BIT[cards[place + SEATS]]
            hand |= _LOW_BIT[cards[place + 2 * SEATS]] | _LOW_BIT[cards[place + 3 * SEATS]]
            self.hands[(self.mano + place) % SEATS] = hand << FIRST_SPANISH
        self.stock = list(cards[: _DEALT - 1 : -1])
        self.shuffles = 1

    def discard(self, cards: int) -> None:
        """Discard cards, a set, from the hand of the seat whose turn it is."""
        self.hands[self.seat_at(len(self.discarded))] ^= cards
        self.pile |= cards
        self.discarded.append(cards)

    def begin_drawing(self) -> None:
        """Begin to deal for the discards of an exchange."""
        self.reshuffled.append(0)

    def draw(self) -> bool:
        """Deal to each seat in turn as many cards as it discarded; return True if the stock sufficed."""
        for place in range(len(self.drawn), len(self.discarded)):
            lacking = count(self.discarded[place]) - len(self.partly)
            dealt = tuple(self.stock[: -lacking - 1 : -1])
            del self.stock[-lacking:]
            self.hands[self.seat_at(place)] |= card_set(dealt)
            self.partly += dealt
            if len(dealt) < lacking:
                return False
            self.drawn.append(self.partly)
            self.partly = ()
        return True

    def reshuffle(self, order: Sequence[int]) -> None:
        """Make the shuffled discards the new stock."""
        self.stock = list(reversed(order))
        self.pile &= ~card_set(order)
        self.reshuffled[-1] = len(order)
        self.shuffles += 1

    def seat_at(self, place: int) -> int:
        """Return the seat at a place."""
        return (self.mano + place) % SEATS

    def discarded_by(self, seat: int) -> tuple[int, ...]:
        """Return the cards that a seat discarded, exchange by exchange, ascending within each."""
        if not self.discarded:
            return ()
        first = (seat - self.mano) % SEATS
        return tuple(card for cards in self.discarded[first::SEATS] for card in cards_in(cards))

    def drawn_by(self, seat: int) -> tuple[int, ...]:
        """Return the cards that a seat was dealt for its discards, in the order of dealing."""
        if not self.drawn:
            return ()
        first = (seat - self.mano) % SEATS
        return tuple(card for cards in self.drawn[first::SEATS] for card in cards)
