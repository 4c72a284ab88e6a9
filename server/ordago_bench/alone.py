"""The latency of a single match on a server, from an answer to the next decision, compared with an echo."""

import time
from statistics import median
from typing import Final, NamedTuple

from ordago.games import find_game
from ordago_bench.processes.worker import Worker

_GAME: Final = "mitaines"
_WARM_UP_SECONDS: Final = 0.5
_FRAME_BYTES: Final = 300
"""The approximate size of a decision. A frame this short takes no longer than an empty one."""


class Alone(NamedTuple):
    """The latencies of a single match and an echo; medians of the rounds."""

    decision_ms: float
    """The median time from a bot's answer to the arrival of the next decision at the next bot, in milliseconds."""
    echo_ms: float
    """The median time from a frame to its echo: two hops, as many as from bot to bot."""
    ratio: float


def measure_alone(*, seconds: float, rounds: int) -> Alone:
    """Measure one match and one echo alternately, each for ``seconds`` in every round."""
    pairs = [(_match_ms(seconds), _echo_ms(seconds)) for _ in range(rounds)]
    decision_ms, echo_ms = (median(values) for values in zip(*pairs, strict=True))
    return Alone(decision_ms, echo_ms, median(match / echo for match, echo in pairs))


def _match_ms(seconds: float) -> float:
    server = Worker("ordago_bench.processes.game_server", _GAME)
    seats = find_game(_GAME).rules.seat_counts[0]
    return _median_ms(server, Worker("ordago_bench.processes.lone_bots", server.ready["port"], seats), seconds)


def _echo_ms(seconds: float) -> float:
    server = Worker("ordago_bench.processes.echo_server", _FRAME_BYTES)
    return _median_ms(
        server, Worker("ordago_bench.processes.echo_client", server.ready["port"], 1, _FRAME_BYTES, 1), seconds
    )


def _median_ms(server: Worker, client: Worker, seconds: float) -> float:
    try:
        client.mark()
        time.sleep(_WARM_UP_SECONDS)
        before = client.mark()
        time.sleep(seconds)
        return client.mark().since(before).latencies.quantile_ms(0.5)
    finally:
        for worker in (client, server):
            worker.stop()
