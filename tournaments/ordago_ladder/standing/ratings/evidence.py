"""Likelihood of results, as a function of the strengths of players and the effects of seats.

``results.pairings`` decides how two sides at a table compare, and what a forfeit does to that. It is called once for
each form of a table: the game, the number of seats, and the seats of players who forfeited.
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
    """Pairings of two sides in the same seats of tables of one form, a row for each."""

    first: Integers
    """The players of the side that comes first at the table: a row for each pairing, a column for each of its seats."""
    second: Integers
    """The players of the other side, likewise."""
    seats: tuple[tuple[str, int], tuple[str, int]]
    """The game with the side's number, for both sides: the keys of their seat effects."""
    wins: Floats
    """The first side's share of each pairing: 1 for a win, 0.5 for a tie, 0 for a loss."""
    weights: Floats
    """The weight of each pairing, where 1 is that of the only pairing at a table."""


class _Form(NamedTuple):
    game: str
    seats: int
    gone: tuple[int, ...]
    """All seats of the players who forfeited, ascending."""


def meetings(results: Iterable[Counted]) -> list[Meetings]:
    """Return the rated pairings of results: ascending by the forms of tables, then in the order of results."""
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
    """Return 1 for each result whose players at these seats count against each other, and 0 for the others."""
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
    """Return the rated pairings at a table of a form. Its players are named by their seats."""
    nothing = ((),) * form.seats
    planned = PlannedMatch(0, form.game, "", 0, 0, tuple(f"{seat:02}" for seat in range(form.seats)))
    forfeits = tuple(SeatForfeit(seat, "") for seat in form.gone)
    result = Result((0,) * form.seats, (1,) * form.seats, faults=nothing, forfeits=forfeits, strikes=nothing)
    return tuple(found for found in pairings([MatchResult(IssuedMatch(planned, ""), result)]) if found.rated)


def _weight(found: Sequence[Pairing]) -> float:
    """Return the weight of each pairing of a table, where 1 is that of the only pairing at a table.

    Pairings of a table share the performances of its players. Between equals, two pairings of one player have a
    covariance of 1/12, and each has a variance of 1/4. So its ``sides - 1`` pairings tell as much as
    ``3 (sides - 1) / (sides + 1)`` independent ones.
    """
    sides = {side for pairing in found for side in (pairing.kind.first_side, pairing.kind.second_side)}
    return 3 / (len(sides) + 1)


def _weight_of_forfeits(found: Sequence[Pairing]) -> float:
    """Return the weight of each pairing of a table with a forfeit: a player who lost to several lost only once."""
    losers = {pairing.kind.second if pairing.half_points else pairing.kind.first for pairing in found}
    return len(losers) / max(1, len(found))


Key: TypeAlias = int | tuple[str, int]
"""A player by its number, or a seat effect by its game and the number of a side."""


class _Rows(NamedTuple):
    """Pairings as indices of keys, a row for each."""

    places: Integers
    """The indices of the keys on which the expected share of each pairing depends."""
    wins: Floats
    weights: Floats


class _Block(NamedTuple):
    """Pairings of sides of equal sizes: their expected shares depend on as many keys in the same way."""

    shares: Floats
    """The coefficient of each key: positive for the first side, negative for the second."""
    places: Integers
    wins: Floats
    weights: Floats

    def expected(self, point: Floats) -> Floats:
        """Return the expected share of the first side in each pairing."""
        return logistic(point[self.places] @ self.shares)

    def borne(self, point: Floats) -> Floats:
        """Return the information of each pairing about its difference of strengths."""
        expected = self.expected(point)
        return self.weights * expected * (1 - expected)


class Evidence(NamedTuple):
    """Rated pairings as a likelihood of strengths and seat effects."""

    keys: tuple[Key, ...]
    """The keys that the likelihood depends on: players, ascending, then seats, ascending."""
    blocks: tuple[_Block, ...]

    def slopes(self, point: Floats) -> Floats:
        """Return the gradient of the log-likelihood at a point, a value for each key."""
        slopes = np.zeros(len(self.keys))
        for block in self.blocks:
            residuals = block.weights * (block.wins - block.expected(point))
            shared = np.multiply.outer(residuals, block.shares)
            slopes += np.bincount(block.places.ravel(), weights=shared.ravel(), minlength=len(slopes))
        return slopes

    def information(self, point: Floats) -> Floats:
        """Return the information matrix of the pairings at a point, a row and a column for each key."""
        size = len(self.keys)
        cells, products = [], []
        for block in self.blocks:
            cells.append((block.places[:, :, np.newaxis] * size + block.places[:, np.newaxis, :]).ravel())
            products.append(np.multiply.outer(block.borne(point), np.outer(block.shares, block.shares)).ravel())
        summed = np.bincount(np.concatenate(cells), weights=np.concatenate(products), minlength=size**2)
        return np.asarray(summed.reshape(size, size), dtype=np.float64)


def evidence_of(found: Sequence[Meetings]) -> Evidence:
    """Return the likelihood of pairings."""
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
    """Return pairings of sides with ``first`` and ``second`` players as one block."""
    shares = [1 / first] * first + [-1 / second] * second + [1.0, -1.0]
    return _Block(np.array(shares), *(np.concatenate(columns) for columns in zip(*alike, strict=True)))


def _parties(found: Iterable[Meetings]) -> Iterable[Integers]:
    return (side for met in found for side in (met.first, met.second))
