"""Who plays whom on a standing ladder, and in which seats: docs/standing-ladder/seating.md has the rule.

A ``Pool`` is told who waits and who leaves, and says which table begins next. It does nothing by itself, has no clock,
and no chance but what is handed in; what it remembers is a function of the seatings that it made or was told of.
"""

from ordago_ladder.standing.seating.participants import Kind, KnownStrength, Seated, Waiting
from ordago_ladder.standing.seating.pool import LONE_SECONDS, Pool, Table, Unseated

__all__ = ["LONE_SECONDS", "Kind", "Pool", "Seated", "KnownStrength", "Table", "Unseated", "Waiting"]
