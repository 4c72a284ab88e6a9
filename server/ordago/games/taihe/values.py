"""The values of a match of Taihe A Bao: options, actions, events and views."""

from enum import IntEnum, unique
from typing import Final, NamedTuple

from ordago.cards import NO_CARD

SEAT_COUNTS: Final = (3, 4, 5)


class TaiheOptions(NamedTuple):
    """The options of a match."""

    deals: int = 12
    """The number of played deals, 1 to 300."""
    max_passes: int = 3
    """The number of times that everybody can pass twice in a deal before it counts as played for 0, 1 to 100.

    0 for no such cap.
    """


@unique
class Phase(IntEnum):
    """The kind of decision that the seat to act has to take."""

    BETWEEN_DEALS = 0
    """Nobody is to act."""
    DECLARING = 1
    """The first round of bidding: to pass or to declare."""
    EXCHANGING = 2
    """The second round of bidding: to pass or to ask for a card."""
    GIVING_BACK = 3
    """A card was asked for and received: to give one back."""
    PLAYING = 4
    """The play of combinations: to pass or to play cards."""


@unique
class Bid(IntEnum):
    """A bid that was made."""

    PASSED = 1
    """The seat passed."""
    DECLARED = 2
    """The seat declared, which ended the bidding."""
    EXCHANGED = 3
    """The seat exchanged a card."""


class Exchange(NamedTuple):
    """A card asked for in the second round of bidding, and the card given back for it."""

    seat: int
    """The seat that asked."""
    asked: int
    """The card that it asked for and received, shown to all."""
    holder: int
    """The seat that had this card and gave it."""
    given_back: int = NO_CARD
    """The card that the holder got back; none for a reader who is neither of the two, and until it is given back."""


@unique
class ActionKind(IntEnum):
    """The kind of an action."""

    PASS = 1
    """To pass, in the bidding or in the play."""
    DECLARE = 2
    """To declare in the first round of bidding."""
    ASK = 3
    """To ask for a card in the second round of bidding: ``card``."""
    GIVE_BACK = 4
    """To give a card back for the one received: ``card``."""
    PLAY = 5
    """To play a combination: ``cards``."""


class TaiheAction(NamedTuple):
    """An action of a player. The fields that its kind does not name are empty."""

    kind: ActionKind
    """The kind of the action."""
    card: int = NO_CARD
    """The card that the player asks for or gives back."""
    cards: tuple[int, ...] = ()
    """The cards that the player plays, ascending."""


PASS: Final = TaiheAction(ActionKind.PASS)
"""To pass."""
DECLARE: Final = TaiheAction(ActionKind.DECLARE)
"""To declare."""


@unique
class EventKind(IntEnum):
    """The kind of an event."""

    DEAL_STARTED = 1
    """Cards are dealt, for a new deal or anew after everybody passed twice: ``deal``, ``seat`` (which takes first)."""
    HAND_DEALT = 2
    """A seat received its hand: ``seat``, and ``cards`` for this seat alone."""
    BIDDING_STARTED = 3
    """The bidding began: ``seat`` (which bids first)."""
    PASSED = 4
    """A seat passed, in the bidding or in the play: ``seat``."""
    DECLARED = 5
    """A seat declared: ``seat``."""
    ASKED = 6
    """A seat asked for a card and received it: ``seat``, ``card``, ``holder``."""
    GAVE_BACK = 7
    """A seat gave a card back: ``seat``, ``holder``, and ``card`` for these two alone."""
    DECLARER_FOUND = 8
    """The bidding ended with a declarer: ``seat``, ``value``."""
    PASSED_OUT = 9
    """Everybody passed twice: ``deal``."""
    PLAYED = 10
    """A combination was played: ``seat``, ``cards``."""
    ROUND_ENDED = 11
    """All others passed in succession: ``seat`` (which leads next)."""
    DEAL_SCORED = 12
    """A deal was scored: ``deal``, ``value``, ``scores``, and ``seat`` (which went out; ``None`` without declarer)."""


class TaiheEvent(NamedTuple):
    """Something that happened in a match. The fields that a kind does not name are empty."""

    kind: EventKind
    """The kind of the event."""
    seat: int | None = None
    """The seat that it concerns; ``None`` where it concerns all."""
    card: int = NO_CARD
    """The card that was asked for or given back; none for a reader who may not see it."""
    cards: tuple[int, ...] = ()
    """The cards of the hand or of the combination, ascending; empty for a reader who may not see them."""
    holder: int | None = None
    """The seat that gave the card asked for, and gets the one given back."""
    deal: int = 0
    """The deal, counted from 0."""
    value: int = 0
    """The declarer's gain from, or payment to, each other seat; 0 where there was no declarer."""
    scores: tuple[int, ...] = ()
    """The gain of each seat in a scored deal; zero in all."""


class TaiheView(NamedTuple):
    """All that one seat can see, the public history of the deal included."""

    seat: int
    """The seat that sees."""
    deal: int
    """The deal that is played, counted from 0."""
    deals: int
    """The number of deals of the match."""
    passed_out: int
    """The number of times that everybody has passed twice in this deal so far, so that the cards were dealt anew."""
    max_passes: int
    """The number of times that everybody can pass twice in a deal before it counts as played for 0; 0 for no
    such cap.
    """
    phase: Phase
    """The kind of decision that the seat to act has to take."""
    taker: int
    """The seat that took the first card."""
    first_bidder: int | None
    """The seat that bid first; ``None`` before the first deal, whose cards decide it."""
    bids: tuple[Bid, ...]
    """The bids in order, from ``first_bidder`` on, one of each seat in a round."""
    exchanges: tuple[Exchange, ...]
    """The exchanges in order; while a card is to be given back, the last is the one that lacks it."""
    declarer: int | None
    """The declarer; ``None`` during the bidding."""
    value: int
    """The declarer's gain from, or payment to, each other seat; 0 during the bidding."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    hand_sizes: tuple[int, ...]
    """The number of cards of each seat."""
    turns: tuple[int, ...]
    """The number of cards of each turn of the play, 0 for a pass; the declarer has the first, then the next seat."""
    played: tuple[int, ...]
    """The cards of all turns of this deal in order, those of one turn ascending."""
    to_beat: tuple[int, ...]
    """The combination that is to be beaten, ascending; empty for a seat that is to lead."""
    to_beat_seat: int | None
    """The seat that played the combination to beat; ``None`` when there is none."""
    totals: tuple[int, ...]
    """The score of each seat over the deals completed."""
