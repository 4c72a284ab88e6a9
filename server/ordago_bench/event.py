"""An event with instant bots, played by the runner and by workers, compared with the same matches in one process."""

import math
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.match import Match
from ordago.record import read_record
from ordago.store import Entrant
from ordago_bench.in_process import Instant, played_out
from ordago_bench.processor_time import Costs, descendants_that_run, processor_seconds
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.terms import match_terms
from ordago_ladder.run.runner import run_event
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import Unwatched
from ordago_ladder.workers.messages import WORKER_MODULE
from ordago_ladder.workers.pool import pool_of

_ENTRANTS: Final = 3
_MEASURED: Final = (0.2, 0.8)
"""The measured part of the matches: the first ones wait for bots to start, and at the end fewer than ``parallel``
matches are left."""


class EventRate(NamedTuple):
    """The speed of an event."""

    matches_per_s: float
    decisions_per_s: float
    cpu_us_per_decision: float
    """The CPU time of runner, workers and bots from start to end, in microseconds. Other work on the machine hardly
    affects it."""
    runner_us_per_decision: float
    """The runner's part of it, in the measured part of the matches."""
    workers_us_per_decision: float | None = 0.0
    """The part of all its workers; ``None`` if the system has no ``/proc``."""


def event_costs(alone: EventRate, shared: EventRate) -> Costs | None:
    """Return the costs of the processes of an event without its bots, as if these ran on other machines.

    Args:
        alone: the measurement of the runner by itself.
        shared: the measurement of a runner with workers.

    Returns:
        The costs; ``None`` if the system has no ``/proc``.
    """
    workers = shared.workers_us_per_decision
    return None if workers is None else Costs(alone.runner_us_per_decision, shared.runner_us_per_decision, workers)


def measure_event(game: str, *, repetitions: int, parallel: int, workers: Sequence[int]) -> Mapping[str, EventRate]:
    """Return the speed of an event with each number of workers, by name.

    Args:
        game: the short name of the game.
        repetitions: the repetitions of every table for each worker, or for the runner by itself.
        parallel: the matches at once of each worker, or of the runner by itself. It is the same for all of them, since
            a decision costs more with fewer matches at once.
        workers: the numbers of workers to measure; 0 for the runner by itself.
    """

    def text(players: int) -> str:
        return _event(game, repetitions=players * repetitions, parallel=players * parallel)

    rates = {"one process, no network": _in_one_process(parse_event(text(1)))}
    for number in workers:
        name = f"{number} worker{'s' if number > 1 else ''}" if number else "the runner by itself"
        rates[name] = _over_a_network(text(max(1, number)), workers=number)
    return rates


def _event(game: str, *, repetitions: int, parallel: int) -> str:
    command = [sys.executable, "-m", "ordago_bench.processes.event_bot", str(parallel)]
    text = (
        '[event]\nname = "bench"\nisolation = "none"\nduplicates = false\n'
        f"repetitions = {repetitions}\nparallel = {parallel}\ndecision_ms = 60_000\nstart_timeout = 60\n"
        f'[[game]]\nname = "{game}"\n'
    )
    return text + "".join(f'[[entrant]]\nname = "bot {number}"\ncommand = {command}\n' for number in range(_ENTRANTS))


class _Moment(NamedTuple):
    """The progress and CPU times at a commit."""

    seconds: float
    played: int
    """The number of results so far."""
    runner_s: float
    """The CPU time of the runner so far, in seconds."""
    workers_s: float
    """The CPU time of its workers so far; NaN if unknown."""


class _Clock(Unwatched):
    """A listener that records the time of each commit of a run."""

    def __init__(self, *, workers: int, parallel: int) -> None:
        """Follow a run with this number of workers, and of matches at once."""
        self._number = workers
        self._parallel = parallel
        self._workers: Sequence[int] = ()
        self._committed: list[_Moment] = []

    def began(self, *, played: int, planned: int) -> None:
        self._committed.append(self._now(played))
        self._planned = planned

    def played(self, number: int) -> None:
        self._committed.append(self._now(self._committed[-1].played + number))

    def warned(self, sentence: str) -> None:
        """Print warnings."""
        print(sentence, file=sys.stderr)  # noqa: T201 - a measurement on the command line

    def _now(self, played: int) -> _Moment:
        return _Moment(time.perf_counter(), played, time.process_time(), self._workers_seconds())

    def _workers_seconds(self) -> float:
        try:
            if len(self._workers) < self._number:
                self._workers = tuple(descendants_that_run(WORKER_MODULE))
            return sum(map(processor_seconds, self._workers))
        except OSError:
            return math.nan

    def rate(self, *, decisions: float, cpu_us_per_decision: float) -> EventRate:
        """Return the speed of the event in its measured part, or of all of it if it is short.

        Args:
            decisions: the mean number of decisions in a match.
            cpu_us_per_decision: the CPU time of all processes.
        """
        first, last = (part * self._planned for part in _MEASURED)
        # Matches that begin together and are equally long end together, so only whole batches of them are counted.
        first, last = math.ceil(first / self._parallel) * self._parallel, last // self._parallel * self._parallel
        middle = [moment for moment in self._committed if first <= moment.played <= last]
        began, *_, ended = middle if len(middle) > 1 else self._committed
        matches = ended.played - began.played
        rate = matches / (ended.seconds - began.seconds)
        runner, workers = (
            1e6 * used / (matches * decisions)
            for used in (ended.runner_s - began.runner_s, ended.workers_s - began.workers_s)
        )
        return EventRate(rate, rate * decisions, cpu_us_per_decision, runner, None if math.isnan(workers) else workers)


def _over_a_network(text: str, *, workers: int) -> EventRate:
    with tempfile.TemporaryDirectory() as place:
        settings = parse_event(text)
        folder, clock = EventFolder(Path(place) / "out"), _Clock(workers=workers, parallel=settings.event.parallel)
        opening = pool_of(workers) if workers else None

        async def play() -> None:
            await run_event(settings, text, folder, listener=clock, opening=opening)

        began = _cpu_seconds()
        trio.run(play)
        cpu_seconds = _cpu_seconds() - began
        decisions = [_decisions(read_record(path.read_bytes())) for path in folder.records.iterdir()]
        return clock.rate(
            decisions=sum(decisions) / len(decisions), cpu_us_per_decision=1e6 * cpu_seconds / sum(decisions)
        )


def _decisions(record: v1.MatchRecord) -> int:
    return sum(entry.HasField("choice") for entry in record.entries)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of its ended children, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _in_one_process(settings: Settings) -> EventRate:
    entrants = {entrant.name: Entrant(entrant.name, bytes(16)) for entrant in settings.entrants}
    began, cpu_began, decisions = time.perf_counter(), _cpu_seconds(), 0
    matches = plan(settings).matches
    for planned in matches:
        terms = match_terms(planned, settings=settings, secret=bytes(32), entrants=entrants)
        seats = [Instant() for _ in terms.seats]
        decisions += played_out(Match(terms), seats).decisions
    seconds = time.perf_counter() - began
    cpu_us = 1e6 * (_cpu_seconds() - cpu_began) / decisions
    return EventRate(len(matches) / seconds, decisions / seconds, cpu_us, cpu_us)
