"""One match alone at a server: how long it takes from an answer to the next decision, beside an echo."""

import time
from statistics import median
from typing import Final, NamedTuple

from ordago.bench.worker import Worker
from ordago.games import find_game

_GAME: Final = "mitaines"
_WARM_UP_SECONDS: Final = 0.5
_FRAME_BYTES: Final = 300
"""About what a decision has; so short a frame takes no longer than an empty one."""


class Alone(NamedTuple):
    """What was measured; medians of the rounds."""

    decision_ms: float
    """From a bot's answer to the next decision at the next bot and its answer, in milliseconds: in a match of its own
    one decision follows the other."""
    echo_ms: float
    """From a frame to its echo."""
    ratio: float


def measure_alone(*, seconds: float, rounds: int) -> Alone:
    """Measure one match and one echo in turns."""
    pairs = [(_match_ms(seconds), _echo_ms(seconds)) for _ in range(rounds)]
    decision_ms, echo_ms = (median(values) for values in zip(*pairs, strict=True))
    return Alone(decision_ms, echo_ms, median(match / echo for match, echo in pairs))


def _match_ms(seconds: float) -> float:
    server = Worker("ordago.bench.game_server", _GAME)
    seats = find_game(_GAME).rules.seat_counts[0]
    bots = [Worker("ordago.bench.instant_bot", server.ready["port"], 1) for _ in range(seats)]
    return _ms_for_each(server, bots, seconds)


def _echo_ms(seconds: float) -> float:
    server = Worker("ordago.bench.echo_server", _FRAME_BYTES)
    return _ms_for_each(server, [Worker("ordago.bench.echo_client", server.ready["port"], 1, _FRAME_BYTES, 1)], seconds)


def _ms_for_each(server: Worker, clients: list[Worker], seconds: float) -> float:
    try:
        for client in clients:
            client.mark()
        time.sleep(_WARM_UP_SECONDS)
        began, before = time.perf_counter(), sum(client.mark().decisions for client in clients)
        time.sleep(seconds)
        made = sum(client.mark().decisions for client in clients) - before
        return 1e3 * (time.perf_counter() - began) / max(1, made)
    finally:
        for worker in (*clients, server):
            worker.stop()
