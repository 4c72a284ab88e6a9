"""Fixed workloads for counting instructions: ``python -m ordago_bench.workload``.

Each prints how many decisions it made in the end: as many as it was asked for, or a few more. What only one of them
needs it imports by itself, since a short start swings less.
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
"""What is played where all games are played side by side."""
_SEED: Final = 7
_CONNECTIONS: Final = 4
_MATCHES: Final = 64
"""How many matches are played at once for each bot, as where decisions a second are measured."""
_PROVED: Final = 10
"""The number of matches whose records are proved again and again."""
_LOOK_SECONDS: Final = 0.5
"""How often is looked how many decisions were made: below valgrind each look takes as long as fifty elsewhere."""


def rules(game: str, decisions: int) -> int:
    """Play matches by chance, by the rules alone."""
    play, rng, made = own_match(find_game(game)), Random(_SEED), 0
    while made < decisions:
        made += play(rng)
    return made


def match(game: str, decisions: int) -> int:
    """Play matches by the referee, without a network. Decisions and records are written as they are sent and kept."""
    from ordago_bench.in_process import play_match

    made, number = 0, 0
    while made < decisions:
        made, number = made + play_match(find_game(game), number=number), number + 1
    return made


def server(game: str, decisions: int) -> int:
    """Serve four instant bots over gRPC, with journal and records, until so many decisions are made."""
    from ordago.arena.processes.collector import collect_seldom
    from ordago.one_thread import run_in_one_thread
    from ordago_bench.processes.game_server import serve_all_in
    from ordago_bench.processes.worker import Worker
    from ordago_bench.server import seats_of_a_bot

    def begin(port: int, telemetry: "Telemetry") -> None:
        # They end when this process does, since their standard input does then.
        bots.extend(Worker("ordago_bench.processes.instant_bot", port, seats) for _ in range(_CONNECTIONS))
        threading.Thread(target=_stop_at, args=(telemetry, decisions), daemon=True).start()

    bots: list[Worker] = []
    games = game_names() if game == MIX else [game]
    seats = seats_of_a_bot(games, matches=_MATCHES)
    collect_seldom()
    run_in_one_thread(lambda: serve_all_in(games, bots=_CONNECTIONS, listening=begin))
    raise AssertionError("the server ended by itself")


def proof(game: str, decisions: int) -> int:
    """Prove the records of a few matches again and again, as ``ordago verify`` does."""
    from ordago_bench.replaying import record_folder

    with record_folder(game, matches=_PROVED, copies=1) as folder:
        made = 0
        while made < decisions:
            folder.prove(processes=1)
            made += folder.decisions
    return made


def _stop_at(telemetry: "Telemetry", decisions: int) -> None:
    """End the process in the midst of play: neither the end of the server nor of its bots is counted."""
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
    print(made, flush=True)  # noqa: T201 - the standard output is how it speaks


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("game")
    parser.add_argument("decisions", type=int)
    parsed = parser.parse_args()
    _say(WORKLOADS[parsed.workload](parsed.game, parsed.decisions))
