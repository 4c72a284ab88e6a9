"""Many honest bots in one process: ``python -m torture.crowd PORT BOTS MATCHES NAME``.

Each has a connection of its own and takes every default answer: after half a second as long as some are still to come
in, then at once. For each line on the standard input a line of JSON says what happened so far, and after the line
``go`` all have come in; at the end of the input they leave.
"""

import argparse
import asyncio
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import grpc
import grpc.aio

from ordago import v1
from ordago_bench.latency import Latencies

_AT_LEISURE_SECONDS = 0.5
_COME_IN_TOGETHER = 50
_METHOD = "/ordago.v1.BotService/Play"
# Without it all channels of a process share one connection.
_OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1))


@dataclass(slots=True)
class Tally:
    """What the bots of a process saw so far."""

    welcomed: int = 0
    playing: int = 0
    """Seats of matches that are played now."""
    decisions: int = 0
    faults: int = 0
    ended: int = 0
    """Connections that ended."""
    all_here: bool = False
    """Whether all have come in, those of other processes too."""
    latencies: Latencies = field(default_factory=Latencies)
    """From an answer to the word that it was taken."""

    def as_json(self) -> dict[str, object]:
        """Return what another process can read."""
        numbers = {name: getattr(self, name) for name in ("welcomed", "playing", "decisions", "faults", "ended")}
        return {**numbers, "bins": dict(self.latencies.bins.copy())}


class Bot:
    """One bot: frames in, frames out."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._answered: dict[int, float] = {}

    def take(self, frame: bytes) -> bytes:
        """Return the answers to all decisions of a frame."""
        tally, now, answers = self._tally, time.perf_counter(), v1.PlayRequest()
        for message in v1.PlayResponse.FromString(frame).messages:
            kind = message.WhichOneof("body")
            if kind == "decision":
                self._answer(message.decision, answers, now)
            elif kind == "accepted":
                tally.faults += bool(message.accepted.fault)
                tally.latencies.add(now - self._answered.get(message.accepted.match_handle, now))
            elif kind == "refused":
                tally.faults += 1
            elif kind == "welcome":
                tally.welcomed += 1
            elif kind == "match_start":
                tally.playing += 1
            elif kind == "match_end":
                tally.playing -= 1
        return answers.SerializeToString()

    def _answer(self, decision: v1.Decision, answers: v1.PlayRequest, now: float) -> None:
        choice = answers.messages.add().choice
        choice.match_handle, choice.number = decision.match_handle, decision.number
        choice.answer.CopyFrom(decision.default_answer)
        self._answered[decision.match_handle] = now
        self._tally.decisions += 1


async def _play(tally: Tally, port: int, name: str, matches: int, authenticator: asyncio.Semaphore) -> None:
    hello = v1.Hello(
        min_version=1,
        max_version=1,
        nonce=secrets.token_bytes(16),
        max_matches=matches,
        bot=v1.Software(name=name),
    )
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=_OPTIONS) as channel:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
        bot = Bot(tally)
        # Not all at once: a server lets in so many strangers only.
        async with authenticator:
            call = method()
            frame = await _exchange(call, v1.PlayRequest(messages=[v1.BotMessage(hello=hello)]).SerializeToString())
        while isinstance(frame, bytes):
            answer = bot.take(frame)
            if answer and not tally.all_here:
                await asyncio.sleep(_AT_LEISURE_SECONDS)
            frame = await _exchange(call, answer)
        print(f"a stream ended: {await call.code()}, {await call.details()}", file=sys.stderr)  # noqa: T201 - to be seen
        tally.ended += 1


async def _exchange(call: "grpc.aio.StreamStreamCall[bytes, bytes]", frame: bytes) -> object:
    """Send a frame, unless it is empty, and return the next one that comes; anything else at the end."""
    try:
        if frame:
            await call.write(frame)
        return await call.read()
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return grpc.aio.EOF


async def _play_all(tally: Tally, port: int, bots: int, matches: int, name: str) -> None:
    authenticator = asyncio.Semaphore(_COME_IN_TOGETHER)
    await asyncio.gather(*(_play(tally, port, name, matches, authenticator) for _ in range(bots)))


def _tell(tally: Tally) -> None:
    for line in sys.stdin:
        tally.all_here = tally.all_here or line == "go\n"
        print(json.dumps(tally.as_json()), flush=True)  # noqa: T201 - this is how it speaks
    os._exit(0)


class Seen(NamedTuple):
    """What the bots of some processes saw so far."""

    welcomed: int
    playing: int
    decisions: int
    faults: int
    ended: int
    latencies: Latencies


class Crowd:
    """Processes of honest bots."""

    def __init__(self, processes: "list[subprocess.Popen[str]]") -> None:
        self._processes = processes

    def look(self, line: str = "") -> Seen:
        """Say a line to all, and ask them what they saw so far."""
        told = [self._ask(process, line) for process in self._processes]
        latencies = Latencies()
        for one in told:
            latencies.bins.update({int(number): count for number, count in one.pop("bins").items()})
        return Seen(*(sum(one[name] for one in told) for name in Seen._fields[:-1]), latencies=latencies)

    def _ask(self, process: "subprocess.Popen[str]", line: str) -> dict[str, object]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        told: dict[str, object] = json.loads(process.stdout.readline())
        return told

    def wait_for(self, *, bots: int, playing: int, seconds: float) -> Seen:
        """Wait until so many came in and have so many seats in matches, all together, and let them hurry then.

        Raises:
            AssertionError: they did not within this time.
        """
        deadline = time.monotonic() + seconds
        while (seen := self.look()).welcomed < bots or seen.playing < playing:
            assert time.monotonic() < deadline, f"not there after {seconds} s: {seen}"
            time.sleep(0.05)
        return self.look("go")


@contextmanager
def crowd(port: int, *, bots: int, processes: int, matches: int = 1, name: str = "honest") -> Iterator[Crowd]:
    """Start so many bots in all, and end them at the end of the context."""
    share = [str(argument) for argument in (port, bots // processes, matches, name)]
    environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    started = [
        subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-m", "torture.crowd", *share],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(processes)
    ]
    try:
        yield Crowd(started)
    finally:
        for process in started:
            process.communicate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for argument in ("port", "bots", "matches"):
        parser.add_argument(argument, type=int)
    parser.add_argument("name")
    parsed = parser.parse_args()
    seen_so_far = Tally()
    threading.Thread(target=_tell, args=(seen_so_far,), daemon=True).start()
    asyncio.run(_play_all(seen_so_far, parsed.port, parsed.bots, parsed.matches, parsed.name))
