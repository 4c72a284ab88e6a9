"""The rules beside a bot: in its cell, within its limits, and gone with it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
import trio
from support.cells import WAYS, begun, cell_by, each_way, said
from support.positions import positions, situation
from support.processes import PATIENCE_SECONDS

from ordago import v1
from ordago.arena.processes.isolation.confinement import Limits
from ordago.arena.processes.isolation.sampler import sampling
from ordago.arena.processes.launcher import Launch, launched
from ordago.games import find_game

each_kind = pytest.mark.parametrize("way", ["none", *WAYS])

# It finds the service by its socket, as bots do, and asks for worlds of no view, which is refused.
ASKS: Final = """
import os, signal, socket, struct, sys, time
import grpc
from ordago import v1
from ordago.v1.rules_service_pb2_grpc import RulesServiceStub

address = os.environ["ORDAGO_RULES"]
path = address.removeprefix("unix:")

def number():
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(path)
        return struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]

def ask(channel=grpc.insecure_channel(address)):
    try:
        RulesServiceStub(channel).DrawWorlds(v1.DrawWorldsRequest(), timeout=60)
    except grpc.RpcError as error:
        return error.code().name
"""
TRIES: Final = f"""{ASKS}def ended(work, *arguments):
    try:
        work(*arguments)
    except OSError as error:
        return type(error).__name__
    return "done"

def made():
    socket.socket(socket.AF_UNIX).bind(os.environ["TMPDIR"] + "/mine")
"""
ANSWERED: Final = "INVALID_ARGUMENT"


def beside(script: str) -> tuple[str, ...]:
    """Return the command of a bot with the rules beside it."""
    return (sys.executable, "-P", "-m", "ordago", "rules", "--processes", "1", "--", sys.executable, "-c", script)


@pytest.fixture(autouse=True)
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Provide a folder for the socket of a bot that has no scratch folder. The path of a test is too long for it."""
    with TemporaryDirectory(prefix="ordago-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield


@each_kind
def test_a_bot_asks_the_rules_and_ends_as_it_wants(way: str, tmp_path: Path) -> None:
    cell = cell_by(way, tmp_path, makes_socket=True)
    script = f"{ASKS}\nprint(ask(), path.startswith(os.environ['TMPDIR']), oct(os.stat(path).st_mode))\nsys.exit(7)"
    printed = said(cell, beside(script), exit_code=7, TMPDIR=os.environ["TMPDIR"])
    assert printed == f"{ANSWERED} True 0o140600\n"


@each_kind
def test_a_bot_that_kills_its_rules_is_alone_then(way: str, tmp_path: Path) -> None:
    cell = cell_by(way, tmp_path, makes_socket=True)
    script = f"{ASKS}\nos.kill(number(), signal.SIGKILL)\nos.wait()\nprint(ask())"
    with begun(cell, beside(ASKS + "print(ask(), flush=True)\nsys.stdin.read()"), TMPDIR=os.environ["TMPDIR"]) as other:
        assert said(cell, beside(script), TMPDIR=os.environ["TMPDIR"]) == "UNAVAILABLE\n"
        assert other.stdout is not None
        assert other.stdout.readline().decode() == f"{ANSWERED}\n"
        other.communicate(timeout=PATIENCE_SECONDS)


@each_kind
def test_no_rules_outlive_their_bot(way: str, tmp_path: Path) -> None:
    """Neither where it leaves a process behind, nor where it is killed. They hold the error stream, so it ends."""
    cell = cell_by(way, tmp_path, makes_socket=True)
    for script in ("if os.fork() == 0:\n    time.sleep(600)", "os.kill(os.getpid(), signal.SIGKILL)"):
        with begun(cell, beside(f"{ASKS}\nassert ask()\n{script}"), TMPDIR=os.environ["TMPDIR"]) as process:
            process.communicate(timeout=PATIENCE_SECONDS)


@each_way
def test_the_rules_end_when_the_runner_ends_the_bot(way: str, tmp_path: Path) -> None:
    cell = cell_by(way, tmp_path, makes_socket=True)
    with begun(cell, beside(f"{ASKS}\nprint(ask(), flush=True)\ntime.sleep(600)")) as process:
        assert process.stdout is not None
        assert process.stdout.readline().decode() == f"{ANSWERED}\n"
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)


@each_way
async def test_the_work_of_the_rules_is_within_the_limits_of_the_bot(way: str, tmp_path: Path) -> None:
    """A bot that only waits is ended for what they reckon."""
    game = find_game("mittlere")
    (state,) = positions(game, seed=1, number=1)
    request = v1.EvaluateActionsRequest(situation=situation(game, state), worlds=100_000, most_playouts=10_000)
    floods = f"""{ASKS}
request = v1.EvaluateActionsRequest.FromString(bytes.fromhex(os.environ["REQUEST"]))
while True:
    RulesServiceStub(grpc.insecure_channel(address)).EvaluateActions(request)
"""
    cell = cell_by(way, tmp_path, makes_socket=True, limits=Limits(cpu_seconds=4))
    log = tmp_path / "bot.log"
    async with sampling() as sampler:
        environment = {"REQUEST": request.SerializeToString().hex()}
        launch = Launch(beside(floods), environment, log, sandbox=cell, sampler=sampler)
        with trio.fail_after(PATIENCE_SECONDS):
            async with launched(launch) as process:
                await process.wait()
    assert process.ended_because == "passed its limit of 4 s of CPU time (cpu_seconds)", log.read_text()


@each_way
def test_the_rules_of_another_bot_are_out_of_reach(way: str, tmp_path: Path) -> None:
    """Under Landlock by a path that cannot be found out, so no bot can make a socket that it could tell others of."""
    cell = cell_by(way, tmp_path, makes_socket=True)
    with begun(cell, beside(f"{ASKS}\nprint(ask(), path, flush=True)\nsys.stdin.read()")) as other:
        assert other.stdout is not None
        answered, path = other.stdout.readline().decode().split()
        assert answered == ANSWERED
        tries = {
            "bubblewrap": f"ended(socket.socket(socket.AF_UNIX).connect, {path!r})",
            "landlock": f"ended(os.listdir, {str(Path(path).parents[1])!r})",
        }
        lines = [tries[way], "ended(open, '/proc/net/unix')", "ended(made)"]
        script = f"{TRIES}\nfor line in {lines}:\n    print(eval(line))"
        found = said(cell, beside(script)).split()
        other.communicate(timeout=PATIENCE_SECONDS)
    assert found[0] in ("FileNotFoundError", "PermissionError")
    if way == "landlock":
        assert found[1:] == ["PermissionError", "PermissionError"]
