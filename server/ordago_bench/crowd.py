"""A thousand bots at once: their latencies, CPU costs and memory.

Bots that answer instantly overload the server, so that their latency is mostly queueing: half as many answers as bots
are waiting, each behind all others. Bots that think show the delay by the server itself.
"""

import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from ordago_bench.latency import Latencies, shared_times
from ordago_bench.processes.worker import Worker

_GAME: Final = "mitaines"
"""A game for two."""
_PROCESSES: Final = 2
"""The number of processes that share the bots."""
_FEW: Final = 20
"""Bots of so few matches that none of them has to queue."""
_SETTLING_SECONDS: Final = 3.0
"""Seconds of play before the measurement."""


class Crowd(NamedTuple):
    """Figures of a crowd of instant bots in half as many matches at once."""

    p50_ms: float
    """The median time from an answer to the next decision of the match."""
    p99_ms: float
    kib_a_bot: float
    """The growth of the server process for each bot with its half of a match, beyond the first 20 bots, whose growth is
    mostly fixed costs; 0 if the system has no ``/proc``."""
    cost_ratio: float
    """The CPU time of the server for a decision, relative to that with 10 matches."""


class Patience(NamedTuple):
    """Figures of bots that think. Latencies run from an answer to the next decision of the match."""

    decisions_per_s: float
    p50_ms: float
    p99_ms: float
    slowest_ms: float
    """The latency that one in a thousand exceeded."""
    cost_ratio: float
    """The CPU time of the server for a decision, relative to 10 matches with as many decisions a second; a median."""


class _Seen(NamedTuple):
    latencies: Latencies
    decisions: int
    cpu_s_per_decision: float
    grown_kib: float


def measure_crowd(*, bots: int, seconds: float) -> Crowd:
    """Measure a server with many bots, and with few."""
    few, many = _seen(_FEW, seconds), _seen(bots, seconds)
    return Crowd(
        many.latencies.quantile_ms(0.5),
        many.latencies.quantile_ms(0.99),
        (many.grown_kib - few.grown_kib) / (bots - _FEW),
        many.cpu_s_per_decision / few.cpu_s_per_decision,
    )


def measure_patience(*, bots: int, think_ms: int, seconds: float, rounds: int) -> Patience:
    """Measure a server with bots that think, in half as many matches at once.

    The thinking times have a mean of ``think_ms``. Few and many bots take turns, each for ``seconds`` in a round.
    Latencies are those of all rounds together; costs are medians of the rounds.
    """
    few_think_ms = think_ms * _FEW // bots
    turns = [
        (_seen(_FEW, seconds, think_ms=few_think_ms), _seen(bots, seconds, think_ms=think_ms)) for _ in range(rounds)
    ]
    latencies = Latencies(sum((many.latencies.bins for _, many in turns), Counter[int]()))
    p50_ms, p99_ms, slowest_ms = (latencies.quantile_ms(share) for share in (0.5, 0.99, 0.999))
    cost_ratio = median(many.cpu_s_per_decision / few.cpu_s_per_decision for few, many in turns)
    decisions = sum(many.decisions for _, many in turns)
    return Patience(decisions / (rounds * seconds), p50_ms, p99_ms, slowest_ms, cost_ratio)


def _seen(bots: int, seconds: float, *, think_ms: int = 0) -> _Seen:
    with shared_times() as times:
        return _seen_by(bots, seconds, think_ms, times)


def _seen_by(bots: int, seconds: float, think_ms: int, times: Path) -> _Seen:
    server = Worker("ordago_bench.processes.game_server", _GAME)
    port, empty_kib = server.ready["port"], resident_kib(server.process_id)
    shares = (bots // _PROCESSES, think_ms, times)
    clients = [Worker("ordago_bench.processes.crowd_bots", port, *shares) for _ in range(_PROCESSES)]
    try:
        for client in clients:
            client.mark()
        time.sleep(_SETTLING_SECONDS)
        before, served_before = [client.mark() for client in clients], server.mark()
        time.sleep(seconds)
        done = [client.mark().since(early) for client, early in zip(clients, before, strict=True)]
        served = server.mark().since(served_before)
        bins = sum((mark.latencies.bins for mark in done), Counter[int]())
        grown = resident_kib(server.process_id) - empty_kib
        return _Seen(Latencies(bins), served.decisions, served.cpu_s / max(1, served.decisions), grown)
    finally:
        for worker in (*clients, server):
            worker.stop()


def resident_kib(process_id: int) -> float:
    """Return the resident memory of a process in KiB; 0 if the system has no ``/proc``."""
    status = Path(f"/proc/{process_id}/status")
    if not status.exists():
        return 0.0
    [line] = (line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS:"))
    return float(line.split()[1])
