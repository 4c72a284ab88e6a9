"""The process in which house bots decide, one decision after the other.

The site stays responsive, however many people play. Decisions are answered in the order in which they come, and each
takes at most a tenth of a second, so that a busy player delays others no more than they delay it. The process has a low
priority, gets only what the bot of a seat gets, and ends with the site.
"""

import os
import pickle
import subprocess
import sys
from typing import IO, Final, NamedTuple, Protocol

import trio

from ordago import v1
from ordago.reaping import reaped
from ordago_bot.house.advice import Advice, advice
from ordago_ladder.helpers import command_of
from ordago_web.play.opponents import thought

_LENGTH_BYTES: Final = 4
"""The size of the length prefix of questions and answers."""
_NICE: Final = 10
"""The niceness of the process: matches come first."""
_MOST_SECONDS: Final = 30.0
"""A process without an answer by then hangs, and is ended."""


class Thought(NamedTuple):
    """A question to a house bot: the start of its match and the decision."""

    start: bytes
    """A serialized ``v1.MatchStart``."""
    decision: bytes
    """A serialized ``v1.Decision``."""
    strength: str
    """The strength of the bot, a name in ``STRENGTHS``; empty for the seat of a person, which gets no answer."""


class ThinkingFailedError(Exception):
    """The process of the house bots ended or hangs. No player is to blame."""


class Thinking(Protocol):
    """Anything that answers for house bots."""

    async def answer(self, question: Thought) -> v1.Answer:
        """Return the answer.

        Raises:
            ThinkingFailedError: there is none.
        """

    async def advise(self, question: Thought) -> Advice | None:
        """Return the advice of the house at a decision of a person; ``None`` if it does not play the game.

        Raises:
            ThinkingFailedError: there is none.
        """


class ThinkingProcess:
    """Answers in a process, which is started for the first question and restarted when it has ended."""

    def __init__(self) -> None:
        self._process: trio.Process | None = None
        self._turns = trio.Lock()
        """The questions wait here in the order in which they came."""

    async def answer(self, question: Thought) -> v1.Answer:
        """Return the answer.

        Raises:
            ThinkingFailedError: the process ended or hangs.
        """
        return v1.Answer.FromString(await self._answered(question))

    async def advise(self, question: Thought) -> Advice | None:
        """Return the advice of the house at a decision of a person; ``None`` if it does not play the game.

        Raises:
            ThinkingFailedError: the process ended or hangs.
        """
        advised: Advice | None = pickle.loads(await self._answered(question._replace(strength="")))  # noqa: S301 - ours
        return advised

    async def _answered(self, question: Thought) -> bytes:
        async with self._turns:
            answered = False
            try:
                with trio.fail_after(_MOST_SECONDS):
                    answer = await self._asked(question)
                answered = True
            except (trio.BrokenResourceError, trio.TooSlowError, EOFError, OSError) as error:
                raise ThinkingFailedError(str(error) or "it hangs, or has ended") from error
            finally:
                # The unread rest would be taken for the answer to the next question.
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
        # Reaped even if cancelled, so that no zombie is left.
        with trio.CancelScope(shield=True):
            await process.stdin.aclose()
            await process.stdout.aclose()
            await reaped(process)


async def _started() -> trio.Process:
    # A process group of its own: Ctrl-C must reach the site alone.
    return await trio.lowlevel.open_process(
        command_of(__name__),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0,
    )


async def _received(stream: trio.abc.ReceiveStream, number: int) -> bytes:
    """Read exactly this many bytes.

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
    """Answer questions until the site closes the stream."""
    os.nice(_NICE)
    while length := questions.read(_LENGTH_BYTES):
        question: Thought = pickle.loads(questions.read(int.from_bytes(length, "big")))  # noqa: S301 - the site wrote it
        start, decision = v1.MatchStart.FromString(question.start), v1.Decision.FromString(question.decision)
        if question.strength:
            answers.write(_framed(thought(start, decision, question.strength).SerializeToString()))
        else:
            answers.write(_framed(pickle.dumps(advice(start.game, decision))))
        answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
