"""Publication of an event from its store into its folder."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ordago.record import read_record
from ordago.record.ledgers.event import read_ledger
from ordago.store import EventState
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import write_published
from ordago_ladder.publication.publish import (
    SHOWING_FOLDERS,
    open_matches,
    published_files,
    published_ladder,
    published_names,
)
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.rating.think_times import ThinkTimes, think_times
from ordago_ladder.settings.settings import Settings
from ordago_ladder.showing.match_page import match_page

PUBLISHED_FOLDERS: Final = {"records": ".record", **SHOWING_FOLDERS}
"""The published folders, with the suffix of the names in each."""


class Published(NamedTuple):
    """The outcome of a publication, which the next one takes to save work."""

    ladder: Ladder
    times: Mapping[str, ThinkTimes]
    """The think times in each match whose record is published, by match ID."""


def ladder_of(settings: Settings, state: EventState) -> Ladder:
    """Return the ladder of the committed results."""
    return published_ladder(settings, state.results, read_ledger(state.lines))


def publish_event(
    settings: Settings, text: str, store: Store, folder: EventFolder, *, known: Mapping[str, ThinkTimes] | None = None
) -> Published:
    """Write all public files of an event into its folder.

    A correct file is not touched, a changed one is replaced, and one that does not belong there is removed. With the
    times that the last call returned, a repeated call costs only the new records and a ladder.

    Args:
        settings: the event.
        text: the event file, as it is published. Keys that do not matter to the matches, the title for instance, may
            have changed since the event began.
        store: the store of the event.
        folder: its folder.
        known: the times that an earlier call returned; the records of these matches are published, and not read again.

    Raises:
        OSError: the folder cannot be written to.
    """
    with folder.publishing():
        return _publish(settings, text, store, folder, known or {})


def _publish(
    settings: Settings, text: str, store: Store, folder: EventFolder, known: Mapping[str, ThinkTimes]
) -> Published:
    state = store.state()
    ledger = read_ledger(state.lines)
    ladder = published_ladder(settings, state.results, ledger)
    open_now = open_matches(ladder.settings, state.results)
    times = {
        match_id: known[match_id] if match_id in known else _publish_match(store.record(match_id), match_id, folder)
        for match_id in open_now
    }
    for name, content in published_files(text, ladder, ledger, times).items():
        write_published(folder.path / name, content)
    played = [result.planned for result in state.results]
    _clear_away(folder.path, published_names(ladder.settings, played, open_now))
    return Published(ladder, times)


def _publish_match(data: bytes, match_id: str, folder: EventFolder) -> ThinkTimes:
    """Publish a record and the page of its match. Return its think times."""
    record = read_record(data)
    write_published(folder.record(match_id), data)
    write_published(folder.match_page(match_id), match_page(record).encode())
    return think_times(record)


def _clear_away(folder: Path, names: Collection[str]) -> None:
    """Remove files that are not, or not yet, public, and partial files that a crash left."""
    published = {folder / name for name in names}
    for path in _own_files(folder):
        if path not in published and not path.is_dir():
            path.unlink(missing_ok=True)


def _own_files(folder: Path) -> Iterator[Path]:
    """Yield all files of the published kinds, and partial files."""
    yield from folder.glob("*.part")
    for part, suffix in PUBLISHED_FOLDERS.items():
        yield from (*folder.glob(f"{part}/*{suffix}"), *folder.glob(f"{part}/*.part"))
