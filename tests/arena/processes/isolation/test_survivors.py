"""Nothing that a bot starts outlives it, whoever ends it and however it hides."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.cells import PYTHON, WAYS, begun, cell_by
from support.processes import is_running, until

each_kind = pytest.mark.parametrize("way", ["none", *WAYS])

# It leaves three behind: a daemon of a session of its own, one that ignores all signals that can be ignored, and one
# that goes on starting others. Each of them says that it is there, by a descriptor that shows when all have ended.
LEAVES = """
import os, signal, subprocess, sys, time
ready, tell = os.pipe()
def up():
    os.write(1, b"up ")
    os.write(tell, b".")
def daemon(work):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
                try:
                    signal.signal(number, signal.SIG_IGN)
                except OSError:
                    pass
            up()
            work()
        os._exit(0)
    os.wait()
def goes_on():
    while True:
        if os.fork():
            time.sleep(0.01)
            os._exit(0)
daemon(lambda: time.sleep(600))
daemon(goes_on)
if os.fork() == 0:
    up()
    time.sleep(600)
for _ in range(3):
    os.read(ready, 1)
"""
STAYS = f"{LEAVES}\nsys.stdin.read()\ntime.sleep(600)"


def all_up(process: "subprocess.Popen[bytes]") -> bytes:
    """Wait until all three are there."""
    assert process.stdout is not None
    said = b""
    while said.count(b"up") < 3:
        more = os.read(process.stdout.fileno(), 64)
        assert more, said
        said += more
    return said


def rest_of(process: "subprocess.Popen[bytes]") -> bytes:
    """Return what is still printed, when nobody is left who could print anything."""
    assert process.stdout is not None
    return process.stdout.read()


@each_kind
def test_what_a_bot_leaves_behind_ends_with_it(way: str, tmp_path: Path) -> None:
    with begun(cell_by(way, tmp_path), (*PYTHON, "-c", LEAVES)) as process:
        all_up(process)
        rest_of(process)
        assert process.wait() == 0


@each_kind
def test_what_a_bot_has_started_ends_when_the_bot_is_ended(way: str, tmp_path: Path) -> None:
    with begun(cell_by(way, tmp_path), (*PYTHON, "-c", STAYS)) as process:
        all_up(process)
        process.terminate()
        rest_of(process)
        process.wait()


CROWD = 600


@pytest.mark.slow
def test_a_bot_that_goes_on_forking_is_ended_in_a_crowd_too(tmp_path: Path) -> None:
    """Where there are many processes it takes long to look at them all, and it would always be a fork ahead."""
    with ExitStack() as crowd:
        for _ in range(CROWD):
            neighbour = crowd.enter_context(subprocess.Popen(["sleep", "600"]))  # noqa: S607 - which one does not matter
            crowd.callback(neighbour.kill)
        test_what_a_bot_leaves_behind_ends_with_it("none", tmp_path)


RUNNER = """
import os
import sys
from pathlib import Path
from support.cells import PYTHON, begun, cell_by
way, folder, script = sys.argv[1:]
process = begun(cell_by(way, Path(folder)), (*PYTHON, "-c", script))
while said := os.read(process.stdout.fileno(), 64):
    os.write(1, said)
"""


@pytest.mark.slow
@each_kind
async def test_what_a_bot_has_started_ends_when_the_runner_is_killed(way: str, tmp_path: Path) -> None:
    """Where the bots print to ends with the runner, so they are looked for by what they were started with."""
    cell_by(way, tmp_path)
    mark = f"mark-{os.urandom(8).hex()}"
    command = [sys.executable, "-c", RUNNER, way, str(tmp_path), f"{STAYS}\n# {mark}"]
    tests = str(Path(__file__).parents[3])
    runner = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": tests})  # noqa: ASYNC220, S603 - it returns at once; ours
    with runner:
        all_up(runner)
        assert len(marked(mark)) > 1
        runner.kill()
    await until(lambda: not marked(mark))


def marked(mark: str) -> list[int]:
    """Return the processes that run and whose command line holds a mark."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and mark.encode() in (path / "cmdline").read_bytes() and is_running(int(path.name)):
                found.append(int(path.name))
        except OSError:
            continue
    return found


@each_kind
@pytest.mark.parametrize(("script", "code"), [("raise SystemExit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)])
def test_how_a_bot_ended_is_told(way: str, script: str, code: int, tmp_path: Path) -> None:
    with begun(cell_by(way, tmp_path), (*PYTHON, "-c", script)) as process:
        process.communicate()
    told = process.returncode
    assert (128 - told if told < 0 else told) == code


@each_kind
def test_signals_to_its_own_group_end_a_bot_and_nobody_else(way: str, tmp_path: Path) -> None:
    with begun(cell_by(way, tmp_path), (*PYTHON, "-c", f"{LEAVES}\nos.killpg(0, {int(signal.SIGKILL)})")) as process:
        all_up(process)
        rest_of(process)
        assert process.wait() in (-9, 137)
