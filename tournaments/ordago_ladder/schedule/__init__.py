"""The schedule of an event: which entrants meet, how often, in which seats and in which order.

A *table* is a game with its entrants: one for each side, who takes all seats of the side, or, where partners are mixed,
one for each seat. A table plays *duplicate sets*: the same deals over a balanced set of seatings. Which tables play is
what formats differ in; everything else is the same for all of them.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.round_robin import round_robin
from ordago_ladder.schedule.sets import SetMaker
from ordago_ladder.settings import Settings


class Plan(NamedTuple):
    """What is known of the schedule of an event."""

    matches: tuple[PlannedMatch, ...]
    """The matches that are due, those that were played among them, in the order of their rows."""
    complete: bool
    """Whether no more will come."""


def plan(settings: Settings, results: Iterable[MatchResult] = ()) -> Plan:
    """Return what is known of the schedule of an event by the results so far, in whatever order they come."""
    maker = SetMaker(settings)
    return Plan(tuple(maker.matches(round_robin(settings))), complete=True)
