"""The ratings of a ladder while it is played, and what is published of it: by a process of its own.

A fit and an archive take the longer the more was played, and whoever makes them holds up every match of the process
that he is in. So another process does both, and no more often than it costs: it rests some times as long as it works.
It reads the store by itself, goes on from the results that it knows, and ends with whoever started it.
"""

import pickle
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import IO, Final

import trio

from ordago.store.ladder_queries import LadderQueries
from ordago_ladder.helpers import command_of, environment, place_of_store
from ordago_ladder.standing.careers import NO_RATINGS, StandingRatings
from ordago_ladder.standing.publisher import Answer, Published, Publisher
from ordago_ladder.standing.tallies import Tallies

_LENGTH_BYTES: Final = 8
_LEAST_SECONDS: Final = 1.0
"""No author sees more."""
_REST: Final = 4.0
"""So many times as long as the processor works for it the process rests. On a busy machine it waits for that anyway."""
_RESTART_SECONDS: Final = 5.0
_LAST_SECONDS: Final = 10.0
"""For so long it is waited for what is published last."""


class RatingsBeside:
    """Keeps the ratings up to date, as long as there are new results."""

    def __init__(
        self, published: Published, *, told: Callable[[StandingRatings], None], warn: Callable[[str], None]
    ) -> None:
        """Prepare to rate.

        Args:
            published: what is read, and where it is published.
            told: is called with new ratings, which are published by then.
            warn: is told in a sentence if ratings are not up to date.
        """
        self._published = published
        self._told = told
        self._warn = warn
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
        """Rate and publish until it is cancelled; by a new process where one ends."""
        self.more()
        while True:
            try:
                await self._run_process()
            except (trio.BrokenResourceError, EOFError, OSError) as error:
                reason = str(error) or "their process ended"
                self._warn(f"the ratings are not up to date, and the archive is not: {reason}")
                await trio.sleep(_RESTART_SECONDS)
                self.more()

    async def _run_process(self) -> None:
        async with _pipes(
            await trio.lowlevel.open_process(
                command_of(__name__),
                env=environment(self._published.place),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        ) as (asking, answers):
            await asking.send_all(_framed(pickle.dumps(self._published)))
            await self._ask(asking, answers)

    async def _ask(self, asking: trio.abc.SendStream, answers: trio.abc.ReceiveStream) -> None:
        while True:
            await self._news.wait()
            self._news = trio.Event()
            ends = self._ends.is_set()
            await asking.send_all(b"\n")
            answer: Answer = pickle.loads(await _received(answers))  # noqa: S301 - our own process wrote it
            if answer.problem:
                self._warn(f"the ladder is not rated and published: {answer.problem}")
            if answer.problem or answer.goes_on:
                self.more()
            self.current, self.tallies = answer.ratings, answer.tallies
            self._told(self.current)
            if ends and not answer.goes_on:
                self._published_last.set()
            least = _RESTART_SECONDS if answer.problem else _LEAST_SECONDS
            with trio.move_on_after(max(least, _REST * answer.seconds)):
                await self._ends.wait()


@asynccontextmanager
async def _pipes(process: trio.Process) -> AsyncIterator[tuple[trio.abc.SendStream, trio.abc.ReceiveStream]]:
    """Give the pipes of a process, which is ended when they are given back."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with process.stdin, process.stdout:
            yield process.stdin, process.stdout
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(_LENGTH_BYTES) + content


async def _received(stream: trio.abc.ReceiveStream) -> bytes:
    """Return what a process wrote.

    Raises:
        EOFError: it ended.
    """
    content, length = bytearray(), _LENGTH_BYTES
    while len(content) < length:
        part = await stream.receive_some()
        if not part:
            raise EOFError
        content += part
        if len(content) >= _LENGTH_BYTES:
            length = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES])
    return bytes(content[_LENGTH_BYTES:])


def main(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Publish whenever a line comes, and write the ratings behind their length."""
    length = int.from_bytes(asked.read(_LENGTH_BYTES))
    published: Published = pickle.loads(asked.read(length))  # noqa: S301 - the server wrote it
    with LadderQueries.open(place_of_store()) as queries:
        publisher = Publisher(published, queries)
        # Who asked may be gone when the answer is there: nobody wants to know more.
        with suppress(BrokenPipeError):
            while asked.read(1):
                answers.write(_framed(pickle.dumps(publisher.answer())))
                answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
