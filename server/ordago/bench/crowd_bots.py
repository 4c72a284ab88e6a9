"""Many instant bots in one process, each with a connection of its own and one match at once.

They begin to answer when all are in: whoever comes would wait behind all that is played otherwise.
"""

import asyncio
from typing import Final

from ordago.bench.instant_bot import InstantBot, play, run_bots
from ordago.bench.latency import Latencies
from ordago.bench.worker import Tally, answer_marks

_COME_IN_TOGETHER: Final = 40
"""A server lets only so many wait at its door."""


class _CrowdBot(InstantBot):
    """A bot of which is known when it has come in."""

    def __init__(self, *, tally: Tally, latencies: Latencies) -> None:
        super().__init__(matches=1, tally=tally, latencies=latencies)
        self.is_in = asyncio.Event()

    def answer(self, frame: bytes) -> bytes:
        """Return the answers to all decisions of a frame; the first has a welcome."""
        self.is_in.set()
        return super().answer(frame)


async def _run(port: int, number: int) -> None:
    tally, latencies, door = Tally(), Latencies(), asyncio.Semaphore(_COME_IN_TOGETHER)
    all_in = asyncio.Event()
    bots = [_CrowdBot(tally=tally, latencies=latencies) for _ in range(number)]

    async def come_in(bot: _CrowdBot) -> None:
        async with door:
            together.create_task(play(bot, f"127.0.0.1:{port}", begin=all_in))
            await bot.is_in.wait()

    # Where one is turned away all end, and with them the measurement.
    async with asyncio.TaskGroup() as together:
        await asyncio.gather(*map(come_in, bots))
        all_in.set()
        answer_marks(lambda: tally, latencies, ready={})


if __name__ == "__main__":
    run_bots(_run, number="bots")
