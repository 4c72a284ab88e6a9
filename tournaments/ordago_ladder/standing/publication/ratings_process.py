"""Rating and publication of a ladder during play, in a process of its own.

The time for a fit and for publishing grows with the number of matches, and would hold up every match of the server's
process. So another process does both. It rests for some times as long as it worked, reads the store by itself, adds new
results to those that it knows, and ends with the server.
"""

import pickle
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Final

import trio

from ordago.ops.logs import current_format, logging_to_stderr
from ordago.store.errors import StoreError
from ordago.store.ladder.queries import LadderQueries
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago_ladder.helpers import beating, heard, place_of_store, process_at_store
from ordago_ladder.standing.publication.publisher import Answer, Published, Publisher
from ordago_ladder.standing.publication.tallies import Tallies
from ordago_ladder.standing.ratings import NO_RATINGS, StandingRatings

_LENGTH_BYTES: Final = 8
_LEAST_SECONDS: Final = 1.0
"""The shortest time between two rounds: nobody follows ratings that change more often."""
_REST: Final = 4.0
"""The rest after a round, as a multiple of its processor time. Elapsed time would include waits for a busy machine."""
_RESTART_SECONDS: Final = 5.0
_LAST_SECONDS: Final = 10.0
"""The longest wait for the last publication when the server stops."""
_PING_SECONDS: Final = 5.0
"""The time between two pings while the process is idle."""
_START_SECONDS: Final = 60.0
"""The longest silence at the start, while the process imports the libraries of the fit."""
_SILENT_SECONDS: Final = 20.0
"""The silence after which the process is taken for hung: a working one reports every second."""
_PING: Final = b"?"
_NEWS: Final = b"\n"


class RatingsProcess:
    """The server's side of the process that keeps ratings up to date."""

    def __init__(
        self,
        published: Published,
        *,
        published_ratings: Callable[[StandingRatings], None],
        warn: Callable[[str], None],
        telemetry: Telemetry,
    ) -> None:
        """Prepare to rate.

        Args:
            published: the store that is read, and the folder in which it is published.
            published_ratings: is called with new ratings once they are published.
            warn: is called with one sentence if something is still unpublished at the end.
            telemetry: is notified when rating fails, and when it works again.
        """
        self._published = published
        self._published_ratings = published_ratings
        self._warn = warn
        self._telemetry = telemetry
        self._news = trio.Event()
        self._ends = trio.Event()
        self._published_last = trio.Event()
        self.current = NO_RATINGS
        """The latest ratings. Safe to read in any thread."""
        self.tallies: Tallies = {}
        """The scores and faults in the same season."""

    def more(self) -> None:
        """Note that something was committed or revealed."""
        self._news.set()

    async def finish(self) -> None:
        """Rate and publish what is left at once, without a rest; give up after ``_LAST_SECONDS``."""
        self._ends.set()
        self.more()
        with trio.move_on_after(_LAST_SECONDS):
            await self._published_last.wait()
        if not self._published_last.is_set():
            self._warn("the ladder is not fully published; the next start of the server continues")

    async def run(self) -> None:
        """Rate and publish until cancelled, with a new process after one that ended or hung."""
        self.more()
        while True:
            try:
                await self._run_process()
            except (trio.BrokenResourceError, EOFError, OSError) as error:
                self._telemetry.begins(Trouble.RATINGS, str(error) or "their process ended")
                await trio.sleep(_RESTART_SECONDS)
                self.more()

    async def _run_process(self) -> None:
        async with process_at_store(__name__, current_format(), place=self._published.place) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            async with process.stdin as asking, process.stdout as answers:
                await asking.send_all(_framed(pickle.dumps(self._published)))
                await _received(answers, silent_seconds=_START_SECONDS)
                await self._ask(asking, answers)

    async def _ask(self, asking: trio.abc.SendStream, answers: trio.abc.ReceiveStream) -> None:
        while True:
            await self._await_news(asking, answers)
            self._news = trio.Event()
            ends = self._ends.is_set()
            await asking.send_all(_NEWS)
            while not (content := await self._said(answers)):
                """An empty answer: the process is still working."""
            answer: Answer = pickle.loads(content)  # noqa: S301 - our own process wrote it
            self._take(answer)
            if ends and not answer.goes_on:
                self._published_last.set()
            least = _RESTART_SECONDS if answer.problem else _LEAST_SECONDS
            with trio.move_on_after(max(least, _REST * answer.seconds)):
                await self._ends.wait()

    async def _await_news(self, asking: trio.abc.SendStream, answers: trio.abc.ReceiveStream) -> None:
        """Wait until there is something to rate, and ping the process meanwhile."""
        while not self._news.is_set():
            with trio.move_on_after(_PING_SECONDS):
                await self._news.wait()
                return
            await asking.send_all(_PING)
            await self._said(answers)

    async def _said(self, answers: trio.abc.ReceiveStream) -> bytes:
        with self._telemetry.waits.waiting(Trouble.RATINGS, "their process"):
            return await _received(answers, silent_seconds=_SILENT_SECONDS)

    def _take(self, answer: Answer) -> None:
        if answer.problem:
            # The earlier ratings stay valid, so ``current`` is left as it is.
            self._telemetry.begins(Trouble.RATINGS, answer.problem)
            self.more()
            return
        self._telemetry.is_over(Trouble.RATINGS)
        self._telemetry.counters.ladder.published = time.time()
        if answer.goes_on:
            self.more()
        self.current, self.tallies = answer.ratings, answer.tallies
        self._published_ratings(self.current)


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(_LENGTH_BYTES) + content


async def _received(stream: trio.abc.ReceiveStream, *, silent_seconds: float) -> bytes:
    """Return the next answer of a process; empty for a sign of life.

    Raises:
        EOFError: the process ended.
        TimeoutError: the process was silent for too long.
    """
    content, length = bytearray(), _LENGTH_BYTES
    while len(content) < length:
        # Read no further: the next answer may be in the pipe already, and must not be lost.
        part = await heard(stream, silent_seconds=silent_seconds, most=length - len(content))
        if not part:
            raise EOFError
        content += part
        if len(content) == _LENGTH_BYTES:
            length = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES])
    return bytes(content[_LENGTH_BYTES:])


def main(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Publish on request, and write each answer behind its length. An empty answer is a sign of life."""
    length = int.from_bytes(asked.read(_LENGTH_BYTES))
    published: Published = pickle.loads(asked.read(length))  # noqa: S301 - the server wrote it

    def say(content: bytes = b"") -> None:
        answers.write(_framed(content))
        answers.flush()

    # The server may be gone when the answer is ready; then nothing is left to do.
    with suppress(BrokenPipeError):
        say()
        opened = _Opened(published)
        while word := asked.read(1):
            say(_answer(opened, say) if word == _NEWS else b"")


class _Opened:
    """A publisher that opens the store on its first answer, and tries again while that fails."""

    def __init__(self, published: Published) -> None:
        self._published = published
        self._publisher: Publisher | None = None

    def answer(self) -> Answer:
        try:
            if self._publisher is None:
                self._publisher = Publisher(self._published, LadderQueries.open(place_of_store()))
        except StoreError as error:
            return Answer(NO_RATINGS, {}, str(error))
        return self._publisher.answer()


def _answer(opened: _Opened, say: Callable[[], None]) -> bytes:
    with beating(say):
        return pickle.dumps(opened.answer())


if __name__ == "__main__":
    # What libraries warn of, such as that of a database, is for the server's log.
    with logging_to_stderr(log_format=sys.argv[1], level="warning"):
        main(sys.stdin.buffer, sys.stdout.buffer)
