"""A server with a ladder behind it, in memory but for its store and its journal, and without bots of the house."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import trio
from support.connections import Answering, FakeConnection, first_legal
from support.frames import hello

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.server import open_server, restore
from ordago.journal import Journal
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.standing.admission import LadderAuthenticator
from ordago_ladder.standing.beginning import begin_ladder
from ordago_ladder.standing.serving import OpenLadder, ServerFolder
from ordago_ladder.standing.settings import parse_ladder

LADDER: Final = """
[ladder]
name = "trial"
epoch_hours = 1
decision_ms = 1_000

[[game]]
name = "mittlere"
options = { deals = 3 }
"""
BEGAN: Final = 1_800_000_000


class LadderHall:
    """A server with a ladder behind it. Its clock shows what a test sets, and else how much time has passed."""

    def __init__(
        self,
        folder: ServerFolder,
        store: LadderStore,
        queries: LadderQueries,
        journal: Journal,
        file: str,
        admitting: type[AllowEverybody],
    ) -> None:
        """Open the ladder of a file in a folder, and take up what its journal holds."""
        self.store, self.queries, self.journal = store, queries, journal
        self.settings = parse_ladder(file)
        self.telemetry = Telemetry()
        self.set_by = 0
        """By how many seconds the clock of the machine was set."""
        begin_ladder(store, queries, self.settings, now=self.now)
        self.warnings: list[str] = []
        self.ladder = OpenLadder(
            self.settings,
            file=file.encode(),
            folder=folder,
            place=str(folder.store),
            store=store,
            queries=queries,
            journal=journal,
            telemetry=self.telemetry,
            pause_seconds=10,
            warn=self.warnings.append,
            now=self.now,
        )
        self.tables = self.ladder.tables
        self.lost = [match.match_id for match in self.ladder.take_stock()]
        authenticator = LadderAuthenticator(admitting(self.tables.arrived), taken=["house"])
        self.server = open_server(self.tables, authenticator, journal=journal)
        restore(journal, self.server, self.tables, readmit=authenticator.readmit)

    def now(self) -> float:
        return BEGAN + self.set_by + trio.current_time()

    def enter(self, name: str, *, answering: Answering = first_legal, **fields: Any) -> FakeConnection:
        """Let a bot come in that plays one match at once, if nothing else is said."""
        connection = FakeConnection(self.server, answering=answering)
        connection.say(hello(**{"bot": v1.Software(name=name, version="1"), "max_matches": 1, **fields}))
        return connection

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Play while the test does what it does, then stop as by a kill."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.tables.run)
            nursery.start_soon(self.ladder.epochs.run)
            yield
            nursery.cancel_scope.cancel()

    @property
    def results(self) -> int:
        """How many results were committed."""
        return len(list(self.queries.results_since()))

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for something; it takes as long as it takes."""
        with trio.fail_after(5_000):
            while not reached():  # noqa: ASYNC110 - the time between two looks costs nothing here
                await trio.sleep(0.5)


@contextmanager
def ladder_hall(
    path: Path, file: str = LADDER, *, admitting: type[AllowEverybody] = AllowEverybody
) -> Iterator[LadderHall]:
    """Open a hall in a folder, anew or as it was left."""
    folder = ServerFolder(path)
    path.mkdir(exist_ok=True)
    store = LadderStore.open(folder.store, create=True)
    journal = Journal(path / "journal")
    with store, store.held(), LadderQueries.open(folder.store) as queries:
        yield LadderHall(folder, store, queries, journal, file, admitting)
    journal.close()


def without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what belongs into worker threads be done at once: no time passes while they work."""

    async def run_sync(function: Callable[..., Any], *arguments: Any, **_how: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
