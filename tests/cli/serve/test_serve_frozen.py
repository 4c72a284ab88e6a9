"""A server whose database is stopped in the middle of it says so within seconds, goes on when that does, and ends."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.ladder_server import SHORT, Server
from support.ports import free_port
from support.postgresql import Server as Database

from ordago.store.ladder.queries import LadderQueries

LONGEST_SECONDS = 60
LADDER = SHORT.replace("epoch_hours = 0.002\n", "")
# What is told after five seconds, and given up after thirty, is so sooner here.
SERVE = """
import sys
from ordago.arena import stall_detector
from ordago.telemetry import telemetry
from ordago.store import bounded
telemetry.LONG_SECONDS, stall_detector._LOOK_SECONDS, bounded.BoundedConnection.answer_seconds = 1.5, 0.3, 2.5
from ordago_cli.program import program
program(sys.argv[1:])
"""


class WatchedServer(Server):
    """A server of a ladder, and what it says of its health."""

    def __init__(self, folder: Path, *more: str) -> None:
        (folder / "short.toml").write_text(LADDER)
        self._metrics = f"127.0.0.1:{free_port()}"
        metrics = ("--metrics", self._metrics)
        super().__init__(str(folder / "short.toml"), folder / "data", *metrics, *more, program=SERVE)

    def health(self) -> str:
        """Return what is said of its health."""
        try:
            with urllib.request.urlopen(f"http://{self._metrics}/health") as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def troubles(self) -> float:
        with urllib.request.urlopen(f"http://{self._metrics}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        told = [float(line.split()[1]) for line in lines if line.startswith("ordago_troubles{")]
        assert told, "each part that can fail is told"
        return sum(told)

    def await_it(self, condition: Callable[[], object]) -> float:
        """Wait for a condition, and return for how many seconds."""
        begun = time.monotonic()
        while not condition():
            assert time.monotonic() - begun < LONGEST_SECONDS, self.log.read_text()
            time.sleep(0.05)
        return time.monotonic() - begun


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[WatchedServer]:
    server = WatchedServer(folder, *more)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


@contextmanager
def frozen(database: Database) -> Iterator[None]:
    """Stop a database and all of its processes, as a disk would that hangs."""
    processes = database.processes()
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@contextmanager
def a_bot(address: str) -> Iterator[None]:
    command = [sys.executable, "-m", "ordago_bot", "random", "--name", "ana", "--address", address]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - ours
        try:
            yield
            # It plays on to the end of its match first. One that is killed is waited for, longer than a drain lasts.
            process.terminate()
            process.wait(LONGEST_SECONDS)
        finally:
            process.kill()


@pytest.fixture
def place(postgresql: Database, monkeypatch: pytest.MonkeyPatch) -> str:
    place = postgresql.place()
    monkeypatch.setenv("ORDAGO_STORE", place)
    return place


@pytest.mark.torture
def test_a_database_that_is_stopped_is_told_and_nothing_is_lost(
    tmp_path: Path, postgresql: Database, place: str
) -> None:
    with serving(tmp_path) as server:
        server.await_it(lambda: "ok" in server.health().split())
        # On a busy machine the first commits may take as long as what is told here.
        before = len(server.logged("the ladder cannot be written"))
        with frozen(postgresql):
            assert server.await_it(lambda: "the ladder cannot be written: its database" in server.health()) < 10
            assert server.troubles() >= 1
            assert len(server.logged("the ladder cannot be written")) == before + 1
        server.await_it(lambda: "ok" in server.health().split())
        with a_bot(server.address):
            server.await_it(lambda: len(server.logged("match ended")) > 1)
            with frozen(postgresql):
                server.await_it(lambda: "has not answered" in server.health())
                # Longer than each call of it waits.
                time.sleep(4)
                assert server.troubles() >= 1
            ended = len(server.logged("match ended"))
            server.await_it(lambda: len(server.logged("match ended")) > ended + 1)
            server.await_it(lambda: server.troubles() == 0)
        # Once for each freeze; on a busy machine what hangs may be told anew, and is told to be over as often.
        assert len(server.logged("the ladder cannot be written")) >= before + 2
        again, told = "the ladder can be written again", "the ladder cannot be written"
        server.await_it(lambda: len(server.logged(again)) == len(server.logged(told)))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(LONGEST_SECONDS) == 0
    with LadderQueries.open(place) as queries:
        [epoch] = queries.epochs()
        assert epoch.matches == epoch.results + epoch.voids, "no match is left that nobody plays"


@pytest.mark.torture
@pytest.mark.usefixtures("place")
def test_a_server_whose_database_is_stopped_ends_within_its_grace(tmp_path: Path, postgresql: Database) -> None:
    with serving(tmp_path, "--grace", "1") as server, a_bot(server.address):
        server.await_it(lambda: len(server.logged("match ended")))
        with frozen(postgresql):
            server.await_it(lambda: "has not answered" in server.health())
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(LONGEST_SECONDS) == 0
            assert time.monotonic() - begun < 12
    with serving(tmp_path) as server, a_bot(server.address):
        server.await_it(lambda: len(server.logged("match ended")) > 1)
