"""Waiting for the end of a process."""

import subprocess
import sys

import pytest
import trio
import trio.testing

from ordago.reaping import reaped


async def test_others_go_on_until_a_process_can_be_reaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system reports its end too early, after which ``Process.wait`` would block all tasks for ever."""

    async def too_early(_file: object) -> None:
        await trio.lowlevel.checkpoint()

    monkeypatch.setattr(trio.lowlevel, "wait_readable", too_early)
    process = await trio.lowlevel.open_process([sys.executable, "-c", "exit(int(input()))"], stdin=subprocess.PIPE)
    assert process.stdin is not None
    codes = list[int]()

    async def wait() -> None:
        codes.append(await reaped(process))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        assert not codes
        await process.stdin.send_all(b"7\n")
        await process.stdin.aclose()
    assert codes == [7]
