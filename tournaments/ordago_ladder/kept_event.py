"""An event and where it is kept: how it begins, grows, goes on and is published."""

import secrets
from dataclasses import dataclass

import trio

from ordago.chance import SECRET_BYTES
from ordago.record.ledger import read_ledger
from ordago.store import EventState
from ordago.store.store import Store
from ordago_ladder.archive import ladder_of, publish_event
from ordago_ladder.beacon import due_beacon
from ordago_ladder.folder import EventFolder
from ordago_ladder.growth import growth_of
from ordago_ladder.identity import identity_of
from ordago_ladder.ladder import Ladder
from ordago_ladder.settings import Settings
from ordago_ladder.store_check import checked_state
from ordago_ladder.terms import begin_entry


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
        """Begin it, or go on with it, with the value of its beacon, if that is due. Return how far it has come."""
        await trio.to_thread.run_sync(self.begin_or_grow)
        state, ledger = await trio.to_thread.run_sync(checked_state, self.settings, self.store, self.folder)
        due = due_beacon(self.settings, ledger, value)
        if due is None:
            return state
        await trio.to_thread.run_sync(self.store.enter_beacon, due)
        return await trio.to_thread.run_sync(self.store.state)

    def begin_or_grow(self) -> None:
        """Begin it in its store, or enter how it has grown; do nothing where it is as it was.

        Raises:
            GrowthError: entrants came into the event file who cannot take part any more.
            StoreError: the store belongs to another event, or fails.
        """
        identity = identity_of(self.settings)
        begun = self.store.begun()
        if begun is not None and begun.identity != identity:
            state = self.store.state()
            ledger = read_ledger(state.lines)
            growth = growth_of(self.settings, ledger, identity=begun.identity, issued=len(state.matches))
            if growth is not None:
                self.store.grow_event(growth, before=begun.identity, settings=self.text, identity=identity)
        secret = self.settings.event.secret or secrets.token_bytes(SECRET_BYTES)
        begin = begin_entry(self.settings, secret=secret)
        self.store.begin_event(begin, settings=self.text, identity=identity, secret=secret)

    async def publish(self) -> None:
        """Publish what is known of it."""
        await trio.to_thread.run_sync(publish_event, self.settings, self.text, self.store, self.folder)

    async def ladder(self) -> Ladder:
        """Return its ladder so far."""
        return await trio.to_thread.run_sync(lambda: ladder_of(self.settings, self.store.state()))
