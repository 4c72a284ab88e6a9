"""From the store of an event to what is published of it."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ordago.record import read_record
from ordago.record.ledgers.event import read_ledger
from ordago.store import EventState
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.pages.assets import FACE_FOLDERS, FOLDER
from ordago_ladder.pages.page import PAGE_FOLDERS
from ordago_ladder.publication.files import write_published
from ordago_ladder.publication.publish import open_matches, published_files, published_ladder, published_names
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.rating.think_times import ThinkTimes, think_times
from ordago_ladder.settings.settings import Settings
from ordago_ladder.showing.match_page import match_page

PUBLISHED_FOLDERS: Final = {
    "records": ".record",
    "told": ".html",
    FOLDER: "",
    **dict.fromkeys(PAGE_FOLDERS, ".html"),
    **dict.fromkeys(FACE_FOLDERS.values(), ".svg"),
}
"""The folders of what is published, and how the names in them end."""


class Published(NamedTuple):
    """What was published of an event, for whoever publishes it again."""

    ladder: Ladder
    times: Mapping[str, ThinkTimes]
    """How long the players took in each match whose record is published, by its name."""


def ladder_of(settings: Settings, state: EventState) -> Ladder:
    """Return the ladder of the results that are committed."""
    return published_ladder(settings, state.results, read_ledger(state.lines))


def publish_event(
    settings: Settings, text: str, store: Store, folder: EventFolder, *, known: Mapping[str, ThinkTimes] | None = None
) -> Published:
    """Write all that may be known of an event into its folder.

    A file that is there as it should be is left alone; one that was changed is replaced, and one that should not be
    there is removed. Whoever publishes again and again hands in what the last time returned: then it costs what is
    new, and a ladder.

    Args:
        settings: the event.
        text: the event file. What does not matter to the matches, the title for instance, may have changed since the
            event began: what is published of it is what the ladder was made by.
        store: the store of the event.
        folder: its folder.
        known: the times that an earlier call returned, which published these records: they are not looked at again.

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
    """Publish a record, and what is told of it; return how long its players took."""
    record = read_record(data)
    write_published(folder.record(match_id), data)
    write_published(folder.told(match_id), match_page(record).encode())
    return think_times(record)


def _clear_away(folder: Path, names: Collection[str]) -> None:
    """Remove what is not, or not yet, open to others, and what a crash left of a file."""
    published = {folder / name for name in names}
    for path in _own_files(folder):
        if path not in published and not path.is_dir():
            path.unlink(missing_ok=True)


def _own_files(folder: Path) -> Iterator[Path]:
    """Yield all files of the kinds that are published, or were half written."""
    yield from folder.glob("*.part")
    for part, suffix in PUBLISHED_FOLDERS.items():
        yield from (*folder.glob(f"{part}/*{suffix}"), *folder.glob(f"{part}/*.part"))
