"""The events of a match, with their audiences.

Those that say nothing but a few seats and cards are made once and handed out again and again.
"""

from functools import lru_cache
from typing import Final

from ordago.cards import NO_CARD
from ordago.game import Event
from ordago.games.events import hidden, public
from ordago.games.taihe.members import HAND_DEALT
from ordago.games.taihe.pack import HAND_CARDS
from ordago.games.taihe.values import SEAT_COUNTS, EventKind, TaiheEvent

_CACHED: Final = 1 << 15
"""The number of events of a kind that are kept. It only bounds the memory."""


def _of_each_seat(kind: EventKind) -> tuple[tuple[Event[TaiheEvent]], ...]:
    return tuple((Event(TaiheEvent(kind, seat=seat)),) for seat in range(max(SEAT_COUNTS)))


_HIDDEN_HAND: Final = tuple(TaiheEvent(HAND_DEALT, seat=seat) for seat in range(max(SEAT_COUNTS)))
BIDDING_STARTED: Final = _of_each_seat(EventKind.BIDDING_STARTED)
"""The events of the beginning of the bidding, by the seat that bids first."""
PASSED: Final = _of_each_seat(EventKind.PASSED)
"""The events of passing, by seat."""
DECLARED: Final = _of_each_seat(EventKind.DECLARED)
"""The events of declaring, by seat, without those that follow."""
ROUND_ENDED: Final = _of_each_seat(EventKind.ROUND_ENDED)
"""The events of the end of a round, by the seat that leads next."""


@lru_cache(maxsize=_CACHED)
def deal_started(taker: int, deal: int) -> Event[TaiheEvent]:
    """Return the event of a deal that begins."""
    return public(TaiheEvent(EventKind.DEAL_STARTED, seat=taker, deal=deal))


def hand_dealt(seat: int, hand: int) -> Event[TaiheEvent]:
    """Return the event of a hand, a set, that is dealt to a seat, which alone sees it."""
    full = TaiheEvent(HAND_DEALT, seat, cards=HAND_CARDS[hand])
    return hidden(full, 1 << seat, _HIDDEN_HAND[seat])


@lru_cache(maxsize=_CACHED)
def asked(seat: int, card: int, holder: int) -> Event[TaiheEvent]:
    """Return the event of a card that a seat asks for and gets from its holder."""
    return public(TaiheEvent(EventKind.ASKED, seat=seat, card=card, holder=holder))


@lru_cache(maxsize=_CACHED)
def gave_back(seat: int, card: int, holder: int) -> Event[TaiheEvent]:
    """Return the event of a card that a seat gives back for the one that it got. The two alone see which."""
    redacted = TaiheEvent(EventKind.GAVE_BACK, seat=seat, holder=holder)
    return hidden(redacted._replace(card=card), 1 << seat | 1 << holder, redacted)


@lru_cache(maxsize=_CACHED)
def passed_out(deal: int) -> Event[TaiheEvent]:
    """Return the event of a deal in which nobody declares."""
    return public(TaiheEvent(EventKind.PASSED_OUT, deal=deal))


@lru_cache(maxsize=_CACHED)
def declarer_found(declarer: int, value: int) -> Event[TaiheEvent]:
    """Return the event of the end of the bidding, with the game value."""
    return public(TaiheEvent(EventKind.DECLARER_FOUND, seat=declarer, value=value))


@lru_cache(maxsize=_CACHED)
def played(seat: int, cards: tuple[int, ...]) -> Event[TaiheEvent]:
    """Return the event of cards that a seat plays."""
    return public(TaiheEvent(EventKind.PLAYED, seat, NO_CARD, cards))


def deal_scored(out: int | None, *, deal: int, value: int, scores: tuple[int, ...]) -> Event[TaiheEvent]:
    """Return the event of a deal that ended, with the seat that went out, if any."""
    return public(TaiheEvent(EventKind.DEAL_SCORED, seat=out, deal=deal, value=value, scores=scores))
