"""What bots print: it is kept within bounds."""

import sys
from pathlib import Path

import pytest
import trio
from support.processes import PATIENCE_SECONDS

from ordago.arena.processes import output
from ordago.arena.processes.launcher import BotProcess, Launch, launched


async def ended(script: str, log: Path) -> BotProcess:
    """Run a script as a bot to its end."""
    with trio.fail_after(PATIENCE_SECONDS):
        async with launched(Launch((sys.executable, "-I", "-c", script), {"WORD": "one"}, log)) as process:
            await process.wait()
    return process


async def test_what_bots_print_is_appended_to_their_log_which_nobody_else_can_read(tmp_path: Path) -> None:
    log = tmp_path / "new" / "log"
    script = (
        "import os, sys; print(os.environ['WORD'], flush=True); print(os.environ['ORDAGO_LAUNCHED'], file=sys.stderr)"
    )
    for _ in range(2):
        await ended(script, log)
    assert log.read_text() == "one\n1\none\n1\n"
    assert (log.parent.stat().st_mode & 0o777, log.stat().st_mode & 0o777) == (0o700, 0o600)


async def test_it_can_be_read_while_the_bot_runs(tmp_path: Path) -> None:
    script = "import sys; print('ready', flush=True); sys.stdin.read(); print('over')"
    async with launched(Launch((sys.executable, "-c", script), {}, tmp_path / "log")):
        with trio.fail_after(PATIENCE_SECONDS):
            while (tmp_path / "log").read_text() != "ready\n":  # noqa: ASYNC110 - another process writes it
                await trio.sleep(0.01)
    assert (tmp_path / "log").read_text() == "ready\nover\n"


async def test_of_much_the_beginning_and_the_end_are_kept(tmp_path: Path) -> None:
    script = "print('the beginning'); print('x' * 3_000_000); print('the end')"
    process = await ended(script, tmp_path / "log")
    kept = (tmp_path / "log").read_text()
    assert process.ended_because == ""
    assert kept.startswith("the beginning\nxxx")
    assert kept.endswith("xxx\nthe end\n")
    left_out = 3_000_000 + len("the beginning\n\nthe end\n") - 2 * 256 * 1024
    assert f"x\n[{left_out} bytes omitted]\nx" in kept
    assert len(kept) < 2 * 256 * 1024 + 100


async def test_who_prints_without_end_is_ended_for_it(tmp_path: Path) -> None:
    process = await ended("while True: print('x' * 10_000)", tmp_path / "log")
    assert process.ended_because == "printed more than 16 MiB, and 256 KiB more each second"
    assert (tmp_path / "log").stat().st_size < 2 * 256 * 1024 + 100


async def test_what_was_used_up_comes_back_with_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it comes back between two looks, and no look takes as much."""
    for name, value in (("_AT_ONCE_BYTES", 200_000), ("_PER_SECOND_BYTES", 1e10), ("_TAKEN_BYTES", 64 * 1024)):
        monkeypatch.setattr(output, name, value)
    process = await ended("print('x' * 3_000_000)", tmp_path / "log")
    assert process.ended_because == ""


async def test_a_full_disk_costs_the_log_and_nothing_else(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.symlink_to("/dev/full")
    async with launched(Launch((sys.executable, "-c", "print('x' * 3_000_000)"), {}, log)) as process:
        assert await process.wait() == 0
