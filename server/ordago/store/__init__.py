"""Events that survive a kill: the settings, the entrants, the plan and the results of one event in one SQL database.

Here is what the database keeps and what can go wrong with it: who plays has it without the database, which is in
``store.py`` and takes a quarter of a second to import.
"""

from ordago.store.errors import StoreBrokenError, StoreBusyError, StoreError, StoreFailedError
from ordago.store.event.rows import (
    Entrant,
    EventRow,
    EventState,
    IssuedMatch,
    MatchResult,
    PlannedMatch,
    PlayedMatch,
    played_match,
)

__all__ = [
    "StoreError",
    "StoreBusyError",
    "StoreFailedError",
    "StoreBrokenError",
    "EventRow",
    "EventState",
    "Entrant",
    "PlannedMatch",
    "IssuedMatch",
    "PlayedMatch",
    "MatchResult",
    "played_match",
]
