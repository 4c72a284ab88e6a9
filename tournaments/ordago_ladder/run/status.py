"""How far an event has come, for somebody who asks while it runs: without a fit, and without a word to the run."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from ordago.files import private_file
from ordago.record.ledgers.event import read_ledger
from ordago.store import EventState, MatchResult
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import progress_of
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.schedule.conduct import Suspensions, conduct_of
from ordago_ladder.settings.settings import Settings

_MOST_BYTES = 1_000


class RunNote(NamedTuple):
    """What a run leaves beside the store when its matches begin, for whoever asks how it goes."""

    process: int
    """The process that runs the event."""
    began: float
    """When it began to play, in seconds since 1970."""
    played: int
    """How many matches were played then."""


class Status(NamedTuple):
    """How far an event has come."""

    played: int
    planned: int
    finished: bool
    running: bool
    """Whether somebody plays it now."""
    per_second: float | None
    """How many matches were played a second since this run began; ``None`` where nobody plays, or nothing is known."""
    ends: str | None
    """When it ends if it goes on so, in ISO 8601 and UTC."""
    suspended: tuple[str, ...]
    """Who is suspended, in the order in which it came to that."""
    faults: Mapping[str, Mapping[str, int]]
    """How many decisions were taken for each entrant for whom any was, by fault."""
    forfeits: Mapping[str, Mapping[str, int]]
    """How many matches were forfeited by each entrant who forfeited any, by fault."""


def status_of(settings: Settings, state: EventState, *, run: RunNote | None, now: float) -> Status:
    """Return how far an event has come.

    Args:
        settings: the event.
        state: what its store holds.
        run: the run that plays it; ``None`` where nobody does.
        now: the time, in seconds since 1970.
    """
    if state.event.finished:
        run = None  # Whoever ran it may be busy with its proof yet.
    played = len(state.results)
    planned = progress_of(settings, read_ledger(state.lines), state.results).planned
    per_second = _per_second(run, played, now)
    names = [entrant.name for entrant in settings.entrants]
    conduct = {name: conduct_of(name, state.results) for name in names}
    return Status(
        played=played,
        planned=planned,
        finished=state.event.finished,
        running=run is not None,
        per_second=per_second,
        ends=_iso(now + (planned - played) / per_second) if per_second else None,
        suspended=_suspended(settings, state.results),
        faults={name: dict(conduct[name].decisions) for name in names if conduct[name].decisions},
        forfeits={name: dict(conduct[name].matches) for name in names if conduct[name].matches},
    )


def _per_second(run: RunNote | None, played: int, now: float) -> float | None:
    if run is None or played <= run.played or now <= run.began:
        return None
    return (played - run.played) / (now - run.began)


def _iso(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return None  # Some thousand years from now.


def _suspended(settings: Settings, results: Iterable[MatchResult]) -> tuple[str, ...]:
    suspensions = Suspensions(suspend_after=settings.event.suspend_after)
    for played in results:
        suspensions.count(played.planned.entrants, played.result)
    return tuple(suspension.entrant for suspension in suspensions.suspended)


def note_run(folder: EventFolder, note: RunNote) -> None:
    """Leave a note that a run began. Whoever cannot leave it plays all the same, and nobody learns how fast."""
    try:
        private_file(folder.run_note)
        folder.run_note.write_text(json.dumps(note._asdict()), encoding="utf-8")
    except OSError:
        return


def run_of(folder: EventFolder, *, alive: Callable[[int], bool] | None = None) -> RunNote | None:
    """Return the run that plays the event of a folder now; ``None`` if none does, or none that can be known."""
    try:
        written = json.loads(read_file(folder.run_note, most=_MOST_BYTES))
        note = RunNote(int(written["process"]), float(written["began"]), int(written["played"]))
    except (UnreadableError, ValueError, TypeError, KeyError):
        return None
    return note if (alive or _is_alive)(note.process) else None


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return process > 0
