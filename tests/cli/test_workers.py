"""An event that workers play: whoever is killed meanwhile, it ends as one that the runner played by itself."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from support.figures import Note, Size

from ordago_cli.errors import EXIT_INTERRUPTED
from ordago_ladder.folder import EventFolder
from ordago_ladder.verification.event import verify_folder

pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds processes by /proc")

EVENT = """
[event]
name = "shared"
isolation = "none"
repetitions = {repetitions}
parallel = 4
decision_ms = 60_000
secret = "{secret}"

[[game]]
name = "mittlere"
options = {{ deals = 3 }}

[[entrant]]
name = "alpha"
house = "random"
env = {{ ORDAGO_NONCE = "{alpha}" }}

[[entrant]]
name = "beta"
house = "default"
env = {{ ORDAGO_NONCE = "{beta}" }}

[[entrant]]
name = "gamma"
house = "random"
env = {{ ORDAGO_NONCE = "{gamma}" }}
"""
MATCHES_A_REPETITION = 6
REPETITIONS = 2
LONGEST_SECONDS = 120


@pytest.fixture
def rounds(size: Size) -> int:
    """How often a worker and its runner are killed."""
    return size(1, 10)


@pytest.fixture
def event(tmp_path: Path, rounds: int) -> Path:
    nonces = {name: digits * 16 for name, digits in (("alpha", "a1"), ("beta", "b2"), ("gamma", "c3"))}
    path = tmp_path / "shared.toml"
    path.write_text(EVENT.format(repetitions=REPETITIONS * (1 + rounds), secret="5e" * 32, **nonces), encoding="utf-8")
    return path


class Run:
    """A run with two workers."""

    def __init__(self, event: Path, out: Path) -> None:
        self.folder = EventFolder(out)
        # Bots are given all that says how people write, and little else.
        self._mark = f"LC_RUN={out}"
        self.scratch = Path(f"{out}-scratch")
        """Where the run and its workers put what they need for a while."""
        self.scratch.mkdir(exist_ok=True)
        self.process = subprocess.Popen(  # noqa: S603 - ours
            command(event, out, "--workers", "2"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"LC_RUN": str(out), "TMPDIR": str(self.scratch)},
        )

    def workers(self) -> list[int]:
        """Return the workers, without those who keep them."""
        module = ("-m\0" + "ordago_ladder.workers.worker").encode()
        return [number for number in self.members() if module in content(Path(f"/proc/{number}/cmdline"))]

    def members(self) -> list[int]:
        """Return the processes that were started by runs in the folder, found by what they inherit."""
        processes = [path for path in Path("/proc").iterdir() if path.name.isdecimal()]
        found = {int(path.name) for path in processes if self._mark.encode() in content(path / "environ")}
        return sorted(found - {self.process.pid})

    def await_that(self, holds: Callable[[], object]) -> None:
        deadline = time.monotonic() + LONGEST_SECONDS
        while not holds():
            assert self.process.poll() is None, "the event is over"
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def await_play(self) -> None:
        """Wait until both workers have bots and enter choices in their journals."""
        journals = [self.folder.private / f"worker-{number}.journal" for number in (1, 2)]
        self.await_that(lambda: all(path.exists() and path.stat().st_size > 2000 for path in journals))


def content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def command(event: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "ordago", "run", str(event), "--out", str(out), *options]


def to_the_end(event: Path, out: Path, *options: str) -> None:
    subprocess.run(  # noqa: S603 - ours
        command(event, out, *options), check=True, capture_output=True, timeout=LONGEST_SECONDS
    )


def kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def await_nobody(run: Run) -> None:
    deadline = time.monotonic() + 10
    while run.members() and time.monotonic() < deadline:
        time.sleep(0.05)


@pytest.mark.slow
def test_kills_of_workers_and_runners_change_nothing(event: Path, tmp_path: Path, rounds: int, note: Note) -> None:
    rng = Random(20_051_105)
    undisturbed = EventFolder(tmp_path / "alone")
    to_the_end(event, undisturbed.path)
    outlived, killed = 0, {"worker": 0, "runner": 0}
    for _ in range(rounds):
        run = Run(event, tmp_path / "shared")
        run.await_play()
        before = set(run.workers())
        kill(rng.choice(run.workers()))
        run.await_that(lambda run=run, before=before: len(set(run.workers()) - before) == 1)
        killed["worker"] += 1
        time.sleep(rng.uniform(0.0, 1.0))
        run.process.send_signal(signal.SIGKILL)
        run.process.wait()
        killed["runner"] += 1
        await_nobody(run)
        outlived += len(run.members())
    to_the_end(event, run.folder.path, "--workers", "2")
    verification = verify_folder(run.folder.path)
    note("kills of workers", killed["worker"])
    note("kills of their runners", killed["runner"])
    note("processes that outlived their runner", outlived, bound="0")
    assert not outlived
    assert run.folder.ladder.read_bytes() == undisturbed.ladder.read_bytes()
    assert (verification.records, verification.findings) == (MATCHES_A_REPETITION * (REPETITIONS * (1 + rounds)), ())
    assert not list(run.folder.private.glob("worker-*.journal"))


@pytest.mark.slow
def test_a_run_that_is_stopped_ends_its_workers(event: Path, tmp_path: Path) -> None:
    run = Run(event, tmp_path / "shared")
    run.await_play()
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(LONGEST_SECONDS) == EXIT_INTERRUPTED
    assert not run.members()
    assert not list(run.scratch.iterdir())
