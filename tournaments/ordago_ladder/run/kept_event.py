"""An event with its store and folder: beginning, growing, resuming and publishing it."""

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import trio

from ordago import v1
from ordago.chance import SECRET_BYTES
from ordago.record.ledgers.event import Ledger
from ordago.store import EventState, StoreBrokenError, StoreError, StoreFailedError
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import due_beacon
from ordago_ladder.matches.parts import fixed_secret, part_entry
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.publication.archive import ladder_of, publish_event
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.changes import change_of, is_same_event
from ordago_ladder.run.store_check import check_published, checked_state, ledger_of
from ordago_ladder.settings.identity import identity_of
from ordago_ladder.settings.settings import Settings


@contextmanager
def event_store(
    folder: EventFolder, place: str | None, report: Callable[[str], object] | None = None
) -> Iterator[Store]:
    """Open the store of an event for a run, or create it for a new event, and lock it and the folder.

    Args:
        folder: the output folder.
        place: the URL of a database; ``None`` for the file in the folder.
        report: called with a sentence if the tables of an older Ordago were migrated.

    Raises:
        FolderBusyError: another run uses the folder.
        StoreBusyError: another run uses the event in the database.
        StoreError: the database cannot be used, or is missing although its ledger is published here.
    """
    with folder.locked(), _opened(folder, place) as store:
        with store.held():
            migration = store.migrate()
        if migration is not None and report is not None:
            report(str(migration))
        # Acquired again, since the write lock was taken on the tables before the migration.
        with store.held():
            yield store


def _opened(folder: EventFolder, place: str | None) -> Store:
    # A new store would have another secret than the one that the published ledger commits to.
    was_begun = folder.ledger.exists()
    try:
        return Store.open(place or folder.store, create=not was_begun, outdated=True)
    except StoreError as error:
        is_away = isinstance(error, StoreFailedError) and not isinstance(error, StoreBrokenError)
        if is_away or not was_begun:
            raise
        raise StoreError(
            f"{folder.ledger} is of a run whose store is missing: {error} Name its place with --store or restore it "
            "from a copy, or run the event again in another folder."
        ) from None


def description_of(ledger: Ledger) -> v1.DescribeEventResponse:
    """Return the answer to ``DescribeEvent`` for the ledger of an event that has begun, with its last commitment."""
    begin, part = ledger.begin, ledger.parts[-1].begin
    assert begin is not None
    described = v1.DescribeEventResponse(
        event=begin.event,
        commitment=bytes.fromhex(part.commitment),
        secret_digest=bytes.fromhex(part.secret_digest),
        settings_digest=bytes.fromhex(part.settings_digest),
        entrants=ledger.entrants,
    )
    if begin.beacon is not None:
        value = bytes.fromhex(ledger.beacon.value) if ledger.beacon is not None else b""
        described.beacon.CopyFrom(v1.Beacon(source=begin.beacon.source, round=begin.beacon.round, value=value))
    return described


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event with its store and folder."""

    settings: Settings
    text: str
    """The text of the event file."""
    store: Store
    folder: EventFolder
    place: str | None
    """The URL of the database behind the store; ``None`` for the file in the folder."""

    async def begin(self, value: bytes | None) -> EventState:
        """Begin or resume the event, enter the value of its beacon if that is due, and return the state.

        Raises:
            ChangedEventError: the event began with another event file, and an entrant has checked in since.
        """
        await trio.to_thread.run_sync(self.begin_or_change)
        state, ledger = await trio.to_thread.run_sync(checked_state, self.settings, self.store, self.folder)
        due = due_beacon(self.settings, ledger, value)
        if due is None:
            return state
        await trio.to_thread.run_sync(self.store.enter_beacon, due)
        return await trio.to_thread.run_sync(self.store.state)

    def begin_or_change(self, *, may_mend: bool = True) -> None:
        """Begin the event in its store, or enter changes of the file; do nothing if it is unchanged.

        Until the first entrant has checked in, ``may_mend`` allows any change, since nothing depends on the file yet.
        With a change after its end, the event goes on with another part.

        Raises:
            ChangeError: a change of the event file comes too late, or takes something away.
            ChangedEventError: the event began with another event file, and an entrant has checked in since.
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
        # After a restoration somebody may have checked in, and seen deals, since the backup.
        if not (ledger.checked_in or ledger.restorations) and may_mend:
            self._mend(state, ledger)
            return
        change = change_of(self.settings, state, ledger, time=datetime.now(tz=UTC))
        if change is not None:
            secret = None
            if state.event.finished:
                drawn = secrets.token_bytes(SECRET_BYTES)
                secret = fixed_secret(self.settings, part=len(ledger.parts) + 1) or drawn
                change = part_entry(change, secret=secret)
            self.store.change_event(
                change, before=state.event.identity, settings=self.text, identity=identity, secret=secret
            )

    def _begin(self, begin_event: Callable[..., object], drawn: bytes) -> None:
        """Begin the event by a function of the store, with the drawn secret if the file gives none."""
        secret = self.settings.event.secret or drawn
        begin = begin_entry(self.settings, secret=secret)
        begin_event(begin, settings=self.text, identity=identity_of(self.settings), secret=secret)

    def _mend(self, state: EventState, ledger: Ledger) -> None:
        """Begin the event again with another event file, since no entrant has checked in.

        The secret stays: an organiser who could redraw it might know the nonces of bots that have connected by then,
        and so choose the deals.
        """
        check_published(self.folder, ledger)
        self.folder.ledger.unlink(missing_ok=True)
        known = state.event.name == self.settings.event.name
        self._begin(self.store.begin_event_anew, state.event.secret if known else secrets.token_bytes(SECRET_BYTES))

    async def publish(self) -> Ladder:
        """Publish the current state of the event, and return its ladder so far."""
        published = await trio.to_thread.run_sync(publish_event, self.settings, self.text, self.store, self.folder)
        return published.ladder

    async def ladder(self) -> Ladder:
        """Return the ladder so far."""
        return await trio.to_thread.run_sync(lambda: ladder_of(self.settings, self.store.state()))


T = TypeVar("T")


@asynccontextmanager
async def in_threads(context: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter and exit a context in worker threads, which may be two different ones."""
    given = await trio.to_thread.run_sync(context.__enter__)
    try:
        yield given
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(context.__exit__, None, None, None)
