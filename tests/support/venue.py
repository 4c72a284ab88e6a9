"""A server with casual tables and with events beside them, over a real wire, and bots that play there in threads."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import trio
from support.stores import until_the_end

from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.event_router import EventRouter
from ordago.arena.server import open_server
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.edge import Edge
from ordago.edge.services.event_keeper import Caller
from ordago.games import find_game
from ordago.match import TimeTerms
from ordago.ops.records import keep_nothing
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago_bot.house.baselines import DefaultBot
from ordago_bot.player import Player
from ordago_bot.transport import SessionEndedError, Stop, play
from ordago_ladder.hosted.events_api import HostedStage, HostedState, Removed
from ordago_ladder.hosted.folders import free_bytes
from ordago_ladder.hosted.hosted_event import HostContext
from ordago_ladder.hosted.hosting import Hosting

T = TypeVar("T")

PATIENCE_SECONDS = 120.0
NOW = 1_800_000_000


def event_file(
    name: str,
    *,
    remote: tuple[str, ...] = ("ana", "ben"),
    house: bool = False,
    terms: str = "",
    repetitions: int = 1,
    start_seconds: int = 60,
) -> str:
    """Return an event of Mitaines in which each remote entrant plays all others, and perhaps one of the house.

    What waits for somebody who never comes is over after ``start_seconds``.
    """
    entrants = '[[entrant]]\nname = "house"\nhouse = "default"\n' if house else ""
    entrants += "".join(f'[[entrant]]\nname = "{entrant}"\nremote = true\n' for entrant in remote)
    return (
        f'[event]\nname = "{name}"\ntitle = "The {name}"\nisolation = "none"\nduplicates = false\n'
        f"repetitions = {repetitions}\ndecision_ms = 60_000\nstart_timeout = {start_seconds}\n{terms}\n"
        '[[game]]\nname = "mitaines"\nseats = 2\noptions = { target = 20 }\n'
        f"{entrants}"
    )


class LeisurelyBot(DefaultBot):
    """Thinks for a while."""

    def choose(self, decision: Any) -> Any:
        """Take the default answer, by and by."""
        time.sleep(0.02)
        return super().choose(decision)


class Venue:
    """A server that is open, and what its bots were told at last."""

    def __init__(
        self, folder: Path, *, free: Callable[[Path], int] = free_bytes, now: Callable[[], float] = lambda: NOW
    ) -> None:
        self.accounts = until_the_end(Accounts.open(folder / "accounts.sqlite", create=True))
        rules = find_game("mitaines")
        self.tables = CasualTables([TableTerms(rules, 2, {"target": 20}, TimeTerms())], keep=keep_nothing)
        self.tokens = AccountTokens(self.accounts, arrived=self.tables.arrived)
        self.halls = EventRouter(open_server(self.tables, self.tokens))
        (folder / "events").mkdir(exist_ok=True)
        self.hosting = Hosting(folder / "events", self.accounts, now=now, free=free)
        self.farewells: dict[tuple[str, str], str] = {}
        """What ended each bot, by its account and its event."""
        self._given: dict[str, str] = {}
        self._leaving: list[Event] = []
        self._address = ""
        self._nursery: trio.Nursery | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Venue"]:
        """Serve while the context is open. Nothing may take too long in it."""
        self.hosting.come_in_by(self.halls)
        with trio.fail_after(PATIENCE_SECONDS):
            async with Edge.open("127.0.0.1:0", self.halls, event=self.halls.described) as edge:
                self._address = f"127.0.0.1:{edge.port}"
                async with trio.open_nursery() as nursery, self.hosting.running(self._context(edge)):
                    nursery.start_soon(self.tables.run)
                    self._nursery = nursery
                    yield self
                    for event in self._leaving:
                        event.set()
                    nursery.cancel_scope.cancel()

    def _context(self, edge: Edge) -> HostContext:
        return HostContext(self.tokens, self.halls, self._address, edge, ConnectionBounds(), ())

    def come(self, account: str, event: str = "") -> None:
        """Let a bot of an account come in."""
        assert self._nursery is not None
        leave = Event()
        self._leaving.append(leave)
        self._nursery.start_soon(self._play, account, event, leave)

    async def _play(self, account: str, event: str, leave: Event) -> None:
        if account not in self._given:
            given = self.accounts.create_token(account=account, scopes=[Scope.PLAY], now=NOW)
            self._given[account] = given[0]
        # Those at the tables are in no haste: they share a process with the server.
        player = Player(DefaultBot if event else LeisurelyBot, name=f"{account}-bot", max_matches=1)
        playing = partial(play, player, token=self._given[account], event=event, stop=Stop(leave, leave))
        try:
            said = await trio.to_thread.run_sync(partial(playing, address=self._address), abandon_on_cancel=True)
        except SessionEndedError as error:
            said = str(error)
        self.farewells[account, event] = said or ""

    async def ask(self, question: Callable[..., T], *words: str, **named: Any) -> T:
        """Ask for events, as others do: in another thread."""
        return await trio.to_thread.run_sync(partial(question, *words, **named))

    async def opened(self, text: str, *, by: str = "ola", admin: bool = False, why: str = "") -> HostedState:
        """Open an event."""
        return await self.ask(self.hosting.open, text, by=Caller(by, is_admin=admin), why=why)

    async def stopped(self, name: str, *, by: str = "ola", admin: bool = False, why: str = "") -> HostedState:
        """Stop an event, and wait until it has ended."""
        await self.ask(self.hosting.stop, name, by=Caller(by, is_admin=admin), why=why)
        return await self.ended(name)

    async def removed(self, name: str, *, by: str = "ola", admin: bool = False, why: str = "") -> Removed:
        """Remove an event."""
        return await self.ask(self.hosting.remove, name, by=Caller(by, is_admin=admin), why=why)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait for something."""
        while not reached():  # noqa: ASYNC110 - it happens in other threads
            await trio.sleep(0.02)

    async def ended(self, name: str) -> HostedState:
        """Wait until an event has ended, and return how."""
        await self.until(lambda: self.stage(name) not in (HostedStage.ENTRY, HostedStage.CHECK_IN, HostedStage.PLAYING))
        return await self.ask(self.hosting.state, name)

    def stage(self, name: str) -> HostedStage:
        """Return how far an event has come."""
        return next(state.stage for state in self.hosting.states() if state.name == name)

    def played(self, name: str) -> int:
        """Return how many matches of an event have results."""
        return next(state.played for state in self.hosting.states() if state.name == name)
