"""House bots of a real ladder that are killed, frozen, and killed in a drain: their seats are carried on."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from support.commands import ordago
from support.ladder_server import SHORT, Server, a_bot

from ordago.store.ladder.queries import LadderQueries
from ordago_cli.errors import EXIT_UNFINISHED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
STARTED_ANEW = "a house bot is restarted"
LADDER = SHORT.replace("0.002", "24\ndecision_ms = 400").replace("deals = 3", "deals = 30")


def child_of(server: int, policy: str) -> int:
    """Return the process of a house bot, by its policy."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words, state = (folder / "cmdline").read_bytes().split(b"\0"), (folder / "stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if words[-3:] == [b"ordago_bot", policy.encode(), b""] and _descends(int(state.split()[0]), server):
            return int(folder.name)
    raise AssertionError(policy)


def _descends(process: int, server: int) -> bool:
    while process > 1 and process != server:
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process == server


@pytest.mark.slow
def test_house_bots_that_are_killed_and_frozen_forfeit_nothing_and_the_ladder_is_proved(tmp_path: Path) -> None:
    file, data = tmp_path / "short.toml", tmp_path / "data"
    file.write_text(LADDER)
    server = Server(str(file), data)
    try:
        with a_bot(server.address, "ana", "--matches", "4"):
            server.await_logged("match begun")
            os.kill(child_of(server.process.pid, "random"), signal.SIGKILL)
            server.await_logged(STARTED_ANEW)
            time.sleep(1)
            os.kill(child_of(server.process.pid, "default"), signal.SIGSTOP)
            server.await_logged(STARTED_ANEW, times=2)
            # The matches waited for the frozen bot and would end together: one of them is held up until the drain.
            os.kill(random := child_of(server.process.pid, "random"), signal.SIGSTOP)
            server.process.send_signal(signal.SIGTERM)
            server.await_logged("draining")
            os.kill(random, signal.SIGKILL)
            server.await_logged(STARTED_ANEW, times=3)
            assert server.process.wait(60) == 0
        assert server.process.stdout is not None
        server.process.stdout.close()
    finally:
        server.process.kill()
        server.process.wait()
    with LadderQueries.open(data / "ladders" / "short" / "ladder.sqlite") as queries:
        results = list(queries.results_since())
        [epoch] = queries.epochs()
    assert len(results) >= 2
    assert not [one for one in results if one.result.forfeits]
    assert (epoch.voids, epoch.results) == (0, epoch.matches)
    verified = ordago("verify", data / "ladders" / "short" / "archive")
    assert verified.exit_code in (0, EXIT_UNFINISHED), verified.output
