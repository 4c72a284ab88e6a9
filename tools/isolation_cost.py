"""Measures what isolation costs an event: decisions a second in each way and without.

``python tools/isolation_cost.py`` plays the same event again and again, the ways taking turns, and prints medians and
their ratios to those without isolation. What it costs to start a bot measures ``ordago bench starts``. Processor time
would swing less, but the kernel tells that of bots in a PID namespace only to whoever waits for them there.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final
from unittest.mock import patch

import trio

from ordago.arena.processes.isolation.landlock import LEAST_VERSION, landlock_version
from ordago.record import read_record
from ordago_ladder.event_file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.runner import run_event
from ordago_ladder.watching import Unwatched

_EVENT: Final = """
[event]
name = "cost"
isolation = "{isolation}"
repetitions = {repetitions}
bootstrap = 100
decision_ms = 60_000
secret = "{secret}"
[[game]]
name = "mittlere"
options = {{ deals = 12 }}
"""
_ENTRANT: Final = '[[entrant]]\nname = "{name}"\nhouse = "default"\nenv = {{ ORDAGO_NONCE = "{nonce}" }}\n'
_NOT_ISOLATED: Final = "not isolated"


class Stopwatch(Unwatched):
    """Watches a run from its first match to its last."""

    def __init__(self) -> None:
        """Begin when the run does."""
        self.seconds = 0.0
        self._began = 0.0

    def began(self, *, played: int, planned: int) -> None:
        """Matches are played now."""
        assert (played, planned > 0) == (0, True)
        self._began = time.perf_counter()

    def played(self, number: int) -> None:
        """So many more results were committed."""
        assert number
        self.seconds = time.perf_counter() - self._began

    def warned(self, sentence: str) -> None:
        """Nothing may happen that the organiser should know."""
        raise RuntimeError(sentence)


def ways() -> list[str]:
    """Return the ways that this machine has."""
    wrapper = ["bubblewrap"] if shutil.which("bwrap") else []
    landlock = ["Landlock"] if landlock_version() >= LEAST_VERSION else []
    return [_NOT_ISOLATED, *wrapper, *landlock]


def decisions_per_second(way: str, *, repetitions: int) -> float:
    """Play the event once, and return what was decided in a second from its first match to its last."""
    isolation = "none" if way == _NOT_ISOLATED else "full"
    text = _EVENT.format(isolation=isolation, repetitions=repetitions, secret="5e" * 32)
    text += "".join(_ENTRANT.format(name=name, nonce=name.encode().hex() * 16) for name in "abc")
    stopwatch = Stopwatch()
    with tempfile.TemporaryDirectory() as place:
        folder = EventFolder(Path(place) / "out")
        run = lambda: run_event(parse_event(text), text, folder, watcher=stopwatch)  # noqa: E731 - used once, below
        with patch("ordago.arena.processes.isolation.bubblewrap.shutil.which", _which(way)):
            trio.run(run)
        records = [read_record(path.read_bytes()) for path in folder.records.iterdir()]
    decisions = sum(entry.HasField("choice") for record in records for entry in record.entries)
    return decisions / stopwatch.seconds


def _which(way: str) -> object:
    """Return what finds programs, but for bubblewrap where Landlock is to be taken."""
    return (lambda _: None) if way == "Landlock" else shutil.which


def measure(*, rounds: int, repetitions: int) -> Mapping[str, float]:
    """Return the median for each way; they take turns."""
    found: dict[str, list[float]] = {way: [] for way in ways()}
    for _ in range(rounds):
        for way, rates in found.items():
            rates.append(decisions_per_second(way, repetitions=repetitions))
    return {way: median(rates) for way, rates in found.items()}


def main() -> None:
    """Measure, and print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each way is tried (default: %(default)s)")
    parser.add_argument("--repetitions", type=int, default=20, help="of the event, six matches each (default: 20)")
    arguments = parser.parse_args()
    measured = measure(rounds=arguments.rounds, repetitions=arguments.repetitions)
    for way, rate in measured.items():
        print(f"{way:14} {rate:7,.0f} decisions/s, {rate / measured[_NOT_ISOLATED]:.3f}")  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
