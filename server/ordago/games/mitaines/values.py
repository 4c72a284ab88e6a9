"""The values of a match of Mitaines: options, actions, events and views."""

from enum import IntEnum, unique
from typing import Final, NamedTuple

from ordago.cards import NO_CARD
from ordago.games.mitaines.combinations import COMBINATIONS, Combination
from ordago.games.mitaines.pack import PACK

SEAT_COUNTS: Final = (2, 3, 4)
"""The numbers of players that it can be played with."""
LAID_CARDS: Final = 4
"""The cards that are laid on the table at first."""
PACKET_CARDS: Final = {2: 3, 3: 4, 4: 3}
"""The cards that are dealt to a seat at a time, by the number of players; a hand is two packets."""
HAND_CARDS: Final = {seats: 2 * packet for seats, packet in PACKET_CARDS.items()}
"""The cards of a hand, by the number of players."""


class MitainesOptions(NamedTuple):
    """The options of a match."""

    target: int = 500
    """The total, in points, at which a side ends the match after the deal, 10 to 10000."""
    max_deals: int = 60
    """The number of deals after which the match ends in any case, 1 to 1000."""


class PlayCard(NamedTuple):
    """An action: a player plays a card, and may declare a combination with it. There are no other actions."""

    card: int
    """The card."""
    combination: Combination = Combination.NONE
    """The combination that is declared with the card."""


PLAY: Final = {card: tuple(PlayCard(card, combination) for combination in COMBINATIONS) for card in PACK}
"""The action of playing each card with each combination, one object for each, so that none is made during play."""


class Stolen(NamedTuple):
    """A declaration that was stolen and rides with the one that stands."""

    seat: int
    """The seat that had declared it."""
    combination: Combination
    """The combination."""
    rank: int
    """Its rank."""


class Declaration(NamedTuple):
    """The declaration that stands."""

    seat: int
    """The seat that declared it."""
    combination: Combination
    """The combination."""
    rank: int
    """Its rank: 1 for aces, 2 to 10, 11 for jacks, 13 for queens, 14 for kings."""
    cards_left: int
    """The number of cards of the rank that the declarer still has to play to complete it, 1 to 3."""
    points: int
    """The points for completing it: the combination and everything that it has stolen, without clear points."""
    stolen: tuple[Stolen, ...] = ()
    """The declarations that it has stolen, the oldest first."""


@unique
class EventKind(IntEnum):
    """The kind of an event."""

    DEAL_STARTED = 1
    """A deal began: ``deal``, ``seat`` (the dealer)."""
    TABLE_LAID = 2
    """Four cards were laid on the table: ``cards``, in order."""
    HAND_DEALT = 3
    """A seat received a hand: ``seat``, and ``cards`` for this seat alone."""
    CARD_PLAYED = 4
    """A card was played: ``seat``, ``card``, ``combination``."""
    DECLARATION_STOLEN = 5
    """The combination just declared stole the declaration that stood: ``seat``, ``robbed_seat``."""
    PILE_CLEARED = 6
    """The card just played cleared the pile: ``seat``, ``clear``, ``doubled``, ``points`` and their parts."""
    LAST_TEN = 7
    """The ten of diamonds lay in the pile when the deal ended: ``seat``, ``points``, ``ten_points``."""
    DEAL_SCORED = 8
    """A deal was scored: ``deal``, ``scores``, ``totals``."""


@unique
class Clear(IntEnum):
    """The reason why a card cleared the pile."""

    MATCH = 1
    """The card had the rank of the top card while no declaration stood."""
    JACK = 2
    """The card was a jack, played on another rank while no declaration stood."""
    COMPLETION = 3
    """The card completed the declaration of its player."""
    STEAL = 4
    """The card had the rank of another player's declaration and stole it."""


class MitainesEvent(NamedTuple):
    """Something that happened in a match. The fields that a kind does not name are empty."""

    kind: EventKind
    """The kind of the event."""
    seat: int | None = None
    """The seat that it concerns; ``None`` where it concerns all."""
    card: int = NO_CARD
    """The card that was played."""
    combination: Combination = Combination.NONE
    """The combination that was declared with the card."""
    cards: tuple[int, ...] = ()
    """The cards laid, in order, or those of a hand, ascending; empty for a reader who may not see them."""
    deal: int = 0
    """The deal that began or was scored, counted from 0."""
    robbed_seat: int | None = None
    """The seat whose declaration was stolen by declaring; ``None`` where none was."""
    clear: Clear | None = None
    """The reason why the pile was cleared; ``None`` if it was not."""
    doubled: bool = False
    """True if the declaration counts twice, since it was stolen while its card lay alone on the table."""
    points: int = 0
    """The points that the seat scored: the sum of the four fields that follow."""
    declared_points: int = 0
    """The points of the declaration that was completed or stolen, with all that it had stolen, doubled if it was."""
    laid_points: int = 0
    """The points of combinations among the four cards first laid, at the first clear of the deal."""
    single_points: int = 0
    """The points for clearing a single card by its rank."""
    ten_points: int = 0
    """The points of the ten of diamonds, 0 or 50."""
    scores: tuple[int, ...] = ()
    """The points of each seat in the deal; partners have the same."""
    totals: tuple[int, ...] = ()
    """The points of each seat in the match after the deal; partners have the same."""


class MitainesView(NamedTuple):
    """All that one seat can see, the public history of the deal included."""

    seat: int
    """The seat that sees."""
    target: int
    """The total at which a side ends the match after the deal."""
    max_deals: int
    """The number of deals after which the match ends in any case."""
    deal: int
    """The deal that is played, counted from 0."""
    dealer: int
    """The dealer of this deal. The seat after the dealer played the first card of it."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    hand_sizes: tuple[int, ...]
    """The number of cards that each seat holds."""
    stock: int
    """The number of cards in the stock."""
    pile: tuple[int, ...]
    """The pile on the table, the top card last."""
    laid: tuple[int, ...]
    """The four cards that were laid on the table at first, in order; the bottom of the pile until the first clear."""
    declaration: Declaration | None
    """The declaration that stands; ``None`` for none."""
    played: tuple[int, ...]
    """The cards played in this deal, in order. The seat after the dealer played the first, the seats played in turn."""
    declared: tuple[Combination, ...]
    """The combination that was declared with each card of ``played``."""
    clears: tuple[int, ...]
    """The cards of ``played`` that cleared the pile, as places in it, ascending."""
    last_clearer: int | None
    """The seat that cleared last in this deal; ``None`` for nobody."""
    scores: tuple[int, ...]
    """The points of each seat in this deal so far; partners have the same."""
    totals: tuple[int, ...]
    """The points of each seat in the match, those of this deal included; partners have the same."""

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hand_sizes)
