"""Summaries of published events, read from their folders without trust in what is in them."""

import json
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordago.scene import Sentence, sentence
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.run.run_note import RunNote, read_note
from ordago_web.ladder.places import Time, time_of

_MOST_BYTES: Final = 16 << 20
"""The largest ladder that is read for a summary, of about 40,000 matches. It takes 0.2 s, once for each change."""
_MOST_NUMBER: Final = 10**9
_MOST_CHARACTERS: Final = 200
_MOST_GAMES: Final = 20
"""More than any event has. A hostile folder may claim any number."""


class EventSummary(NamedTuple):
    """An event in the list of events. Its figures are ``None`` where its ladder cannot be read."""

    name: str
    title: str
    stage: Sentence | None
    played: int
    planned: int
    games: tuple[str, ...]
    """The titles of its games."""
    entrants: int | None
    changed: Time | None
    """The time of the last entry of its ledger."""


class _Published(NamedTuple):
    title: str
    finished: bool
    played: int
    planned: int
    games: tuple[str, ...]
    entrants: int


def event_summaries(folders: Mapping[str, Path]) -> list[EventSummary]:
    """Return the events of some folders, newest first. It reads the disk."""
    dated = [(_changed(folder), name, folder) for name, folder in folders.items()]
    newest_first = sorted(dated, key=lambda one: (-one[0], one[1]))
    return [_summary(name, folder, changed) for changed, name, folder in newest_first]


def progress_of(folder: Path) -> Mapping[str, int]:
    """Return the numbers that a page shows of a run: matches ``played`` and ``planned``, and the seconds ``left``.

    Empty if nobody plays the event now; without ``left`` where it is unknown.
    """
    note = _running(folder)
    if note is None:
        return {}
    left = note.seconds_left
    return {"played": note.played, "planned": note.planned} | ({} if left is None else {"left": round(left)})


def _summary(name: str, folder: Path, changed: int) -> EventSummary:
    at = _time(changed)
    found = _published(folder / "ladder.json")
    if found is None:
        return EventSummary(name, name, None, 0, 0, (), None, at)
    note = None if found.finished else _running(folder)
    played, planned = (found.played, found.planned) if note is None else (note.played, note.planned)
    stage = _stage(found, is_running=note is not None)
    return EventSummary(name, found.title, stage, played, planned, found.games, found.entrants, at)


def _stage(found: _Published, *, is_running: bool) -> Sentence:
    if found.finished:
        return sentence("Finished")
    if is_running:
        return sentence("Running")
    return sentence("Stopped") if found.played else sentence("To begin")


def _running(folder: Path) -> RunNote | None:
    note = read_note(EventFolder(folder))
    return note if note is not None and note.is_fresh(time.time()) else None


def _changed(folder: Path) -> int:
    try:
        return int((folder / "ledger.jsonl").lstat().st_mtime)
    except OSError:
        return 0


def _time(seconds: int) -> Time | None:
    try:
        return time_of(seconds)
    except (ValueError, OverflowError, OSError):
        return None  # Beyond the range of dates.


def _published(path: Path) -> _Published | None:
    try:
        stat = path.lstat()
    except OSError:
        return None
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, _changed_ns: int, _size: int) -> _Published | None:
    """Read a ladder; the time of its last change and its size tell whether it is still the same."""
    try:
        written = json.loads(read_file(path, most=_MOST_BYTES))
        state, games = written["state"], written["games"]
        return _Published(
            title=_text(written["event"]["title"]),
            finished=state["finished"] is True,
            played=_number(state["played"]),
            planned=_number(state["planned"]),
            games=tuple(_text(game["title"]) for game in _listed(games)[:_MOST_GAMES]),
            entrants=len(_listed(written["entrants"])),
        )
    except (UnreadableError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value[:_MOST_CHARACTERS]


def _number(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value <= _MOST_NUMBER:
        raise ValueError("not a number of matches")
    return value
