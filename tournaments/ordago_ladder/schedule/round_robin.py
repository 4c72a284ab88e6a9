"""Round robins and gauntlets: all tables that the entrants can form, or as many as the event asks for, balanced."""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from ordago_ladder.schedule.counts import games_in_order, set_counts
from ordago_ladder.schedule.meetings import Meetings
from ordago_ladder.schedule.tables import Table, seating_count, table_count, tables_at_once, tables_of
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

# A table's load is the number of matches of its entrants, times this, plus the number of their meetings. The weight is
# greater than the meetings of any plan, so matches decide first, and loads still fit into 64 bits.
_PLAYED_WEIGHT: Final = 1 << 40
_DONE: Final = 1 << 62
"""The load of a table that is already placed: more than any other."""


def balanced(tables: Sequence[Table]) -> list[Table]:
    """Return tables in an order that keeps the numbers of matches and of meetings balanced.

    The next table is the one whose entrants have played least so far; among equals the one whose entrants have met
    least; then the first as given.
    """
    rows: dict[str, list[int]] = {}
    for row, table in enumerate(tables):
        for name in table.entrants:
            rows.setdefault(name, []).append(row)
    playing = {name: np.array(some, dtype=np.int64) for name, some in rows.items()}
    load = np.zeros(len(tables), dtype=np.int64)
    order = []
    for _ in tables:
        chosen = tables[row := int(np.argmin(load))]
        order.append(chosen)
        load[row] = _DONE
        touched, shared = np.unique(np.concatenate([playing[name] for name in chosen.entrants]), return_counts=True)
        meetings = shared * (shared - 1) // 2
        load[touched] += seating_count(len(chosen.entrants)) * (_PLAYED_WEIGHT * shared + meetings)
    return order


def round_robin(settings: Settings) -> Iterator[Table]:
    """Yield the tables of an event in the order in which they play a set each.

    Where every table plays, repetitions follow one another. Otherwise the game with the greatest share left is next,
    with as many tables as fit at once.
    """
    if all(game.sets is None for game in settings.games):
        return itertools.chain.from_iterable(itertools.repeat(repetition_of(settings), settings.event.repetitions))
    return itertools.chain.from_iterable(_rounds(settings))


def repetition_of(settings: Settings) -> list[Table]:
    """Return every table of an event, in the order of a repetition."""
    return balanced(sorted(itertools.chain.from_iterable(tables_of(settings, game) for game in settings.games)))


def _rounds(settings: Settings) -> Iterator[list[Table]]:
    games = games_in_order(settings)
    meetings = Meetings(settings)
    rounds = [_rounds_of(settings, game, meetings) for game in games]
    counts = [set_counts(settings)[game.name] for game in games]
    left = list(counts)
    while any(left):
        number = max(range(len(games)), key=lambda number: (Fraction(left[number], counts[number]), -number))
        tables = next(rounds[number])
        left[number] -= len(tables)
        meetings.add(tables)
        yield tables


def _rounds_of(settings: Settings, game: GameSettings, meetings: Meetings) -> Iterator[list[Table]]:
    """Yield the tables of a game that play together: all tables while the sets suffice, then those that met least."""
    at_once = tables_at_once(settings, game)
    repetitions, rest = divmod(set_counts(settings)[game.name], table_count(settings, game))
    if repetitions:
        order = balanced(tables_of(settings, game))
        for _ in range(repetitions):
            yield from (order[first : first + at_once] for first in range(0, len(order), at_once))
    for first in range(0, rest, at_once):
        yield meetings.fresh(game, tables=min(at_once, rest - first))
