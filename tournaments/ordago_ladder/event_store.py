"""Where the store of an event is: in its folder, or where the organiser says."""

from collections.abc import Iterator
from contextlib import contextmanager

from ordago.store import StoreError, StoreFailedError
from ordago.store.store import Store
from ordago_ladder.folder import EventFolder


@contextmanager
def event_store(folder: EventFolder, place: str | None) -> Iterator[Store]:
    """Open the store of an event for a run, and keep other runs out of it and the folder. A new event gets a new one.

    Args:
        folder: the output folder.
        place: the URL of a database; ``None`` for the file in the folder.

    Raises:
        FolderBusyError: another run works in the folder.
        StoreBusyError: another run works on the event in the database.
        StoreError: the database cannot be used, or has gone while its ledger is published here.
    """
    with folder.locked(), _opened(folder, place) as store, store.held():
        yield store


def _opened(folder: EventFolder, place: str | None) -> Store:
    # An event that is begun anew would have another secret than the one that its published ledger is committed to.
    was_begun = folder.ledger.exists()
    try:
        return Store.open(place or folder.store, create=not was_begun)
    except StoreFailedError:
        raise
    except StoreError as error:
        if not was_begun:
            raise
        raise StoreError(
            f"{folder.ledger} tells of a run whose store is not at hand: {error} "
            "Name its place with --store or restore it from a copy, or run the event anew in another folder."
        ) from None
