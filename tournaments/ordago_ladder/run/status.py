"""The progress of an event, read from its files without rating anyone and without contact to the run."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from ordago.record.ledgers.event import read_ledger
from ordago.store import EventState
from ordago_ladder.matches.due import progress_of
from ordago_ladder.run.run_note import RunNote
from ordago_ladder.schedule.conduct import conduct_of, suspended_by
from ordago_ladder.settings.settings import Settings


class Status(NamedTuple):
    """The progress of an event."""

    played: int
    planned: int
    finished: bool
    running: bool
    """True while a run plays it."""
    per_second: float | None
    """Matches a second since this run began; ``None`` if no run plays, or it has no results yet."""
    ends: str | None
    """The expected end at this speed, in ISO 8601 and UTC; ``None`` if unknown."""
    suspended: tuple[str, ...]
    """The suspended entrants, in order of suspension."""
    faults: Mapping[str, Mapping[str, int]]
    """The number of default answers, by entrant and fault; only entrants with any."""
    forfeits: Mapping[str, Mapping[str, int]]
    """The number of forfeited matches, by entrant and fault; only entrants with any."""


def status_of(settings: Settings, state: EventState, *, run: RunNote | None, now: float) -> Status:
    """Return the progress of an event.

    Args:
        settings: the event.
        state: the contents of its store.
        run: the run that plays it; ``None`` for none.
        now: the time, in seconds since 1970 UTC.
    """
    if state.event.finished:
        run = None  # Its process may still be writing the proof.
    played = len(state.results)
    planned = progress_of(settings, read_ledger(state.lines), state.results).planned
    per_second = None if run is None else run.per_second(played, now)
    names = [entrant.name for entrant in settings.entrants]
    conduct = {name: conduct_of(name, state.results) for name in names}
    return Status(
        played=played,
        planned=planned,
        finished=state.event.finished,
        running=run is not None,
        per_second=per_second,
        ends=_iso(now + (planned - played) / per_second) if per_second else None,
        suspended=tuple(sorted(suspended_by(state.results, suspend_after=settings.event.suspend_after))),
        faults={name: dict(conduct[name].decisions) for name in names if conduct[name].decisions},
        forfeits={name: dict(conduct[name].matches) for name in names if conduct[name].matches},
    )


def _iso(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return None  # Beyond the range of dates: thousands of years from now.
