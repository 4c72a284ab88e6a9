"""Many bots in one process, each with its own connection and one match at once. They answer instantly or think.

They begin to answer once all are connected: otherwise connecting would have to queue behind the matches.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

import grpc.aio

from ordago_bench.latency import AnswerTimes, Latencies
from ordago_bench.processes.instant_bot import InstantBot, play
from ordago_bench.processes.worker import Tally, answer_marks

_LONGEST_REASON: Final = 300
"""The most characters that are told of a lost connection."""
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


async def _run(
    port: int, number: int, think_ms: int, times: Path | None, *, tokens: Sequence[str], authority: bytes, hold: float
) -> None:
    tally, latencies, entry = Tally(), Latencies(), asyncio.Semaphore(_COME_IN_TOGETHER)
    all_in, shared = asyncio.Event(), AnswerTimes(times)
    bots = [
        _CrowdBot(tally=tally, latencies=latencies, times=shared, begin=all_in, rng=Random(seed), think_ms=think_ms)
        for seed in range(number)
    ]

    async def come_in(bot: _CrowdBot, token: str) -> None:
        async with entry:
            playing = play(bot, f"127.0.0.1:{port}", token=token, authority=authority, think=bot.think)
            together.create_task(playing)
            await bot.is_in.wait()

    # If one bot is refused, all end, and the measurement with them.
    async with asyncio.TaskGroup() as together:
        await asyncio.gather(*map(come_in, bots, tokens or [""] * number))
        if not hold:
            all_in.set()
        answer_marks(lambda: tally, latencies, ready={})
        await asyncio.sleep(hold)
        all_in.set()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for each in ("port", "number", "think_ms"):
        parser.add_argument(each, type=int)
    parser.add_argument("times", nargs="?", type=Path, help="the file of the times of answers")
    parser.add_argument("--tokens", type=lambda file: Path(file).read_text().split(), default=[], help="a file")
    parser.add_argument("--authority", type=lambda file: Path(file).read_bytes(), default=b"", help="a PEM file")
    parser.add_argument("--hold", type=float, default=0.0, help="seconds until they begin to answer, once all are in")
    try:
        asyncio.run(_run(**vars(parser.parse_args())))
    except* grpc.aio.AioRpcError as lost:
        sys.exit(f"a bot lost its connection: {lost.exceptions[0]!r}"[:_LONGEST_REASON])
