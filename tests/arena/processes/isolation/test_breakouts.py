"""A bot that tries to change the machine, or to get out of its cell: by each way, started by root and by others."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cells import PATIENCE_SECONDS, PYTHON, begun, cell_by, each_way, user_here

from ordago.arena.processes.isolation.bot_user import BOT_USER, bot_user
from ordago.arena.processes.isolation.bubblewrap import Bubblewrap
from ordago.arena.processes.isolation.confinement import Confinement, NoIsolationError, User, Writable
from ordago.arena.processes.isolation.landlock import Landlock

TESTS = Path(__file__).parents[3]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be root")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for a bot that lies where each user of the machine may come."""
    with tempfile.TemporaryDirectory(prefix="ordago-cell-") as name:
        place = Path(name) / "bot"
        place.mkdir()
        yield place


def broken_out(way: str, folder: Path, *, runner: str = "any") -> dict[str, Any]:
    """Return what a bot could do that tries everything."""
    command = (sys.executable, "-m", "support.breaking_out", way, runner)
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(  # noqa: S603 - ours
        (*command, str(folder)),
        cwd="/",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    if done.stderr.startswith("skip: "):
        pytest.skip(done.stderr.removeprefix("skip: ").strip())
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def assert_shut_in(found: dict[str, Any]) -> None:
    # If it knew of no files, it could open none.
    assert found["tried"] > 500
    assert found["writable"] == []
    assert found["escapes"] == []
    status = found["status"]
    assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


@pytest.mark.slow
@each_way
def test_a_bot_changes_nothing_of_the_machine_and_does_not_get_out(way: str, folder: Path) -> None:
    found = broken_out(way, folder)
    assert_shut_in(found)
    assert 0 not in found["users"], "root's bots are not root's"


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize(
    ("way", "runner"), [("bubblewrap", "root"), ("bubblewrap", "root-by-name"), ("landlock", "root-by-name")]
)
def test_nor_does_the_bot_of_a_root_who_cannot_step_down(way: str, runner: str, folder: Path) -> None:
    """In a container without its rights, or on file systems that show nothing to another user as root has it."""
    found = broken_out(way, folder, runner=runner)
    if runner == "root-by-name":
        # It may become what it is.
        assert set(found["escapes"]) <= {"setuid", "setgid", "setgroups"}
        found["escapes"] = []
    assert_shut_in(found)


@pytest.mark.slow
@needs_root
@each_way
def test_nor_does_the_bot_of_another_user(way: str, folder: Path) -> None:
    found = broken_out(way, folder, runner="other")
    assert_shut_in(found)
    assert 0 not in found["users"]


@needs_root
@each_way
def test_to_the_machine_itself_a_bot_of_root_is_another_user(way: str, folder: Path) -> None:
    if user_here() is None:
        pytest.skip("root cannot step down here")
    program = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    with begun(cell_by(way, folder), (*PYTHON, "-S", "-c", program)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        owners = {(path / "cmdline").read_bytes(): path.stat().st_uid for path in descendants_of(process.pid)}
        process.terminate()
    (owner,) = {uid for words, uid in owners.items() if words.endswith(b"time.sleep(600)\0") and b"bwrap" not in words}
    assert owner == BOT_USER


def descendants_of(root: int) -> Iterator[Path]:
    for child in Path(f"/proc/{root}/task/{root}/children").read_text().split():
        yield Path(f"/proc/{child}")
        yield from descendants_of(int(child))


@needs_root
@each_way
def test_what_a_build_of_root_makes_is_root_s_and_what_is_root_s_alone_is_read(way: str, folder: Path) -> None:
    (folder / "secret").write_text("only for root")
    (folder / "secret").chmod(0o600)
    folder.chmod(0o700)
    cell = cell_by(way, folder, writable=Writable(folder, most_mib=64))
    program = "open('made', 'w').write(open('secret').read())\nimport os; os.mkdir('deep'); open('deep/x', 'w')"
    with begun(cell, (*PYTHON, "-S", "-c", program)) as process:
        printed, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, printed
    assert (folder / "made").read_text() == "only for root"
    assert {path.stat().st_uid for path in (folder / "made", folder / "deep", folder / "deep/x")} == {0}


def test_it_is_told_what_root_means(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = "ordago.arena.processes.isolation"
    for as_root in (True, False):
        for module in ("bubblewrap", "landlock"):
            monkeypatch.setattr(f"{here}.{module}.runs_as_root", lambda as_root=as_root: as_root)
        for isolation in (Bubblewrap("bwrap"), Landlock(tmp_path)):
            assert ("runs as root" in isolation.left_open) is as_root


def test_a_folder_of_somebody_else_alone_is_refused_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where root starts a run in the home of another user."""
    real = Path.stat
    user = User(BOT_USER, -1)
    Bubblewrap("bwrap", user).sandbox(Confinement(folder, ()))
    for mode, refused in ((0o040700, True), (0o040750, True), (0o040711, False)):
        found = os.stat_result((mode, 0, 0, 2, 1000, 1000, 0, 0, 0, 0))
        with monkeypatch.context() as patched:
            patched.setattr(Path, "stat", lambda path, found=found, **_: found if path == folder else real(path))
            for isolation in (Bubblewrap("bwrap", user), Landlock(folder.parent, user)):
                if not refused:
                    isolation.sandbox(Confinement(folder, ()))
                    continue
                with pytest.raises(NoIsolationError, match=f"only user 1000 can open {folder}"):
                    isolation.sandbox(Confinement(folder, ()))


def test_only_root_steps_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with bot_user() as user:
        assert user is None
