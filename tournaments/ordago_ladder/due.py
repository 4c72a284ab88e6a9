"""Which matches of an event are due: a function of the event file, the ledger and the results."""

from collections.abc import Collection
from typing import NamedTuple

from ordago.record.ledger import Ledger
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.formats import BY_ROUNDS
from ordago_ladder.identity import settings_digest
from ordago_ladder.schedule import Plan, Schedule, plan
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


def due_matches(
    settings: Settings, ledger: Ledger, results: Collection[MatchResult], *, schedule: Schedule | None = None
) -> Plan:
    """Return what is due of an event. What was issued before it grew stays due, and comes first.

    Args:
        settings: the event.
        ledger: its ledger, which tells how it has grown, and whether it was closed.
        results: the results so far, in any order.
        schedule: the schedule of the event, which goes on from what it knew; ``None`` to make it anew.
    """
    if not ledger.growths:
        return _closed((schedule or Schedule(settings)).plan(results), ledger)
    matches: dict[tuple[str, int], PlannedMatch] = {}
    for size, issued in zip(ledger.fields, (*(growth.issued for growth in ledger.growths), None), strict=True):
        for planned in plan(settings.of_first(size)).matches:
            if len(matches) == issued:
                break
            matches.setdefault((planned.set_key, planned.seating), planned._replace(row=len(matches)))
    return Plan(tuple(matches.values()), complete=True)


def _closed(known: Plan, ledger: Ledger) -> Plan:
    return known if ledger.closing is None else Plan(known.matches[: ledger.closing.issued], complete=True)


def unaltered(settings: Settings) -> Progress:
    """Return how much is due of an event that has not grown, and of which all is due at once."""
    return Progress(match_count(settings), complete=True, settings_digest=settings_digest(settings))


def progress_of(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Progress:
    """Return how much of an event is due, or will be where that is known."""
    by_rounds = settings.event.format in BY_ROUNDS
    if not ledger.growths and not by_rounds:
        return unaltered(settings)
    due = due_matches(settings, ledger, results)
    planned = match_count(settings) if settings.event.format == "swiss" else len(due.matches)
    return Progress(planned, due.complete, settings_digest(settings.of_first(ledger.fields[0])))
