"""What is compiled reads and writes no memory that is not its own. Python would not notice; valgrind does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ordago import IS_COMPILED
from ordago.games import game_names

_SUPPRESSED = Path(__file__).with_name("memcheck.supp")
_VALGRIND = (
    *("valgrind", "--tool=memcheck", "--undef-value-errors=no", "--quiet", "--error-exitcode=9"),
    f"--suppressions={_SUPPRESSED}",
)
"""Of values that were never written Python itself reads some, so it is not asked for them."""
_WRONG = 9
_ALL_GAMES = """
from ordago_bench.workload import match, proof
from ordago.games import game_names

for game in game_names():
    print(game, match(game, 100) >= 100, proof(game, 100) >= 100)
"""
_READS_WHAT_WAS_FREED = """
import ctypes

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
place = libc.malloc(64)
libc.free(ctypes.c_void_p(place))
ctypes.string_at(place, 8)
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("valgrind") is None, reason="there is no valgrind: apt-get install valgrind"),
    pytest.mark.skipif(not IS_COMPILED, reason="it takes a compiled build; make compiled makes one"),
]


def watched(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python below valgrind, with each value in a block of memory of its own, so that it sees where one ends."""
    environment = {**os.environ, "PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}
    command = [*_VALGRIND, sys.executable, *arguments]
    return subprocess.run(  # noqa: S603 - ours
        command, env=environment, capture_output=True, text=True, timeout=280, check=False
    )


def test_what_reads_freed_memory_is_seen() -> None:
    run = watched("-c", _READS_WHAT_WAS_FREED)
    assert run.returncode == _WRONG
    assert "Invalid read" in run.stderr


def test_matches_and_proofs_keep_to_their_memory() -> None:
    """Those of all games in one process, which takes as long to begin as to play."""
    run = watched("-c", _ALL_GAMES)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [f"{name} True True" for name in game_names()]
