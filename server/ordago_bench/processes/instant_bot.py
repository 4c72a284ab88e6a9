"""A bot that answers each decision instantly with its default answer, as cheaply as Python can."""

import argparse
import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import grpc.aio

from ordago import v1
from ordago.protocol import TACIT_ACCEPTANCE
from ordago_bench.latency import AnswerTimes, Latencies
from ordago_bench.processes.worker import Tally, answer_marks, open_channel

_METHOD = "/ordago.v1.BotService/Play"


_FIRST: Final = v1.Answer(legal_action=1)


def instant_answer(decision: v1.Decision) -> v1.Answer:
    """Return the default answer of a decision, or its first legal action if it has none."""
    return decision.default_answer if decision.HasField("default_answer") else _FIRST


class InstantBot:
    """One connection that plays many matches, with the same hello as bots of the SDKs."""

    def __init__(self, *, matches: int, tally: Tally, latencies: Latencies, times: AnswerTimes | None = None) -> None:
        """Prepare to play.

        Args:
            matches: the most matches that it plays at once.
            tally: counts its decisions, frames and bytes.
            latencies: counts the server's latencies as bots see them: for each match, from the answer of any bot to the
                next decision of this one.
            times: the times of answers, shared by all bots that play together. Without it, answers of bots in other
                processes are not seen.
        """
        self._hello = v1.Hello(
            min_version=1,
            max_version=1,
            nonce=secrets.token_bytes(16),
            max_matches=matches,
            max_open_decisions=matches,
            capabilities=[TACIT_ACCEPTANCE],
        )
        self._tally = tally
        self._latencies = latencies
        self._times = times or AnswerTimes()
        self._places: dict[int, int] = {}
        """The places of its matches in ``times``, by match handle."""
        self._answering: list[int] = []
        """The places of the matches that the last frame answers."""

    def greeting(self) -> bytes:
        """Return the first frame, with the hello."""
        return v1.PlayRequest(messages=[v1.BotMessage(hello=self._hello)]).SerializeToString()

    def answer(self, frame: bytes) -> bytes:
        """Return the answers to all decisions of a frame, as one frame."""
        now = time.perf_counter()
        answers = v1.PlayRequest()
        for message in v1.PlayResponse.FromString(frame).messages:
            kind = message.WhichOneof("body")
            if kind == "decision":
                choice = answers.messages.add().choice
                choice.match_handle = message.decision.match_handle
                choice.number = message.decision.number
                choice.answer.CopyFrom(instant_answer(message.decision))
                self._note_latency(self._places[choice.match_handle], now)
            elif kind == "match_start":
                self._places[message.match_start.match_handle] = self._times.begin(message.match_start.match_id)
            elif kind == "match_end":
                del self._places[message.match_end.match_handle]
        self._count(frame, answers)
        return answers.SerializeToString()

    def _note_latency(self, place: int, now: float) -> None:
        seconds = self._times.since(place, now)
        if seconds is not None:
            self._latencies.add(seconds)
        self._answering.append(place)

    def sends(self) -> None:
        """Record that the answers to the last frame are being sent."""
        for place in self._answering:
            self._times.answered(place)
        self._answering.clear()

    def _count(self, frame: bytes, answers: v1.PlayRequest) -> None:
        self._tally.frames += 1
        self._tally.decisions += len(answers.messages)
        self._tally.received_bytes += len(frame)
        self._tally.sent_bytes += answers.ByteSize()


async def play(
    bot: InstantBot,
    address: str,
    *,
    token: str = "",
    authority: bytes = b"",
    think: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Connect a bot and let it play until the server ends the connection.

    Args:
        bot: the bot.
        address: the address of the server.
        token: its token; empty if the server needs none.
        authority: the authority of the server's certificate, as PEM; empty for no TLS.
        think: waits before each answer; ``None`` to answer instantly.
    """
    metadata = (("authorization", f"Bearer {token}"),) if token else None
    async with open_channel(address, authority=authority) as channel:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
        call = method(metadata=metadata)
        await call.write(bot.greeting())
        while isinstance(frame := await call.read(), bytes):
            answer = bot.answer(frame)
            if answer:
                if think is not None:
                    await think()
                bot.sends()
                await call.write(answer)


def run_bots(run: Callable[..., Coroutine[Any, Any, None]], *numbers: str) -> None:
    """Run bots in this process, with arguments from its command line.

    The command line has the port of the server, the named numbers, and optionally the file of ``shared_times``.
    """
    parser = argparse.ArgumentParser()
    for number in ("port", *numbers):
        parser.add_argument(number, type=int)
    parser.add_argument("times", nargs="?", type=Path)
    asyncio.run(run(*vars(parser.parse_args()).values()))


async def _run(port: int, matches: int, times: Path | None) -> None:
    tally, latencies = Tally(), Latencies()
    bot = InstantBot(matches=matches, tally=tally, latencies=latencies, times=AnswerTimes(times))
    answer_marks(lambda: tally, latencies, ready={})
    await play(bot, f"127.0.0.1:{port}")


if __name__ == "__main__":
    run_bots(_run, "matches")
