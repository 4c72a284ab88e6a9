"""All bots of one match in one process: they measure from the answer of one to the next decision at the next."""

import asyncio
import time

from ordago.bench.instant_bot import InstantBot, play, run_bots
from ordago.bench.latency import Latencies
from ordago.bench.worker import Tally, answer_marks


class Way:
    """The way of a match through its server, from bot to bot."""

    def __init__(self) -> None:
        """Begin where nobody has answered yet."""
        self.latencies = Latencies()
        """From the answer of a bot to the arrival of the decision that follows, at whichever bot."""
        self._answered_at: float | None = None

    def arrived(self, at: float) -> None:
        """Note that a decision arrived, at a time of ``time.perf_counter``."""
        if self._answered_at is not None:
            self.latencies.add(at - self._answered_at)

    def answered(self) -> None:
        """Note that it is answered now."""
        self._answered_at = time.perf_counter()


class LoneBot(InstantBot):
    """One of the bots of a match that is played alone."""

    def __init__(self, *, tally: Tally, way: Way) -> None:
        """Prepare to play one match at once."""
        super().__init__(matches=1, tally=tally, latencies=Latencies())
        self._way = way

    def answer(self, frame: bytes) -> bytes:
        """Return the answer to the decision of a frame; nothing where there is none."""
        at = time.perf_counter()
        answers = super().answer(frame)
        if answers:
            self._way.arrived(at)
            self._way.answered()
        return answers


async def _run(port: int, bots: int) -> None:
    tally, way = Tally(), Way()
    answer_marks(lambda: tally, way.latencies, ready={})
    await asyncio.gather(*(play(LoneBot(tally=tally, way=way), f"127.0.0.1:{port}") for _ in range(bots)))


if __name__ == "__main__":
    run_bots(_run, "bots")
