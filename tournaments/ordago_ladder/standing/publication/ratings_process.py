"""The ratings of a ladder while it is played, and what is published of it: by a process of its own.

A fit and an archive take the longer the more was played, and whoever makes them holds up every match of the process
that he is in. So another process does both, and no more often than it costs: it rests some times as long as it works.
It reads the store by itself, goes on from the results that it knows, and ends with whoever started it.
"""

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Final

import trio

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
"""No author sees more."""
_REST: Final = 4.0
"""So many times as long as the processor works for it the process rests. On a busy machine it waits for that anyway."""
_RESTART_SECONDS: Final = 5.0
_LAST_SECONDS: Final = 10.0
"""For so long it is waited for what is published last."""
_PING_SECONDS: Final = 5.0
"""So often the process is asked whether it is there, when it has nothing to do."""
_START_SECONDS: Final = 60.0
"""For so long it may say nothing at first: it imports what a fit needs."""
_SILENT_SECONDS: Final = 20.0
"""After so long without a word a process hangs: one that works says so every second."""
_PING: Final = b"?"
_NEWS: Final = b"\n"


class RatingsProcess:
    """Keeps the ratings up to date, as long as there are new results."""

    def __init__(
        self,
        published: Published,
        *,
        told: Callable[[StandingRatings], None],
        warn: Callable[[str], None],
        telemetry: Telemetry,
    ) -> None:
        """Prepare to rate.

        Args:
            published: what is read, and where it is published.
            told: is called with new ratings, which are published by then.
            warn: is told in a sentence if not all is published in the end.
            telemetry: where it is told whether ratings are up to date.
        """
        self._published = published
        self._told = told
        self._warn = warn
        self._telemetry = telemetry
        self._news = trio.Event()
        self._ends = trio.Event()
        self._published_last = trio.Event()
        self.current = NO_RATINGS
        """The ratings as they are known. Any thread may look."""
        self.tallies: Tallies = {}
        """What else came of the matches of the same season."""

    def more(self) -> None:
        """Say that something was committed, or revealed."""
        self._news.set()

    async def finish(self) -> None:
        """Rate and publish what is left, without a rest before; give up after some seconds."""
        self._ends.set()
        self.more()
        with trio.move_on_after(_LAST_SECONDS):
            await self._published_last.wait()
        if not self._published_last.is_set():
            self._warn("not all of the ladder is published; that goes on when the server is started again")

    async def run(self) -> None:
        """Rate and publish until it is cancelled; by a new process where one ends, or hangs."""
        self.more()
        while True:
            try:
                await self._run_process()
            except (trio.BrokenResourceError, EOFError, OSError) as error:
                self._telemetry.begins(Trouble.RATINGS, str(error) or "their process ended")
                await trio.sleep(_RESTART_SECONDS)
                self.more()

    async def _run_process(self) -> None:
        async with process_at_store(__name__, self._published.place) as process:
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
                """It works."""
            answer: Answer = pickle.loads(content)  # noqa: S301 - our own process wrote it
            self._take(answer)
            if ends and not answer.goes_on:
                self._published_last.set()
            least = _RESTART_SECONDS if answer.problem else _LEAST_SECONDS
            with trio.move_on_after(max(least, _REST * answer.seconds)):
                await self._ends.wait()

    async def _await_news(self, asking: trio.abc.SendStream, answers: trio.abc.ReceiveStream) -> None:
        """Wait until there is something to rate, and see meanwhile that the process is there."""
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
            # What was known before is known still.
            self._telemetry.begins(Trouble.RATINGS, answer.problem)
            self.more()
            return
        self._telemetry.is_over(Trouble.RATINGS)
        if answer.goes_on:
            self.more()
        self.current, self.tallies = answer.ratings, answer.tallies
        self._told(self.current)


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(_LENGTH_BYTES) + content


async def _received(stream: trio.abc.ReceiveStream, *, silent_seconds: float) -> bytes:
    """Return what a process wrote; nothing where it only says that it is there.

    Raises:
        EOFError: it ended.
        TimeoutError: it hangs.
    """
    content, length = bytearray(), _LENGTH_BYTES
    while len(content) < length:
        # No more than that: what is said next may have come already, and is not to be lost.
        part = await heard(stream, silent_seconds=silent_seconds, most=length - len(content))
        if not part:
            raise EOFError
        content += part
        if len(content) == _LENGTH_BYTES:
            length = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES])
    return bytes(content[_LENGTH_BYTES:])


def main(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Publish whenever there is news, and write the ratings behind their length. Nothing: this process is there."""
    length = int.from_bytes(asked.read(_LENGTH_BYTES))
    published: Published = pickle.loads(asked.read(length))  # noqa: S301 - the server wrote it

    def say(content: bytes = b"") -> None:
        answers.write(_framed(content))
        answers.flush()

    # Who asked may be gone when the answer is there: nobody wants to know more.
    with suppress(BrokenPipeError):
        say()
        opened = _Opened(published)
        while word := asked.read(1):
            say(_answer(opened, say) if word == _NEWS else b"")


class _Opened:
    """The store of a ladder and who publishes it, once that can be opened."""

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
    main(sys.stdin.buffer, sys.stdout.buffer)
