"""A thousand bots at once: how long they wait, what they cost, and how much memory they take.

Where all answer at once, more is asked of a server than it can do, and they wait in a queue: half as many answers as
there are bots, each behind all others. How long a server itself holds up a bot is seen where bots think.
"""

import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from ordago_bench.latency import Latencies, shared_times
from ordago_bench.processes.worker import Worker

_GAME: Final = "mitaines"
"""The first number of seats that it can be played with is two."""
_PROCESSES: Final = 2
_FEW: Final = 20
"""Bots of so few matches that each is answered at once."""
_SETTLING_SECONDS: Final = 3.0
"""How long all play before it is measured."""


class Crowd(NamedTuple):
    """What was measured of a crowd of bots, half as many matches at once, that all answer at once."""

    p50_ms: float
    """From an answer to the decision that follows in the match; half of them came within this time."""
    p99_ms: float
    kib_a_bot: float
    """What the process of the server grows by for each bot more, with its half of a match; 0 where the system does not
    say. What it grows by for the first 20 is left out: most of that it needs for bots at all."""
    cost_ratio: float
    """Processor time of the server for a decision, to that with 10 matches."""


class Patience(NamedTuple):
    """What was measured of bots that take their time: from an answer to the decision that follows in the match."""

    decisions_per_s: float
    p50_ms: float
    p99_ms: float
    slowest_ms: float
    """One in a thousand took longer."""
    cost_ratio: float
    """Processor time of the server for a decision, to that with 10 matches that ask as much of it; median of rounds."""


class _Seen(NamedTuple):
    latencies: Latencies
    decisions: int
    cpu_s_per_decision: float
    grown_kib: float


def measure_crowd(*, bots: int, seconds: float) -> Crowd:
    """Measure a server with some bots, and with few."""
    few, many = _seen(_FEW, seconds), _seen(bots, seconds)
    return Crowd(
        many.latencies.quantile_ms(0.5),
        many.latencies.quantile_ms(0.99),
        (many.grown_kib - few.grown_kib) / (bots - _FEW),
        many.cpu_s_per_decision / few.cpu_s_per_decision,
    )


def measure_patience(*, bots: int, think_ms: int, seconds: float, rounds: int) -> Patience:
    """Measure a server with bots, half as many matches at once, that think for so long in the mean.

    Few bots and many take turns, each for so many seconds in a round. How long they wait is told of all rounds, and
    what a decision costs as the median of them.
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
    port, empty_kib = server.ready["port"], _resident_kib(server.process_id)
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
        grown = _resident_kib(server.process_id) - empty_kib
        return _Seen(Latencies(bins), served.decisions, served.cpu_s / max(1, served.decisions), grown)
    finally:
        for worker in (*clients, server):
            worker.stop()


def _resident_kib(process_id: int) -> float:
    """Return the memory of a process, where the system says so in ``/proc``."""
    status = Path(f"/proc/{process_id}/status")
    if not status.exists():
        return 0.0
    [line] = (line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS:"))
    return float(line.split()[1])
