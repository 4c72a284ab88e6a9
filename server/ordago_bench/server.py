"""The server compared with two bare echoes, for the cost of rules, clocks, views and records."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Final

from ordago.games import find_game
from ordago_bench.latency import Latencies, shared_times
from ordago_bench.processes.worker import Worker

_WARM_UP_SECONDS: Final = 1.5
"""Seconds of play before the measurement, once all are ready, so that the server's message caches are filled."""
_ECHO_STREAMS: Final = 32
"""The messages in flight at the bare echo.

With this number its process was never idle: 7,300 a second at 170 µs of CPU each, as measured on two cores.
"""


class NothingMeasuredError(Exception):
    """No decision was made during a measurement."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one server."""

    decisions_per_s: float
    cpu_us_per_decision: float
    """The CPU time of the server's process, in microseconds."""
    p50_ms: float
    """The median time from an answer to the next decision of the match, or to its echo, in milliseconds."""
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of the server and of its peers, the echoes."""

    server: Figures
    echo: Figures
    batched_echo: Figures
    decisions_per_frame: float
    """The mean number of decisions in a frame of the server, and the number in a frame of the batched echo."""
    latencies: Latencies = field(default_factory=Latencies, compare=False)
    """The latencies of the server as its bots saw them."""

    @property
    def ratio(self) -> float:
        """Decisions per second of the server as a multiple of the echo's."""
        return self.server.decisions_per_s / self.echo.decisions_per_s

    @property
    def batched_ratio(self) -> float:
        """Decisions per second of the server as a multiple of the batched echo's."""
        return self.server.decisions_per_s / self.batched_echo.decisions_per_s

    def as_json(self) -> dict[str, object]:
        """Return the figures as JSON."""
        figures = {name: value for name, value in asdict(self).items() if name != "latencies"}
        return {**figures, "ratio": round(self.ratio, 3), "batched_ratio": round(self.batched_ratio, 4)}


@dataclass(frozen=True, slots=True)
class _Counted:
    """The counts of one server and its clients over some time."""

    seconds: float = 0.0
    cpu_s: float = 0.0
    """The CPU time of the server."""
    decisions: int = 0
    frames: int = 0
    received_bytes: int = 0
    """The bytes that the clients received."""
    sent_bytes: int = 0
    """The bytes that the clients sent."""
    latencies: Counter[int] = field(default_factory=Counter)
    """The bins of ``Latencies``."""

    def __add__(self, other: "_Counted") -> "_Counted":
        return _Counted(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    @property
    def figures(self) -> Figures:
        latencies = Latencies(self.latencies)
        return Figures(
            decisions_per_s=round(self.decisions / self.seconds, 1),
            cpu_us_per_decision=round(1e6 * self.cpu_s / self.decisions, 1),
            p50_ms=latencies.quantile_ms(0.50),
            p99_ms=latencies.quantile_ms(0.99),
        )

    @property
    def decisions_per_frame(self) -> float:
        return self.decisions / self.frames


def measure_server(
    game: str,
    *,
    connections: int,
    matches: int,
    seconds: float,
    rounds: int = 1,
    warm_up_seconds: float = _WARM_UP_SECONDS,
    all_in: bool = False,
) -> Measurement:
    """Measure the server with instant bots on some connections, and its peers.

    ``matches`` are played at once for each connection: 4 connections and 64 matches make 256, so that on average 64
    decisions are open at a bot. The server and its peers take turns in each round, so that changes in the speed of a
    shared machine affect them alike. Each is measured for ``seconds`` in every round, after a warm-up. Several games,
    with commas between their names, are played at the same time. ``all_in`` adds journal and records.

    Raises:
        NothingMeasuredError: no decision was made in a measurement.
    """
    measure = partial(_measure, seconds=seconds, warm_up_seconds=warm_up_seconds)
    played = echo = batched = _Counted()
    for _ in range(rounds):
        played += _played(
            game,
            connections=connections,
            matches=matches,
            seconds=seconds,
            warm_up_seconds=warm_up_seconds,
            all_in=all_in,
        )
        batch = max(1, round(played.decisions_per_frame))
        echo += measure(*_echo(played, streams=_ECHO_STREAMS, messages=1))
        batched += measure(*_echo(played, streams=connections, messages=batch))
    return Measurement(
        played.figures,
        echo.figures,
        batched.figures,
        round(played.decisions_per_frame, 2),
        Latencies(played.latencies),
    )


def measure_play(game: str, *, connections: int, matches: int, seconds: float, all_in: bool) -> Figures:
    """Measure the server as ``measure_server`` does, once and without its peers.

    Raises:
        NothingMeasuredError: no decision was made in the measurement.
    """
    played = _played(
        game,
        connections=connections,
        matches=matches,
        seconds=seconds,
        warm_up_seconds=_WARM_UP_SECONDS,
        all_in=all_in,
    )
    return played.figures


def _played(
    names: str, *, connections: int, matches: int, seconds: float, warm_up_seconds: float, all_in: bool
) -> _Counted:
    with shared_times() as times:
        workers = _game(names, times, connections=connections, matches=matches, all_in=all_in)
        return _measure(*workers, seconds=seconds, warm_up_seconds=warm_up_seconds)


def seats_of_a_bot(games: Sequence[str], *, matches: int) -> int:
    """Return the number of seats that each bot plays at once, with ``matches`` for each bot.

    A match has a seat for several bots, so each bot plays in more matches than its own share.
    """
    return matches * max(find_game(name).rules.seat_counts[0] for name in games)


def _game(names: str, times: Path, *, connections: int, matches: int, all_in: bool) -> tuple[Worker, Sequence[Worker]]:
    """Start the server and its bots."""
    server = Worker("ordago_bench.processes.game_server", names, *(["--all-in", connections] if all_in else []))
    seats = seats_of_a_bot(names.split(","), matches=matches)
    port = server.ready["port"]
    return server, [Worker("ordago_bench.processes.instant_bot", port, seats, times) for _ in range(connections)]


def _echo(played: _Counted, *, streams: int, messages: int) -> tuple[Worker, Sequence[Worker]]:
    """Start an echo and its client, with messages as long as those of the server were on average."""
    down, up = played.received_bytes / played.decisions, played.sent_bytes / played.decisions
    server = Worker("ordago_bench.processes.echo_server", round(messages * down))
    arguments = (server.ready["port"], streams, round(messages * up), messages)
    return server, [Worker("ordago_bench.processes.echo_client", *arguments)]


def _measure(server: Worker, clients: Sequence[Worker], *, seconds: float, warm_up_seconds: float) -> _Counted:
    workers = (server, *clients)
    try:
        for worker in workers:
            worker.mark()  # Wait until all are ready before the warm-up.
        time.sleep(warm_up_seconds)
        start, before = time.perf_counter(), [worker.mark() for worker in workers]
        time.sleep(seconds)
        end, after = time.perf_counter(), [worker.mark() for worker in workers]
    finally:
        for worker in (*clients, server):
            worker.stop()
    server_done, *done = (late.since(early) for early, late in zip(before, after, strict=True))
    if not sum(mark.decisions for mark in done):
        raise NothingMeasuredError(f"no decision was made in {seconds:g} s; is this machine busy with other work?")
    return _Counted(
        seconds=end - start,
        cpu_s=server_done.cpu_s,
        decisions=sum(mark.decisions for mark in done),
        frames=sum(mark.frames for mark in done),
        received_bytes=sum(mark.received_bytes for mark in done),
        sent_bytes=sum(mark.sent_bytes for mark in done),
        latencies=sum((mark.latencies.bins for mark in done), Counter()),
    )
