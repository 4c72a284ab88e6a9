"""The server itself, with casual tables of one game, as a worker."""

import argparse

import trio

from ordago import v1
from ordago.arena.server import open_server
from ordago.arena.tables import CasualTables, TableTerms
from ordago.bench.latency import Latencies
from ordago.bench.worker import Tally, answer_marks
from ordago.edge import Edge
from ordago.games import find_game
from ordago.match import TimeTerms


async def _forget(_record: v1.MatchRecord) -> None:
    """Keep nothing: what a disk does is not measured here."""


async def _serve(name: str) -> None:
    game = find_game(name)
    kind = TableTerms(game, game.rules.seat_counts[0], {}, TimeTerms(decision_ms=60_000))
    tables = CasualTables([kind], keep=_forget)
    counted = tables.telemetry.counters.game(name)
    async with Edge.open("127.0.0.1:0", open_server(tables)) as edge:
        answer_marks(lambda: Tally(decisions=counted.charged_ms.count), Latencies(), ready={"port": edge.port})
        await tables.run()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    trio.run(_serve, parser.parse_args().game)
