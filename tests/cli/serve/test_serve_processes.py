"""``ordago serve --processes`` as a user has it: what ends the processes of its referees, and what ends with them."""

import os
import signal
import time
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.processes import is_running
from support.serving import bots, serving

from ordago.record import from_file_bytes, verify


def referees_of(server: int) -> list[int]:
    """Return the processes of referees of a server, as soon as there are any."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        tasks = Path(f"/proc/{server}/task").glob("*/children")
        children = [int(child) for task in tasks for child in task.read_text().split()]
        named = [child for child in children if b"referees" in Path(f"/proc/{child}/cmdline").read_bytes()]
        if named:
            return named
        time.sleep(0.01)
    raise AssertionError("there are no processes of referees")


@pytest.mark.slow
def test_a_referee_that_is_killed_costs_no_match(tmp_path: Path) -> None:
    options = ("--processes", "2", "--option", "deals=60", "--records", str(tmp_path))
    with serving(*options) as server, bots(server, "random"):
        server.log_until("match begun")
        for process in referees_of(server.process.pid):
            os.kill(process, signal.SIGKILL)
            server.log_until("a referee process ended")
        server.process.send_signal(signal.SIGTERM)
        code, out = server.end()
    assert code == 0
    assert "stopped after" in out
    assert [line for line in server.log if line["event"].startswith("match void")] == []
    records = [from_file_bytes(path.read_bytes()) for path in tmp_path.glob("*.record")]
    assert len(records) == server.events.count("match ended") > 0
    assert not any(verify(record) for record in records)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_is_left_however_a_server_ends(number: signal.Signals) -> None:
    with serving("--processes", "2", "--grace", "0") as server, bots(server, "sleeper"):
        server.log_until("match begun")
        referees = referees_of(server.process.pid)
        server.process.send_signal(number)
        server.end()
        deadline = time.monotonic() + 10
        while any(map(is_running, referees)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not any(map(is_running, referees))


@pytest.mark.parametrize("number", ["-1", "65", "two"])
def test_a_number_of_processes_that_makes_no_sense(number: str) -> None:
    assert_told(ordago("serve", "--tables", "mus", "--processes", number), 2, "--processes")
