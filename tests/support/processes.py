"""Real processes in tests, which have to be looked at again and again."""

from collections.abc import Callable
from pathlib import Path

import trio

PATIENCE_SECONDS = 30.0


async def until(condition: Callable[[], object]) -> None:
    """Return when a condition holds that only another process or thread can make true."""
    with trio.fail_after(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - nobody in another process can set an event
            await trio.sleep(0.01)


async def text_of(path: Path) -> str:
    """Return the text of a file as soon as another process has written one."""
    await until(lambda: path.exists() and path.read_text())
    return path.read_text()  # noqa: ASYNC240 - a file of a few bytes


def is_running(process_id: int) -> bool:
    """Say whether a process runs: one that has ended but was not waited for does not."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def children_of(module: str) -> list[int]:
    """Return the processes of a module of ours that this one has started and that run."""
    tasks = Path("/proc/self/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return [child for child in children if is_running(child) and _is_of(module, child)]


def _is_of(module: str, process: int) -> bool:
    return module.encode() in Path(f"/proc/{process}/cmdline").read_bytes()
