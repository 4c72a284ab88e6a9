"""What a build in a cell may write to, and what it tries beside that, by each way of making cells."""

import re
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
from support.cells import PYTHON, begun, cell_by, each_way, tried
from support.processes import PATIENCE_SECONDS

from ordago.arena.processes.isolation.confinement import Limits, Sandbox, Writable
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.isolation.sampler import sampling
from ordago.arena.processes.isolation.usage import folder_mib
from ordago.arena.processes.launcher import Launch, launched

REFUSED = {"PermissionError", "FileNotFoundError", "OSError"}

FILLS = """
import os, time
for number in range(10):
    with open(str(number), "wb") as file:
        file.write(bytes(4 << 20))
time.sleep(600)
"""
FILLS_WITHOUT_A_NAME = """
import os, time
kept = []
for number in range(10):
    kept.append(open("kept", "wb"))
    os.unlink("kept")
    os.write(kept[-1].fileno(), bytes(4 << 20))
time.sleep(600)
"""
FILLS_WITH_FOLDERS = """
import os, time
for number in range(5000):
    os.mkdir(str(number))
time.sleep(600)
"""


def cell_to_build_in(way: str, folder: Path, **more: Any) -> Sandbox:
    """Return a cell whose life may write to the folder that it works in, 8 MiB more than what is there."""
    most = folder_mib(folder) + 8
    return cell_by(way, folder, writable=Writable(folder, most_mib=most), limits=Limits(scratch_mib=8), **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an entrant, with links to the one beside it, where a neighbour's model lies."""
    own, other = tmp_path / "eve", tmp_path / "ana"
    own.mkdir()
    other.mkdir()
    (other / "model").write_text("hers")
    (own / "near").symlink_to("../ana")
    (own / "model").symlink_to(other / "model")
    return own


@each_way
def test_a_build_writes_into_its_folder_and_whatever_is_there(way: str, folder: Path) -> None:
    (folder / "old").write_text("text")
    answers = tried(
        cell_to_build_in(way, folder),
        [
            "open('new', 'w').write('text')",
            "open('old', 'a').write('more')",
            "os.makedirs('deep/down')",
            "os.rename('new', 'deep/down/new')",
            "os.link('old', 'deep/again')",
            "os.symlink('old', 'link')",
            "__import__('fcntl').flock(open('link'), 2)",
            "os.unlink('old')",
        ],
    )
    assert set(answers.values()) <= {"4", "None"}, answers
    assert (folder / "deep/down/new").read_text() == "text"
    assert (folder / "deep/again").read_text() == "textmore"


@each_way
@pytest.mark.parametrize("hidden", [True, False])
def test_a_build_reaches_nothing_of_a_neighbour_by_links(way: str, folder: Path, *, hidden: bool) -> None:
    """Whether the neighbour's folder can be read or not, it cannot be changed: by a path, a link or a second name."""
    other = folder.parent / "ana"
    shown = {"hidden": (other,)} if hidden else {"readable": (*readable_for(PYTHON, folder), other)}
    sandbox = cell_to_build_in(way, folder, **shown)
    lines = [
        "open('model', 'w')",
        "open('near/model', 'a')",
        "open('near/new', 'w')",
        f"open({str(other / 'model')!r}, 'w')",
        "os.link('near/model', 'mine')",
        f"os.link({str(other / 'model')!r}, 'mine')",
        "os.rename('near/model', 'mine')",
        "os.unlink('near/model')",
        "os.chmod('near/model', 0o777)",
        "os.truncate('model', 0)",
        "os.utime('near/model', (1, 1))",
        f"os.rename('.', {str(folder.parent / 'gone')!r})",
    ]
    beside = f"open({str(folder.parent / 'beside')!r}, 'w')"
    answers = tried(sandbox, [*lines, beside])
    # What lies there is scratch under bubblewrap.
    del answers[beside]
    assert set(answers.values()) <= REFUSED, answers
    assert (other / "model").read_text() == "hers"
    assert (other / "model").stat().st_nlink == 1
    assert stat.S_IMODE((other / "model").stat().st_mode) & 0o022 == 0
    assert list(other.iterdir()) == [other / "model"]
    assert {path.name for path in folder.parent.iterdir()} == {"eve", "ana"}


@each_way
def test_a_build_lends_nobody_the_rights_of_the_organiser(way: str, folder: Path) -> None:
    (folder / "tool").write_text("text")
    modes = "(os.chmod('tool', {mode}), oct(os.stat('tool').st_mode & 0o7777))[1]"
    answers = tried(
        cell_to_build_in(way, folder),
        [
            modes.format(mode="0o4755"),
            modes.format(mode="0o2755"),
            "os.fchmod(os.open('tool', 0), 0o6755)",
            "os.chmod('tool', 0o4755, dir_fd=os.open('.', 0))",
            "os.setxattr('tool', 'user.note', b'x')",
            modes.format(mode="0o755"),
        ],
    )
    found = list(answers.values())
    assert set(found[:-1]) <= REFUSED, answers
    # Landlock keeps nobody from the modes of files that he may only read.
    assert found[-1] == ("'0o755'" if way == "bubblewrap" else "PermissionError")


@each_way
def test_a_build_reaches_no_network(way: str, folder: Path) -> None:
    answers = tried(
        cell_to_build_in(way, folder),
        ["__import__('socket').create_connection(('127.0.0.1', 1))", "__import__('socket').socket(2, 2)"],
    )
    assert set(answers.values()) <= REFUSED | {"ConnectionRefusedError"}, answers
    assert answers["__import__('socket').socket(2, 2)"] == "OSError", "there is no other family either"


@pytest.mark.slow
@each_way
@pytest.mark.parametrize("program", [FILLS, FILLS_WITHOUT_A_NAME, FILLS_WITH_FOLDERS])
async def test_a_build_that_fills_its_folder_is_ended(way: str, program: str, folder: Path) -> None:
    (folder / "before").write_bytes(bytes(16 << 20))
    sandbox = cell_to_build_in(way, folder)
    with trio.fail_after(PATIENCE_SECONDS):
        async with sampling(cost=2) as sampler:
            launch = Launch((*PYTHON, "-c", program), {}, folder.parent / "log", sandbox=sandbox, sampler=sampler)
            async with launched(launch) as process:
                assert await process.wait() != 0
    # Files without a name count wherever they may be looked for first.
    where = "(more in its folder|in its scratch folder)" if program == FILLS_WITHOUT_A_NAME else "more in its folder"
    assert re.fullmatch(f"passed its limit of 8 MiB {where} \\(scratch_mib\\)", process.ended_because)


@each_way
def test_what_a_build_leaves_behind_ends_with_it(way: str, folder: Path) -> None:
    """A daemon that would exchange what was built, later."""
    program = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        os.closerange(0, 3)\n"
        "        open('alive', 'w').close()\n"
        "        time.sleep(600)\n"
        "while not os.path.exists('alive'):\n"
        "    time.sleep(0.01)\n"
    )
    with begun(cell_to_build_in(way, folder), (*PYTHON, "-c", program)) as process:
        process.communicate(timeout=PATIENCE_SECONDS)
    assert (folder / "alive").exists()
    # The kernel ends what is left in a cell, and takes its time where it is busy; the daemon would take ten minutes.
    deadline = time.monotonic() + PATIENCE_SECONDS
    while at_work_in(folder):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def at_work_in(folder: Path) -> list[str]:
    """Return the processes that work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found += [process.name] if (process / "cwd").samefile(folder) else []
    return found
