"""The events of a match, with their audiences.

Those that say nothing but a few small numbers are built once and reused. The others are built when they
are read: a playout in a search never reads them. So hands come as sets, and are split into cards here.
"""

from functools import cache, partial
from typing import Final

from ordago.cache import Cache
from ordago.cards import cards_in
from ordago.game import Event
from ordago.games.events import hidden, public
from ordago.games.mus.betting import ALL_SEATS
from ordago.games.mus.hands import HAND_CARDS
from ordago.games.mus.members import DISCARDED, DRAWN, HAND_DEALT, HAND_SHOWN, POINTS_SCORED
from ordago.games.mus.scoring import Scoreboard
from ordago.games.mus.values import (
    SEATS,
    EventKind,
    Lance,
    MusAction,
    MusEvent,
    Reason,
    Settlement,
    Signal,
    Statement,
)

_SEATS_IN: Final = tuple(tuple(cards_in(seats)) for seats in range(ALL_SEATS + 1))
_HIDDEN_HAND: Final = tuple(MusEvent(EventKind.HAND_DEALT, seat=seat) for seat in range(SEATS))


def deal_started(scoreboard: Scoreboard) -> Event[MusEvent]:
    """Return the event of a deal that begins."""
    return public(
        MusEvent(
            EventKind.DEAL_STARTED,
            seat=scoreboard.dealer,
            deal=scoreboard.deal,
            game=scoreboard.game,
            points=scoreboard.points,
            games=scoreboard.games,
        )
    )


def hand_dealt(seat: int, hand: int) -> Event[MusEvent]:
    """Return the event of a hand that is dealt to a seat, which alone sees it."""
    dealt = MusEvent(HAND_DEALT, seat=seat, cards=HAND_CARDS[hand])
    return hidden(dealt, 1 << seat, _HIDDEN_HAND[seat])


def discarded(seat: int, cards: tuple[int, ...]) -> Event[MusEvent]:
    """Return the event of cards that a seat discards, which alone sees them."""
    return _for_one(DISCARDED, seat, tuple(sorted(cards)))


def drawn(seat: int, cards: tuple[int, ...]) -> Event[MusEvent]:
    """Return the event of cards dealt to a seat for its discards, which alone sees them."""
    return _for_one(DRAWN, seat, cards)


def _for_one(kind: EventKind, seat: int, cards: tuple[int, ...]) -> Event[MusEvent]:
    amount = len(cards)
    full = MusEvent(kind, seat=seat, amount=amount, cards=cards)
    return hidden(full, 1 << seat, MusEvent(kind, seat=seat, amount=amount))


@cache
def reshuffled(amount: int) -> Event[MusEvent]:
    """Return the event of discards that are shuffled to go on dealing."""
    return public(MusEvent(EventKind.RESHUFFLED, amount=amount))


def _said(seat: int, lance: Lance | None, action: MusAction) -> tuple[Statement, Event[MusEvent]]:
    kind, amount, _, binding, _ = action
    assert kind is not None
    event = MusEvent(EventKind.SAID, seat=seat, lance=lance, said=kind, amount=amount, binding=binding)
    return Statement(seat, kind, lance, amount, binding), public(event)


SAID: Final[tuple[dict[Lance | None, Cache[MusAction, tuple[Statement, Event[MusEvent]]]], ...]] = tuple(
    [{lance: Cache(partial(_said, seat, lance)) for lance in (None, *Lance)} for seat in range(SEATS)]
)
"""The statement of an action without a signal or cards, with its event, by seat and lance."""


@cache
def signalled(seat: int, signal: Signal, audience: int | None) -> Event[MusEvent]:
    """Return the event of a signal. Seats that may not see it do not learn that there is one."""
    return Event(MusEvent(EventKind.SIGNALLED, seat=seat, signal=signal), audience)


LANCE_STARTED: Final[dict[Lance, tuple[Event[MusEvent], ...]]] = {
    lance: tuple([public(MusEvent(EventKind.LANCE_STARTED, lance=lance, seats=seats)) for seats in _SEATS_IN])
    for lance in Lance
}
"""The event of a lance that starts, by the lance and the set of seats that take part in it."""


def _lance_settled(settlement: Settlement) -> Event[MusEvent]:
    lance, result, side, stake = settlement
    return public(MusEvent(EventKind.LANCE_SETTLED, side=side, lance=lance, amount=stake, result=result))


LANCE_SETTLED: Final[Cache[Settlement, Event[MusEvent]]] = Cache(_lance_settled)
"""The event of a lance whose betting ended."""


def hand_shown(seat: int, hand: int) -> Event[MusEvent]:
    """Return the event of a hand that is shown."""
    return public(MusEvent(HAND_SHOWN, seat=seat, cards=HAND_CARDS[hand]))


def points_scored(side: int, lance: Lance, reason: Reason, amount: int, points: tuple[int, ...]) -> Event[MusEvent]:
    """Return the event of an amount that a side scored, and the points of the sides after it."""
    scored = MusEvent(POINTS_SCORED, side=side, lance=lance, amount=amount, reason=reason, points=points)
    return public(scored)


@cache
def dentro(side: int) -> Event[MusEvent]:
    """Return the event of a side that came near the target."""
    return public(MusEvent(EventKind.DENTRO, side=side))


def deal_ended(scoreboard: Scoreboard) -> Event[MusEvent]:
    """Return the event of a deal that ended."""
    return public(MusEvent(EventKind.DEAL_ENDED, deal=scoreboard.deal, points=scoreboard.points))


def game_won(winner: int, scoreboard: Scoreboard, reason: Reason | None) -> Event[MusEvent]:
    """Return the event of a game that a side won; the scoreboard counts it already."""
    return public(
        MusEvent(
            EventKind.GAME_WON,
            side=winner,
            reason=reason,
            game=scoreboard.game,
            points=scoreboard.points,
            games=scoreboard.games,
        )
    )
