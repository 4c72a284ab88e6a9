"""The events of a match, with their audiences.

Events of a seat and a card alone are built once and reused. The others are built when they
are read: a playout in a search never reads them.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from ordago.cards import NO_CARD, cards_in
from ordago.game import Event
from ordago.games.events import hidden, public
from ordago.games.mitigati.members import CARDS_DEALT
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.scoring import scores_of
from ordago.games.mitigati.values import SEATS, Declaration, EventKind, MitigatiEvent

_CACHED: Final = 4096
"""The number of events of a kind that are kept. It only bounds the memory."""


def _of_each_seat(kind: EventKind) -> tuple[tuple[Event[MitigatiEvent]], ...]:
    return tuple((Event(MitigatiEvent(kind, seat=seat)),) for seat in range(SEATS))


CARD_PLAYED: Final[tuple[tuple[tuple[Event[MitigatiEvent], ...], ...], ...]] = tuple(
    tuple((Event(MitigatiEvent(EventKind.CARD_PLAYED, seat=seat, card=card)),) for card in (NO_CARD, *PACK))
    for seat in range(SEATS)
)
"""The events of playing a card, by seat and card, with ``NO_CARD`` included so that cards are indices."""
TRICK_TAKEN: Final[tuple[tuple[Event[MitigatiEvent], ...], ...]] = _of_each_seat(EventKind.TRICK_TAKEN)
"""The events of taking a trick, by seat."""


@lru_cache(maxsize=_CACHED)
def deal_started(deal: int, turn: int, dealer: int) -> Event[MitigatiEvent]:
    """Return the event of a deal that begins."""
    return public(MitigatiEvent(EventKind.DEAL_STARTED, seat=dealer, deal=deal, turn=turn))


@cache
def play_said(seat: int) -> Event[MitigatiEvent]:
    """Return the event of saying *play*."""
    return public(MitigatiEvent(EventKind.PLAY_SAID, seat=seat))


@cache
def bargain_failed() -> Event[MitigatiEvent]:
    """Return the event of statements that came to less than nothing."""
    return public(MitigatiEvent(EventKind.BARGAIN_FAILED))


@lru_cache(maxsize=_CACHED)
def statement_made(seat: int, amount: int) -> Event[MitigatiEvent]:
    """Return the event of a statement."""
    return public(MitigatiEvent(EventKind.STATEMENT_MADE, seat=seat, amount=amount))


def cards_dealt(seat: int, cards: Sequence[int]) -> Event[MitigatiEvent]:
    """Return the event of cards dealt to a seat, which alone sees them."""
    return _for_one(CARDS_DEALT, seat, tuple(sorted(cards)))


def cards_discarded(seat: int, cards: int) -> Event[MitigatiEvent]:
    """Return the event of a set of cards laid away by the dealer, who alone sees them."""
    return _for_one(EventKind.CARDS_DISCARDED, seat, tuple(cards_in(cards)))


def _for_one(kind: EventKind, seat: int, cards: tuple[int, ...]) -> Event[MitigatiEvent]:
    full = MitigatiEvent(kind, seat, cards=cards, number=len(cards))
    return hidden(full, 1 << seat, _hidden_cards(kind, seat, len(cards)))


@cache
def _hidden_cards(kind: EventKind, seat: int, number: int) -> MitigatiEvent:
    return MitigatiEvent(kind, seat, number=number)


def holding_declared(declaration: Declaration) -> Event[MitigatiEvent]:
    """Return the event of a declaration."""
    seat, holding, number, cards = declaration
    return public(
        MitigatiEvent(
            EventKind.HOLDING_DECLARED,
            seat=seat,
            holding=holding,
            number=number,
            cards=cards,
            scores=scores_of(declaration),
        )
    )


def bargain_struck(deal: int, scores: tuple[int, ...]) -> Event[MitigatiEvent]:
    """Return the event of a bargain struck."""
    return public(MitigatiEvent(EventKind.BARGAIN_STRUCK, deal=deal, scores=scores))


def deal_scored(*, deal: int, points: tuple[int, ...], scores: tuple[int, ...]) -> Event[MitigatiEvent]:
    """Return the event of a deal played to the end."""
    return public(MitigatiEvent(EventKind.DEAL_SCORED, deal=deal, points=points, scores=scores))
