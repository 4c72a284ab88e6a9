"""The processes of a measurement: how they connect, where they listen, and what they have done so far.

A worker prints one line of JSON when it is ready, and another for each line ``mark`` on its standard input. It ends
when its standard input does.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import grpc.aio

from ordago_bench.latency import Latencies

_OPTIONS: Final = (
    # Channels of one process would share a connection otherwise, and each bot has its own.
    ("grpc.use_local_subchannel_pool", 1),
    # Else it pings where something comes, to find out how much may be on its way at once.
    ("grpc.http2.bdp_probe", 0),
)


def open_channel(address: str) -> grpc.aio.Channel:
    """Return a connection of its own to an address."""
    return grpc.aio.insecure_channel(address, options=_OPTIONS)


_FINISH_SECONDS: Final = 5.0
"""How long a worker may take to end when its standard input has ended, which it does at once. Then it is killed."""


@dataclass(slots=True)
class Tally:
    """What a worker has done so far."""

    decisions: int = 0
    frames: int = 0
    received_bytes: int = 0
    sent_bytes: int = 0


def answer_marks(tally: Callable[[], Tally], latencies: Latencies, *, ready: Mapping[str, object]) -> None:
    """Say that the worker is ready, and from now on, in a thread, answer marks by what it has done then."""
    _say(ready)
    threading.Thread(target=_answer, args=(tally, latencies), daemon=True).start()


def _answer(current: Callable[[], Tally], latencies: Latencies) -> None:
    for _ in sys.stdin:
        tally = current()
        _say(
            {
                "cpu_s": time.process_time(),
                "decisions": tally.decisions,
                "frames": tally.frames,
                "received_bytes": tally.received_bytes,
                "sent_bytes": tally.sent_bytes,
                "latencies": dict(latencies.bins.copy()),
            }
        )
    os._exit(0)


def _say(message: Mapping[str, object]) -> None:
    print(json.dumps(message), flush=True)  # noqa: T201 - the standard output is how a worker speaks


@dataclass(frozen=True, slots=True)
class Mark:
    """What a worker had done at some moment."""

    cpu_s: float
    decisions: int
    frames: int
    received_bytes: int
    sent_bytes: int
    latencies: Latencies

    def since(self, earlier: "Mark") -> "Mark":
        """Return what it did after an earlier moment."""
        return Mark(
            cpu_s=self.cpu_s - earlier.cpu_s,
            decisions=self.decisions - earlier.decisions,
            frames=self.frames - earlier.frames,
            received_bytes=self.received_bytes - earlier.received_bytes,
            sent_bytes=self.sent_bytes - earlier.sent_bytes,
            latencies=self.latencies.since(earlier.latencies),
        )


class Worker:
    """A worker that was started."""

    def __init__(self, module: str, *arguments: object) -> None:
        """Start a module with arguments. It need not be ready at once, so that several can start together."""
        self._process = subprocess.Popen(  # noqa: S603 - our own modules
            [sys.executable, "-m", module, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @cached_property
    def ready(self) -> Any:  # noqa: ANN401 - JSON
        """What it said when it was ready. Waits until it is."""
        return self._listen()

    @property
    def process_id(self) -> int:
        """The process that it is."""
        return self._process.pid

    def _listen(self) -> Any:  # noqa: ANN401 - JSON
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def mark(self) -> Mark:
        """Ask what it has done so far. Waits until it is ready."""
        assert self.ready is not None
        assert self._process.stdin is not None
        self._process.stdin.write("mark\n")
        self._process.stdin.flush()
        answer = self._listen()
        bins = {int(number): count for number, count in answer.pop("latencies").items()}
        return Mark(**answer, latencies=Latencies(bins))

    def stop(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_FINISH_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
