"""What some results say of the strengths of players and of seats."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from ordago_ladder.rating.sparse import Floats, Integers
from ordago_ladder.standing.ratings.meetings import Meetings

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
        expected: Floats = 1 / (1 + np.exp(-(point[self.places] @ self.shares)))
        return expected

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
    seats = sorted({seat for met in found for seat in _seats(met)})
    numbers = {seat: number for number, seat in enumerate(seats, start=len(players))}
    alike: defaultdict[tuple[int, int], list[_Rows]] = defaultdict(list)
    for met in found:
        parties = np.searchsorted(players, np.concatenate([met.first, met.second], axis=1))
        own = np.repeat([[numbers[seat] for seat in _seats(met)]], len(parties), axis=0)
        rows = _Rows(np.concatenate([parties, own], axis=1), met.wins, met.weights)
        alike[met.first.shape[1], met.second.shape[1]].append(rows)
    return Evidence((*players.tolist(), *seats), tuple(_block(*sizes, rows) for sizes, rows in sorted(alike.items())))


def _block(first: int, second: int, alike: Sequence[_Rows]) -> _Block:
    """Return pairings of sides that so many share."""
    shares = [1 / first] * first + [-1 / second] * second + [1.0, -1.0]
    return _Block(np.array(shares), *(np.concatenate(columns) for columns in zip(*alike, strict=True)))


def _parties(found: Iterable[Meetings]) -> Iterable[Integers]:
    return (side for met in found for side in (met.first, met.second))


def _seats(met: Meetings) -> tuple[tuple[str, int], tuple[str, int]]:
    return (met.game, met.first_side), (met.game, met.second_side)
