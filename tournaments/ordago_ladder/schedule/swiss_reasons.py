"""Reasons of a Swiss pairing: score groups, floats, and the meetings of earlier rounds."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from ordago_ladder.schedule.swiss_standings import SwissRound, SwissTable

Float: TypeAlias = Literal["", "down", "up"]
"""The way of an entrant out of its score group: down to opponents with fewer points, or up."""
Met: TypeAlias = Mapping[frozenset[str], Sequence[int]]
"""The rounds in which two entrants have met."""


class Floater(NamedTuple):
    """An entrant that sits with others than those of its score group."""

    entrant: str
    points: Fraction
    way: Float
    met: tuple[tuple[str, tuple[int, ...]], ...]
    """Those of its score group that it had met before, with the rounds."""
    elsewhere: tuple[str, ...]
    """The others of its score group, who sit elsewhere."""


class Reason(NamedTuple):
    """The reason why the entrants of a table sit together."""

    floaters: tuple[Floater, ...]
    """The entrants that left their score group; none where all have the same points."""
    again: tuple[tuple[str, str, tuple[int, ...]], ...]
    """Pairs that had met before, with the rounds."""


def reasons_of(rounds: Sequence[SwissRound], number: int) -> list[Reason]:
    """Return the reason for each table of a round, in the order of the tables.

    Args:
        rounds: the rounds of the event.
        number: the number of the round, from 1.
    """
    met: dict[frozenset[str], list[int]] = {}
    for one in rounds[: number - 1]:
        for table in one.tables:
            _note(met, table, one.number)
    reasons = []
    for table in rounds[number - 1].tables:
        reasons.append(_reason(rounds[number - 1], table, met))
        # In the next game of the same round they have met already.
        _note(met, table, number)
    return reasons


def _note(met: dict[frozenset[str], list[int]], table: SwissTable, number: int) -> None:
    for pair in _pairs(table):
        met.setdefault(frozenset(pair), []).append(number)


def _pairs(table: SwissTable) -> list[tuple[str, str]]:
    names = table.entrants
    return [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]


def _reason(found: SwissRound, table: SwissTable, met: Met) -> Reason:
    again = [(one, other, tuple(met.get(frozenset((one, other)), ()))) for one, other in _pairs(table)]
    floaters = (_floater(found, table, name, met) for name in table.entrants)
    return Reason(tuple(one for one in floaters if one.way), tuple(pair for pair in again if pair[2]))


def _floater(found: SwissRound, table: SwissTable, name: str, met: Met) -> Floater:
    own = found.before[name]
    group = [other for other, points in found.before.items() if points == own and other not in table.entrants]
    rounds = {other: tuple(met.get(frozenset((name, other)), ())) for other in group}
    return Floater(
        entrant=name,
        points=own,
        way=way_of(found, table, name),
        met=tuple((other, rounds[other]) for other in group if rounds[other]),
        elsewhere=tuple(other for other in group if not rounds[other]),
    )


def way_of(found: SwissRound, table: SwissTable, name: str) -> Float:
    """Return the way of an entrant out of its score group; empty if it sits with some of it or in the middle."""
    own = found.before[name]
    others = [found.before[other] for other in table.entrants if other != name]
    return "down" if all(points < own for points in others) else "up" if all(points > own for points in others) else ""
