"""Where the bots of the house think: in a process of its own, one decision after the other.

The site goes on meanwhile, however many play, and whoever plays much waits for the others and they for him: questions
are answered in the order in which they come, and each takes a tenth of a second at most. The process has a low
priority, gets what the bot of a seat gets and nothing else, and ends with the site.
"""

import os
import pickle
import subprocess
import sys
from typing import IO, Final, NamedTuple, Protocol

import trio

from ordago import v1
from ordago_ladder.helpers import command_of
from ordago_web.play.opponents import thought

_LENGTH_BYTES: Final = 4
_NICE: Final = 10
_MOST_SECONDS: Final = 30.0
"""A process that has not answered by then hangs, and is ended."""


class Thought(NamedTuple):
    """A question to a bot of the house: what it is told at the beginning of its match, and what it is asked now."""

    start: bytes
    """A ``v1.MatchStart``, serialized."""
    decision: bytes
    """A ``v1.Decision``, serialized."""
    strength: str
    """How strong the bot is: a name of ``STRENGTHS``."""


class ThinkingFailedError(Exception):
    """The process in which the house thinks ended or hangs. Nobody who plays is to blame."""


class Thinking(Protocol):
    """Whoever answers for the bots of the house."""

    async def answer(self, question: Thought) -> v1.Answer:
        """Return the answer.

        Raises:
            ThinkingFailedError: there is none.
        """


class ThinkingProcess:
    """Answers in a process that is started when it is needed first, and again where it has ended."""

    def __init__(self) -> None:
        self._process: trio.Process | None = None
        self._turns = trio.Lock()
        """Whose question it is. Whoever came first is first."""

    async def answer(self, question: Thought) -> v1.Answer:
        """Return the answer.

        Raises:
            ThinkingFailedError: the process ended, or hangs.
        """
        async with self._turns:
            answered = False
            try:
                with trio.fail_after(_MOST_SECONDS):
                    answer = v1.Answer.FromString(await self._asked(question))
                answered = True
            except (trio.BrokenResourceError, trio.TooSlowError, EOFError, OSError) as error:
                raise ThinkingFailedError(str(error) or "it hangs, or has ended") from error
            finally:
                # What is not read to its end would be taken for the answer to the next question.
                if not answered:
                    await self.close()
            return answer

    async def _asked(self, question: Thought) -> bytes:
        if self._process is None:
            self._process = await _started()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdin.send_all(_framed(pickle.dumps(question)))
        length = int.from_bytes(await _received(process.stdout, _LENGTH_BYTES), "big")
        return await _received(process.stdout, length)

    async def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        process.kill()
        with trio.CancelScope(shield=True):
            await process.stdin.aclose()
            await process.stdout.aclose()
            await process.wait()


async def _started() -> trio.Process:
    # Ctrl-C is for the site alone.
    return await trio.lowlevel.open_process(
        command_of(__name__),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


async def _received(stream: trio.abc.ReceiveStream, number: int) -> bytes:
    """Return so many bytes.

    Raises:
        EOFError: the stream ends before.
    """
    received = b""
    while len(received) < number:
        more = await stream.receive_some(number - len(received))
        if not more:
            raise EOFError("the process has ended")
        received += more
    return received


def _framed(content: bytes) -> bytes:
    return len(content).to_bytes(_LENGTH_BYTES, "big") + content


def main(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer questions until there are no more: whoever asked them has ended."""
    os.nice(_NICE)
    while length := questions.read(_LENGTH_BYTES):
        question: Thought = pickle.loads(questions.read(int.from_bytes(length, "big")))  # noqa: S301 - the site wrote it
        start, decision = v1.MatchStart.FromString(question.start), v1.Decision.FromString(question.decision)
        answers.write(_framed(thought(start, decision, question.strength).SerializeToString()))
        answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
