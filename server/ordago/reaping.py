"""Waiting for the end of a process without holding up anything else."""

from typing import Final

import trio

_LOOK_SECONDS: Final = 0.01


async def reaped(process: trio.Process) -> int:
    """Wait for the end of a process, however long that takes, and return its exit code.

    ``Process.wait`` ends with a ``waitpid`` that blocks the thread with all its tasks until the process can be reaped.
    That took two minutes for a process that was killed on a busy machine, and its server stood still.
    """
    while (code := process.poll()) is None:  # noqa: ASYNC110 - what trio waits for may come before the end
        await trio.sleep(_LOOK_SECONDS)
    return code
