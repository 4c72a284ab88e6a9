"""Many bots in one process, each with its own connection and one match at once. They answer instantly or think.

They begin to answer once all are connected: otherwise connecting would have to queue behind the matches.
"""

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from ordago_bench.latency import AnswerTimes, Latencies
from ordago_bench.processes.instant_bot import InstantBot, play, run_bots
from ordago_bench.processes.worker import Tally, answer_marks

_COME_IN_TOGETHER: Final = 40
"""The bots that connect at once, since a server limits connections that have not said hello yet."""


class _CrowdBot(InstantBot):
    """A bot that reports when it is connected, and that may think."""

    def __init__(
        self,
        *,
        tally: Tally,
        latencies: Latencies,
        times: AnswerTimes,
        begin: asyncio.Event,
        rng: Random,
        think_ms: int,
    ) -> None:
        """Prepare to play one match at once.

        Args:
            tally: counts its decisions and frames.
            latencies: counts its waiting times.
            times: the times of answers in matches.
            begin: set once it may answer.
            rng: draws its thinking times.
            think_ms: the mean of its thinking times; 0 to answer instantly.
        """
        super().__init__(matches=1, tally=tally, latencies=latencies, times=times)
        self.is_in = asyncio.Event()
        self._begin = begin
        self._rng = rng
        self._think_seconds = think_ms / 1000

    def answer(self, frame: bytes) -> bytes:
        """Return the answers to all decisions of a frame. The first frame, with the welcome, marks it as connected."""
        self.is_in.set()
        return super().answer(frame)

    async def think(self) -> None:
        """Wait for the beginning, and for a thinking time from an exponential distribution."""
        await self._begin.wait()
        if self._think_seconds:
            await asyncio.sleep(self._rng.expovariate(1 / self._think_seconds))


async def _run(port: int, number: int, think_ms: int, times: Path | None) -> None:
    tally, latencies, entry = Tally(), Latencies(), asyncio.Semaphore(_COME_IN_TOGETHER)
    all_in, shared = asyncio.Event(), AnswerTimes(times)
    bots = [
        _CrowdBot(tally=tally, latencies=latencies, times=shared, begin=all_in, rng=Random(seed), think_ms=think_ms)
        for seed in range(number)
    ]

    async def come_in(bot: _CrowdBot) -> None:
        async with entry:
            together.create_task(play(bot, f"127.0.0.1:{port}", think=bot.think))
            await bot.is_in.wait()

    # If one bot is refused, all end, and the measurement with them.
    async with asyncio.TaskGroup() as together:
        await asyncio.gather(*map(come_in, bots))
        all_in.set()
        answer_marks(lambda: tally, latencies, ready={})


if __name__ == "__main__":
    run_bots(_run, "bots", "think_ms")
