"""A bot that answers each decision at once with its default answer, as cheaply as Python can."""

import argparse
import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import grpc
import grpc.aio

from ordago import v1
from ordago.bench.latency import Latencies
from ordago.bench.worker import Tally, answer_marks

_METHOD = "/ordago.v1.BotService/Play"


_FIRST: Final = v1.Answer(legal_action=1)


def instant_answer(decision: v1.Decision) -> v1.Answer:
    """Return the default answer of a decision, which is complete in all games; without one, the first legal action."""
    return decision.default_answer if decision.HasField("default_answer") else _FIRST


class InstantBot:
    """One connection that plays many matches."""

    def __init__(self, *, matches: int, tally: Tally, latencies: Latencies) -> None:
        """Prepare to play this many matches at once, and to count in this tally and these latencies."""
        self._hello = v1.Hello(
            min_version=1, max_version=1, nonce=secrets.token_bytes(16), max_matches=matches, max_open_decisions=matches
        )
        self._tally = tally
        self._latencies = latencies
        self._answered: dict[int, float] = {}

    def greeting(self) -> bytes:
        """Return the first frame."""
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
                self._answered[choice.match_handle] = now
            elif kind == "accepted":
                # The latency of the server as a bot sees it: from its answer to the word that it was taken.
                self._latencies.add(now - self._answered[message.accepted.match_handle])
        self._count(frame, answers)
        return answers.SerializeToString()

    def _count(self, frame: bytes, answers: v1.PlayRequest) -> None:
        self._tally.frames += 1
        self._tally.decisions += len(answers.messages)
        self._tally.received_bytes += len(frame)
        self._tally.sent_bytes += answers.ByteSize()


async def play(
    bot: InstantBot, address: str, *, token: str = "", think: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Connect a bot and let it play until the server ends the connection.

    Args:
        bot: the bot.
        address: where the server listens.
        token: what it comes in by; empty where anybody may.
        think: what it waits for before each answer, if it is not so instant.
    """
    metadata = (("authorization", f"Bearer {token}"),) if token else None
    # Channels of one process would share a connection otherwise, and each bot has its own.
    async with grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
        call = method(metadata=metadata)
        await call.write(bot.greeting())
        while isinstance(frame := await call.read(), bytes):
            answer = bot.answer(frame)
            if answer:
                if think is not None:
                    await think()
                await call.write(answer)


def run_bots(run: Callable[..., Coroutine[Any, Any, None]], *numbers: str) -> None:
    """Run bots in this process, by its command line: the port of their server, and numbers that are called so."""
    parser = argparse.ArgumentParser()
    for number in ("port", *numbers):
        parser.add_argument(number, type=int)
    asyncio.run(run(*vars(parser.parse_args()).values()))


async def _run(port: int, matches: int) -> None:
    tally, latencies = Tally(), Latencies()
    bot = InstantBot(matches=matches, tally=tally, latencies=latencies)
    answer_marks(lambda: tally, latencies, ready={})
    await play(bot, f"127.0.0.1:{port}")


if __name__ == "__main__":
    run_bots(_run, "matches")
