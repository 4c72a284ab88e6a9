"""Mutation testing: break the code in small ways, and report the mutants that no test notices.

``make mutants`` runs it in the environment of the project, with cosmic-ray, which creates the mutants. Each mutant is
tested with the tests that mirror its package, the fastest files first, in a copy of the checkout. The order of mutants
depends on the seed alone, and any beginning of it has an equal share of every file, so that a limited time is spread
evenly.
"""

import argparse
import json
import os
import queue
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

from foreign_clients import ROOT, say
from mutation import SOURCES, Mutant, all_mutants, broken, difference

PACKAGES: Final = ("match", "protocol", "record", "journal", "games")
REPORT: Final = ROOT / "out/mutants/report.json"
AT_ONCE: Final = 2
"""The number of copies of the checkout in which mutants are tried in parallel."""
KILLED, SURVIVED, TIMED_OUT = FATES = ("killed", "survived", "timed out")
PYTEST: Final = (sys.executable, "-m", "pytest", "-x", "--tb=no", "-p", "no:cacheprovider")
MOST_MEMORY_BYTES: Final = 4 << 30
"""The memory limit of each process, several times the needs of tests, since a mutant may allocate memory for ever."""


class Suite(NamedTuple):
    """The tests of a package."""

    files: tuple[str, ...]
    """The test files, the fastest first."""
    seconds: float
    """The duration of all of them."""


class Trial(NamedTuple):
    """The fate of a mutant."""

    mutant: Mutant
    fate: str
    diff: tuple[str, ...]
    """The lines that differ from the code, as in a diff."""

    def __str__(self) -> str:
        return "\n".join((f"{self.mutant.path}:{self.mutant.line}", *self.diff, ""))

    def as_json(self) -> dict[str, object]:
        """Return the entry for the report."""
        path, line, operator, _ = self.mutant
        return {"file": str(path), "line": line, "operator": operator, "fate": self.fate, "diff": self.diff}


class Copy:
    """A copy of the checkout, in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        """Copy all files that git tracks, or would add."""
        self._root = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - git from PATH
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        )
        for name in listed.stdout.decode().rstrip("\0").split("\0"):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes((ROOT / name).read_bytes())
        roots = (folder / name for name in ("server", "clients/python", "tournaments"))
        # These come before the installed checkout in the import path.
        self._environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, roots)), "TMPDIR": str(folder)}

    def measure(self, tests: Path) -> Suite:
        """Run tests on the unbroken code, where they have to pass; return their files and duration.

        Raises:
            SystemExit: they fail, or would import another checkout.
        """
        probe = [sys.executable, "-c", "import ordago; print(*ordago.__path__)"]
        imported = subprocess.run(probe, env=self._environment, stdout=subprocess.PIPE, check=True)  # noqa: S603 - our own
        if Path(imported.stdout.decode().strip()) != self._root / SOURCES:
            raise SystemExit("the tests would import another checkout than the copy of this one")
        report, began = self._root / "report.xml", time.monotonic()
        if self._run((str(tests), f"--junitxml={report}", "-o", "junit_family=xunit1"), None) != 0:
            raise SystemExit(f"the tests of {tests} fail before anything is broken")
        seconds: dict[str, float] = defaultdict(float)
        for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - our own
            seconds[case.attrib["file"]] += float(case.attrib["time"])
        return Suite(tuple(sorted(seconds, key=seconds.__getitem__)), time.monotonic() - began)

    def tried(self, mutant: Mutant, suite: Suite) -> Trial:
        """Return the fate of a mutant under tests."""
        path = self._root / mutant.path
        whole = path.read_text(encoding="utf-8")
        text = broken(whole, mutant)
        try:
            self._put(path, text)
            # Four times the normal duration allows for a busy machine, and still detects an endless loop.
            status = self._run(suite.files, 10 + 4 * suite.seconds)
        finally:
            self._put(path, whole)
        fate = TIMED_OUT if status is None else KILLED if status else SURVIVED
        return Trial(mutant, fate, tuple(difference(whole, text)))

    @staticmethod
    def _put(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        # Python would reuse the bytecode of the old text if length and modification second are the same.
        Path(cache_from_source(str(path))).unlink(missing_ok=True)

    def _run(self, arguments: Sequence[str], seconds: float | None) -> int | None:
        """Run pytest and return its exit code; ``None`` if it timed out."""
        with subprocess.Popen(  # noqa: S603 - our own
            [*PYTEST, *arguments],
            cwd=self._root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as tests:
            try:
                return tests.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                if tests.poll() is None:
                    os.killpg(tests.pid, signal.SIGKILL)


def tried(copies: Sequence[Copy], mutants: Sequence[Mutant], *, seconds: float) -> list[Trial]:
    """Try mutants in order until the time is up, and return their fates. Survivors are printed immediately."""
    end = time.monotonic() + seconds
    suites = {tests: copies[0].measure(tests) for tests in sorted({mutant.tests for mutant in mutants})}
    waiting: queue.SimpleQueue[Mutant | None] = queue.SimpleQueue()
    for mutant in (*mutants, *(None for _ in copies)):
        waiting.put(mutant)

    def trials(copy: Copy) -> Iterator[Trial]:
        while time.monotonic() < end and (mutant := waiting.get()) is not None:
            trial = copy.tried(mutant, suites[mutant.tests])
            if trial.fate == SURVIVED:
                say(str(trial))
            yield trial

    with ThreadPoolExecutor(len(copies)) as pool:
        return sorted(each for some in pool.map(lambda copy: list(trials(copy)), copies) for each in some)


def table(found: Sequence[Trial], mutants: Sequence[Mutant]) -> Iterator[str]:
    """Yield the lines of a table with the fates of the mutants of each package."""
    yield f"{'package':<16}{'mutants':>9}{'tried':>9}{'killed':>9}{'survived':>9}{'timed out':>10}{'share killed':>14}"
    there = Counter(mutant.package for mutant in mutants)
    fates = Counter((trial.mutant.package, trial.fate) for trial in found)
    for package in sorted(there):
        killed, survived, timed_out = (fates[package, fate] for fate in FATES)
        total = killed + survived + timed_out
        # A timeout counts as noticed.
        share = f"{(killed + timed_out) / total:.1%}" if total else "-"
        yield f"{package:<16}{there[package]:>9}{total:>9}{killed:>9}{survived:>9}{timed_out:>10}{share:>14}"


def main() -> None:
    """Try as many mutants as fit in the time, print a table of their fates, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES, help="default: all that are worth it")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to try mutants; default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="for another choice of mutants; default: %(default)s")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    mutants = all_mutants(given.packages, seed=given.seed)
    with tempfile.TemporaryDirectory(prefix="ordago-mutants-") as folder:
        copies = [Copy(Path(folder).resolve() / str(number)) for number in range(AT_ONCE)]
        found = tried(copies, mutants, seconds=60 * given.minutes)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    report = {"seed": given.seed, "trials": [trial.as_json() for trial in found]}
    REPORT.write_text(json.dumps(report, indent=1), encoding="utf-8")
    say("\n".join(table(found, mutants)))


if __name__ == "__main__":
    main()
