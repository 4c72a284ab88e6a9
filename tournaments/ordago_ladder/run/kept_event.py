"""An event and where it is kept: how it begins, grows, goes on and is published."""

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeVar

import trio

from ordago import v1
from ordago.chance import SECRET_BYTES
from ordago.record.ledgers.event import Ledger
from ordago.store import EventState, StoreError, StoreFailedError
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import due_beacon, growth_of
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.publication.archive import ladder_of, publish_event
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.changes import check_same_event, is_same_event
from ordago_ladder.run.store_check import check_published, checked_state, ledger_of
from ordago_ladder.settings.identity import identity_of
from ordago_ladder.settings.settings import Settings


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


def description_of(ledger: Ledger) -> v1.DescribeEventResponse:
    """Return what is told of the event of a ledger, which has begun."""
    begin = ledger.begin
    assert begin is not None
    described = v1.DescribeEventResponse(
        event=begin.event,
        commitment=bytes.fromhex(begin.commitment),
        secret_digest=bytes.fromhex(begin.secret_digest),
        settings_digest=bytes.fromhex(begin.settings_digest),
        entrants=ledger.entrants,
    )
    if begin.beacon is not None:
        value = bytes.fromhex(ledger.beacon.value) if ledger.beacon is not None else b""
        described.beacon.CopyFrom(v1.Beacon(source=begin.beacon.source, round=begin.beacon.round, value=value))
    return described


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event, and where it is kept."""

    settings: Settings
    text: str
    """The event file."""
    store: Store
    folder: EventFolder
    place: str | None
    """The URL of the database behind the store; ``None`` for the file in the folder."""

    async def begin(self, value: bytes | None) -> EventState:
        """Begin it, or go on with it, with the value of its beacon, if that is due. Return how far it has come.

        Raises:
            ChangedEventError: it has begun with another event file, and somebody has checked in since.
        """
        await trio.to_thread.run_sync(self.begin_or_grow)
        state, ledger = await trio.to_thread.run_sync(checked_state, self.settings, self.store, self.folder)
        due = due_beacon(self.settings, ledger, value)
        if due is None:
            return state
        await trio.to_thread.run_sync(self.store.enter_beacon, due)
        return await trio.to_thread.run_sync(self.store.state)

    def begin_or_grow(self, *, may_mend: bool = True) -> None:
        """Begin it in its store, or enter how it has grown or was mended; do nothing where it is as it was.

        Until somebody has checked in everything may be mended, by whoever may: nothing depends on it yet.

        Raises:
            GrowthError: entrants came into the event file who cannot take part any more.
            ChangedEventError: it has begun with another event file, and somebody has checked in since.
            StoreError: the store fails.
        """
        identity = identity_of(self.settings)
        if self.store.begun() is None:
            self._begin(self.store.begin_event, secrets.token_bytes(SECRET_BYTES))
            return
        state = self.store.state()
        if is_same_event(self.settings, state):
            return
        ledger = ledger_of(state)
        if not ledger.checked_in and may_mend:
            self._mend(state, ledger)
            return
        growth = growth_of(self.settings, ledger, identity=state.event.identity, issued=len(state.matches))
        if growth is None:
            check_same_event(self.settings, state)
        else:
            self.store.grow_event(growth, before=state.event.identity, settings=self.text, identity=identity)

    def _begin(self, begin_event: Callable[..., object], drawn: bytes) -> None:
        """Begin it, in one of the ways of the store, with this secret if its file gives none."""
        secret = self.settings.event.secret or drawn
        begin = begin_entry(self.settings, secret=secret)
        begin_event(begin, settings=self.text, identity=identity_of(self.settings), secret=secret)

    def _mend(self, state: EventState, ledger: Ledger) -> None:
        """Begin it anew with another event file, since nobody has checked in.

        The secret stays: whoever could draw another one may have heard the nonces of bots that came in meanwhile.
        """
        check_published(self.folder, ledger)
        self.folder.ledger.unlink(missing_ok=True)
        known = state.event.name == self.settings.event.name
        self._begin(self.store.begin_event_anew, state.event.secret if known else secrets.token_bytes(SECRET_BYTES))

    async def publish(self) -> Ladder:
        """Publish what is known of it, and return its ladder so far."""
        published = await trio.to_thread.run_sync(publish_event, self.settings, self.text, self.store, self.folder)
        return published.ladder

    async def ladder(self) -> Ladder:
        """Return its ladder so far."""
        return await trio.to_thread.run_sync(lambda: ladder_of(self.settings, self.store.state()))


T = TypeVar("T")


@asynccontextmanager
async def in_threads(context: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter a context in a worker thread, give what it gives, and leave it in a worker thread: not always the same."""
    given = await trio.to_thread.run_sync(context.__enter__)
    try:
        yield given
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(context.__exit__, None, None, None)
