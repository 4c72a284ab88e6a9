"""The rules of Mittlere Jass: trick taking for three, with a trump suit that is found in play.

Three players, each alone, take tricks with 36 cards. There is no trump at first: the first player who cannot follow
suit sets it by the card played. Those with the most or the fewest points gain, the one in the middle loses.
docs/rules/mittlere-for-bots.md has the rules in full, with every ruling.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from ordago.build import mypyc_attr
from ordago.cards import LAST_CARD, NO_CARD, Suit
from ordago.game import (
    CHANCE,
    FINISHED,
    Event,
    LegalAction,
    OptionError,
    OptionKind,
    OptionSpec,
    Outcome,
    OutcomeReason,
    Parts,
    Shuffle,
    Standing,
    Violation,
    option_values,
    outcome_of,
)
from ordago.games.clonable import Clonable
from ordago.games.events import hidden, public
from ordago.games.mittlere.following import broken_rule, legal_cards
from ordago.games.mittlere.knowledge import draw_hands, knowledge_of
from ordago.games.mittlere.pack import BEATEN_BY, CHEAPEST_FIRST, HAND_CARDS, NO_TRUMP, PACK, SUIT_CARDS, SUIT_OF
from ordago.games.mittlere.scoring import points_of, scores_of
from ordago.games.mittlere.values import (
    LEGAL_ACTIONS,
    PLAY,
    SEATS,
    TRICKS,
    EventKind,
    MittlereEvent,
    MittlereOptions,
    MittlereTrump,
    MittlereView,
    PlayCard,
)
from ordago.games.tricks import NO_TRICKS, completed_tricks
from ordago.scene import english

_SIDES: Final = tuple(range(SEATS))
_NEXT: Final = (1, 2, 0)
_SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
_PACKET: Final = 3
"""The cards that are dealt to a seat at a time."""
_CACHED_EVENTS: Final = 4096
"""The number of events of a kind that are kept. It only bounds the memory."""


def _of_each_card(kind: EventKind) -> tuple[tuple[tuple[Event[MittlereEvent], ...], ...], ...]:
    def event_of(seat: int, card: int) -> tuple[Event[MittlereEvent], ...]:
        return (Event(MittlereEvent(kind, seat=seat, card=card)),) if card in PACK else ()

    return tuple(tuple(event_of(seat, card) for card in range(LAST_CARD + 1)) for seat in _SIDES)


# The events of play contain only a seat and a card, so each is made once and used again and again.
_CARD_PLAYED: Final = _of_each_card(EventKind.CARD_PLAYED)
_TRUMP_SET: Final = _of_each_card(EventKind.TRUMP_SET)
# Looking up a member through its enumeration takes ten times as long.
_HAND_DEALT: Final = EventKind.HAND_DEALT
_HIDDEN_HAND: Final = tuple(MittlereEvent(_HAND_DEALT, seat=seat) for seat in _SIDES)
_TRICK_TAKEN: Final = tuple((Event(MittlereEvent(EventKind.TRICK_TAKEN, seat=seat)),) for seat in _SIDES)


@lru_cache(maxsize=_CACHED_EVENTS)
def _deal_started(dealer: int, deal: int) -> Event[MittlereEvent]:
    return public(MittlereEvent(EventKind.DEAL_STARTED, seat=dealer, deal=deal))


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class MittlereState(Clonable):
    """A match in progress. Between two deals it shows the next one, before its cards are dealt.

    The attributes are there to be read; only ``supply`` and ``apply`` change them.

    Attributes:
        actor: the seat that is to act, or ``CHANCE``, or ``FINISHED``.
        outcome: how the match ended; ``None`` while it goes on.
        deals: the number of deals of the match.
        totals: the score of each seat over the deals completed.
        deal: the deal that is played, from 0.
        hands: the hand of each seat, as sets.
        cards: the cards played in this deal, in the order of play.
        takers: the seat that took each completed trick.
        leader: the seat that led the trick on the table, or is to lead it.
        led: the cards of the suit led, as a set; empty while nothing was led.
        best: the card that would take the trick on the table; ``NO_CARD`` while nothing was led.
        taking: the seat that played ``best``.
        trump: the trump suit, or ``NO_TRUMP``.
        trump_set: how the trump suit came about; ``None`` while there is none.
        seen: the completed tricks as they were seen last: they are kept from one view to the next.
    """

    __slots__ = (
        "actor",
        "best",
        "cards",
        "deal",
        "deals",
        "hands",
        "leader",
        "led",
        "outcome",
        "seen",
        "takers",
        "taking",
        "totals",
        "trump",
        "trump_set",
    )

    def __init__(self, options: MittlereOptions, *, deal: int = 0, totals: tuple[int, ...] = (0,) * SEATS) -> None:
        """Begin a match, or go on with one before one of its deals."""
        self.outcome: Outcome | None = None
        self.deals = options.deals
        self.totals = totals
        self._begin_deal(deal)

    def _begin_deal(self, deal: int) -> None:
        self.actor = CHANCE
        self.deal = deal
        self.leader = self.taking = deal % SEATS
        self.hands = [0] * SEATS
        self.cards: list[int] = []
        self.takers: list[int] = []
        self.seen = NO_TRICKS
        self.trump = NO_TRUMP
        self.trump_set: MittlereTrump | None = None
        self._clear_table()

    def _clear_table(self) -> None:
        self.led = 0
        self.best = NO_CARD

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle of the whole pack that each deal begins with."""
        return Shuffle(self.deal, 0, PACK)

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MittlereEvent]]:
        """Deal the cards, three at a time, beginning with the seat after the dealer, who leads."""
        for start in range(0, len(PACK), _PACKET):
            seat = (self.leader + start // _PACKET) % SEATS
            first, second, third = cards[start : start + _PACKET]
            self.hands[seat] |= 1 << first | 1 << second | 1 << third
        self.actor = self.leader
        return (_deal_started(self.dealer, self.deal), *[self._hand_dealt(seat) for seat in range(SEATS)])

    def _hand_dealt(self, seat: int) -> Event[MittlereEvent]:
        full = MittlereEvent(_HAND_DEALT, seat, cards=HAND_CARDS[self.hands[seat]])
        return hidden(full, 1 << seat, _HIDDEN_HAND[seat])

    @property
    def dealer(self) -> int:
        """The dealer of this deal."""
        return (self.deal + SEATS - 1) % SEATS

    def legal_cards(self) -> int:
        """Return the cards that the actor may play, as a set: the legal actions, for callers that work with sets."""
        return legal_cards(self.hands[self.actor], led=self.led, best=self.best, trump=self.trump)

    def legal_actions(self) -> Sequence[LegalAction[PlayCard]]:
        """Return everything that is legal for the actor, ascending by card."""
        return LEGAL_ACTIONS[self.legal_cards()]

    def extras(self) -> Sequence[PlayCard]:
        """Return nothing: there is nothing to say in this game."""
        return ()

    def check(self, action: PlayCard) -> Violation | None:
        """Return the rule that an action of the actor breaks, or ``None`` if it is legal."""
        hand = self.hands[self.actor]
        # Nearly all are legal, and to ask which rule they break takes as long again.
        if legal_cards(hand, led=self.led, best=self.best, trump=self.trump) >> action.card & 1:
            return None
        return broken_rule(action.card, hand, led=self.led, best=self.best, trump=self.trump)

    def default_action(self) -> PlayCard:
        """Return the cheapest legal card: the first in ``CHEAPEST_FIRST``."""
        legal = self.legal_cards()
        for card in CHEAPEST_FIRST[self.trump]:
            if legal >> card & 1:
                return PLAY[card]
        raise AssertionError("there is always a legal card")

    def apply(self, action: PlayCard) -> Sequence[Event[MittlereEvent]]:
        """Play a card of the actor, and return the resulting events."""
        seat, card = self.actor, action.card
        events = _CARD_PLAYED[seat][card]
        self.hands[seat] ^= 1 << card
        self.cards.append(card)
        if self.best == NO_CARD:
            self.led = SUIT_CARDS[SUIT_OF[card]]
        elif self.trump == NO_TRUMP and not self.led >> card & 1:
            self._set_trump(seat, card)
            events += _TRUMP_SET[seat][card]
        if BEATEN_BY[self.trump][card] >> self.best & 1:
            self.best, self.taking = card, seat
        if len(self.cards) % SEATS:
            self.actor = _NEXT[seat]
            return events
        return events + self._end_trick()

    def _set_trump(self, seat: int, card: int) -> None:
        self.trump = SUIT_OF[card]
        self.trump_set = MittlereTrump(_SUITS[self.trump], card, seat, trick=len(self.takers))

    def _end_trick(self) -> tuple[Event[MittlereEvent], ...]:
        taker = self.actor = self.leader = self.taking
        self.takers.append(taker)
        self._clear_table()
        if len(self.takers) < TRICKS:
            return _TRICK_TAKEN[taker]
        return (*_TRICK_TAKEN[taker], self._end_deal())

    def _end_deal(self) -> Event[MittlereEvent]:
        points = points_of(self.cards, self.takers, trump=self.trump)
        scores, rule = scores_of(points, self.takers)
        scored = MittlereEvent(EventKind.DEAL_SCORED, deal=self.deal, points=points, scores=scores, rule=rule)
        self.totals = tuple(total + score for total, score in zip(self.totals, scores, strict=True))
        if self.deal + 1 < self.deals:
            self._begin_deal(self.deal + 1)
        else:
            self.actor = FINISHED
            self.outcome = outcome_of(OutcomeReason.DEALS_PLAYED, scores=self.totals, sides=_SIDES)
        return public(scored)

    def view(self, seat: int) -> MittlereView:
        """Return all that a seat sees."""
        self.seen = completed_tricks(self.seen, cards=self.cards, takers=self.takers, seats=SEATS)
        played, takers = self.seen
        # In the order of its fields: by their names it takes a tenth of a compiled decision.
        return MittlereView._make(
            (
                seat,
                self.deal,
                self.deals,
                self.dealer,
                HAND_CARDS[self.hands[seat]],
                tuple(self.cards[len(played) :]),
                self.leader,
                played,
                takers,
                self.trump_set,
                self.totals,
            )
        )


def state_of(view: MittlereView, hands: Sequence[int]) -> MittlereState:
    """Return the state in the middle of a deal behind a seat's view, with these hands of all seats as sets."""
    state = MittlereState(MittlereOptions(view.deals), deal=view.deal, totals=view.totals)
    state.hands = list(hands)
    state.cards, state.takers = list(view.played), list(view.takers)
    state.actor = state.leader = view.leader
    if view.trump is not None:
        state.trump, state.trump_set = SUIT_OF[view.trump.card], view.trump
    for card in view.trick:
        state.hands[state.actor] |= 1 << card
        state.apply(PLAY[card])
    return state


def possible_states(view: MittlereView, *, rng: Random) -> Iterator[MittlereState]:
    """Draw states without end, uniformly from all that fit the knowledge of a seat that is to act."""
    knowledge = knowledge_of(view)
    while True:
        yield state_of(view, draw_hands(knowledge, rng=rng))


def standing(state: MittlereState) -> Standing:
    """Return the score so far."""
    return Standing(state.deal, state.totals)


class MittlereRules:
    """The rules of Mittlere Jass."""

    name = "mittlere"
    title = english("Mittlere Jass")
    version = 1
    seat_counts = (SEATS,)
    option_specs = (
        OptionSpec(
            "deals",
            OptionKind.INTEGER,
            default=MittlereOptions().deals,
            sentence="The number of deals, a multiple of 3, so that each player deals equally often.",
            min=3,
            max=300,
        ),
    )

    def options(self, values: Mapping[str, object]) -> MittlereOptions:
        """Return the options for these values, defaults filled in.

        Raises:
            OptionError: an unknown name, or a number of deals that cannot be played.
        """
        deals = int(option_values(self.option_specs, values)["deals"])
        if deals % SEATS:
            raise OptionError("deals", f"option 'deals' takes a multiple of {SEATS} from 3 to 300, not {deals}")
        return MittlereOptions(deals)

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side that each seat plays for: each its own."""
        return tuple(range(seats))

    def new_match(self, *, seats: int, options: MittlereOptions) -> MittlereState:
        """Return a match before its first shuffle.

        Raises:
            ValueError: the game is not for so many players.
        """
        if seats != SEATS:
            raise ValueError(f"{self.title} is played by {SEATS}, not by {seats}")
        return MittlereState(options)

    def fill(self, legal: LegalAction[PlayCard], parts: Parts[PlayCard]) -> PlayCard:  # noqa: ARG002 - nothing is open
        """Return the action itself: no action of this game has open parts."""
        return legal.action


RULES: Final = MittlereRules()
"""The rules of Mittlere Jass."""
