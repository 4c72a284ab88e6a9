"""The view of a seat on a match."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ordago.cards import holds
from ordago.games.mus.betting import ALL_SEATS, Betting
from ordago.games.mus.hands import HAND_CARDS
from ordago.games.mus.holdings import Holdings
from ordago.games.mus.members import TO_PARTNERS
from ordago.games.mus.scoring import Scoreboard
from ordago.games.mus.values import (
    SEATS,
    SIDE_OF,
    Lance,
    MusOptions,
    MusView,
    Phase,
    Settlement,
    SignalsSeen,
    Statement,
)

_NO_BETTING: Final = Betting(Lance.GRANDE, ALL_SEATS, mano=0)
"""The visible betting state before the betting begins, apart from its lance."""
_HOLDS_SEATS: Final[tuple[tuple[bool, ...], ...]] = tuple(
    [tuple([holds(seats, seat) for seat in range(SEATS)]) for seats in range(ALL_SEATS + 1)]
)
"""For each set of seats, by seat: True if it is in the set."""
_CACHED_HANDS: Final = 4096
"""The number of tuples of hands that are kept. It only bounds the memory."""


def view_of(
    seat: int,
    *,
    options: MusOptions,
    scoreboard: Scoreboard,
    holdings: Holdings,
    phase: Phase,
    betting: Betting | None,
    said: Sequence[Statement],
    settled: Sequence[Settlement],
    pares: int | None,
    juego: int | None,
    shown: tuple[int, ...],
) -> MusView:
    """Return the view of a seat. Apart from the seat, the arguments have the names of ``MusState``'s attributes."""
    bets = betting or _NO_BETTING
    # In the order of its fields: by their names it takes a tenth of a compiled decision.
    return MusView._make(
        (
            seat,
            options,
            scoreboard.game,
            scoreboard.deal,
            scoreboard.deal_of_game,
            scoreboard.points,
            scoreboard.games,
            scoreboard.dealer,
            phase,
            None if betting is None else betting.lance,
            HAND_CARDS[holdings.hands[seat]],
            len(holdings.stock),
            _heard_by(seat, said, options.signals),
            holdings.discarded_by(seat),
            holdings.drawn_by(seat),
            tuple(holdings.reshuffled),
            _for_each_seat(pares),
            _for_each_seat(juego),
            bets.stake,
            bets.agreed,
            bets.ordago,
            bets.bettor,
            None if bets.answered is None else bets.answered.kind,
            tuple(settled),
            _cards_of(shown) if shown else (),
        )
    )


def _heard_by(seat: int, said: Sequence[Statement], signals: SignalsSeen) -> tuple[Statement, ...]:
    """Return the statements in a deal, without the signals that a seat may not see."""
    if signals is not TO_PARTNERS:
        return tuple(said)
    side = SIDE_OF[seat]
    return tuple(
        [one if one.signal is None or SIDE_OF[one.seat] == side else one._replace(signal=None) for one in said]
    )


def _for_each_seat(seats: int | None) -> tuple[bool, ...]:
    return () if seats is None else _HOLDS_SEATS[seats]


# A seat sees the same hands from one decision to the next.
@lru_cache(maxsize=_CACHED_HANDS)
def _cards_of(hands: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([card for hand in hands for card in HAND_CARDS[hand]])
