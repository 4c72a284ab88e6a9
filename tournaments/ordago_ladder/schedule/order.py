"""The order in which given tables play."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ordago_ladder.schedule.tables import Table, seating_count

# A table's load is the matches that its entrants have played, times this, plus the meetings that they have had. It is
# greater than the number of meetings of any plan, and loads are still exact.
_PLAYED_WEIGHT: Final = 1 << 40
_DONE: Final = 1 << 62
"""More than any load."""


def balanced(tables: Sequence[Table]) -> list[Table]:
    """Return tables in an order that keeps the numbers of matches and of meetings balanced.

    The next table is always the one whose entrants have played least so far, among these the one whose entrants have
    met least, among these the first as given.
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
