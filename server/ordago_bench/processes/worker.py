"""Worker processes of a measurement: starting and stopping them, and reading their counts.

A worker prints one line of JSON when it is ready, and another one for each line ``mark`` on its standard input. It ends
with its standard input.
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
    # Otherwise channels of one process would share a connection, while each bot has its own.
    ("grpc.use_local_subchannel_pool", 1),
    # Otherwise gRPC sends pings to estimate the bandwidth-delay product.
    ("grpc.http2.bdp_probe", 0),
)


def open_channel(address: str, *, authority: bytes = b"") -> grpc.aio.Channel:
    """Return a channel with its own connection to an address: over TLS if there is an authority to trust."""
    if authority:
        return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(authority), options=_OPTIONS)
    return grpc.aio.insecure_channel(address, options=_OPTIONS)


_FINISH_SECONDS: Final = 5.0
"""Seconds after the end of its standard input until a worker is killed. Normally it ends immediately."""


@dataclass(slots=True)
class Tally:
    """The counts of a worker so far."""

    decisions: int = 0
    frames: int = 0
    received_bytes: int = 0
    sent_bytes: int = 0


def answer_marks(tally: Callable[[], Tally], latencies: Latencies, *, ready: Mapping[str, object]) -> None:
    """Report that the worker is ready, and from now on answer marks with its counts, in a thread."""
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
    print(json.dumps(message), flush=True)  # noqa: T201 - the protocol of a worker


@dataclass(frozen=True, slots=True)
class Mark:
    """The counts of a worker at some moment."""

    cpu_s: float
    decisions: int
    frames: int
    received_bytes: int
    sent_bytes: int
    latencies: Latencies

    def since(self, earlier: "Mark") -> "Mark":
        """Return the differences from an earlier mark."""
        return Mark(
            cpu_s=self.cpu_s - earlier.cpu_s,
            decisions=self.decisions - earlier.decisions,
            frames=self.frames - earlier.frames,
            received_bytes=self.received_bytes - earlier.received_bytes,
            sent_bytes=self.sent_bytes - earlier.sent_bytes,
            latencies=self.latencies.since(earlier.latencies),
        )


class Worker:
    """A worker process, seen from its parent."""

    def __init__(self, module: str, *arguments: object) -> None:
        """Start a module with arguments, without waiting until it is ready, so that several can start in parallel."""
        self._process = subprocess.Popen(  # noqa: S603 - a module of our own
            [sys.executable, "-m", module, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @cached_property
    def ready(self) -> Any:  # noqa: ANN401 - JSON
        """The message that it sent when it was ready. The first access waits for it."""
        return self._listen()

    @property
    def process_id(self) -> int:
        """The id of its process."""
        return self._process.pid

    def _listen(self) -> Any:  # noqa: ANN401 - JSON
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def mark(self) -> Mark:
        """Ask for its counts. Wait until it is ready first."""
        assert self.ready is not None
        assert self._process.stdin is not None
        self._process.stdin.write("mark\n")
        self._process.stdin.flush()
        answer = self._listen()
        bins = {int(number): count for number, count in answer.pop("latencies").items()}
        return Mark(**answer, latencies=Latencies(bins))

    def stop(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_FINISH_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
