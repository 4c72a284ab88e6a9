"""The server beside two bare echoes: what the rules, the clocks, the views and the records cost."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final

from ordago.bench.latency import Latencies
from ordago.bench.worker import Worker
from ordago.games import find_game

_WARM_UP_SECONDS: Final = 2.0
_ECHO_STREAMS: Final = 32


class NothingMeasuredError(Exception):
    """No decision was made while it was measured."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one server."""

    decisions_per_s: float
    cpu_us_per_decision: float
    """Of the server's process, in microseconds."""
    p50_ms: float
    """Half of all answers came back within this time, in milliseconds."""
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """The server and its peers."""

    server: Figures
    echo: Figures
    batched_echo: Figures
    decisions_per_frame: float
    """How many decisions stood in a frame of the server on average; so many stand in one of the batched echo."""

    @property
    def ratio(self) -> float:
        """Decisions per second of the server as a multiple of the echo's."""
        return self.server.decisions_per_s / self.echo.decisions_per_s

    @property
    def batched_ratio(self) -> float:
        """Decisions per second of the server as a multiple of the batched echo's."""
        return self.server.decisions_per_s / self.batched_echo.decisions_per_s

    def as_json(self) -> dict[str, object]:
        """Return what a program can read."""
        return {**asdict(self), "ratio": round(self.ratio, 3), "batched_ratio": round(self.batched_ratio, 4)}


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run gave, beside its figures."""

    figures: Figures
    decisions_per_frame: float
    bytes_down: float
    """Bytes to the bot for each decision."""
    bytes_up: float
    """Bytes from the bot for each decision."""


def measure_server(
    game: str, *, connections: int, matches: int, seconds: float, warm_up_seconds: float = _WARM_UP_SECONDS
) -> Measurement:
    """Measure the server with some connections of instant bots, and its peers.

    So many matches are played at once for each connection: with 4 connections and 64 matches 256, so that on average
    64 decisions are open at a bot. Each of the three runs lasts ``seconds`` after a warm-up.

    Raises:
        NothingMeasuredError: the machine did not come to it.
    """
    server = Worker("ordago.bench.game_server", game)
    # A match takes a seat of several bots, so that each bot sits in more matches than there are for one connection.
    seats = matches * find_game(game).rules.seat_counts[0]
    bots = [Worker("ordago.bench.instant_bot", server.ready["port"], seats) for _ in range(connections)]
    measure = partial(_measure, seconds=seconds, warm_up_seconds=warm_up_seconds)
    played = measure(server, bots)
    batch = max(1, round(played.decisions_per_frame))
    echo = measure(*_echo(played, streams=_ECHO_STREAMS, messages=1))
    batched = measure(*_echo(played, streams=connections, messages=batch))
    return Measurement(played.figures, echo.figures, batched.figures, round(played.decisions_per_frame, 2))


def _echo(played: _Run, *, streams: int, messages: int) -> tuple[Worker, Sequence[Worker]]:
    """Start an echo and its client, whose messages are as long as those of the server were."""
    server = Worker("ordago.bench.echo_server", round(messages * played.bytes_down))
    arguments = (server.ready["port"], streams, round(messages * played.bytes_up), messages)
    return server, [Worker("ordago.bench.echo_client", *arguments)]


def _measure(server: Worker, clients: Sequence[Worker], *, seconds: float, warm_up_seconds: float) -> _Run:
    try:
        for worker in (server, *clients):
            worker.mark()  # Before the warm-up all have to be ready.
        time.sleep(warm_up_seconds)
        start, before = time.perf_counter(), [worker.mark() for worker in (server, *clients)]
        time.sleep(seconds)
        end, after = time.perf_counter(), [worker.mark() for worker in (server, *clients)]
    finally:
        for worker in (*clients, server):
            worker.stop()
    decisions = sum(late.decisions - early.decisions for early, late in zip(before, after, strict=True))
    if not decisions:
        raise NothingMeasuredError(f"no decision was made in {seconds:g} s; is this machine busy with other work?")
    frames = sum(late.frames - early.frames for early, late in zip(before, after, strict=True))
    latencies = Latencies()
    for early, late in zip(before, after, strict=True):
        latencies.bins += late.latencies.since(early.latencies).bins
    figures = Figures(
        decisions_per_s=round(decisions / (end - start), 1),
        cpu_us_per_decision=round(1e6 * (after[0].cpu_s - before[0].cpu_s) / decisions, 1),
        p50_ms=latencies.quantile_ms(0.50),
        p99_ms=latencies.quantile_ms(0.99),
    )
    received = sum(late.received_bytes - early.received_bytes for early, late in zip(before, after, strict=True))
    sent = sum(late.sent_bytes - early.sent_bytes for early, late in zip(before, after, strict=True))
    return _Run(figures, decisions / frames, received / decisions, sent / decisions)
