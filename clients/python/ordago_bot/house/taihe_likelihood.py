"""Likelihood of what the others did in Taihe A Bao, in a deal that was imagined.

The cheap policy declares the more often the more aces it holds. It plays the lowest combination of a kind and size, and
passes at times although it could beat. Its chances are those of ``solid`` with eight worlds, as
``research/odds.py`` counts them (240 deals).
"""

from collections.abc import Iterator
from math import prod
from typing import Final, NamedTuple

from ordago.cards import count
from ordago.games.taihe.combinations import COMBINATIONS, NOTHING, STRONGER, Kind, combination_of, combinations_in
from ordago.games.taihe.knowledge import turns_of
from ordago.games.taihe.pack import CARDS_OF_RANK, LOW_TO_HIGH
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import Bid, TaiheView

_DECLARES: Final = (0.1, 0.25, 0.4, 0.5, 0.7)
"""The chance to declare, by the aces held."""
_NOT_LOWEST: Final = 0.1
"""The chance of a combination beside which a lower one of its kind and size was possible, as a part of that of the
lowest. ``solid`` never plays one, but others do."""
_FOLLOWS: Final = {
    # (friendly, plain, bomb): the chances to pass, to play a plain combination, and to play a bomb.
    (False, False, True): (0.35, 0.0, 0.65),
    (False, True, False): (0.25, 0.75, 0.0),
    (False, True, True): (0.28, 0.34, 0.38),
    (True, False, True): (0.76, 0.0, 0.24),
    (True, True, False): (0.41, 0.59, 0.0),
    (True, True, True): (0.43, 0.38, 0.19),
}
_ACES: Final = CARDS_OF_RANK[LOW_TO_HIGH[-1]]
_BOMBS: Final = sum(1 << number for number, each in enumerate(COMBINATIONS) if each.kind >= Kind.TRIPLE)
_LOWER: Final = tuple(
    sum(
        1 << number
        for number in range(played)
        if COMBINATIONS[number][0] == COMBINATIONS[played].kind
        and COMBINATIONS[number].size == COMBINATIONS[played].size
    )
    for played in range(len(COMBINATIONS))
)
"""The lower combinations of the kind and size of each, as sets."""


class Turn(NamedTuple):
    """A turn of the play."""

    seat: int
    cards: int
    """The cards played, as a set; empty for a pass."""
    to_beat: int
    """The number of the combination to beat; ``NOTHING`` for a lead."""
    played: int
    """The number of the combination played; ``NOTHING`` for a pass."""
    friendly: bool
    """True if the seat and the player of the combination to beat are both opponents of the declarer."""


def turns_seen(view: TaiheView) -> Iterator[Turn]:
    """Yield the turns of a view, in order."""
    seats, declarer, to_beat, owner, passes = len(view.totals), view.declarer or 0, NOTHING, 0, 0
    for place, cards in enumerate(turns_of(view)):
        seat = (declarer + place) % seats
        played = combination_of(cards) if cards else NOTHING
        yield Turn(seat, cards, to_beat, played, declarer not in (seat, owner))
        if cards:
            to_beat, owner, passes = played, seat, 0
        elif (passes := passes + 1) == seats - 1:
            to_beat, passes = NOTHING, 0


class Likelihood:
    """The chance of what the others of a view did, in a state that may be behind it."""

    def __init__(self, view: TaiheView) -> None:
        """Read what was done."""
        self._seat = view.seat
        self._turns = tuple(turns_seen(view))
        first, seats = view.first_bidder or 0, len(view.totals)
        self._declared = [((first + place) % seats, bid) for place, bid in enumerate(view.bids[:seats])]

    def __call__(self, state: TaiheState) -> float:
        """Return the chance, up to a constant factor."""
        hands = list(state.hands)
        chance = 1.0
        for seat, cards, to_beat, played, friendly in reversed(self._turns):
            hands[seat] |= cards
            if seat != self._seat:
                chance *= _chance(hands[seat], to_beat, played, friendly=friendly)
        for seat, asked, holder, given_back in reversed(state.exchanges):
            moved = 1 << asked | 1 << given_back if given_back else 1 << asked
            hands[seat] ^= moved
            hands[holder] ^= moved
        return chance * prod(
            _DECLARES[aces] if bid is Bid.DECLARED else 1 - _DECLARES[aces]
            for seat, bid in self._declared
            if seat != self._seat and (aces := count(hands[seat] & _ACES)) >= 0
        )


def _chance(hand: int, to_beat: int, played: int, *, friendly: bool) -> float:
    """Return the chance that a hand plays a combination, or passes."""
    combinations = combinations_in(hand) & STRONGER[to_beat]
    lowest = 1.0 if played == NOTHING or not combinations & _LOWER[played] else _NOT_LOWEST
    if to_beat == NOTHING or not combinations:
        return lowest
    passing, plain, bomb = _FOLLOWS[friendly, bool(combinations & ~_BOMBS), bool(combinations & _BOMBS)]
    if played == NOTHING:
        return passing
    return lowest * (bomb if _BOMBS >> played & 1 else plain)
