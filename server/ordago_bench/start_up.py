"""How long it takes until something answers: the command line, the SDK, a server."""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from statistics import median
from typing import Final

from ordago_bench.measures.latency import Latencies
from ordago_bench.processes.instant_bot import InstantBot, play
from ordago_bench.processes.worker import Tally

HELP: Final = ("-m", "ordago", "--help")
IMPORT: Final = ("-c", "import ordago_bot")
_SERVE: Final = ("-m", "ordago", "serve", "--tables", "mitaines", "--address", "127.0.0.1:0", "--grace", "0")
_LONGEST_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.002


def measure_program(arguments: Sequence[str], *, rounds: int) -> float:
    """Return how long Python runs with some arguments, in seconds, from its start to its end; the median of rounds."""
    return median(_seconds(arguments) for _ in range(rounds))


def _seconds(arguments: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, timeout=_LONGEST_SECONDS)  # noqa: S603 - ours
    return time.perf_counter() - began


def measure_first_decision(*, rounds: int) -> float:
    """Return how long it takes from the start of ``ordago serve`` to the first decision at a bot, in seconds."""
    return median(_first_decision() for _ in range(rounds))


def _first_decision() -> float:
    began = time.perf_counter()
    command = [sys.executable, "-u", *_SERVE]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603 - ours
    try:
        assert server.stdout is not None
        said = (re.search(r"listening on (127\.0\.0\.1:\d+)", line) for line in server.stdout)
        address = next(found[1] for found in said if found)
        return asyncio.run(asyncio.wait_for(_until_asked(address), _LONGEST_SECONDS)) - began
    finally:
        server.kill()
        server.communicate()


async def _until_asked(address: str) -> float:
    """Connect as many bots as a table takes, and return when the first decision is there."""
    tally = Tally()
    bots = [InstantBot(matches=1, tally=tally, latencies=Latencies()) for _ in range(2)]
    playing = [asyncio.create_task(play(bot, address)) for bot in bots]
    while not tally.decisions:  # noqa: ASYNC110 - a tally is no event, and so short a look costs nothing
        await asyncio.sleep(_LOOK_SECONDS)
    seen = time.perf_counter()
    for task in playing:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    return seen
