"""Where the store of an event is: in its folder, or where the organiser says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ordago.store import StoreError, StoreFailedError
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder


@contextmanager
def event_store(folder: EventFolder, place: str | None, told: Callable[[str], object] | None = None) -> Iterator[Store]:
    """Open the store of an event for a run, and keep other runs out of it and the folder. A new event gets a new one.

    Args:
        folder: the output folder.
        place: the URL of a database; ``None`` for the file in the folder.
        told: is told in a sentence that tables of an older Ordago became those of today.

    Raises:
        FolderBusyError: another run works in the folder.
        StoreBusyError: another run works on the event in the database.
        StoreError: the database cannot be used, or has gone while its ledger is published here.
    """
    with folder.locked(), _opened(folder, place) as store:
        with store.held():
            migration = store.migrate()
        if migration is not None and told is not None:
            told(str(migration))
        # Anew, since the right to write knows the tables as they were when it was taken.
        with store.held():
            yield store


def _opened(folder: EventFolder, place: str | None) -> Store:
    # An event that is begun anew would have another secret than the one that its published ledger is committed to.
    was_begun = folder.ledger.exists()
    try:
        return Store.open(place or folder.store, create=not was_begun, outdated=True)
    except StoreFailedError:
        raise
    except StoreError as error:
        if not was_begun:
            raise
        raise StoreError(
            f"{folder.ledger} tells of a run whose store is not at hand: {error} "
            "Name its place with --store or restore it from a copy, or run the event anew in another folder."
        ) from None
