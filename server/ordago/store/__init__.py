"""Events that survive a kill: the settings, the entrants, the plan and the results of one event in one SQL database."""

from ordago.store.errors import StoreBusyError, StoreError, StoreFailedError
from ordago.store.rows import (
    Entrant,
    EventRow,
    EventState,
    IssuedMatch,
    MatchResult,
    PlannedMatch,
    PlayedMatch,
    played_match,
)
from ordago.store.store import Store

__all__ = [
    "Store",
    "StoreError",
    "StoreBusyError",
    "StoreFailedError",
    "EventRow",
    "EventState",
    "Entrant",
    "PlannedMatch",
    "IssuedMatch",
    "PlayedMatch",
    "MatchResult",
    "played_match",
]
