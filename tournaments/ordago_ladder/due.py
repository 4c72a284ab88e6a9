"""Which matches of an event are due: a function of the event file, the ledger and the results."""

from collections.abc import Collection
from typing import NamedTuple

from ordago.record.ledger import Ledger
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.identity import settings_digest
from ordago_ladder.schedule import Plan, plan
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.settings import Settings


class Progress(NamedTuple):
    """How much of an event is due, and what it was committed to."""

    planned: int
    """How many matches are due so far."""
    complete: bool
    """Whether no more will ever come due."""
    settings_digest: bytes
    """The digest of the settings that the event began with."""


def due_matches(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Plan:
    """Return what is due of an event. What was issued before it grew stays due, and comes first.

    Args:
        settings: the event.
        ledger: its ledger, which tells how it has grown.
        results: the results so far, in any order.
    """
    matches: dict[tuple[str, int], PlannedMatch] = {}
    for size, issued in zip(ledger.fields, (*(growth.issued for growth in ledger.growths), None), strict=True):
        stage = plan(settings.of_first(size), results)
        for planned in stage.matches:
            if len(matches) == issued:
                break
            matches.setdefault((planned.set_key, planned.seating), planned._replace(row=len(matches)))
    return Plan(tuple(matches.values()), stage.complete)


def unaltered(settings: Settings) -> Progress:
    """Return how much is due of an event that has not grown, and of which all is due at once."""
    return Progress(match_count(settings), complete=True, settings_digest=settings_digest(settings))


def progress_of(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Progress:
    """Return how much of an event is due."""
    if not ledger.growths:
        return unaltered(settings)
    due = due_matches(settings, ledger, results)
    return Progress(len(due.matches), due.complete, settings_digest(settings.of_first(ledger.fields[0])))
