"""Options, actions, events and views of High Card.

Their fields are those of the messages in ``highcard.proto``.
"""

from enum import IntEnum, unique
from typing import NamedTuple

from ordago.cards import NO_CARD


class HighcardOptions(NamedTuple):
    """Options of a match."""

    deals: int = 12
    """The number of deals."""


class PlayCard(NamedTuple):
    """The action of a player: a card to play."""

    card: int
    """The card."""


class HighcardPlay(NamedTuple):
    """A card that was played."""

    seat: int
    """The seat that played it."""
    card: int
    """The card."""


@unique
class EventKind(IntEnum):
    """The kind of an event."""

    DEAL_STARTED = 1
    """A deal began: ``seat``, which leads, and ``deal``."""
    HAND_DEALT = 2
    """A seat got its hand: ``seat``, and ``cards`` for that seat alone."""
    CARD_PLAYED = 3
    """A card was played: ``seat``, ``card``."""
    TRICK_TAKEN = 4
    """A seat took the trick: ``seat``."""


class HighcardEvent(NamedTuple):
    """An event of a match. Fields that its kind does not name are empty."""

    kind: EventKind
    """The kind of event."""
    seat: int
    """The seat that it concerns."""
    card: int = NO_CARD
    """The card that was played."""
    cards: tuple[int, ...] = ()
    """The cards of the hand, ascending; empty for readers that may not see them."""
    deal: int = 0
    """The deal that began, counted from 0."""


class HighcardView(NamedTuple):
    """Everything that one seat can see, including the public history of the deal."""

    seat: int
    """The seat that sees."""
    deal: int
    """The current deal, counted from 0."""
    deals: int
    """The number of deals of the match."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    plays: tuple[HighcardPlay, ...]
    """The cards played in this deal, in order. Those after the last complete trick lie on the table."""
    totals: tuple[int, ...]
    """The tricks that each seat has taken in the match."""
