"""A match of Mitaines in progress: dealing, playing, declaring, stealing, clearing, scoring and ending."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from ordago.build import mypyc_attr
from ordago.cache import Cache
from ordago.cards import LAST_CARD, card_set, holds
from ordago.game import (
    CHANCE,
    FINISHED,
    Event,
    LegalAction,
    Outcome,
    OutcomeReason,
    Shuffle,
    Violation,
    outcome_of,
)
from ordago.games.clonable import Clonable
from ordago.games.events import hidden, public
from ordago.games.mitaines.combinations import (
    COMBINATIONS,
    OWN_CARDS,
    POINTS,
    Combination,
    laid_points,
    single_points,
    ten_points,
)
from ordago.games.mitaines.declaring import broken_rule, legal_actions, plain_actions
from ordago.games.mitaines.members import (
    BY_COMPLETION,
    BY_JACK,
    BY_MATCH,
    BY_STEAL,
    HAND_DEALT,
    NO_COMBINATION,
    PILE_CLEARED,
)
from ordago.games.mitaines.pack import CARDS_OF, CARDS_OF_RANK, CHEAPEST_FIRST, JACKS, PACK, RANK_OF
from ordago.games.mitaines.values import (
    PACKET_CARDS,
    PLAY,
    SEAT_COUNTS,
    Clear,
    Declaration,
    EventKind,
    MitainesEvent,
    MitainesOptions,
    MitainesView,
    PlayCard,
    Stolen,
)

_LAID_AT_A_TIME: Final = 2
_PACKETS: Final = 2
_CACHED_EVENTS: Final = 4096
"""The number of events of a kind that are kept. It only bounds the memory."""


def _cards_played(seat: int) -> tuple[tuple[tuple[Event[MitainesEvent], ...], ...], ...]:
    def event_of(card: int, combination: Combination) -> tuple[Event[MitainesEvent], ...]:
        return (Event(MitainesEvent(EventKind.CARD_PLAYED, seat=seat, card=card, combination=combination)),)

    def events_of(card: int) -> tuple[tuple[Event[MitainesEvent], ...], ...]:
        return tuple(event_of(card, combination) for combination in COMBINATIONS) if card in PACK else ()

    return tuple(events_of(card) for card in range(LAST_CARD + 1))


# The events of playing a card hold nothing beyond the action, so they are built once and reused.
_CARD_PLAYED: Final = tuple(_cards_played(seat) for seat in range(max(SEAT_COUNTS)))
_HIDDEN_HAND: Final = tuple(MitainesEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(max(SEAT_COUNTS)))


def _hand_dealt(seat: int, hand: int) -> Event[MitainesEvent]:
    full = MitainesEvent(HAND_DEALT, seat, cards=CARDS_OF[hand])
    return hidden(full, 1 << seat, _HIDDEN_HAND[seat])


@lru_cache(maxsize=_CACHED_EVENTS)
def _deal_started(dealer: int, deal: int) -> Event[MitainesEvent]:
    return public(MitainesEvent(EventKind.DEAL_STARTED, seat=dealer, deal=deal))


@cache
def _declaration_stolen(seat: int, robbed: int) -> Event[MitainesEvent]:
    return public(MitainesEvent(EventKind.DECLARATION_STOLEN, seat=seat, robbed_seat=robbed))


def _pile_cleared(parts: tuple[int, Clear, bool, int, int, int, int]) -> tuple[Event[MitainesEvent], ...]:
    """Return the event by its parts: the seat, why, whether doubled, and the four parts of its points."""
    seat, clear, doubled, declared, laid, single, ten = parts
    cleared = MitainesEvent(
        PILE_CLEARED,
        seat,
        clear=clear,
        doubled=doubled,
        points=declared + laid + single + ten,
        declared_points=declared,
        laid_points=laid,
        single_points=single,
        ten_points=ten,
    )
    return (public(cleared),)


_PILE_CLEARED: Final = Cache(_pile_cleared)


def _with_points(scores: tuple[int, ...], points: int, *, seat: int) -> tuple[int, ...]:
    """Return the scores of all seats when the side of one of them gets points."""
    sides = side_count(len(scores))
    return tuple([score + points if (mate - seat) % sides == 0 else score for mate, score in enumerate(scores)])


def side_count(seats: int) -> int:
    """Return the number of sides among so many players: four are partners, fewer play each alone."""
    return 2 if seats == 4 else seats


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class MitainesState(Clonable):
    """A match in progress. Between two deals it shows the next one, before its cards are dealt.

    The attributes are there to be read; only ``supply`` and ``apply`` change them.

    Attributes:
        actor: the seat that is to act, or ``CHANCE``, or ``FINISHED``.
        outcome: how the match ended; ``None`` while it goes on.
        options: what the match is played with.
        seats: the number of players.
        deal: the deal that is played, from 0.
        totals: the points of each seat in the match, those of this deal included.
        scores: the points of each seat in this deal so far.
        hands: the hand of each seat, as sets.
        stock: the cards of the stock, in dealing order.
        laid: the four cards laid on the table at first, in order.
        pile: the pile on the table, the top card last.
        declaration: the declaration that stands; ``None`` for none.
        played: the cards played in this deal, in order.
        declared: the combination declared with each of them.
        clears: which of them cleared the pile, as places in ``played``.
    """

    __slots__ = (
        "actor",
        "clears",
        "deal",
        "declaration",
        "declared",
        "hands",
        "laid",
        "options",
        "outcome",
        "pile",
        "played",
        "scores",
        "seats",
        "stock",
        "totals",
    )

    def __init__(self, options: MitainesOptions, *, seats: int, deal: int = 0, totals: Sequence[int] = ()) -> None:
        """Begin a match, or go on with one before one of its deals."""
        self.outcome: Outcome | None = None
        self.options = options
        self.seats = seats
        self.totals = tuple(totals) or (0,) * seats
        self._begin_deal(deal)

    def _begin_deal(self, deal: int) -> None:
        self.actor = CHANCE
        self.deal = deal
        self.scores: tuple[int, ...] = (0,) * self.seats
        self.hands = [0] * self.seats
        self.stock: tuple[int, ...] = ()
        self.laid: tuple[int, ...] = ()
        self.pile: list[int] = []
        self.declaration: Declaration | None = None
        self.played: list[int] = []
        self.declared: list[Combination] = []
        self.clears: tuple[int, ...] = ()

    @property
    def dealer(self) -> int:
        """The dealer of this deal."""
        return (self.deal - 1) % self.seats

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle of the whole pack that each deal begins with."""
        return Shuffle(self.deal, 0, PACK)

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MitainesEvent]]:
        """Deal the first hands and lay four cards on the table: a packet to each and two to the table, and again."""
        self.actor = self.deal % self.seats
        self.stock = tuple(cards)
        for _ in range(_PACKETS):
            self._deal_packets()
            self.laid += self._from_stock(_LAID_AT_A_TIME)
        self.pile += self.laid
        laid = MitainesEvent(EventKind.TABLE_LAID, cards=self.laid)
        return (_deal_started(self.dealer, self.deal), public(laid), *self._hands_dealt())

    def _deal_packets(self) -> None:
        """Deal a packet to each seat, from the seat after the dealer, who is the one to act."""
        for place in range(self.seats):
            packet = self._from_stock(PACKET_CARDS[self.seats])
            self.hands[(self.actor + place) % self.seats] |= card_set(packet)

    def _from_stock(self, number: int) -> tuple[int, ...]:
        cards, self.stock = self.stock[:number], self.stock[number:]
        return cards

    def _hands_dealt(self) -> tuple[Event[MitainesEvent], ...]:
        return tuple([_hand_dealt(seat, hand) for seat, hand in enumerate(self.hands)])

    def legal_actions(self) -> Sequence[LegalAction[PlayCard]]:
        """Return everything that is legal for the actor, ascending by card, then by combination."""
        hand, standing = self.hands[self.actor], self.declaration
        if standing is not None and standing.seat == self.actor:
            return plain_actions(hand & CARDS_OF_RANK[standing.rank])
        return legal_actions(hand, top=self._top(), standing=standing)

    def _top(self) -> int:
        return RANK_OF[self.pile[-1]] if self.pile else 0

    def extras(self) -> Sequence[PlayCard]:
        """Return nothing: declarations are part of the action."""
        return ()

    def check(self, action: PlayCard) -> Violation | None:
        """Return the rule that an action of the actor breaks, or ``None`` if it is legal."""
        standing = self.declaration
        declarer = standing is not None and standing.seat == self.actor
        return broken_rule(action, self.hands[self.actor], top=self._top(), standing=standing, declarer=declarer)

    def default_action(self) -> PlayCard:
        """Return the cheapest card that may be played, the first in ``CHEAPEST_FIRST``, without declaring."""
        cards, standing = self.hands[self.actor], self.declaration
        if standing is not None and standing.seat == self.actor:
            cards &= CARDS_OF_RANK[standing.rank]
        for card in CHEAPEST_FIRST:
            if cards >> card & 1:
                return PLAY[card][NO_COMBINATION]
        raise AssertionError("there is always a card to play")

    def apply(self, action: PlayCard) -> Sequence[Event[MitainesEvent]]:
        """Play a card of the actor, and return the resulting events."""
        seat = self.actor
        card, combination = action
        before = self._top()
        self.hands[seat] ^= 1 << card
        self.pile.append(card)
        self.played.append(card)
        self.declared.append(combination)
        events = _CARD_PLAYED[seat][card][combination]
        if combination:
            events += self._declare(seat, action)
        elif self.declaration is not None:
            events += self._play_under(self.declaration, card)
        elif before and (RANK_OF[card] == before or holds(JACKS, card)):
            events += self._clear_by_rank(card, before)
        self.actor = (seat + 1) % self.seats
        return events if self.hands[self.actor] else events + self._end_hands()

    def _declare(self, seat: int, action: PlayCard) -> tuple[Event[MitainesEvent], ...]:
        combination, rank = action.combination, RANK_OF[action.card]
        robbed = self.declaration
        declared = Declaration(seat, combination, rank, OWN_CARDS[combination] - 1, POINTS[combination][rank])
        if robbed is None:
            self.declaration = declared
            return ()
        self.declaration = declared._replace(
            points=declared.points + robbed.points,
            stolen=(*robbed.stolen, Stolen(robbed.seat, robbed.combination, robbed.rank)),
        )
        return (_declaration_stolen(seat, robbed.seat),)

    def _play_under(self, standing: Declaration, card: int) -> tuple[Event[MitainesEvent], ...]:
        if RANK_OF[card] != standing.rank:
            return ()
        if standing.seat != self.actor:
            alone = len(self.pile) == 2
            return self._clear(BY_STEAL, declared=standing.points * (2 if alone else 1), doubled=alone)
        if standing.cards_left == 1:
            return self._clear(BY_COMPLETION, declared=standing.points)
        self.declaration = standing._replace(cards_left=standing.cards_left - 1)
        return ()

    def _clear_by_rank(self, card: int, top: int) -> tuple[Event[MitainesEvent], ...]:
        if RANK_OF[card] != top:
            return self._clear(BY_JACK)
        return self._clear(BY_MATCH, single=single_points(card) if len(self.pile) == 2 else 0)

    def _clear(
        self, clear: Clear, *, declared: int = 0, doubled: bool = False, single: int = 0
    ) -> tuple[Event[MitainesEvent], ...]:
        laid = 0 if self.clears else laid_points(self.laid)
        ten = ten_points(self.pile)
        self._score(self.actor, declared + laid + single + ten)
        self.clears += (len(self.played) - 1,)
        self.pile.clear()
        self.declaration = None
        return _PILE_CLEARED[self.actor, clear, doubled, declared, laid, single, ten]

    def _score(self, seat: int, points: int) -> None:
        """Add points to the side of a seat, in this deal and in the match."""
        if points:
            self.scores = _with_points(self.scores, points, seat=seat)
            self.totals = _with_points(self.totals, points, seat=seat)

    def _end_hands(self) -> tuple[Event[MitainesEvent], ...]:
        if not self.stock:
            return self._end_deal()
        for _ in range(_PACKETS):
            self._deal_packets()
        return self._hands_dealt()

    def _end_deal(self) -> tuple[Event[MitainesEvent], ...]:
        last_ten = self._score_last_ten()
        scored = MitainesEvent(EventKind.DEAL_SCORED, deal=self.deal, scores=self.scores, totals=self.totals)
        reason = self._reason_to_end()
        if reason is None:
            self._begin_deal(self.deal + 1)
        else:
            self.actor = FINISHED
            sides = [seat % side_count(self.seats) for seat in range(self.seats)]
            self.outcome = outcome_of(reason, scores=self.totals, sides=sides)
        return (*last_ten, public(scored))

    def _score_last_ten(self) -> tuple[Event[MitainesEvent], ...]:
        points, clearer = ten_points(self.pile), self.last_clearer
        if not points or clearer is None:
            return ()
        self._score(clearer, points)
        return (public(MitainesEvent(EventKind.LAST_TEN, seat=clearer, points=points, ten_points=points)),)

    def _reason_to_end(self) -> OutcomeReason | None:
        of_sides = self.totals[: side_count(self.seats)]
        if max(of_sides) >= self.options.target and of_sides.count(max(of_sides)) == 1:
            return OutcomeReason.TARGET_REACHED
        return OutcomeReason.CAP_REACHED if self.deal + 1 >= self.options.max_deals else None

    @property
    def last_clearer(self) -> int | None:
        """The seat that cleared last in this deal; ``None`` for nobody."""
        return (self.deal + self.clears[-1]) % self.seats if self.clears else None

    def view(self, seat: int) -> MitainesView:
        """Return all that a seat sees."""
        # In the order of its fields: by their names it takes a tenth of a compiled decision.
        return MitainesView._make(
            (
                seat,
                self.options.target,
                self.options.max_deals,
                self.deal,
                self.dealer,
                CARDS_OF[self.hands[seat]],
                tuple([cards.bit_count() for cards in self.hands]),
                len(self.stock),
                tuple(self.pile),
                self.laid,
                self.declaration,
                tuple(self.played),
                tuple(self.declared),
                self.clears,
                self.last_clearer,
                self.scores,
                self.totals,
            )
        )
