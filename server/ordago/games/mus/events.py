"""The events of a match, with their audiences.

Those that say nothing but a few small numbers are made once and handed out again and again. The others are made when
somebody reads them: a playout in a search never does. So hands come as sets, and are taken apart here.
"""

from functools import cache
from typing import Final

from ordago.cards import cards_in
from ordago.game import Event
from ordago.games.mus.betting import ALL_SEATS
from ordago.games.mus.hands import HAND_CARDS
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
    game, deal, _, points, games = scoreboard
    dealer = scoreboard.dealer
    return Event(MusEvent(EventKind.DEAL_STARTED, dealer, deal=deal, game=game, points=points, games=games))


def hand_dealt(seat: int, hand: int) -> Event[MusEvent]:
    """Return the event of a hand that is dealt to a seat, which alone sees it."""
    return Event(_of_cards(EventKind.HAND_DEALT, seat, 0, HAND_CARDS[hand]), 1 << seat, _HIDDEN_HAND[seat])


def _of_cards(kind: EventKind, seat: int, amount: int, cards: tuple[int, ...]) -> MusEvent:
    # By their places, since names for so many fields take twice as long.
    return MusEvent(kind, seat, None, None, None, amount, False, None, cards)  # noqa: FBT003 - it is not binding


def discarded(seat: int, cards: tuple[int, ...]) -> Event[MusEvent]:
    """Return the event of cards that a seat discards, which alone sees them."""
    return _for_one(EventKind.DISCARDED, seat, tuple(sorted(cards)))


def drawn(seat: int, cards: tuple[int, ...]) -> Event[MusEvent]:
    """Return the event of cards dealt to a seat for its discards, which alone sees them."""
    return _for_one(EventKind.DRAWN, seat, cards)


def _for_one(kind: EventKind, seat: int, cards: tuple[int, ...]) -> Event[MusEvent]:
    amount = len(cards)
    hidden = MusEvent(kind, seat, amount=amount)
    return Event(_of_cards(kind, seat, amount, cards), 1 << seat, hidden)


def reshuffled(amount: int) -> Event[MusEvent]:
    """Return the event of discards that are shuffled to go on dealing."""
    return Event(MusEvent(EventKind.RESHUFFLED, amount=amount))


@cache
def said(seat: int, lance: Lance | None, action: MusAction) -> tuple[Statement, Event[MusEvent]]:
    """Return what is said by an action, without a signal or cards: as it is written down, and the event of it."""
    kind, amount, _, binding, _ = action
    assert kind is not None
    event = MusEvent(EventKind.SAID, seat, None, lance, kind, amount, binding)
    return Statement(seat, kind, lance, amount, binding), Event(event)


def signalled(seat: int, signal: Signal, audience: int | None) -> Event[MusEvent]:
    """Return the event of a signal. Those who do not see it do not see that there is one."""
    return Event(MusEvent(EventKind.SIGNALLED, seat, signal=signal), audience)


@cache
def lance_started(lance: Lance, seats: int) -> Event[MusEvent]:
    """Return the event of a lance in which a set of seats takes part."""
    return Event(MusEvent(EventKind.LANCE_STARTED, lance=lance, seats=_SEATS_IN[seats]))


@cache
def lance_settled(settlement: Settlement) -> Event[MusEvent]:
    """Return the event of a lance whose betting ended."""
    lance, result, side, stake = settlement
    return Event(MusEvent(EventKind.LANCE_SETTLED, None, side, lance, amount=stake, result=result))


def hand_shown(seat: int, hand: int) -> Event[MusEvent]:
    """Return the event of a hand that is shown."""
    return Event(_of_cards(EventKind.HAND_SHOWN, seat, 0, HAND_CARDS[hand]))


def points_scored(side: int, lance: Lance, reason: Reason, amount: int, points: tuple[int, ...]) -> Event[MusEvent]:
    """Return the event of an amount that a side scored, and the points of the sides after it."""
    scored = MusEvent(EventKind.POINTS_SCORED, None, side, lance, amount=amount, reason=reason, points=points)
    return Event(scored)


def dentro(side: int) -> Event[MusEvent]:
    """Return the event of a side that came near the target."""
    return Event(MusEvent(EventKind.DENTRO, side=side))


def deal_ended(scoreboard: Scoreboard) -> Event[MusEvent]:
    """Return the event of a deal that ended."""
    return Event(MusEvent(EventKind.DEAL_ENDED, deal=scoreboard.deal, points=scoreboard.points))


def game_won(winner: int, scoreboard: Scoreboard, reason: Reason | None) -> Event[MusEvent]:
    """Return the event of a game that a side won; the scoreboard counts it already."""
    game, _, _, points, games = scoreboard
    won = MusEvent(EventKind.GAME_WON, None, winner, reason=reason, game=game, points=points, games=games)
    return Event(won)
