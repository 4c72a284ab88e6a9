"""Bots that hang, on a real wire and in real time: they are noticed, and nobody waits for them.

Keys of grpc that do not exist are ignored without a word, so only tests like these prove its settings.
"""

import queue
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc
import pytest
import trio
from support.frames import from_bot, hello
from support.halls import Hall
from support.processes import until

from ordago import v1
from ordago.arena.bot import Bot
from ordago.edge import Edge
from ordago.edge.stream import MAX_QUEUED_BYTES
from ordago.record import faults_of

NOTICED_SECONDS = 30
"""Within this time a bot that hangs is noticed; the settings of the server say 12 + 6 seconds."""
ON_TIME_DIGITS = 20
"""Numbers of so many binary digits of microseconds are about a second: no answer may take longer."""


@contextmanager
def bot_process(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a bot that plays one match at once, and end it, even if it is frozen."""
    command = [sys.executable, "-m", "ordago_bot", "random", "--address", f"127.0.0.1:{port}", "--matches", "1"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - our own
        try:
            yield process
        finally:
            process.kill()


@asynccontextmanager
async def open_hall() -> AsyncIterator[tuple[Hall, Edge]]:
    hall = Hall(decision_ms=60_000)
    async with Edge.open("127.0.0.1:0", hall.server) as edge, hall.open():
        yield hall, edge


@pytest.mark.slow
async def test_a_frozen_bot_is_noticed_and_its_match_goes_on() -> None:
    """Its process is stopped while a match runs: it closes nothing, and its kernel still takes what is sent."""
    async with open_hall() as (hall, edge):
        with bot_process(edge.port), bot_process(edge.port), bot_process(edge.port) as bot:
            await until(lambda: hall.records)
            bot.send_signal(signal.SIGSTOP)
            await noticed(hall, left=2)
            await until(lambda: faults_of(hall.records[-1]) != ((), (), ()))
            assert hall.telemetry.counters.sessions.lost == 1
            assert hall.telemetry.counters.game("mittlere").faults[v1.FAULT_DISCONNECTED] > 0


@pytest.mark.slow
async def test_a_frozen_bot_is_noticed_though_nothing_is_said_to_it() -> None:
    """It takes nearly all of the time: a ping is due only after the connection was silent for a while."""
    async with open_hall() as (hall, edge):
        with bot_process(edge.port) as bot:
            await until(lambda: hall.server.sessions.connected == 1)
            bot.send_signal(signal.SIGSTOP)
            await noticed(hall, left=0)


async def noticed(hall: Hall, *, left: int) -> None:
    """Wait until only so many bots count as connected, as long as it may take."""
    with trio.fail_after(NOTICED_SECONDS):
        while hall.server.sessions.connected > left:  # noqa: ASYNC110 - it is grpc that notices it
            await trio.sleep(0.05)


@pytest.mark.slow
async def test_a_bot_that_never_reads_is_cut_off_and_the_others_stay_on_time() -> None:
    """The server says more to it than the windows of HTTP/2 and the queue hold, while others play."""
    async with open_hall() as (hall, edge):
        with deaf_client(edge.port) as call:
            await until(lambda: hall.bots)
            [deaf] = hall.bots
            deaf.take_seat()  # So it is never seated with the others, who would have to wait for it.
            with bot_process(edge.port), bot_process(edge.port), bot_process(edge.port):
                await until(lambda: hall.records)
                sent = await say_until_cut_off(deaf)
                played = len(hall.records)
                await until(lambda: len(hall.records) > played)
                records, counters = hall.records.copy(), hall.telemetry.counters
                assert sum(counters.wire.latency_us.bins[ON_TIME_DIGITS + 1 :]) == 0
            with pytest.raises(grpc.RpcError):
                await trio.to_thread.run_sync(lambda: list(call))
            assert call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert MAX_QUEUED_BYTES < sent < 5 * MAX_QUEUED_BYTES
    assert counters.sessions.slow == 1
    assert not any(faults for record in records for faults in faults_of(record))


async def say_until_cut_off(bot: Bot) -> int:
    """Say things to a bot as long as it is connected, and return how many bytes that were."""
    said = v1.Refused(sentence="x" * 60_000)
    sent = 0
    with trio.fail_after(NOTICED_SECONDS):
        while bot.connected:
            bot.channel.send(said)
            sent += said.ByteSize()
            await trio.sleep(0.002)
    return sent


@contextmanager
def deaf_client(port: int) -> Iterator[Any]:
    """Come in as a bot that never reads."""
    outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    outbox.put(from_bot(hello(max_matches=1)))
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        method: Any = channel.stream_stream("/ordago.v1.BotService/Play")
        yield method(iter(outbox.get, None))
        outbox.put(None)
