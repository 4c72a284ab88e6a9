"""A cell that cannot be made is never held against the bot, and a bot that fails never passes for a cell that does."""

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from support.cells import PATIENCE_SECONDS, PYTHON, WAYS, cell_by, each_way

from ordago.arena.admission.authenticator import LaunchTokens
from ordago.arena.processes import supervisor
from ordago.arena.processes.isolation.confinement import Sandbox
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import (
    FailedToStartError,
    Host,
    NotStartableError,
    OutOfFilesError,
    SandboxFailedError,
    Supervisor,
)

WELL = (*PYTHON, "-S", "-c", "raise SystemExit(4)")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "PAUSE_BETWEEN_TRIES_SECONDS", 0.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "bot"
    place.mkdir()
    return place


async def failure_of(sandbox: Sandbox, log: Path, command: tuple[str, ...] = WELL) -> str:
    """Return why a bot does not start, where it is to blame.

    Raises:
        SandboxFailedError: it is not.
    """
    async with trio.open_nursery() as nursery:
        life = Supervisor(
            name="ana",
            version="",
            launch=Launch(command, {}, log, sandbox=sandbox),
            host=Host(LaunchTokens(), "127.0.0.1:1", nursery),
            start_seconds=PATIENCE_SECONDS,
        )
        try:
            await life.bot()
        except FailedToStartError as error:
            return str(error)
        except SandboxFailedError as error:
            caught = error
        nursery.cancel_scope.cancel()
    raise caught


async def assert_not_to_blame(sandbox: Sandbox, log: Path) -> str:
    with pytest.raises(SandboxFailedError, match="'ana' could not be started, through no fault of its own: ") as caught:
        await failure_of(sandbox, log)
    return str(caught.value)


BROKEN: dict[str, Callable[[Path], Sandbox]] = {
    "a bubblewrap that ends": lambda _: Sandbox(wrapper=("/bin/false",)),
    "a bubblewrap that is killed": lambda _: Sandbox(wrapper=("/bin/sh", "-c", "kill -9 $$")),
    "a bubblewrap that seems to end well": lambda _: Sandbox(wrapper=("/bin/true",)),
    "no bubblewrap": lambda _: Sandbox(wrapper=("/no/such/bwrap",)),
    "no folder": lambda folder: Sandbox(folder=folder / "gone"),
    "no place for scratch folders": lambda folder: Sandbox(scratch=folder / "gone"),
    "a filter that the kernel refuses": lambda _: Sandbox(rules=(), system_calls=b"\xff" * 8),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", BROKEN)
async def test_a_cell_that_cannot_be_made_is_not_the_fault_of_its_bot(what: str, folder: Path) -> None:
    await assert_not_to_blame(BROKEN[what](folder), folder.parent / "log")


@each_way
async def test_nor_is_a_folder_that_is_gone(way: str, folder: Path) -> None:
    sandbox = cell_by(way, folder)
    folder.rmdir()  # noqa: ASYNC240 - nobody waits for it
    assert str(folder) in await assert_not_to_blame(sandbox, folder.parent / "log")


async def test_nor_is_a_machine_that_starts_no_more_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_arguments: object, **_options: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", no_more)
    assert "Resource temporarily unavailable" in await assert_not_to_blame(Sandbox(), folder.parent / "log")


OWN_FAULTS = {
    "no such program": (("./no-such-bot",), "No such file|not found"),
    "a program that nobody may start": (("./script",), "ermission denied"),
    "an interpreter that is not there": (("./lost",), "No such file|not found"),
    "an end as of bubblewrap": (
        (*PYTHON, "-S", "-c", "print('bwrap: Can\\'t find source path'); raise SystemExit(1)"),
        "exited at once with code 1; its last line: bwrap",
    ),
    "an end as of a shell": ((*PYTHON, "-S", "-c", "raise SystemExit(127)"), "exited at once with code 127"),
    "an end by force": ((*PYTHON, "-S", "-c", "import os; os.kill(os.getpid(), 9)"), "exited at once by signal 9"),
    "no descriptors": (
        (*PYTHON, "-S", "-c", "import os; os.closerange(0, 256); os.kill(os.getppid(), 9); os._exit(3)"),
        "exited at once (with code|by signal)",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", [*WAYS, "none"])
@pytest.mark.parametrize("fault", OWN_FAULTS)
async def test_a_bot_that_fails_is_told_so(way: str, fault: str, folder: Path) -> None:
    if way == "none" and fault == "no descriptors":
        pytest.skip("who is not isolated may end whatever is the organiser's")
    (folder / "script").write_text("#!/bin/sh\n")
    (folder / "lost").write_text("#!/no/such/interpreter\n")
    (folder / "lost").chmod(0o755)
    command, words = OWN_FAULTS[fault]
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        said = await failure_of(cell_by(way, folder), folder.parent / "log", command)
    assert re.search(words, said), said


async def test_what_was_in_the_way_for_a_moment_costs_nobody_anything(folder: Path) -> None:
    """Bubblewrap fails twice, and works then."""
    sandbox = cell_by("bubblewrap", folder)
    program = folder.parent / "bwrap"
    counts = f"echo x >>{folder.parent}/tries; [ $(wc -l <{folder.parent}/tries) -gt 2 ] || exit 1"
    program.write_text(f'#!/bin/sh\n{counts}\nexec {sandbox.wrapper[0]} "$@"\n')
    program.chmod(0o755)
    sandbox = replace(sandbox, wrapper=(str(program), *sandbox.wrapper[1:]))
    assert "exited at once with code 4" in await failure_of(sandbox, folder.parent / "log")
    assert (folder.parent / "tries").read_text() == "x\n" * 3


@pytest.mark.parametrize("error", [OutOfFilesError(), SandboxFailedError.of("bot 'ana'", "", Path("log"))])
def test_workers_tell_the_runner_of_it(error: NotStartableError) -> None:
    told = pickle.loads(pickle.dumps(error))  # noqa: S301 - ours
    assert (type(told), str(told)) == (type(error), str(error))
