"""A trio program runs as the guest of an asyncio loop, and behaves as it does by itself."""

import asyncio
import signal
import subprocess
import sys
import time

import pytest
import trio

from ordago.one_thread import host_loop, run_in_one_thread

_INTERRUPTED = """
import sys, trio
from ordago.one_thread import run_in_one_thread

async def main():
    try:
        print("ready", flush=True)
        await trio.sleep_forever()
    finally:
        print("left", flush=True)

try:
    run_in_one_thread(main)
except KeyboardInterrupt:
    sys.exit(7)
"""


async def _answer() -> int:
    await trio.lowlevel.checkpoint()
    return 42


async def _fail() -> None:
    await trio.to_thread.run_sync(time.sleep, 0)
    raise LookupError("his own")


def test_what_a_program_returns_is_returned() -> None:
    assert run_in_one_thread(_answer) == 42


def test_what_it_raises_is_raised_and_the_next_one_runs() -> None:
    with pytest.raises(LookupError, match="his own"):
        run_in_one_thread(_fail)
    assert run_in_one_thread(_answer) == 42


def test_it_sees_whose_guest_it_is() -> None:
    async def main() -> bool:
        await trio.lowlevel.checkpoint()
        return host_loop() is not None

    async def alone() -> bool:
        await trio.lowlevel.checkpoint()
        return host_loop() is not None

    assert run_in_one_thread(main)
    assert not trio.run(alone)


def test_what_the_loop_still_does_is_brought_to_its_end() -> None:
    ended: list[str] = []

    async def linger() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")

    async def main() -> None:
        loop = host_loop()
        assert loop is not None
        loop.create_task(linger())
        await trio.sleep(0.01)

    run_in_one_thread(main)
    assert ended == ["cancelled"]


def test_a_call_of_the_loop_wakes_a_task_that_sleeps() -> None:
    async def main() -> None:
        loop, called = host_loop(), trio.Event()
        assert loop is not None
        loop.call_later(0.01, called.set)
        with trio.fail_after(10):
            await called.wait()

    run_in_one_thread(main)


@pytest.mark.slow
def test_ctrl_c_ends_it_as_it_ends_any_program() -> None:
    with subprocess.Popen([sys.executable, "-c", _INTERRUPTED], stdout=subprocess.PIPE, text=True) as program:  # noqa: S603 - ours
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        program.send_signal(signal.SIGINT)
        assert program.stdout.read() == "left\n"
        assert program.wait(timeout=20) == 7
