"""An event on a cluster of Dask whose workers are killed, and whose scheduler goes away."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from support.figures import Note
from support.ports import free_port

from ordago_cli.errors import EXIT_OUTSIDE
from ordago_ladder.folder import EventFolder
from ordago_ladder.verification.event import verify_folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes by /proc")

EVENT = """
[event]
name = "spread"
isolation = "none"
repetitions = {repetitions}
parallel = 2
decision_ms = 60_000
secret = "{secret}"

[[game]]
name = "mitaines"
options = {{ target = 20 }}

[[entrant]]
name = "alpha"
house = "random"
env = {{ ORDAGO_NONCE = "{alpha}" }}

[[entrant]]
name = "beta"
house = "default"
env = {{ ORDAGO_NONCE = "{beta}" }}
"""
LONGEST_SECONDS = 200
LOCAL_CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                      local_directory=sys.argv[1]) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture(scope="module")
def repetitions(pytestconfig: pytest.Config) -> int:
    return 100 if pytestconfig.getoption("--torture") else 20


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory, repetitions: int) -> Path:
    path = tmp_path_factory.mktemp("event") / "spread.toml"
    path.write_text(
        EVENT.format(repetitions=repetitions, secret="5e" * 32, alpha="a1" * 16, beta="b2" * 16), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def undisturbed(event: Path, tmp_path_factory: pytest.TempPathFactory) -> EventFolder:
    """The event as the runner plays it by itself."""
    folder = EventFolder(tmp_path_factory.mktemp("alone") / "out")
    subprocess.run(command(event, folder.path), check=True, capture_output=True, timeout=LONGEST_SECONDS)  # noqa: S603 - ours
    return folder


def command(event: Path, out: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "ordago", "run", str(event), "--out", str(out), *options]


def dask(*words: str) -> list[str]:
    return [sys.executable, "-m", "dask", *words]


@contextmanager
def running(words: list[str], **options: object) -> Iterator["subprocess.Popen[str]"]:
    """Run a command in a process group of its own, which ends with the context."""
    process = subprocess.Popen(words, text=True, start_new_session=True, **options)  # type: ignore[call-overload] # noqa: S603
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def await_that(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def hosts(folder: Path) -> dict[int, int]:
    """Return the processes of Dask that play, by the process of Ordago that each has."""
    module = b"ordago_ladder.workers.worker"
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    players = [number for number in numbers if module in content(Path(f"/proc/{number}/cmdline")).split(b"\0")]
    return {player: parent_of(parent_of(player)) for player in players if folder_of(player) == folder}


def parent_of(process: int) -> int:
    fields = content(Path(f"/proc/{process}/stat")).rpartition(b")")[2].split()
    return int(fields[1]) if fields else 0


def folder_of(process: int) -> Path | None:
    """Return the folder of Dask that a process of Ordago logs to."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{process}/fd/1").readlink().parents[4]
    return None


def test_workers_of_a_cluster_that_are_killed_change_nothing(
    event: Path, undisturbed: EventFolder, repetitions: int, tmp_path: Path, note: Note
) -> None:
    out, place = EventFolder(tmp_path / "spread"), tmp_path / "dask"
    local = [sys.executable, "-c", LOCAL_CLUSTER, str(place)]
    with running(local, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as cluster:
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        with running(command(event, out.path, "--cluster", address), stderr=subprocess.PIPE) as run:
            killed = set[int]()
            while len(killed) < 2:
                await_that(lambda: set(hosts(place).values()) - killed or run.poll() is not None)
                victims = sorted(set(hosts(place).values()) - killed)
                assert victims, f"the event is over: {run.communicate()[1]}"
                os.kill(victims[0], signal.SIGKILL)
                killed.add(victims[0])
            errors = run.communicate(timeout=LONGEST_SECONDS)[1]
    note("workers of the cluster that were killed", len(killed))
    assert run.returncode == 0, errors
    assert out.ladder.read_bytes() == undisturbed.ladder.read_bytes()
    verification = verify_folder(out.path)
    assert (verification.records, verification.findings) == (2 * repetitions, ())
    await_that(lambda: not hosts(place))


def test_a_scheduler_that_goes_away_is_told_in_a_sentence_and_the_run_goes_on_elsewhere(
    event: Path, undisturbed: EventFolder, tmp_path: Path
) -> None:
    out, place = EventFolder(tmp_path / "spread"), tmp_path / "dask"
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    words = dask("scheduler", "--host", address, "--no-dashboard")
    worker = dask("worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(place))
    with (
        running(words, **quiet) as scheduler,
        running(worker, **quiet),
        running(command(event, out.path, "--cluster", address), stderr=subprocess.PIPE) as run,
    ):
        await_that(lambda: hosts(place) or run.poll() is not None)
        os.kill(scheduler.pid, signal.SIGKILL)
        errors = run.communicate(timeout=LONGEST_SECONDS)[1]
    assert run.returncode == EXIT_OUTSIDE, errors
    assert errors.splitlines()[-1] == (
        f"ordago: lost the connection to the cluster at {address}; nothing is lost: run again"
    )
    subprocess.run(command(event, out.path), check=True, capture_output=True, timeout=LONGEST_SECONDS)  # noqa: S603 - ours
    assert out.ladder.read_bytes() == undisturbed.ladder.read_bytes()


def test_a_cluster_that_is_not_there_is_told_in_a_sentence(event: Path, tmp_path: Path) -> None:
    run = subprocess.run(  # noqa: S603 - ours
        command(event, tmp_path / "spread", "--cluster", "tcp://127.0.0.1:9"),
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )
    assert run.returncode == EXIT_OUTSIDE
    assert "ordago: cannot connect to a cluster at tcp://127.0.0.1:9" in run.stderr
    assert "Traceback" not in run.stderr
