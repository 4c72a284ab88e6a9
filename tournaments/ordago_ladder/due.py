"""Which matches of an event are due: a function of the event file, the ledger and the results."""

from collections.abc import Collection
from typing import NamedTuple

from ordago.record.ledger import Ledger
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.estimate import match_count
from ordago_ladder.schedule import plan
from ordago_ladder.settings import Settings, settings_digest


class Due(NamedTuple):
    """What is due of an event, played or not."""

    matches: tuple[PlannedMatch, ...]
    """The matches, in the order of their rows."""
    complete: bool
    """Whether no more will ever come due."""


class Progress(NamedTuple):
    """How much of an event is due, and what it was committed to."""

    planned: int
    """How many matches are due so far."""
    complete: bool
    """Whether no more will ever come due."""
    settings_digest: bytes
    """The digest of the settings that the event began with."""


def due_matches(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Due:  # noqa: ARG001 - rounds will
    """Return what is due of an event. What was issued before it grew stays due, and comes first.

    Args:
        settings: the event.
        ledger: its ledger, which tells how it has grown.
        results: the results so far, in any order.
    """
    matches: dict[tuple[str, int], PlannedMatch] = {}
    for size, issued in zip(ledger.fields, (*(growth.issued for growth in ledger.growths), None), strict=True):
        for planned in plan(settings.of_first(size)):
            if len(matches) == issued:
                break
            matches.setdefault((planned.set_key, planned.seating), planned._replace(row=len(matches)))
    return Due(tuple(matches.values()), complete=True)


def unaltered(settings: Settings) -> Progress:
    """Return how much is due of an event that has not grown, and of which all is due at once."""
    return Progress(match_count(settings), complete=True, settings_digest=settings_digest(settings))


def progress_of(settings: Settings, ledger: Ledger, results: Collection[MatchResult]) -> Progress:
    """Return how much of an event is due."""
    if not ledger.growths:
        return unaltered(settings)
    due = due_matches(settings, ledger, results)
    return Progress(len(due.matches), due.complete, settings_digest(settings.of_first(ledger.fields[0])))
