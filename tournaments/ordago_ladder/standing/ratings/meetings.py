"""The pairings of many results at once, as arrays of the players at seats.

What two sides at a table are to each other, and what a forfeit makes of it, is asked of ``results.pairings``, once for
each form of a table: the game, the number of seats, and which seats belong to players who forfeited.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ordago.record import Result
from ordago.record.result import SeatForfeit
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.rating.results import Pairing, pairings
from ordago_ladder.rating.sparse import Floats, Integers
from ordago_ladder.standing.ratings.rows import CareerResult, Counted


class Meetings(NamedTuple):
    """Pairings of two sides that sit at the same places of like tables, a row for each."""

    game: str
    first: Integers
    """The players at the seats of the side that comes first at the table,"""
    second: Integers
    """and of the other."""
    first_side: int
    second_side: int
    wins: Floats
    """Whether the first won, a tie as a half."""
    weights: Floats
    """How much each tells, compared with a pairing that is alone at its table."""


class _Form(NamedTuple):
    game: str
    seats: int
    gone: tuple[int, ...]
    """The seats of players who forfeited."""


def meetings(results: Iterable[Counted]) -> list[Meetings]:
    """Return the rated pairings of results: ascending by the forms of their tables, then as the results come."""
    tables: defaultdict[_Form, list[Counted]] = defaultdict(list)
    for counted in results:
        tables[_form(counted.result)].append(counted)
    return [found for form, alike in sorted(tables.items()) for found in _met(form, alike)]


def _form(result: CareerResult) -> _Form:
    gone = {result.players[seat] for seat in result.forfeits}
    seats = tuple(seat for seat, player in enumerate(result.players) if player in gone) if gone else ()
    return _Form(result.game, len(result.players), seats)


def _met(form: _Form, alike: Sequence[Counted]) -> Iterator[Meetings]:
    players = np.array([result.players for result, _ in alike], dtype=np.int64)
    placings = np.array([result.placings for result, _ in alike], dtype=np.int64)
    found = _pairings(form)
    weight = _weight_of_forfeits(found) if form.gone else _weight(found)
    for pairing in found:
        first, second = ([int(seat) for seat in side] for side in (pairing.kind.first, pairing.kind.second))
        ahead = np.sign(placings[:, second[0]] - placings[:, first[0]])
        fixed = np.full(len(alike), pairing.half_points / 2)
        yield Meetings(
            game=form.game,
            first=players[:, first],
            second=players[:, second],
            first_side=pairing.kind.first_side,
            second_side=pairing.kind.second_side,
            wins=fixed if form.gone else (1 + ahead) / 2,
            weights=weight * _counts(alike, first, second),
        )


def _counts(alike: Sequence[Counted], first: Sequence[int], second: Sequence[int]) -> Floats:
    """Return one for each result in which the players at some seats count beside those at others, zero else."""
    counts = np.ones(len(alike))
    for row in [row for row, counted in enumerate(alike) if counted.left_out]:
        (_, players, *_), left_out = alike[row]
        if any((min(pair), max(pair)) in left_out for pair in _pairs(players, first, second)):
            counts[row] = 0.0
    return counts


def _pairs(players: Sequence[int], first: Sequence[int], second: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((players[seat], players[other]) for seat in first for other in second)


@lru_cache(maxsize=1 << 10)
def _pairings(form: _Form) -> tuple[Pairing, ...]:
    """Return the rated pairings at a table of a form, whose players are called by their seats."""
    nothing = ((),) * form.seats
    planned = PlannedMatch(0, form.game, "", 0, 0, tuple(f"{seat:02}" for seat in range(form.seats)))
    forfeits = tuple(SeatForfeit(seat, "") for seat in form.gone)
    result = Result((0,) * form.seats, (1,) * form.seats, faults=nothing, forfeits=forfeits, strikes=nothing)
    return tuple(found for found in pairings([MatchResult(IssuedMatch(planned, ""), result)]) if found.rated)


def _weight(found: Sequence[Pairing]) -> float:
    """Return how much one of the pairings of a table tells, compared with one that is alone at its table.

    Pairings of a table share the performances of those who sit there. Where all are equal, two pairings of one player
    have a covariance of 1/12 beside a variance of 1/4 each, so that his sides - 1 pairings tell as much as three
    (sides - 1) / (sides + 1) that have nothing in common.
    """
    sides = {side for pairing in found for side in (pairing.kind.first_side, pairing.kind.second_side)}
    return 3 / (len(sides) + 1)


def _weight_of_forfeits(found: Sequence[Pairing]) -> float:
    """Return the same where somebody forfeited: he has lost to several, but only once."""
    losers = {pairing.kind.second if pairing.half_points else pairing.kind.first for pairing in found}
    return len(losers) / max(1, len(found))
