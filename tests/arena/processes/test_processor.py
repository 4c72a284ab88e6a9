"""A server keeps to one processor, and its bots do not."""

import os
import sys
from pathlib import Path

import pytest

from ordago.arena.processes.launcher import Launch, launched
from ordago.arena.processes.processor import ALLOWED, on_one_processor

pytestmark = pytest.mark.skipif(len(ALLOWED) < 2, reason="there is one processor, or the system does not say")


def test_a_thread_keeps_to_one_processor_and_is_free_again_afterwards() -> None:
    with on_one_processor():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == ALLOWED


async def test_a_bot_started_meanwhile_may_run_on_all(tmp_path: Path) -> None:
    script = "import os; print(sorted(os.sched_getaffinity(0)))"
    log = tmp_path / "bot.log"
    with on_one_processor():
        async with launched(Launch((sys.executable, "-c", script), {}, log)) as process:
            assert await process.wait() == 0
    assert log.read_text().strip() == str(sorted(ALLOWED))
