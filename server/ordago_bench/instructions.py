"""Instructions per decision, counted by valgrind: unlike times they are nearly the same however busy a machine is.

A workload is counted in two lengths. What the start costs, and all that is computed once, is the same in both and does
not count.
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
_COMMAND: Final = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
"""The quickest of its tools that counts: a third of the time of callgrind, and the same counts."""
_LAST_LINES: Final = 5


class CountingError(Exception):
    """Nothing could be counted."""


class Workload(NamedTuple):
    """What is counted."""

    kind: str
    """One of ``ordago_bench.workload.WORKLOADS``."""
    game: str
    lengths: tuple[int, int]
    """How many decisions the two runs make, or a few more."""

    @property
    def name(self) -> str:
        """What it is called in the file of counts."""
        return f"{self.kind} {self.game}"


def quick_workloads() -> list[Workload]:
    """Return the rules of each game alone, which take seconds."""
    return [Workload("rules", name, (500, 4_500)) for name in game_names()]


def all_workloads() -> list[Workload]:
    """Return all that is counted."""
    matches = [Workload("match", name, (500, 3_500)) for name in game_names()]
    proofs = [Workload("proof", name, (4_000, 24_000)) for name in game_names()]
    return [*quick_workloads(), *matches, *proofs, *server_workloads()]


def server_workloads() -> list[Workload]:
    """Return the server all in: gRPC, journal and records.

    All matches begin at once, and those of Mittlere Jass, the longest, end together: 256 of them, with 432 decisions
    each. So many are between the two lengths, and with them one end and one beginning of each.
    """
    return [Workload("server", name, (10_000, 10_000 + 256 * 432)) for name in ("mittlere", "mix")]


def build() -> str:
    """Return what a count holds for: the minor version of Python, and whether the rules are compiled."""
    version = ".".join(platform.python_version_tuple()[:2])
    return f"{version} compiled" if IS_COMPILED else version


def missing() -> str | None:
    """Return why nothing can be counted on this machine; ``None`` if it can."""
    return None if shutil.which(_COMMAND[0]) else "valgrind is not installed (apt install valgrind)"


def instructions(workload: Workload) -> float:
    """Return the instructions of the processor for each decision of a workload.

    Raises:
        CountingError: valgrind is missing, or the workload failed.
    """
    if reason := missing():
        raise CountingError(reason)
    # Who is first on a fresh machine compiles the modules, and keeps them: that would count for the short run alone.
    _run((), workload, 1)
    (short, few), (long, many) = (_counted(workload, length) for length in workload.lengths)
    return (long - short) / (many - few)


def _counted(workload: Workload, length: int) -> tuple[int, int]:
    """Run a workload, and return its instructions and its decisions."""
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
    # The order of what is kept by hashes, and so what it costs, is not to change from run to run.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    try:
        run = subprocess.run(  # noqa: S603 - ours
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
