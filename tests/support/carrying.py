"""Servers in memory that are killed, and what is started anew from their journals; bots that take their time."""

import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import trio
from support.connections import FakeConnection, silent
from support.frames import choice, hello

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.connection import Acceptor
from ordago.arena.server import Server, restore
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.games import find_game
from ordago.journal import Journal
from ordago.match import FaultTerms, TimeTerms
from ordago.record import FinishedRecord
from ordago.telemetry.telemetry import Telemetry

TERMS = TableTerms(
    game=find_game("mittlere"),
    seats=3,
    options={"deals": 3},
    time=TimeTerms(decision_ms=1_000, bank_ms=8_000, increment_ms=20, disconnect_bank_ms=2_000),
    faults=FaultTerms(strikes=3, forfeit_after=4),
)
NAMES = ("ana", "ben", "cleo")
Pace = Callable[[int], float]
"""How long a bot thinks about the decision with a number, in seconds."""


def even_pace(number: int) -> float:
    """Think for different times, some of them from the bank."""
    return (0.0, 0.25, 1.5, 0.011)[number % 4]


class PacedConnection(FakeConnection):
    """A connection of a bot that thinks before it takes the default, and now and then tries something illegal."""

    def __init__(self, acceptor: Acceptor, pace: Pace = even_pace) -> None:
        super().__init__(acceptor, answering=silent)
        self._pace = pace

    def _answer(self, decision: v1.Decision) -> None:
        trio.lowlevel.spawn_system_task(self._think, decision)

    async def _think(self, decision: v1.Decision) -> None:
        await trio.sleep(self._pace(decision.number))
        if self.status is not None or (decision.match_handle, decision.number) not in self.open_decisions:
            return
        if decision.number % 5 == 0:
            self.say(choice(decision.match_handle, decision.number, legal_action=99))
        answer = decision.default_answer
        self.say(v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer))


class JournaledHall:
    """A server with casual tables and a journal. What is alive in the journal is taken up."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = Journal(path)
        self.records: list[v1.MatchRecord] = []
        self.when_kept: bytes = b""
        """The journal as it was when a record was kept last, and not struck from it yet."""
        self.telemetry = Telemetry()
        self.tables = CasualTables(
            [TERMS], keep=self._keep, rng=Random(1), telemetry=self.telemetry, journal=self.journal
        )
        authenticator = AllowEverybody(self.tables.arrived)
        self.server = Server(
            authenticator=authenticator, games=["mittlere"], telemetry=self.telemetry, journal=self.journal
        )
        restore(self.journal, self.server, self.tables, readmit=authenticator.readmit)

    async def _keep(self, record: FinishedRecord) -> None:
        await trio.lowlevel.checkpoint()
        self.records.append(record.message)
        self.when_kept = self.path.read_bytes()

    def enter(self, name: str, pace: Pace = even_pace, **fields: Any) -> PacedConnection:
        """Let a bot come in that plays one match at once."""
        connection = PacedConnection(self.server, pace)
        connection.say(hello(bot=v1.Software(name=name), max_matches=1, **fields))
        return connection

    def come_back(self, before: FakeConnection, pace: Pace = even_pace, **known: int) -> PacedConnection:
        """Let a bot come back that had this connection, perhaps to an earlier server."""
        resume = before.resume
        if known:
            resume.matches.add(match_handle=known["handle"], last_decision=known["last_decision"])
        connection = PacedConnection(self.server, pace)
        connection.say(hello(resume=resume))
        return connection


@asynccontextmanager
async def running(path: Path) -> AsyncIterator[JournaledHall]:
    """Run a server on a journal, and kill it at the end: nobody is told anything, and nothing more is written."""
    opened = JournaledHall(path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opened.tables.run)
        yield opened
        opened.journal.close()
        nursery.cancel_scope.cancel()


async def until_kept(hall: JournaledHall) -> v1.MatchRecord:
    """Wait until a record is kept, and return it; it takes as long as it takes."""
    with trio.fail_after(100_000):
        while not hall.records:  # noqa: ASYNC110 - the time between two looks costs nothing here
            await trio.sleep(0.5)
    return hall.records[-1]


async def killed(path: Path, *, after_seconds: float = 3.0) -> Sequence[FakeConnection]:
    """Return the connections of three bots to a server that was killed in the middle of their match."""
    async with running(path) as hall:
        connections = [hall.enter(name) for name in NAMES]
        await trio.sleep(after_seconds)
        assert hall.tables.running == 1
    return connections


def written_before(path: Path, seconds: float) -> None:
    """Let a journal have been written last so long ago."""
    written = time.time() - seconds
    os.utime(path, (written, written))
