"""From the store of an event to what is published of it."""

from collections.abc import Container
from pathlib import Path

from ordago import chance
from ordago.record.ledger import read_ledger
from ordago.store import EventState, Store
from ordago.store.files import write_whole
from ordago_ladder.due import progress_of
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder, build_ladder
from ordago_ladder.publish import open_matches, published_ladder, published_texts
from ordago_ladder.reading import UnreadableError, read_file
from ordago_ladder.settings import Settings


def ladder_of(settings: Settings, state: EventState) -> Ladder:
    """Return the ladder of the results that are committed."""
    secret, ledger = state.event.secret, read_ledger(state.lines)
    versions = {entrant.name: entrant.version for entrant in state.entrants}
    return build_ladder(
        settings,
        state.results,
        secret_digest=chance.commitment(secret),
        progress=progress_of(settings, ledger, state.results),
        secret=secret if state.event.finished else None,
        versions=versions,
    )


def publish_event(settings: Settings, text: str, store: Store, folder: EventFolder) -> None:
    """Write all that may be known of an event into its folder.

    A file that is there as it should be is left alone; one that was changed is replaced, and a record that should not
    be there is removed.

    Args:
        settings: the event.
        text: the event file. What does not matter to the matches, the title for instance, may have changed since the
            event began: what is published of it is what the ladder was made by.
        store: the store of the event.
        folder: its folder.

    Raises:
        OSError: the folder cannot be written to.
    """
    with folder.publishing():
        _publish(settings, text, store, folder)


def _publish(settings: Settings, text: str, store: Store, folder: EventFolder) -> None:
    state = store.state()
    ledger = read_ledger(state.lines)
    ladder = published_ladder(settings, state.results, ledger)
    folder.records.mkdir(parents=True, exist_ok=True)
    for name, content in published_texts(settings, text, ladder, ledger).items():
        _write(folder.path / name, content.encode())
    names = {folder.record(match_id): match_id for match_id in open_matches(settings, state.results)}
    for path, match_id in names.items():
        _write(path, store.record(match_id))
    _clear_away(folder, names)


def _write(path: Path, content: bytes) -> None:
    """Write a file, unless it holds this and nothing else already."""
    try:
        if read_file(path, most=len(content)) == content:
            return
    except UnreadableError:
        pass  # It is missing, or something else stands in its place, and is replaced.
    write_whole(path, content)


def _clear_away(folder: EventFolder, records: Container[Path]) -> None:
    """Remove records that are not, or not yet, open to others, and what a crash left of a file."""
    for path in (*folder.records.glob("*.record"), *folder.records.glob("*.part"), *folder.path.glob("*.part")):
        if path not in records and not path.is_dir():
            path.unlink(missing_ok=True)
