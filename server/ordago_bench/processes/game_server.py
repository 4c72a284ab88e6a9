"""The server under test as a worker process, with casual tables, and with or without journal and records."""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio

from ordago.arena.bot import Bot
from ordago.arena.play import HERE
from ordago.arena.processes.collector import collect_seldom
from ordago.arena.referees.pool import RefereePool
from ordago.arena.server import open_server
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.arena.upkeep import keep_up
from ordago.edge import Edge
from ordago.games import find_game
from ordago.journal import Journal
from ordago.match import TimeTerms
from ordago.one_thread import run_in_one_thread
from ordago.ops.records import RecordFolder
from ordago.record import FinishedRecord
from ordago.telemetry.telemetry import Telemetry
from ordago_bench.latency import Latencies
from ordago_bench.processes.worker import Tally, answer_marks


async def _forget(_record: FinishedRecord) -> None:
    """Store nothing, so that the disk is not measured."""


def _kind(name: str) -> TableTerms:
    game = find_game(name)
    return TableTerms(game, game.rules.seat_counts[0], {}, TimeTerms(decision_ms=60_000))


def decisions_of(telemetry: Telemetry) -> int:
    """Return the number of decisions so far."""
    return sum(game.charged_ms.count for game in telemetry.counters.games().values())


@contextmanager
def _kept() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "records").mkdir()
        yield Path(place)


async def serve(games: Sequence[str], *, listening: Callable[[int, Telemetry], None]) -> None:
    """Serve tables of some games without storing anything. ``listening`` is called with the port."""
    telemetry = Telemetry()
    tables = CasualTables([_kind(name) for name in games], keep=_forget, telemetry=telemetry)
    async with Edge.open("127.0.0.1:0", open_server(tables)) as edge:
        listening(edge.port, telemetry)
        await tables.run()


class _TablesForAll(CasualTables):
    """Tables that wait until all bots are connected.

    Otherwise the first two bots would fill up with matches of a game for two, and little else would be played for long.
    """

    def __init__(self, bots: int, kinds: Sequence[TableTerms], **options: Any) -> None:  # noqa: ANN401 - as there
        super().__init__(kinds, **options)
        self._awaited = bots
        self._all_are_there = trio.Event()

    def arrived(self, bot: Bot) -> None:
        super().arrived(bot)
        self._awaited -= 1
        if self._awaited <= 0:
            self._all_are_there.set()

    async def run(self) -> None:
        await self._all_are_there.wait()
        await super().run()


async def serve_all_in(
    games: Sequence[str], *, bots: int, listening: Callable[[int, Telemetry], None], processes: int = 0
) -> None:
    """Serve tables of some games as ``ordago serve`` with ``--records`` and ``--data``: with journal and records.

    Args:
        games: the games, by their short names.
        bots: the number of bots. No match begins before all of them are connected.
        listening: called with the port and the telemetry once the server listens.
        processes: the number of referee processes; 0 to play in this process.
    """
    telemetry = Telemetry()
    with _kept() as place, closing(Journal(place / "journal")) as journal:
        pool = RefereePool(processes, telemetry, journal=journal) if processes else None
        keep = RecordFolder(place / "records", telemetry=telemetry, journaled=True).keep
        kinds = [_kind(name) for name in games]
        tables = _TablesForAll(bots, kinds, keep=keep, telemetry=telemetry, journal=journal, referees=pool or HERE)
        server = open_server(tables, journal=journal)
        async with Edge.open("127.0.0.1:0", server) as edge, trio.open_nursery() as nursery:
            nursery.start_soon(keep_up, journal, telemetry)
            if pool is not None:
                nursery.start_soon(pool.run)
            listening(edge.port, telemetry)
            await tables.run()


def _answer(port: int, telemetry: Telemetry) -> None:
    answer_marks(lambda: Tally(decisions=decisions_of(telemetry)), Latencies(), ready={"port": port})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("games", help="with commas between them")
    parser.add_argument("--all-in", type=int, metavar="BOTS", help="keep journal and records, for so many bots")
    parser.add_argument("--processes", type=int, default=0, help="of referees, where all is kept")
    parsed = parser.parse_args()
    serving = partial(serve_all_in, bots=parsed.all_in, processes=parsed.processes) if parsed.all_in else serve
    collect_seldom()
    run_as_served = trio.run if parsed.processes else run_in_one_thread
    run_as_served(lambda: serving(parsed.games.split(","), listening=_answer))
