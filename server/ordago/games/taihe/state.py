"""A match of Taihe A Bao in progress: dealing, bidding, play and scoring."""

from collections.abc import Sequence

from ordago.build import mypyc_attr
from ordago.cards import card_set, holds
from ordago.game import (
    CHANCE,
    FINISHED,
    Event,
    LegalAction,
    Outcome,
    OutcomeReason,
    Shuffle,
    Violation,
    cap_of,
    outcome_of,
)
from ordago.games.clonable import Clonable
from ordago.games.events import MadeWhenRead
from ordago.games.taihe import events
from ordago.games.taihe.combinations import NOTHING, STRONGER, combination_of, combinations_in
from ordago.games.taihe.members import (
    BETWEEN_DEALS,
    DECLARED,
    DECLARING,
    EXCHANGED,
    EXCHANGING,
    GIVING_BACK,
    PASSED,
    PLAYING,
    TO_ASK,
    TO_DECLARE,
    TO_GIVE_BACK,
    TO_PLAY,
)
from ordago.games.taihe.offers import DECLARE_OFFER, PASS_OFFER, ask_offer, give_back_offer, play_of, play_offers
from ordago.games.taihe.pack import FOUR_OF_HEARTS, HAND_CARDS, LOWEST_FIRST, pack_of, pack_set_of
from ordago.games.taihe.refusals import ask_refusal, give_back_refusal, kind_refusal, pass_refusal, play_refusal
from ordago.games.taihe.values import (
    PASS,
    Bid,
    Exchange,
    TaiheAction,
    TaiheEvent,
    TaiheOptions,
    TaiheView,
)


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class TaiheState(Clonable):
    """A match in progress. Between two deals it shows the next one, before its cards are dealt.

    The attributes are there to be read; only ``supply`` and ``apply`` change them.

    Attributes:
        actor: the seat that is to act, or ``CHANCE``, or ``FINISHED``.
        outcome: how the match ended; ``None`` while it goes on.
        options: what the match is played with.
        totals: the score of each seat over the deals completed.
        deal: the deal that is played, from 0.
        passed_out: how often everybody has passed twice in this deal.
        phase: what the actor is asked for.
        taker: the seat that takes the first card.
        first_bidder: the seat that bids first; ``None`` before the first deal.
        bids: the bids of this deal in order.
        exchanges: the exchanges of this deal in order.
        declarer: the declarer; ``None`` during the bidding.
        value: the game value; 0 during the bidding.
        hands: the hand of each seat, as sets.
        turns: the cards of each turn of the play in order, as sets; a pass is empty. The declarer has the first turn,
            and after each turn comes the next seat, since who leads anew is the next after all others have passed.
        played: the cards of all turns, ascending within each: each view tells them, so they are kept beside the turns.
        passes: the turns since the last combination was played.
        to_beat: the number of the combination to beat; ``NOTHING`` when the actor is to lead.
    """

    __slots__ = (
        "actor",
        "bids",
        "deal",
        "declarer",
        "exchanges",
        "first_bidder",
        "hands",
        "options",
        "outcome",
        "passed_out",
        "passes",
        "phase",
        "played",
        "taker",
        "to_beat",
        "totals",
        "turns",
        "value",
    )

    def __init__(self, options: TaiheOptions, *, totals: tuple[int, ...], deal: int = 0, taker: int = 0) -> None:
        """Begin a match of as many seats as there are totals, or go on with one before one of its deals.

        In a later deal the taker bids first too.
        """
        self.outcome: Outcome | None = None
        self.options = options
        self.totals = totals
        self._begin_deal(deal, taker=taker, first_bidder=taker if deal else None)

    def _begin_deal(self, deal: int, *, taker: int, first_bidder: int | None) -> None:
        self.deal = deal
        self.passed_out = 0
        self.taker = taker
        self.first_bidder = first_bidder
        self._gather_cards()

    def _gather_cards(self) -> None:
        self.actor = CHANCE
        self.phase = BETWEEN_DEALS
        self.bids: list[Bid] = []
        self.exchanges: list[Exchange] = []
        self.declarer: int | None = None
        self.value = 0
        self.hands = [0] * self.seats
        self.turns: list[int] = []
        self.played: tuple[int, ...] = ()
        self.passes = 0
        self.to_beat = NOTHING

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.totals)

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle of the whole pack: the first of the deal, or the next after everybody passed twice."""
        return Shuffle(self.deal, self.passed_out, pack_of(self.seats))

    def supply(self, cards: Sequence[int]) -> Sequence[Event[TaiheEvent]]:
        """Let the players take the cards one by one, and open the bidding."""
        seats = self.seats
        for place in range(seats):
            self.hands[(self.taker + place) % seats] = card_set(cards[place::seats])
        if self.deal == 0:
            self.first_bidder = next(seat for seat in range(seats) if holds(self.hands[seat], FOUR_OF_HEARTS))
        assert self.first_bidder is not None
        self.actor = self.first_bidder
        self.phase = DECLARING
        hands = [(events.hand_dealt, seat, hand) for seat, hand in enumerate(self.hands)]
        return MadeWhenRead([(events.deal_started, self.taker, self.deal), *hands, *events.BIDDING_STARTED[self.actor]])

    def legal_actions(self) -> Sequence[LegalAction[TaiheAction]]:
        """Return everything that is legal for the actor: a pass first, then combinations ascending by number."""
        if self.phase is PLAYING:
            offers = play_offers(self.legal_combinations(), self.hands[self.actor])
            return offers if self.to_beat == NOTHING else [PASS_OFFER, *offers]
        if self.phase is DECLARING:
            return (PASS_OFFER, DECLARE_OFFER)
        if self.phase is EXCHANGING:
            return (PASS_OFFER, ask_offer(self._cards_to_ask_for()))
        return (give_back_offer(self._cards_to_give_back()),)

    def legal_combinations(self) -> int:
        """Return the combinations that the actor may play, as a set, for callers that work with sets."""
        return combinations_in(self.hands[self.actor]) & STRONGER[self.to_beat]

    def _asked(self) -> int:
        return card_set(exchange.asked for exchange in self.exchanges)

    def _cards_to_ask_for(self) -> int:
        return pack_set_of(self.seats) & ~self.hands[self.actor] & ~self._asked()

    def _cards_to_give_back(self) -> int:
        return self.hands[self.actor] & ~(1 << self.exchanges[-1].asked)

    def extras(self) -> Sequence[TaiheAction]:
        """Return nothing: this game has no declarations beside actions."""
        return ()

    def check(self, action: TaiheAction) -> Violation | None:
        """Return the rule that an action of the actor breaks, or ``None`` if it is legal."""
        refusal = kind_refusal(action, phase=self.phase)
        if refusal is not None:
            return refusal
        hand = self.hands[self.actor]
        if self.phase is GIVING_BACK:
            return give_back_refusal(action.card, hand=hand, received=self.exchanges[-1].asked)
        if action.kind is TO_ASK:
            return ask_refusal(action.card, hand=hand, asked=self._asked(), seats=self.seats)
        if action.kind is TO_PLAY:
            return play_refusal(action.cards, hand=hand, to_beat=self.to_beat)
        return pass_refusal(to_beat=self.to_beat) if self.phase is PLAYING else None

    def default_action(self) -> TaiheAction:
        """Return a pass where that is legal, else the lowest card: to lead, or to give back."""
        if self.phase is GIVING_BACK:
            return TaiheAction(TO_GIVE_BACK, card=_lowest(self._cards_to_give_back()))
        if self.phase is PLAYING and self.to_beat == NOTHING:
            return play_of(1 << _lowest(self.hands[self.actor]))
        return PASS

    def apply(self, action: TaiheAction) -> Sequence[Event[TaiheEvent]]:
        """Carry out an action of the actor, and return the resulting events."""
        if self.phase is PLAYING:
            return self._play(action.cards) if action.kind is TO_PLAY else self._pass_turn()
        if action.kind is TO_ASK:
            return self._ask(action.card)
        if action.kind is TO_GIVE_BACK:
            return self._give_back(action.card)
        return self._declare() if action.kind is TO_DECLARE else self._pass_bid()

    def _declare(self) -> Sequence[Event[TaiheEvent]]:
        self.bids.append(DECLARED)
        return *events.DECLARED[self.actor], self._begin_play(self.actor, value=self.seats + 1)

    def _pass_bid(self) -> Sequence[Event[TaiheEvent]]:
        self.bids.append(PASSED)
        return *events.PASSED[self.actor], *self._next_bid()

    def _ask(self, card: int) -> Sequence[Event[TaiheEvent]]:
        seat = self.actor
        holder = next(other for other in range(self.seats) if holds(self.hands[other], card))
        self.hands[holder] ^= 1 << card
        self.hands[seat] |= 1 << card
        self.exchanges.append(Exchange(seat, card, holder))
        self.phase = GIVING_BACK
        return (events.asked(seat, card, holder),)

    def _give_back(self, card: int) -> Sequence[Event[TaiheEvent]]:
        seat, holder = self.actor, self.exchanges[-1].holder
        self.hands[seat] ^= 1 << card
        self.hands[holder] |= 1 << card
        self.exchanges[-1] = self.exchanges[-1]._replace(given_back=card)
        self.bids.append(EXCHANGED)
        return events.gave_back(seat, card, holder), *self._next_bid()

    def _next_bid(self) -> Sequence[Event[TaiheEvent]]:
        """Go on to the next bid, or to what follows the last."""
        if len(self.bids) == 2 * self.seats:
            return self._end_bidding()
        self.phase = DECLARING if len(self.bids) < self.seats else EXCHANGING
        self.actor = (self.actor + 1) % self.seats
        return ()

    def _end_bidding(self) -> Sequence[Event[TaiheEvent]]:
        if self.exchanges:
            return (self._begin_play(self.exchanges[-1].seat, value=len(self.exchanges)),)
        event = events.passed_out(self.deal)
        self.passed_out += 1
        if self.passed_out == cap_of(self.options.max_passes):
            return event, self._end_deal_without_declarer()
        self._gather_cards()
        return (event,)

    def _begin_play(self, declarer: int, *, value: int) -> Event[TaiheEvent]:
        self.phase = PLAYING
        self.actor = self.declarer = declarer
        self.value = value
        return events.declarer_found(declarer, value)

    def _play(self, cards: tuple[int, ...]) -> Sequence[Event[TaiheEvent]]:
        seat, played = self.actor, card_set(cards)
        self.hands[seat] ^= played
        self.turns.append(played)
        self.played += cards
        if not self.hands[seat]:
            return events.played(seat, cards), self._end_deal(out=seat)
        self.passes = 0
        self.to_beat = combination_of(played)
        self.actor = (seat + 1) % len(self.hands)
        return (events.played(seat, cards),)

    def _pass_turn(self) -> Sequence[Event[TaiheEvent]]:
        passed = events.PASSED[self.actor]
        seats = len(self.hands)
        self.turns.append(0)
        self.passes += 1
        self.actor = (self.actor + 1) % seats
        if self.passes < seats - 1:
            return passed
        self.passes = 0
        self.to_beat = NOTHING
        return passed + events.ROUND_ENDED[self.actor]

    def _end_deal(self, *, out: int) -> Event[TaiheEvent]:
        declarer = self.declarer
        assert declarer is not None
        scores = _scores_of(seats=self.seats, declarer=declarer, out=out, value=self.value)
        first_bidder = declarer if out == declarer else (declarer + 1) % self.seats
        return self._score(out, scores, next_taker=declarer, next_first_bidder=first_bidder)

    def _end_deal_without_declarer(self) -> Event[TaiheEvent]:
        assert self.first_bidder is not None
        after = (self.first_bidder + 1) % self.seats
        return self._score(None, (0,) * self.seats, next_taker=after, next_first_bidder=after)

    def _score(
        self, out: int | None, scores: tuple[int, ...], *, next_taker: int, next_first_bidder: int
    ) -> Event[TaiheEvent]:
        scored = events.deal_scored(out, deal=self.deal, value=self.value, scores=scores)
        self.totals = tuple(total + score for total, score in zip(self.totals, scores, strict=True))
        if self.deal + 1 < self.options.deals:
            self._begin_deal(self.deal + 1, taker=next_taker, first_bidder=next_first_bidder)
        else:
            self.actor, self.phase = FINISHED, BETWEEN_DEALS
            self.outcome = outcome_of(OutcomeReason.DEALS_PLAYED, scores=self.totals, sides=range(self.seats))
        return scored

    def view(self, seat: int) -> TaiheView:
        """Return all that a seat sees."""
        leading = self.to_beat == NOTHING
        # In the order of its fields: by their names it takes a tenth of a compiled decision.
        return TaiheView._make(
            (
                seat,
                self.deal,
                self.options.deals,
                self.passed_out,
                self.options.max_passes,
                self.phase,
                self.taker,
                self.first_bidder,
                tuple(self.bids),
                tuple([_as_seen_by(seat, exchange) for exchange in self.exchanges]),
                self.declarer,
                self.value,
                HAND_CARDS[self.hands[seat]],
                tuple([cards.bit_count() for cards in self.hands]),
                tuple(map(int.bit_count, self.turns)),
                self.played,
                () if leading else HAND_CARDS[self.turns[-1 - self.passes]],
                None if leading else (self.actor - 1 - self.passes) % self.seats,
                self.totals,
            )
        )


def _lowest(cards: int) -> int:
    return next(card for card in LOWEST_FIRST if holds(cards, card))


def _as_seen_by(seat: int, exchange: Exchange) -> Exchange:
    return exchange if seat in (exchange.seat, exchange.holder) else Exchange(*exchange[:3])


def _scores_of(*, seats: int, declarer: int, out: int, value: int) -> tuple[int, ...]:
    """Return the gain of each seat after one seat went out.

    Args:
        seats: the number of seats.
        declarer: the declarer.
        out: the seat that went out.
        value: the gain of the declarer from each other seat after going out, and the payment to each of them otherwise.
    """
    gain = value if out == declarer else -value
    return tuple(gain * (seats - 1) if seat == declarer else -gain for seat in range(seats))
