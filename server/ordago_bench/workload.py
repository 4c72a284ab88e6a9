"""Fixed workloads for counting instructions: ``python -m ordago_bench.workload``.

Each prints its number of decisions at the end: at least as many as requested. Modules that only one workload needs are
imported inside of it, since the counts of a short start vary less.
"""

import argparse
import os
import threading
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Final

from ordago.games import find_game, game_names
from ordago_bench.rules import own_match

if TYPE_CHECKING:
    from ordago.telemetry.telemetry import Telemetry

MIX: Final = "mix"
"""The name for all games played at the same time."""
_SEED: Final = 7
_CONNECTIONS: Final = 4
"""The number of bots at the server."""
_MATCHES: Final = 64
"""The matches at once for each bot, the same as in the measurement of decisions per second."""
_PROVED: Final = 10
"""The number of matches whose records are verified repeatedly."""
_LOOK_SECONDS: Final = 0.5
"""Seconds between two checks of the number of decisions. Under valgrind each takes fifty times as long as without."""


def rules(game: str, decisions: int) -> int:
    """Play random matches by the rules alone."""
    play, rng, made = own_match(find_game(game)), Random(_SEED), 0
    while made < decisions:
        made += play(rng)
    return made


def match(game: str, decisions: int) -> int:
    """Play matches with the referee, without a network, and serialize all decisions and records."""
    from ordago_bench.in_process import play_match

    made, number = 0, 0
    while made < decisions:
        made, number = made + play_match(find_game(game), number=number), number + 1
    return made


def server(game: str, decisions: int) -> int:
    """Serve four instant bots over gRPC, with journal and records, until a number of decisions are made."""
    from ordago.arena.processes.collector import collect_seldom
    from ordago.one_thread import run_in_one_thread
    from ordago_bench.processes.game_server import serve_all_in
    from ordago_bench.processes.worker import Worker
    from ordago_bench.server import seats_of_a_bot

    def begin(port: int, telemetry: "Telemetry") -> None:
        # The bots end with this process, which closes their standard input.
        bots.extend(Worker("ordago_bench.processes.instant_bot", port, seats) for _ in range(_CONNECTIONS))
        threading.Thread(target=_stop_at, args=(telemetry, decisions), daemon=True).start()

    bots: list[Worker] = []
    games = game_names() if game == MIX else [game]
    seats = seats_of_a_bot(games, matches=_MATCHES)
    collect_seldom()
    run_in_one_thread(lambda: serve_all_in(games, bots=_CONNECTIONS, listening=begin))
    raise AssertionError("the server ended by itself")


def proof(game: str, decisions: int) -> int:
    """Verify the records of a few matches repeatedly, as ``ordago verify`` does."""
    from ordago_bench.replaying import record_folder

    with record_folder(game, matches=_PROVED, copies=1) as folder:
        made = 0
        while made < decisions:
            folder.prove(processes=1)
            made += folder.decisions
    return made


def _stop_at(telemetry: "Telemetry", decisions: int) -> None:
    """End the process in the middle of play, so that the shutdown of server and bots is not counted."""
    from ordago_bench.processes.game_server import decisions_of

    while (made := decisions_of(telemetry)) < decisions:
        time.sleep(_LOOK_SECONDS)
    _say(made)
    os._exit(0)


WORKLOADS: Final[Mapping[str, Callable[[str, int], int]]] = {
    "rules": rules,
    "match": match,
    "proof": proof,
    "server": server,
}


def _say(made: int) -> None:
    print(made, flush=True)  # noqa: T201 - the result goes to the standard output


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("game")
    parser.add_argument("decisions", type=int)
    parsed = parser.parse_args()
    _say(WORKLOADS[parsed.workload](parsed.game, parsed.decisions))
