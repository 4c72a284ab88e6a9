"""What passes a limit is ended, and told why; nobody else is."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest
import trio
from support.cells import PYTHON, cell_by, each_way
from support.processes import PATIENCE_SECONDS

from ordago.arena.processes.isolation import usage
from ordago.arena.processes.isolation.confinement import Limits
from ordago.arena.processes.isolation.sampler import sampling
from ordago.arena.processes.isolation.usage import Processes
from ordago.arena.processes.launcher import Launch, launched

TIGHT = Limits(memory_mib=128, cpu_seconds=2, processes=16, open_files=64, scratch_mib=8)

FORKS = "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(600)\ntime.sleep(600)"
THREADS = "import threading, time\nfor _ in range(100):\n    threading.Thread(target=time.sleep, args=(600,)).start()"
ALLOCATES = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        kept = b"x" * (60 << 20)
        time.sleep(600)
time.sleep(600)
"""
ALLOCATES_WHEN_ITS_FIRST_THREAD_HAS_ENDED = """
import ctypes, os, threading, time
def work():
    kept = b"x" * (200 << 20)
    time.sleep(600)
threading.Thread(target=work).start()
ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
"""
READS_WHERE_NOTHING_IS = """
import mmap, time
reserved = mmap.mmap(-1, 256 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
for place in range(0, 128 << 30, 2 << 20):
    reserved[place]
time.sleep(600)
"""
FILLS = """
import os, time
for number in range(10):
    with open(f"{os.environ['TMPDIR']}/{number}", "wb") as file:
        file.write(bytes(4 << 20))
time.sleep(600)
"""
FILLS_WITHOUT_A_NAME = """
import os, time
kept = []
for number in range(10):
    kept.append(open(f"{os.environ['TMPDIR']}/{number}", "wb"))
    os.unlink(kept[-1].name)
    os.write(kept[-1].fileno(), bytes(4 << 20))
time.sleep(600)
"""
FILLS_WITH_FOLDERS = """
import os, time
for number in range(5000):
    os.mkdir(f"{os.environ['TMPDIR']}/{number}")
time.sleep(600)
"""
FILLS_DEEP_DOWN = """
import os, time
os.chdir(os.environ["TMPDIR"])
for _ in range({depth}):
    os.mkdir("{name}")
    os.chdir("{name}")
for number in range(10):
    with open(str(number), "wb") as file:
        file.write(bytes(1 << 20))
time.sleep(600)
"""
WAITS = "import sys; sys.stdin.read()"
RECKONS = "while True:\n    pass"
RECKONS_TOGETHER = "import os\nif os.fork():\n    os.wait()\nwhile True:\n    pass"


async def reason_for(way: str, script: str, folder: Path) -> str:
    """Return why a bot was ended that runs beside one that behaves, which goes on."""
    cell = cell_by(way, folder, limits=TIGHT)
    async with sampling() as sampler:
        good = Launch((*PYTHON, "-c", WAITS), {}, folder / "good.log", sandbox=cell, sampler=sampler)
        bad = Launch((*PYTHON, "-c", script), {}, folder / "bad.log", sandbox=cell, sampler=sampler)
        with trio.fail_after(PATIENCE_SECONDS):
            async with launched(good) as well, launched(bad) as process:
                assert await process.wait() != 0
                reason = process.ended_because
                assert Processes.now().of(process.number) == []
                assert well.ended_because == ""
                await well.stop()
                assert await well.wait() == 0
    if cell.scratch is not None:
        assert list(cell.scratch.iterdir()) == [], "scratch folders end with their lives"
    return reason


@pytest.mark.slow
@each_way
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        pytest.param(FORKS, "passed its limit of 16 processes and threads (processes)", id="processes"),
        pytest.param(THREADS, "passed its limit of 16 processes and threads (processes)", id="threads"),
        pytest.param(ALLOCATES, "passed its limit of 128 MiB of memory (memory_mib)", id="memory of several"),
        pytest.param(
            ALLOCATES_WHEN_ITS_FIRST_THREAD_HAS_ENDED,
            "passed its limit of 128 MiB of memory (memory_mib)",
            id="memory of a thread",
        ),
        pytest.param(
            READS_WHERE_NOTHING_IS, "passed its limit of 128 MiB of memory (memory_mib)", id="tables of memory"
        ),
        pytest.param(RECKONS, "passed its limit of 2 s of CPU time (cpu_seconds)", id="processor"),
        pytest.param(RECKONS_TOGETHER, "passed its limit of 2 s of CPU time (cpu_seconds)", id="processor of several"),
    ],
)
async def test_who_takes_more_than_allowed_is_ended(way: str, script: str, reason: str, tmp_path: Path) -> None:
    assert await reason_for(way, script, tmp_path) == reason


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        FILLS,
        FILLS_WITHOUT_A_NAME,
        pytest.param(FILLS_WITH_FOLDERS, id="folders"),
        pytest.param(FILLS_DEEP_DOWN.format(depth=1_500, name="x"), id="deeper than calls can be"),
        pytest.param(FILLS_DEEP_DOWN.format(depth=40, name="x" * 200), id="longer than paths can be"),
    ],
)
async def test_who_fills_its_scratch_folder_is_ended(script: str, tmp_path: Path) -> None:
    assert (
        await reason_for("landlock", script, tmp_path)
        == "passed its limit of 8 MiB in its scratch folder (scratch_mib)"
    )


@pytest.mark.parametrize("script", [FILLS, FILLS_WITHOUT_A_NAME])
async def test_a_scratch_folder_with_a_size_is_full_when_it_is(script: str, tmp_path: Path) -> None:
    assert await reason_for("bubblewrap", script, tmp_path) == ""
    assert "No space left on device" in (tmp_path / "bad.log").read_text()


@each_way
async def test_one_process_is_told_so_by_the_kernel(way: str, tmp_path: Path) -> None:
    tries = {
        "memory": "bytes(1 << 30)",
        "files": "[open('/dev/null') for _ in range(100)]",
        "one file": "open(os.environ['TMPDIR'] + '/big', 'wb').write(bytes(20 << 20))",
    }
    script = "import os\n" + "\n".join(
        f"try:\n    {line}\n    print({name!r})\nexcept Exception as error:\n    print(type(error).__name__)"
        for name, line in tries.items()
    )
    launch = Launch((*PYTHON, "-c", script), {}, tmp_path / "log", sandbox=cell_by(way, tmp_path, limits=TIGHT))
    async with launched(launch) as process:
        await process.wait()
    assert (tmp_path / "log").read_text().split() == ["MemoryError", "OSError", "OSError"]


def test_what_cannot_be_looked_at_for_lack_of_files_is_not_held_against_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(_path: str) -> NoReturn:
        raise OSError(errno.EMFILE, "")

    (tmp_path / "4711-scratch").mkdir()
    monkeypatch.setattr(usage, "_entries", refuses)
    assert usage.scratch_mib(tmp_path, [4711]) == 0


def test_memory_is_counted_as_the_kernel_does() -> None:
    before = Processes.now().memory_mib_of(os.getpid())
    kept = bytearray(64 << 20)
    kept[::4096] = b"x" * (len(kept) // 4096)
    assert 60 < Processes.now().memory_mib_of(os.getpid()) - before < 80
