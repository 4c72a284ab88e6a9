"""Instructions per decision, counted by valgrind. Unlike times, they hardly depend on the load of the machine.

Each workload is counted in two lengths, and the difference is divided by the decisions between them. So the costs of
the start, and of everything computed once, cancel out.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago import IS_COMPILED
from ordago.games import game_names

_REFERENCES: Final = re.compile(r"I\s+refs:\s+([\d,]+)")
_LONGEST_SECONDS: Final = 900.0
"""The timeout of a run under valgrind."""
_COMMAND: Final = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
"""cachegrind gives the same counts as callgrind in a third of the time."""
_LAST_LINES: Final = 5


class CountingError(Exception):
    """The instructions could not be counted."""


class Workload(NamedTuple):
    """A workload to count."""

    kind: str
    """A key of ``ordago_bench.workload.WORKLOADS``."""
    game: str
    lengths: tuple[int, int]
    """The least number of decisions in each of the two runs."""

    @property
    def name(self) -> str:
        """The key in the file of counts."""
        return f"{self.kind} {self.game}"


def quick_workloads() -> list[Workload]:
    """Return the workloads of the rules of each game alone, which take seconds."""
    return [Workload("rules", name, (500, 4_500)) for name in game_names()]


def all_workloads() -> list[Workload]:
    """Return all workloads."""
    matches = [Workload("match", name, (500, 3_500)) for name in game_names()]
    proofs = [Workload("proof", name, (4_000, 24_000)) for name in game_names()]
    return [*quick_workloads(), *matches, *proofs, *server_workloads()]


def server_workloads() -> list[Workload]:
    """Return the workloads of the complete server, with gRPC, journal and records.

    All matches begin at once, and the longest ones, of Mittlere Jass, end together: 256 matches with 432 decisions
    each. That is the difference between the two lengths, so that it contains one end and one beginning of each match.
    """
    return [Workload("server", name, (10_000, 10_000 + 256 * 432)) for name in ("mittlere", "mix")]


def build() -> str:
    """Return the build that a count is valid for, such as ``3.12`` or ``3.12 compiled``."""
    version = ".".join(platform.python_version_tuple()[:2])
    return f"{version} compiled" if IS_COMPILED else version


def missing() -> str | None:
    """Return the reason why this machine cannot count instructions; ``None`` if it can."""
    return None if shutil.which(_COMMAND[0]) else "valgrind is not installed (apt install valgrind)"


def instructions(workload: Workload) -> float:
    """Return the CPU instructions per decision of a workload.

    Raises:
        CountingError: valgrind is missing, or the workload failed.
    """
    if reason := missing():
        raise CountingError(reason)
    # The first run on a fresh machine writes bytecode files. Without this one, that would count for the short run.
    _run((), workload, 1)
    (short, few), (long, many) = (_counted(workload, length) for length in workload.lengths)
    return (long - short) / (many - few)


def _counted(workload: Workload, length: int) -> tuple[int, int]:
    """Run a workload under valgrind, and return its instructions and decisions."""
    run = _run(_COMMAND, workload, length)
    found = _REFERENCES.search(run.stderr)
    if found is None or not run.stdout.strip().isdecimal():
        raise _failed(workload, run)
    return int(found[1].replace(",", "")), int(run.stdout)


def _run(within: Sequence[str], workload: Workload, length: int) -> "subprocess.CompletedProcess[str]":
    command = [
        *within,
        sys.executable,
        "-m",
        "ordago_bench.workload",
        workload.kind,
        workload.game,
        str(length),
    ]
    # A fixed seed for hashes, since the order and cost of sets and dicts would vary from run to run.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    try:
        run = subprocess.run(  # noqa: S603 - our own module
            command, capture_output=True, text=True, env=environment, timeout=_LONGEST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise CountingError(f"{workload.name} did not come to its end in {_LONGEST_SECONDS:.0f} s") from None
    if run.returncode:
        raise _failed(workload, run)
    return run


def _failed(workload: Workload, run: "subprocess.CompletedProcess[str]") -> CountingError:
    return CountingError(f"{workload.name} failed: {_last(run.stderr.splitlines())}")


def _last(lines: Sequence[str]) -> str:
    return " / ".join(line for line in lines if not line.startswith("=="))[-_LAST_LINES * 100 :] or "it said nothing"
