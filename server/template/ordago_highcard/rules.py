"""Rules of High Card.

``highcard.md`` has them in full.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from ordago.build import mypyc_attr
from ordago.cards import FRENCH_SUITS, card_set, cards_in, french, french_rank, holds, sign
from ordago.game import (
    CHANCE,
    FINISHED,
    Event,
    LegalAction,
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

from .values import EventKind, HighcardEvent, HighcardOptions, HighcardPlay, HighcardView, PlayCard

HAND: Final = 5
"""The cards that each seat is dealt."""
_RANKS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14)
"""Ace, 2 to 10, jack, queen and king; 12 is the knight of other packs."""
PACK: Final = tuple(french(suit, rank) for suit in FRENCH_SUITS for rank in _RANKS)
"""The 52 cards, ascending."""


def height(card: int) -> int:
    """Return the height of a card: the ace is the highest, and suits are equal."""
    rank = french_rank(card)
    return 15 if rank == 1 else rank


def beats(card: int, best: int) -> bool:
    """Return True if a card takes the trick from the best one before it. Of equal cards the first takes."""
    return height(card) > height(best)


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class HighcardState(Clonable):
    """A match in progress. Only ``supply`` and ``apply`` change it.

    Attributes:
        actor: the seat that has to act, or ``CHANCE``, or ``FINISHED``.
        outcome: the result of the match; ``None`` while it is played.
        deals: the number of deals of the match.
        deal: the number of the current deal, from 0.
        hands: the hand of each seat, as a bit set.
        plays: the cards played in this deal, in order.
        totals: the tricks that each seat has taken.
    """

    __slots__ = ("actor", "deal", "deals", "hands", "outcome", "plays", "totals")

    def __init__(self, options: HighcardOptions, *, seats: int) -> None:
        """Begin a match."""
        self.outcome: Outcome | None = None
        self.deals = options.deals
        self.totals = (0,) * seats
        self._begin_deal(0)

    def _begin_deal(self, deal: int) -> None:
        self.actor = CHANCE
        self.deal = deal
        self.hands = (0,) * len(self.totals)
        self.plays: tuple[HighcardPlay, ...] = ()

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle of the whole pack before a deal."""
        return Shuffle(self.deal, 0, PACK)

    def supply(self, cards: Sequence[int]) -> Sequence[Event[HighcardEvent]]:
        """Deal five cards to each seat, from seat 0 on."""
        seats = range(len(self.totals))
        self.hands = tuple(card_set(cards[HAND * seat : HAND * (seat + 1)]) for seat in seats)
        self.actor = self.deal % len(self.totals)
        started = HighcardEvent(EventKind.DEAL_STARTED, self.actor, deal=self.deal)
        return [public(started), *map(self._hand_dealt, seats)]

    def _hand_dealt(self, seat: int) -> Event[HighcardEvent]:
        redacted = HighcardEvent(EventKind.HAND_DEALT, seat)
        return hidden(redacted._replace(cards=tuple(cards_in(self.hands[seat]))), 1 << seat, redacted)

    def legal_actions(self) -> Sequence[LegalAction[PlayCard]]:
        """Return the legal actions of the actor: any card of its hand, ascending."""
        return [LegalAction(PlayCard(card)) for card in cards_in(self.hands[self.actor])]

    def extras(self) -> Sequence[PlayCard]:
        """Return an empty sequence: there are no actions besides playing a card."""
        return ()

    def check(self, action: PlayCard) -> Violation | None:
        """Return the rule that an action of the actor breaks, or ``None`` if it is legal."""
        if holds(self.hands[self.actor], action.card):
            return None
        return Violation("own_card", f"{sign(action.card)} is not in your hand: play a card that is.", "card")

    def default_action(self) -> PlayCard:
        """Return the lowest card of the hand, the first among equals."""
        return PlayCard(min(cards_in(self.hands[self.actor]), key=height))

    def apply(self, action: PlayCard) -> Sequence[Event[HighcardEvent]]:
        """Play a card of the actor, and return the events that follow."""
        seat, card = self.actor, action.card
        self.hands = tuple(hand & ~(1 << card) for hand in self.hands)
        self.plays += (HighcardPlay(seat, card),)
        self.actor = (seat + 1) % len(self.totals)
        played = public(HighcardEvent(EventKind.CARD_PLAYED, seat, card))
        return [played] if len(self.plays) % len(self.totals) else [played, self._end_trick()]

    def _end_trick(self) -> Event[HighcardEvent]:
        best, *others = self.plays[-len(self.totals) :]
        for play in others:
            best = play if beats(play.card, best.card) else best
        taker = best.seat
        self.totals = tuple(total + (seat == taker) for seat, total in enumerate(self.totals))
        self.actor = taker
        if not any(self.hands):
            self._end_deal()
        return public(HighcardEvent(EventKind.TRICK_TAKEN, taker))

    def _end_deal(self) -> None:
        if self.deal + 1 < self.deals:
            self._begin_deal(self.deal + 1)
        else:
            self.actor = FINISHED
            sides = range(len(self.totals))
            self.outcome = outcome_of(OutcomeReason.DEALS_PLAYED, scores=self.totals, sides=sides)

    def view(self, seat: int) -> HighcardView:
        """Return everything that a seat can see."""
        hand = tuple(cards_in(self.hands[seat]))
        return HighcardView(seat, self.deal, self.deals, hand, self.plays, self.totals)


class HighcardRules:
    """Name, options and start of the game."""

    name = "highcard"
    title = "High Card"
    version = 1
    seat_counts = (2, 3, 4)
    option_specs = (
        OptionSpec("deals", OptionKind.INTEGER, HighcardOptions().deals, "The number of deals.", min=1, max=100),
    )

    def options(self, values: Mapping[str, object]) -> HighcardOptions:
        """Return the options for these values, with defaults for the others.

        Raises:
            OptionError: an unknown name, or a value that its option does not allow.
        """
        return HighcardOptions(deals=int(option_values(self.option_specs, values)["deals"]))

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side of each seat: each plays for itself."""
        return tuple(range(seats))

    def new_match(self, *, seats: int, options: HighcardOptions) -> HighcardState:
        """Return a match before its first shuffle."""
        return HighcardState(options, seats=seats)

    def fill(self, legal: LegalAction[PlayCard], parts: Parts[PlayCard]) -> PlayCard:  # noqa: ARG002 - nothing is open
        """Return a legal action, which has no open parts."""
        return legal.action


RULES: Final = HighcardRules()
"""The rules of High Card."""


def standing(state: HighcardState) -> Standing:
    """Return the score so far."""
    return Standing(state.deal, state.totals)


def possible_states(view: HighcardView, /, *, rng: Random) -> Iterator[HighcardState]:
    """Yield states without end, each drawn evenly from those that fit the view of the seat that has to act."""
    seats, known = len(view.totals), {*view.hand, *(play.card for play in view.plays)}
    unseen = [card for card in PACK if card not in known]
    held = [HAND - sum(play.seat == seat for play in view.plays) for seat in range(seats)]
    while True:
        state = HighcardState(HighcardOptions(view.deals), seats=seats)
        state.actor, state.deal, state.plays, state.totals = view.seat, view.deal, view.plays, view.totals
        drawn = iter(rng.sample(unseen, sum(held) - held[view.seat]))
        hands = [view.hand if seat == view.seat else [next(drawn) for _ in range(held[seat])] for seat in range(seats)]
        state.hands = tuple(map(card_set, hands))
        yield state
