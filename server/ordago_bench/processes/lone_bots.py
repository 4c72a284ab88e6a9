"""All bots of one match in one process, to measure the time from an answer to the next decision at any of them."""

import asyncio
from pathlib import Path

from ordago_bench.latency import AnswerTimes, Latencies
from ordago_bench.processes.instant_bot import InstantBot, play, run_bots
from ordago_bench.processes.worker import Tally, answer_marks


async def _run(port: int, bots: int, times: Path | None) -> None:
    tally, latencies, shared = Tally(), Latencies(), AnswerTimes(times)
    answer_marks(lambda: tally, latencies, ready={})
    playing = [InstantBot(matches=1, tally=tally, latencies=latencies, times=shared) for _ in range(bots)]
    await asyncio.gather(*(play(bot, f"127.0.0.1:{port}") for bot in playing))


if __name__ == "__main__":
    run_bots(_run, "bots")
