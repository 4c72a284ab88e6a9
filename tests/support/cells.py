"""Programs that run in cells, by each way of making them that this machine has."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ordago.arena.processes.isolation.bot_user import bot_user
from ordago.arena.processes.isolation.bubblewrap import bubblewrap
from ordago.arena.processes.isolation.choice import reason_against
from ordago.arena.processes.isolation.confinement import Confinement, Isolation, Sandbox, User
from ordago.arena.processes.isolation.landlock import LEAST_VERSION, Landlock, landlock_version
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.isolation.starting import started

PATIENCE_SECONDS = 60.0
PYTHON = (sys.executable, "-I")

WAYS = ("bubblewrap", "landlock")
each_way = pytest.mark.parametrize("way", WAYS)


@cache
def why_not(way: str) -> str:
    """Return why this machine does not have a way; nothing if it does."""
    if way == "landlock" and landlock_version() < LEAST_VERSION:
        return f"the kernel has version {landlock_version()} of Landlock"
    if way == "bubblewrap" and bubblewrap() is None:
        return "bubblewrap is not installed"
    with tempfile.TemporaryDirectory() as folder:
        return reason_against(isolation_by(way, Path(folder), user_here()))


@cache
def user_here() -> User | None:
    """Return the user that bots run as on this machine; ``None`` for that of the tests."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(bot_user())


def isolation_by(way: str, scratches: Path, user: User | None) -> Isolation:
    """Return one of the ways, for bots that run as a user; the test is skipped on a machine that does not have it."""
    if way == "landlock":
        return Landlock(scratches, user)
    found = bubblewrap(user)
    assert found is not None
    return found


def cell_by(way: str, folder: Path, *, command: Sequence[str] = PYTHON, **more: Any) -> Sandbox:
    """Return a cell whose life works in a folder, made in one of the ways, or with ``none`` no real one.

    Further arguments are those of ``Confinement``. The test is skipped on a machine that does not have the way.
    """
    if way == "none":
        return Sandbox(folder=folder)
    if why_not(way):
        pytest.skip(why_not(way))
    # Not in the folder of the test, which is what many a life works in.
    scratches = Path(tempfile.mkdtemp(prefix="ordago-scratch-"))
    atexit.register(shutil.rmtree, scratches, ignore_errors=True)
    confinement = Confinement(folder=folder, readable=readable_for(command, folder))
    return isolation_by(way, scratches, user_here()).sandbox(replace(confinement, **more))


def begun(sandbox: Sandbox, command: Sequence[str], **environment: str) -> "subprocess.Popen[bytes]":
    """Start a command in a cell."""
    inherited = {"PATH": os.environ["PATH"], **environment}
    return started(sandbox, command, environment=inherited, stdin=subprocess.PIPE, output=subprocess.PIPE)


def said(sandbox: Sandbox, command: Sequence[str], *, exit_code: int = 0, **environment: str) -> str:
    """Return what a command prints in a cell, and see that it ends as it should."""
    with begun(sandbox, command, **environment) as process:
        printed, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == exit_code, printed.decode()
    return printed.decode()


_TRIES = """
import json, os, sys
def tried(line):
    try:
        return repr(eval(line, globals()))
    except BaseException as error:
        return type(error).__name__
print(json.dumps({line: tried(line) for line in json.loads(sys.argv[1])}))
"""


def tried(sandbox: Sandbox, lines: Sequence[str], *, before: str = "", **environment: str) -> dict[str, str]:
    """Return what each expression of Python comes to in a cell: its value, or the name of its error."""
    command = (*PYTHON, "-c", f"{before}\n{_TRIES}", json.dumps(lines))
    answers: dict[str, str] = json.loads(said(sandbox, command, **environment))
    return answers
