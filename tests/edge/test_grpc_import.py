"""How grpc is imported where it serves: one thread looks at the sockets, and nobody else hears of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TASKS = Path("/proc/self/task")
CALLS = 80
SERVER = """
import subprocess, sys
from pathlib import Path
import trio
from support.connections import Lobby
from ordago.edge import Edge

def wakes():
    threads = [task for task in Path("/proc/self/task").iterdir() if task.joinpath("comm").read_text()[:5] == "event"]
    lines = [line for thread in threads for line in thread.joinpath("status").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))

async def main():
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        before = wakes()
        await trio.run_process([sys.executable, "-c", sys.argv[1], str(edge.port)])
        print(wakes() - before)

trio.run(main)
"""
CLIENT = f"""
import sys
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

with grpc.insecure_channel("127.0.0.1:" + sys.argv[1]) as channel:
    for _ in range({CALLS}):
        health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=""))
"""


def run(program: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    tests = str(Path(__file__).parents[1])
    return subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": tests, **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.slow
@pytest.mark.skipif(not TASKS.is_dir(), reason="the system does not tell how often a thread was woken")
@pytest.mark.parametrize(("experiments", "is_woken"), [("", False), ("event_engine_listener", True)])
def test_no_other_thread_is_woken_for_what_comes_but_where_the_environment_says_so(
    experiments: str, *, is_woken: bool
) -> None:
    woken = int(run(SERVER, CLIENT, GRPC_EXPERIMENTS=experiments).stdout)
    # Each call wakes one of them three times, and now and then they wake by themselves.
    assert (woken > 2 * CALLS) == is_woken, woken


@pytest.mark.slow
def test_grpc_knows_what_it_is_told_and_no_bot_inherits_it() -> None:
    """An experiment that grpc does not know it complains of, on the standard error."""
    done = run("import os, ordago.edge; print(os.environ.get('GRPC_EXPERIMENTS'))")
    assert (done.stdout, done.stderr) == ("None\n", "")


@pytest.mark.slow
def test_what_the_environment_says_stays() -> None:
    done = run("import os, ordago.edge; print(os.environ['GRPC_EXPERIMENTS'])", GRPC_EXPERIMENTS="-event_engine_client")
    assert done.stdout == "-event_engine_client\n"
