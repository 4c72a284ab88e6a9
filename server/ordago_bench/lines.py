"""The lines of ``ordago bench all``: a measurement, its peer, and its goal."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from ordago import IS_COMPILED
from ordago.games import game_names
from ordago_bench.alone import measure_alone
from ordago_bench.crowd import measure_crowd, measure_patience
from ordago_bench.event import EventRate, event_costs, measure_event
from ordago_bench.instructions import instructions, server_workloads
from ordago_bench.ratings import RatingSeconds, measure_ratings
from ordago_bench.referees import measure_processes
from ordago_bench.replaying import measure_replay
from ordago_bench.rules import OpenSpielMissingError, measure_beside_openspiel
from ordago_bench.server import measure_server
from ordago_bench.starts import HELP, IMPORT, measure_first_decision, measure_program

_WORKERS: Final = 2
_PROCESSES: Final = 2
_AT_ONCE: Final = 192
"""The matches at once of the runner or each worker. With so many, a bot gets several decisions at each wake-up."""
_THINK_MS: Final = 400
"""The mean thinking time of the bots that think."""
_UNSAID: Final = "what processes use is not said here, for there is no /proc"
_ORDO_RATED: Final = 0.81
_ORDO_RESAMPLED: Final = 53.0
"""The seconds that Ordo took for a million results and for 1,000 simulations, on two cores of another machine."""


class Found(NamedTuple):
    """The result of a measurement."""

    figure: str
    """The figure with its unit."""
    ratio: float | None
    """The ratio to the peer, or to the bound if there is no peer."""
    met: bool | None
    """True if the goal is met; ``None`` if nothing could be measured."""


class Benchmark(NamedTuple):
    """A line of the table: a measurement, its peer and its goal."""

    what: str
    against: str
    goal: str
    measure: Callable[[], Found]
    slow: bool = False
    """True if ``--quick`` skips it."""


class MissingError(Exception):
    """Something that the measurement needs is missing on this machine."""


def all_lines(*, quick: bool) -> list[Benchmark]:
    """Return all lines, in the order of printing."""
    servers = (*_servers(quick), *_events(quick), *_crowds(quick))
    return [*_rules(quick), *_counts(), *servers, *_ratings(), *_replays(quick), *_starts(quick), *_processes(quick)]


def _rules(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    least = 2.0 if IS_COMPILED else 0.7
    for name, peers in _PEERS.items():

        def measure(name: str = name, peers: Sequence[str] = peers) -> Found:
            try:
                rate, ratio = measure_beside_openspiel(name, peers, seconds=0.3 if quick else 1.0, rounds=3)
            except OpenSpielMissingError as error:
                raise MissingError(str(error)) from error
            return Found(f"{rate:,.0f} decisions/s", ratio, ratio >= least)

        against = f"OpenSpiel {peers[0]}" if len(peers) == 1 else "OpenSpiel, median of four"
        yield Benchmark(f"rules of {name}", against, f">= {least:g}", measure)


_FOUR: Final = ("tarok", "euchre", "dou_dizhu", "hearts")
_PEERS: Final = {
    "mittlere": ("euchre",),
    "mitigati": ("tarok",),
    "taihe": ("dou_dizhu",),
    "mus": _FOUR,
    "mitaines": _FOUR,
}


def _counts() -> Iterator[Benchmark]:
    most = 90_000
    for workload in server_workloads():

        def measure(workload: object = workload) -> Found:
            number = instructions(workload)  # type: ignore[arg-type]  # bound as a default, since the loop goes on
            return Found(f"{number:,.0f} a decision", number / most, number <= most)

        yield Benchmark(f"instructions, {workload.name}", "-", f"<= {most:,}", measure, slow=True)


def _servers(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    def server() -> Found:
        names, rounds = ",".join(game_names()), 1 if quick else 4
        found = measure_server(names, connections=4, matches=64, seconds=1.5, rounds=rounds, all_in=True)
        return Found(f"{found.server.decisions_per_s:,.0f} decisions/s", found.ratio, found.ratio >= 3)

    def alone() -> Found:
        found = measure_alone(seconds=1.0, rounds=1 if quick else 5)
        return Found(f"{found.decision_ms:.2f} ms", found.ratio, found.ratio <= 1.5)

    yield Benchmark("server, five games, all in", "bare echo, 32 streams", ">= 3", server)
    yield Benchmark("one match alone, to the next decision", "two hops of the echo", "<= 1.5", alone)


def _events(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    @cache
    def rates() -> tuple[EventRate, EventRate]:
        """Return the rates of the runner by itself, and with workers."""
        found = measure_event("mittlere", repetitions=100 if quick else 200, parallel=_AT_ONCE, workers=[0, _WORKERS])
        return found["the runner by itself"], found[f"{_WORKERS} workers"]

    def event() -> Found:
        alone, shared = (rate.decisions_per_s for rate in rates())
        figure = f"{alone:,.0f} decisions/s by the runner, {shared:,.0f} by {_WORKERS} workers"
        best = max(alone, shared)
        return Found(figure, best / 15_000, best >= 15_000)

    def workers() -> Found:
        costs = event_costs(*rates())
        if costs is None:
            raise MissingError(_UNSAID)
        speed_up = costs.speed_up(_WORKERS)
        return Found(costs.summary(_WORKERS), speed_up, speed_up >= least)

    least = 0.9 * _WORKERS
    yield Benchmark("event of instant bots as processes", "15,000 decisions/s", ">= 1", event)
    yield Benchmark(f"run --workers {_WORKERS}, bots elsewhere", "the runner by itself", f">= {least:g}", workers)


def _crowds(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    bots = 200 if quick else 1_000

    def crowd() -> Found:
        found = measure_crowd(bots=bots, seconds=2.0 if quick else 10.0)
        figure = (
            f"p99 {found.p99_ms:.0f} ms, {found.kib_a_bot:.0f} KiB a bot, cost {found.cost_ratio:.2f} of 10 matches"
        )
        is_met = found.p99_ms <= 100 and found.kib_a_bot < 60 and found.cost_ratio <= 1.3
        return Found(figure, found.p99_ms / 100, is_met)

    def patience() -> Found:
        seconds, rounds = (4.0, 1) if quick else (7.0, 3)
        found = measure_patience(bots=bots, think_ms=_THINK_MS, seconds=seconds, rounds=rounds)
        waited = f"p50 {found.p50_ms:.1f} ms, p99 {found.p99_ms:.0f} ms, 1 in 1,000 more than {found.slowest_ms:.0f} ms"
        figure = f"{waited}, cost {found.cost_ratio:.2f} of 10 matches, at {found.decisions_per_s:,.0f} decisions/s"
        return Found(figure, found.slowest_ms / 100, found.slowest_ms <= 100 and found.cost_ratio <= 1.3)

    yield Benchmark(f"{bots:,} bots, {bots // 2} matches at once", "100 ms, 60 KiB, 1.3", "<= 1", crowd)
    yield Benchmark(f"{bots:,} bots that think for {_THINK_MS} ms", "100 ms, 1.3", "<= 1", patience)


def _ratings() -> Iterator[Benchmark]:
    @cache
    def seconds() -> RatingSeconds:
        return measure_ratings(number=1_000_000, resamplings=1_000)

    def rated() -> Found:
        took = seconds().rated
        return Found(f"{took:.2f} s", took / _ORDO_RATED, took < _ORDO_RATED)

    def resampled() -> Found:
        took = seconds().resampled
        return Found(f"{took:.1f} s", took / _ORDO_RESAMPLED, took < _ORDO_RESAMPLED)

    yield Benchmark("a million table results rated", f"Ordo, {_ORDO_RATED} s elsewhere", "< 1", rated, slow=True)
    yield Benchmark("1,000 resamplings of them", f"Ordo, {_ORDO_RESAMPLED:g} s elsewhere", "< 1", resampled, slow=True)


def _replays(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    def replay() -> Found:
        matches, copies, rounds = (10, 1_000, 1) if quick else (50, 400, 3)
        found = measure_replay(matches=matches, copies=copies, rounds=rounds)
        return Found(f"{found.records_per_s:,.0f} records/s on all cores", found.ratio, found.ratio >= 20)

    yield Benchmark("records replayed and verified, all cores", "play by the server", ">= 20", replay)


def _starts(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    rounds = 3 if quick else 9

    def line(what: str, most: float, measure: Callable[[], float]) -> Benchmark:
        def found() -> Found:
            seconds = measure()
            return Found(f"{seconds:.2f} s", seconds / most, seconds <= most)

        return Benchmark(what, "-", f"<= {most:g} s", found)

    yield line("ordago --help", 0.2, lambda: measure_program(HELP, rounds=rounds))
    yield line("import of the SDK", 0.3, lambda: measure_program(IMPORT, rounds=rounds))
    yield line("server to first decision", 1.0, lambda: measure_first_decision(rounds=rounds))


def _processes(quick: bool) -> Iterator[Benchmark]:  # noqa: FBT001 - the flag of the command line
    def processes() -> Found:
        games, rounds = ",".join(game_names()), 1 if quick else 3
        try:
            costs = measure_processes(games, processes=_PROCESSES, seconds=1.5, rounds=rounds)
        except OSError as error:
            raise MissingError(_UNSAID) from error
        speed_up = costs.speed_up(_PROCESSES)
        return Found(costs.summary(_PROCESSES), speed_up, speed_up >= least)

    least = 0.9 * _PROCESSES
    against = f"{_PROCESSES} servers side by side"
    yield Benchmark(f"serve --processes {_PROCESSES}, bots elsewhere", against, f">= {least:g}", processes)
