"""Many bots in one process, each with a connection of its own and one match at once, that answer at once or think.

They begin to answer when all are in: whoever comes would wait behind all that is played otherwise.
"""

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from ordago_bench.latency import AnswerTimes, Latencies
from ordago_bench.processes.instant_bot import InstantBot, play, run_bots
from ordago_bench.processes.worker import Tally, answer_marks

_COME_IN_TOGETHER: Final = 40
"""A server lets only so many wait at its entry."""


class _CrowdBot(InstantBot):
    """A bot of which is known when it has come in, and that takes its time."""

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
            tally: where is counted what it does.
            latencies: where is counted how long it waited.
            times: when matches were answered.
            begin: when this is set it may answer.
            rng: what its times are drawn from.
            think_ms: the mean of its times; 0: it answers at once.
        """
        super().__init__(matches=1, tally=tally, latencies=latencies, times=times)
        self.is_in = asyncio.Event()
        self._begin = begin
        self._rng = rng
        self._think_seconds = think_ms / 1000

    def answer(self, frame: bytes) -> bytes:
        """Return the answers to all decisions of a frame; the first has a welcome."""
        self.is_in.set()
        return super().answer(frame)

    async def think(self) -> None:
        """Take as long as it takes: most are quick, few take long."""
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

    # Where one is turned away all end, and with them the measurement.
    async with asyncio.TaskGroup() as together:
        await asyncio.gather(*map(come_in, bots))
        all_in.set()
        answer_marks(lambda: tally, latencies, ready={})


if __name__ == "__main__":
    run_bots(_run, "bots", "think_ms")
