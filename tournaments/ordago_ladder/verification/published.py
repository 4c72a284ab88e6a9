"""Unverified contents of an event's folder, and names that do not belong there."""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from ordago.record.ledgers.chain import LedgerError
from ordago.record.ledgers.event import Ledger, parse_ledger
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.event_file.written_file import MOST_CHARACTERS
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import UnreadableError, names_in, read_text
from ordago_ladder.publication.publish import SHOWING_FOLDERS, is_data
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.findings import DamagedError, Finding, NoEventError, as_sentence

_MOST_LINES_A_MATCH: Final = 4
"""The most ledger entries for a match on average: a result, a suspension and two void attempts. An event with more
would not have come to its end."""
_MOST_EVENT_BYTES: Final = 4 * MOST_CHARACTERS
_LINES_OF_ITS_OWN: Final = 1_000


@dataclass(frozen=True, slots=True)
class Published:
    """The event file and the ledger of a folder."""

    folder: EventFolder
    text: str
    """The event file."""
    settings: Settings
    ledger: Ledger

    def in_ledger(self, sentence: str) -> Finding:
        """Return a finding on the ledger."""
        return Finding(self.folder.ledger.name, sentence)


def read_published(path: Path) -> Published:
    """Read the event file and the ledger of a folder.

    Raises:
        NoEventError: the folder holds no published event.
        DamagedError: one of these is damaged.
    """
    folder = EventFolder(path)
    for part in (folder.event_file, folder.ledger):
        if not os.path.lexists(part):
            raise NoEventError(f"{path} holds no published event: there is no {part.name}")
    try:
        text = read_text(folder.event_file, most=_MOST_EVENT_BYTES)
        settings = parse_event(text)
    except (UnreadableError, EventFileError) as error:
        raise _damaged(folder.event_file, error) from None
    try:
        return Published(folder, text, settings, _ledger(folder, settings))
    except (UnreadableError, LedgerError) as error:
        raise _damaged(folder.ledger, error) from None


def _ledger(folder: EventFolder, settings: Settings) -> Ledger:
    lines = read_text(folder.ledger)
    most = match_count(settings) * _MOST_LINES_A_MATCH + _LINES_OF_ITS_OWN
    if lines.count("\n") > most:
        raise LedgerError(f"The ledger has more than {most:,} lines, too many for this event.")
    return parse_ledger(lines)


def _damaged(path: Path, error: Exception) -> DamagedError:
    sentence = error.problems[0] if isinstance(error, EventFileError) else str(error)
    return DamagedError(Finding(path.name, as_sentence(sentence)))


_MOST_LISTED: Final = 100
"""As many as the damaged records after which a verification stops: a hostile folder may have any number of files."""


def name_findings(folder: EventFolder, names: Collection[str], *, other_pages: bool) -> Iterator[Finding]:
    """Yield a finding for each name that does not belong in the folder.

    Args:
        folder: the folder of an event.
        names: the paths of all files that the event publishes.
        other_pages: another version made the pages: theirs may have any names in their places.
    """
    parts: dict[str, set[str]] = {"": {folder.private.name}, "records": set()}
    for name in filter(is_data, names) if other_pages else names:
        part, _, file = name.rpartition("/")
        parts.setdefault(part, set()).add(file)
        parts[""].add(part or file)
    shown = SHOWING_FOLDERS.keys() if other_pages else ()
    known = {*parts.pop(""), "records", *shown}
    yield from left_over(folder.path, known, prefix="", endings=(".html",) if other_pages else ())
    for part, known in parts.items():
        path = folder.path / part
        if known or path.is_symlink() or path.exists():
            yield from left_over(path, known, prefix=f"{part}/")


def left_over(folder: Path, known: Collection[str], *, prefix: str, endings: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield a finding for each name in a folder that does not belong there, 100 at most.

    Args:
        folder: the folder.
        known: the names that belong there.
        prefix: its own path in the verified folder, with a slash at the end; empty for that folder itself.
        endings: names with one of these endings belong there too.
    """
    try:
        strangers = (name for name in names_in(folder) if name not in known and not name.endswith(endings))
        for name in islice(strangers, _MOST_LISTED):
            yield Finding(f"{prefix}{name}", "It is not a published file.")
    except UnreadableError as error:
        yield Finding(prefix or ".", f"It cannot be read: {error}.")
