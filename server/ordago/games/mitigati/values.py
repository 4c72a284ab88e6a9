"""The values of a match of Mitigati: options, actions, events and views."""

from collections.abc import Sequence
from enum import IntEnum, StrEnum, unique
from functools import lru_cache
from typing import Final, NamedTuple

from ordago.cards import NO_CARD
from ordago.games.mitigati.pack import PACK

SEATS: Final = 3
TRICKS: Final = 25
"""The tricks of a deal; also the cards of a hand once it is complete."""
DISCARDED: Final = 3
"""The cards that the dealer lays away."""
STAGES: Final = (10, 15, 20, 25)
"""The cards dealt to each seat before the three bargains, and before the play."""


@unique
class Ranking(StrEnum):
    """The order of the cards."""

    SOURCE = "source"
    """All suits run alike, from the king down to the ace, and the XXI is the highest trump."""
    PIEDMONT = "piedmont"
    """The pips of hearts and diamonds run from the ace, high, down to the ten, and the XX is the highest trump."""


class MitigatiOptions(NamedTuple):
    """The options of a match."""

    rounds: int = 1
    """The number of deals for which each seat is the dealer, 1 to 100."""
    max_bid: int = 100
    """The most chips that a statement may receive or pay, 1 to 1000."""
    max_struck: int = 4
    """The number of struck bargains that ends a turn of dealing, 1 to 100; 0 for no such cap."""
    ranking: Ranking = Ranking.SOURCE
    """The order of the cards."""
    chips: int = 0
    """The chips that each player begins with, 0 to 1000."""

    @property
    def is_piedmont(self) -> bool:
        """True if the cards are ordered as in Piedmont."""
        return self.ranking is Ranking.PIEDMONT


@unique
class ActionKind(IntEnum):
    """The kind of an action."""

    STATEMENT = 1
    """The player names the amount that it wants for stopping: ``amount``."""
    PLAY = 2
    """The player says *play*: the bargain ends and the deal goes on."""
    DISCARD = 3
    """The dealer lays away three cards: ``cards``."""
    CARD = 4
    """The player plays a card to a trick: ``card``."""


class MitigatiAction(NamedTuple):
    """An action of a player. The fields that its kind does not name are empty."""

    kind: ActionKind
    """The kind of the action."""
    amount: int | None = None
    """The chips of a statement: above zero to receive, below zero to pay; ``None`` for no statement or an open one."""
    cards: tuple[int, ...] = ()
    """The cards to lay away, ascending; empty for no discard or an open one."""
    card: int = NO_CARD
    """The card to play."""


CARD_PLACE: Final = 3
"""The place of the card in an action, by which it is found more quickly than by its name."""
PLAY: Final = MitigatiAction(ActionKind.PLAY)
"""The action of saying *play*."""
CARD: Final = {card: MitigatiAction(ActionKind.CARD, card=card) for card in PACK}
"""The action of playing each card, one object for each, so that none has to be made during play."""
OPEN_STATEMENT: Final = MitigatiAction(ActionKind.STATEMENT)
"""A statement whose amount is open."""
OPEN_DISCARD: Final = MitigatiAction(ActionKind.DISCARD)
"""A discard whose cards are open."""


@lru_cache(maxsize=2048)
def statement_of(amount: int) -> MitigatiAction:
    """Return the action of stating an amount: above zero to receive, below zero to pay."""
    return MitigatiAction(ActionKind.STATEMENT, amount=amount)


def discard_of(cards: Sequence[int]) -> MitigatiAction:
    """Return the action of laying away some cards."""
    return MitigatiAction(ActionKind.DISCARD, cards=tuple(sorted(cards)))


@unique
class Phase(IntEnum):
    """The kind of decision that is due."""

    BARGAIN = 1
    """A statement in a bargain."""
    DISCARD = 2
    """The discard of the dealer."""
    TRICKS = 3
    """A card to a trick."""


@unique
class BargainEnd(IntEnum):
    """The end of a bargain without agreement; an agreement ends the deal."""

    PLAY = 1
    """The seat after the one that made the last statement said *play*."""
    BELOW_ZERO = 2
    """The last three statements came to less than nothing, so that no agreement could come any more."""


class Bargain(NamedTuple):
    """The statements between two packets of a deal."""

    statements: tuple[int, ...]
    """The statements in the order in which they were made, the first by the seat after the dealer."""
    end: BargainEnd | None
    """The way it ended; ``None`` while it goes on."""


@unique
class Holding(IntEnum):
    """A holding that is declared."""

    TAROCCHI = 1
    """Ten or more trumps, the Fool counted as one."""
    REALE = 2
    """All four kings."""
    MITIGATI = 3
    """Trump I, trump XXI and the Fool."""
    ONORI = 4
    """Four or more of the kings, trump I, trump XXI and the Fool."""


class Declaration(NamedTuple):
    """A declaration, as everybody hears it."""

    seat: int
    """The seat that declared."""
    holding: Holding
    """The holding that it declared."""
    number: int
    """Tarocchi and onori: the number of cards. Reale and mitigati: the number of extras beside the cards named."""
    cards: tuple[int, ...] = ()
    """Tarocchi: the cards shown, ascending. Empty for the others."""


@unique
class EventKind(IntEnum):
    """The kind of an event."""

    DEAL_STARTED = 1
    """A deal began: ``deal``, ``turn``, ``seat`` (the dealer)."""
    CARDS_DEALT = 2
    """A seat received cards: ``seat``, ``number``, and ``cards`` for this seat alone."""
    STATEMENT_MADE = 3
    """A statement was made: ``seat``, ``amount``."""
    PLAY_SAID = 4
    """A player said *play*, which ended the bargain: ``seat``."""
    BARGAIN_FAILED = 5
    """The statements came to less than nothing, which ended the bargain as if *play* had been said."""
    BARGAIN_STRUCK = 6
    """A bargain was struck, which ended the deal: ``deal``, ``scores``."""
    CARDS_DISCARDED = 7
    """The dealer laid cards away: ``seat``, ``number``, and ``cards`` for this seat alone."""
    HOLDING_DECLARED = 8
    """A holding was declared and paid for: ``seat``, ``holding``, ``number``, ``cards``, ``scores``."""
    CARD_PLAYED = 9
    """A card was played: ``seat``, ``card``."""
    TRICK_TAKEN = 10
    """A trick was taken: ``seat``."""
    DEAL_SCORED = 11
    """A deal was played to the end: ``deal``, ``points``, ``scores``."""


class MitigatiEvent(NamedTuple):
    """Something that happened in a match. The fields that a kind does not name are empty."""

    kind: EventKind
    """The kind of the event."""
    seat: int | None = None
    """The seat that it concerns; ``None`` where it concerns all."""
    card: int = NO_CARD
    """The card that was played."""
    cards: tuple[int, ...] = ()
    """The cards dealt, laid away or shown, ascending; empty for a reader who may not see them."""
    number: int = 0
    """The number of cards dealt or laid away; of a declared holding what ``Declaration.number`` says."""
    amount: int | None = None
    """The chips of a statement: above zero to receive, below zero to pay."""
    holding: Holding | None = None
    """The holding that was declared."""
    deal: int = 0
    """The deal that began or ended, counted from 0."""
    turn: int = 0
    """The turn of dealing in which a deal began, counted from 0."""
    points: tuple[int, ...] = ()
    """The card points of each seat in a deal played to the end, the discard included; 129 in all."""
    scores: tuple[int, ...] = ()
    """The chips that each seat gained or paid; zero in all."""


class MitigatiView(NamedTuple):
    """All that one seat can see, the public history of the deal included."""

    seat: int
    """The seat that sees."""
    options: MitigatiOptions
    """The options of the match."""
    deal: int
    """The deal, counted from 0; deals that ended with a struck bargain are counted."""
    deals_played: int
    """The number of deals of the match that were played to the end."""
    turn: int
    """The turn of dealing, counted from 0."""
    struck: int
    """The number of bargains struck in this turn of dealing."""
    dealer: int
    """The dealer of this deal. The seat after the dealer speaks first in each bargain and leads the first trick."""
    phase: Phase | None
    """The kind of decision that is due; ``None`` while the cards of the deal are still to be dealt."""
    stage: int
    """The number of cards dealt to each seat so far, the dealer's last three not counted: one of ``STAGES``, or 0."""
    held: tuple[int, ...]
    """The number of cards that each seat holds."""
    hand: tuple[int, ...]
    """The cards of this seat, ascending."""
    discard: tuple[int, ...]
    """The cards that this seat laid away as the dealer, ascending."""
    bargains: tuple[Bargain, ...]
    """The bargains of this deal, the one that goes on included."""
    declarations: tuple[Declaration, ...]
    """The declarations of this deal, in the order in which they were made."""
    trick: tuple[int, ...]
    """The cards of the trick on the table in the order of play, at most two."""
    leader: int
    """The seat that led the trick on the table, or is to lead it; the seat after the dealer before the tricks."""
    played: tuple[int, ...]
    """The cards of all completed tricks of this deal in the order of play, three a trick."""
    takers: tuple[int, ...]
    """The seat that took each completed trick, and led the next. The Fool stayed with the seat that played it."""
    chips: tuple[int, ...]
    """The chips of each seat: those that it began with, and gained, less paid."""
