"""The client of the echo: each stream sends the next frame when the answer to the one before has arrived."""

import argparse
import asyncio
import time

import grpc.aio

from ordago_bench.latency import Latencies
from ordago_bench.processes.echo_server import METHOD, SERVICE
from ordago_bench.processes.worker import Tally, answer_marks, open_channel


async def _stream(channel: grpc.aio.Channel, frame: bytes, messages: int, tally: Tally, latencies: Latencies) -> None:
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(f"/{SERVICE}/{METHOD}")
    call = method()
    while True:
        start = time.perf_counter()
        await call.write(frame)
        await call.read()
        latencies.add(time.perf_counter() - start)
        tally.frames += 1
        tally.decisions += messages


async def _run(port: int, *, streams: int, frame_bytes: int, messages: int) -> None:
    tally, latencies = Tally(), Latencies()
    answer_marks(lambda: tally, latencies, ready={})
    frame = b"\x00" * frame_bytes
    # A channel for each stream, since each bot has its own connection, too.
    channels = [open_channel(f"127.0.0.1:{port}") for _ in range(streams)]
    await asyncio.gather(*(_stream(channel, frame, messages, tally, latencies) for channel in channels))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("port", "streams", "frame_bytes", "messages"):
        parser.add_argument(name, type=int)
    parsed = parser.parse_args()
    asyncio.run(_run(parsed.port, streams=parsed.streams, frame_bytes=parsed.frame_bytes, messages=parsed.messages))
