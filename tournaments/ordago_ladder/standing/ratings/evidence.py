"""What some results say of the strengths of players and of seats.

What two sides at a table are to each other, and what a forfeit makes of it, is asked of ``results.pairings``, once for
each form of a table: the game, the number of seats, and which seats belong to players who forfeited.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from ordago.record import Result
from ordago.record.result import SeatForfeit
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.rating.fit import Floats, Integers, logistic
from ordago_ladder.rating.results import Pairing, pairings
from ordago_ladder.standing.ratings.values import CareerResult, Counted


class Meetings(NamedTuple):
    """Pairings of two sides that sit at the same places of like tables, a row for each."""

    first: Integers
    """The players at the seats of the side that comes first at the table,"""
    second: Integers
    """and of the other."""
    seats: tuple[tuple[str, int], tuple[str, int]]
    """Of both, the game with the side."""
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
            first=players[:, first],
            second=players[:, second],
            seats=pairing.kind.seats,
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


Key: TypeAlias = int | tuple[str, int]
"""A player by his number, or a seat: a game with a side at its tables."""


class _Rows(NamedTuple):
    """Pairings, a row for each."""

    places: Integers
    """The places of the keys that its expectation depends on."""
    wins: Floats
    weights: Floats


class _Block(NamedTuple):
    """Pairings whose expectations depend on as many keys in the same way."""

    shares: Floats
    """How they do: the keys of the second are negative."""
    places: Integers
    wins: Floats
    weights: Floats

    def expected(self, point: Floats) -> Floats:
        """Return what the first is expected to take of each pairing."""
        return logistic(point[self.places] @ self.shares)

    def borne(self, point: Floats) -> Floats:
        """Return the information that each pairing bears."""
        expected = self.expected(point)
        return self.weights * expected * (1 - expected)


class Evidence(NamedTuple):
    """The rated pairings of some results."""

    keys: tuple[Key, ...]
    """Of whom they tell something: players, ascending, then seats, ascending."""
    blocks: tuple[_Block, ...]

    def slopes(self, point: Floats) -> Floats:
        """Return the slopes of the logarithm of the likelihood at a point."""
        slopes = np.zeros(len(self.keys))
        for block in self.blocks:
            residuals = block.weights * (block.wins - block.expected(point))
            told = np.multiply.outer(residuals, block.shares)
            slopes += np.bincount(block.places.ravel(), weights=told.ravel(), minlength=len(slopes))
        return slopes

    def information(self, point: Floats) -> Floats:
        """Return the information that the pairings bear on each two keys, at a point."""
        size = len(self.keys)
        cells, told = [], []
        for block in self.blocks:
            cells.append((block.places[:, :, np.newaxis] * size + block.places[:, np.newaxis, :]).ravel())
            told.append(np.multiply.outer(block.borne(point), np.outer(block.shares, block.shares)).ravel())
        summed = np.bincount(np.concatenate(cells), weights=np.concatenate(told), minlength=size**2)
        return np.asarray(summed.reshape(size, size), dtype=np.float64)


def evidence_of(found: Sequence[Meetings]) -> Evidence:
    """Return the evidence of pairings."""
    players = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *(side.ravel() for side in _parties(found))]))
    seats = sorted({seat for met in found for seat in met.seats})
    numbers = {seat: number for number, seat in enumerate(seats, start=len(players))}
    alike: defaultdict[tuple[int, int], list[_Rows]] = defaultdict(list)
    for met in found:
        parties = np.searchsorted(players, np.concatenate([met.first, met.second], axis=1))
        own = np.repeat([[numbers[seat] for seat in met.seats]], len(parties), axis=0)
        rows = _Rows(np.concatenate([parties, own], axis=1), met.wins, met.weights)
        alike[met.first.shape[1], met.second.shape[1]].append(rows)
    return Evidence((*players.tolist(), *seats), tuple(_block(*sizes, rows) for sizes, rows in sorted(alike.items())))


def _block(first: int, second: int, alike: Sequence[_Rows]) -> _Block:
    """Return pairings of sides that so many share."""
    shares = [1 / first] * first + [-1 / second] * second + [1.0, -1.0]
    return _Block(np.array(shares), *(np.concatenate(columns) for columns in zip(*alike, strict=True)))


def _parties(found: Iterable[Meetings]) -> Iterable[Integers]:
    return (side for met in found for side in (met.first, met.second))
