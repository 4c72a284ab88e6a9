"""The values of a match of Mittlere Jass: options, actions, events and views."""

from enum import IntEnum, unique
from typing import Final, NamedTuple

from ordago.cards import NO_CARD, Hands, Suit
from ordago.game import LegalAction
from ordago.games.mittlere.pack import NO_TRUMP, PACK, SUIT_CARDS

SEATS: Final = 3
TRICKS: Final = 12
"""The tricks of a deal; also the cards of a hand."""


class MittlereOptions(NamedTuple):
    """The options of a match."""

    deals: int = 12
    """The number of deals, a multiple of 3 from 3 to 300."""


class PlayCard(NamedTuple):
    """An action: a player plays a card. There are no other actions."""

    card: int
    """The card."""


PLAY: Final = {card: PlayCard(card) for card in PACK}
"""The action of playing each card, one object for each, so that none has to be made during play."""

LEGAL_ACTIONS: Final = Hands({card: LegalAction(PLAY[card]) for card in PACK}, SUIT_CARDS[:NO_TRUMP])
"""The actions of playing a card of a set, ascending, by the set."""


@unique
class EventKind(IntEnum):
    """The kind of an event."""

    DEAL_STARTED = 1
    """A deal began: ``deal``, ``seat`` (the dealer)."""
    HAND_DEALT = 2
    """A seat received its hand: ``seat``, and ``cards`` for this seat alone."""
    CARD_PLAYED = 3
    """A card was played: ``seat``, ``card``."""
    TRUMP_SET = 4
    """The card just played set the trump suit: ``seat``, ``card``."""
    TRICK_TAKEN = 5
    """A trick was taken: ``seat``."""
    DEAL_SCORED = 6
    """A deal was scored: ``deal``, ``points``, ``scores``, ``rule``."""


@unique
class ScoringRule(IntEnum):
    """The rule that decided the gains of a deal: the first that fits."""

    ALL_TRICKS = 1
    """One seat took all twelve tricks."""
    NO_TRICK = 2
    """A seat took no trick."""
    HUNDRED = 3
    """A seat had 100 points or more."""
    MIDDLE = 4
    """Most and fewest points won, the middle lost."""
    EQUAL = 5
    """Two seats were equal, so that nobody was in the middle."""


class MittlereEvent(NamedTuple):
    """Something that happened in a match. The fields that a kind does not name are empty."""

    kind: EventKind
    """The kind of the event."""
    seat: int | None = None
    """The seat that it concerns; ``None`` for a scored deal."""
    card: int = NO_CARD
    """The card that was played."""
    cards: tuple[int, ...] = ()
    """The cards of the hand, ascending; empty for a reader who may not see them."""
    deal: int = 0
    """The deal that began or was scored, counted from 0."""
    points: tuple[int, ...] = ()
    """The card points of each seat in a scored deal, last trick included; 157 in all."""
    scores: tuple[int, ...] = ()
    """The gain of each seat in a scored deal, -2 to 2; zero in all."""
    rule: ScoringRule | None = None
    """The scoring rule that applied."""


class MittlereTrump(NamedTuple):
    """The origin of the trump suit of a deal."""

    suit: Suit
    """The trump suit, which is that of the card."""
    card: int
    """The card that set it."""
    seat: int
    """The seat that played this card."""
    trick: int
    """The trick in which it was played, 0 to 11."""


class MittlereView(NamedTuple):
    """All that one seat can see, the public history of the deal included."""

    seat: int
    """The seat that sees."""
    deal: int
    """The deal that is played, counted from 0."""
    deals: int
    """The number of deals of the match."""
    dealer: int
    """The dealer of this deal. The seat after the dealer led the first trick."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    trick: tuple[int, ...]
    """The cards of the trick on the table in the order of play, at most two."""
    leader: int
    """The seat that led the trick on the table, or is to lead it."""
    played: tuple[int, ...]
    """The cards of all completed tricks of this deal in the order of play, three a trick."""
    takers: tuple[int, ...]
    """The seat that took each completed trick. It led the trick after it."""
    trump: MittlereTrump | None
    """The trump suit and its origin; ``None`` while no trump was set."""
    totals: tuple[int, ...]
    """The score of each seat over the deals completed."""
