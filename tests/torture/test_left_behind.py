"""Bots that break off in mid-match, one after the other, and never come back: what a server bears of them."""

import time

import pytest
import trio
from support.connections import Nowhere, take_in
from support.figures import Note, Size
from support.frames import from_bot, hello

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.connection import Departure, Status
from ordago.arena.server import Server, open_server
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.games import find_game
from ordago.match import TimeTerms
from ordago.record import FinishedRecord

pytestmark = pytest.mark.alone

_AT_ONCE = 150
_TURN_SECONDS = 0.005
_MOST_SECONDS = 1.5
"""No honest bot waits longer: half of the least time for a decision that ``test_load.py`` plays with."""


class Deserter(Nowhere):
    """Comes in, is seated, and is gone."""

    def __init__(self, server: Server, number: int) -> None:
        self._handler = server(self)
        greeting = hello(bot=v1.Software(name=f"bot {number}"), max_matches=1, nonce=number.to_bytes(16))
        take_in(self._handler, from_bot(greeting), trio.current_time())

    def send(self, frame: bytes, departure: Departure | None = None) -> None:
        """Read nothing."""

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """Do not mind."""

    def vanish(self) -> None:
        """Break off."""
        self._handler.lost()


class Turns:
    """How long whoever wants a turn of the loop waits for it at most."""

    def __init__(self) -> None:
        self.longest_seconds = 0.0

    async def watch(self) -> None:
        while True:
            due = time.perf_counter() + _TURN_SECONDS
            await trio.sleep(_TURN_SECONDS)
            self.longest_seconds = max(self.longest_seconds, time.perf_counter() - due)


async def _keep(_record: FinishedRecord) -> None:
    await trio.lowlevel.checkpoint()


async def _desert(sessions: int, disconnect_ms: int) -> tuple[Turns, CasualTables, int]:
    terms = TimeTerms(decision_ms=2_000, disconnect_bank_ms=disconnect_ms)
    tables = CasualTables([TableTerms(find_game("mittlere"), 3, {"deals": 24}, terms)], keep=_keep)
    server = open_server(tables, AllowEverybody(tables.arrived), bounds=ConnectionBounds())
    turns, here, most = Turns(), list[Deserter](), 0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tables.run)
        nursery.start_soon(turns.watch)
        for number in range(sessions):
            here.append(Deserter(server, number))
            if len(here) > _AT_ONCE:
                here.pop(0).vanish()
            most = max(most, tables.running)
            await trio.sleep(0.001)
        for deserter in here:
            deserter.vanish()
        # Each of three seats is waited for, then the default is taken.
        await trio.sleep(4 * disconnect_ms / 1000)
        nursery.cancel_scope.cancel()
    return turns, tables, most


def test_who_leaves_matches_behind_holds_up_nobody(size: Size, note: Note) -> None:
    turns, tables, most = trio.run(_desert, size(400, 8_500), size(500, 10_000))
    note("matches that were left behind at once", most, bound=str(ConnectionBounds().max_matches))
    note("of these played to their end", tables.finished)
    note("longest wait for a turn", turns.longest_seconds, "s", bound=str(_MOST_SECONDS))
    assert 0 < most <= ConnectionBounds().max_matches
    assert tables.finished
    assert turns.longest_seconds < _MOST_SECONDS
