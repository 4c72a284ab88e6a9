"""A bot that answers illegally as often as it may, and takes the time: ``python -m torture.prober PORT ANSWER``.

The answer is a serialized ``v1.Answer`` in hexadecimal. At the end of the session a line of JSON for each match has the
seconds from each answer to its refusal.
"""

import asyncio
import json
import sys
import time

import grpc.aio
from support.frames import from_bot, hello

from ordago import v1


async def _probe(port: int, answer: v1.Answer) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/ordago.v1.BotService/Play")
        call = method()
        await call.write(from_bot(hello()))
        matches, times, sent = list[list[float]](), list[float](), 0.0
        while isinstance(frame := await call.read(), bytes):
            now = time.perf_counter()
            for message in v1.PlayResponse.FromString(frame).messages:
                kind = message.WhichOneof("body")
                if kind == "refused":
                    times.append(now - sent)
                if kind == "decision" or (kind == "refused" and message.refused.time_left_ms):
                    asked = message.decision if kind == "decision" else message.refused
                    choice = v1.Choice(match_handle=asked.match_handle, number=asked.number, answer=answer)
                    probe = from_bot(choice)
                    sent = time.perf_counter()
                    await call.write(probe)
                elif kind == "match_end":
                    matches.append(times)
                    times = []
    print("\n".join(map(json.dumps, matches)))  # noqa: T201 - this is how it speaks


if __name__ == "__main__":
    asyncio.run(_probe(int(sys.argv[1]), v1.Answer.FromString(bytes.fromhex(sys.argv[2]))))
