"""Matchmaking and seat order of a standing ladder. docs/standing-ladder/seating.md has the rule.

A ``Pool`` is updated with the bots that come and go, and returns the next table. It runs no tasks, has no clock, and
takes all randomness from its caller; its memory is a function of past seatings.
"""

from ordago_ladder.standing.seating.participants import Kind, KnownStrength, Seated, Waiting
from ordago_ladder.standing.seating.pool import LONE_SECONDS, Pool, Table, Unseated

__all__ = ["LONE_SECONDS", "Kind", "Pool", "Seated", "KnownStrength", "Table", "Unseated", "Waiting"]
