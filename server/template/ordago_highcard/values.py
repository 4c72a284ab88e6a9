"""Options, actions, events and views of High Card.

Their fields are those of the messages in ``highcard.proto``.
"""

from enum import IntEnum, unique
from typing import NamedTuple

from ordago.cards import NO_CARD


class HighcardOptions(NamedTuple):
    """What a match is played with."""

    deals: int = 12
    """The number of deals."""


class PlayCard(NamedTuple):
    """What a player does: play a card."""

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
    """What an event tells."""

    DEAL_STARTED = 1
    """A deal began: ``seat``, which is to lead, and ``deal``."""
    HAND_DEALT = 2
    """A seat got its hand: ``seat``, and ``cards`` for that seat alone."""
    CARD_PLAYED = 3
    """A card was played: ``seat``, ``card``."""
    TRICK_TAKEN = 4
    """A seat took the trick: ``seat``."""


class HighcardEvent(NamedTuple):
    """Something that happened in a match. The fields that a kind does not name are empty."""

    kind: EventKind
    """What happened."""
    seat: int
    """The seat that it concerns."""
    card: int = NO_CARD
    """The card that was played."""
    cards: tuple[int, ...] = ()
    """The cards of the hand, ascending; empty for a reader who may not see them."""
    deal: int = 0
    """The deal that began, counted from 0."""


class HighcardView(NamedTuple):
    """All that one seat can see, the public history of the deal included."""

    seat: int
    """The seat that sees."""
    deal: int
    """The deal that is played, counted from 0."""
    deals: int
    """The number of deals of the match."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    plays: tuple[HighcardPlay, ...]
    """What was played in this deal, in order. What is more than whole tricks lies on the table."""
    totals: tuple[int, ...]
    """The tricks that each seat has taken in the match."""
