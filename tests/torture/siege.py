"""One way to wear a server down, for some seconds: ``python -m torture.siege WAY PORT SECONDS``.

Each is a program of its own, so that it has an interpreter of its own. At the end it prints how often it was done.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from support import http2
from support.http2 import Wire, frame, headers, message, setting

_CONNECTIONS = 2
_CROWD = 4200
_BATCH = 50
_CLOSED = setting(http2.INITIAL_WINDOW_SIZE, 0)
_CANCEL = (8).to_bytes(4)
_REFLECT = b"\x22\x14ordago.v1.BotService"
"""Asks for the file that defines the service."""
_AT_ONCE = 100
_LEISURE_SECONDS = 0.05
"""Slow enough that the server takes all calls in, and holds them."""


class Siege(NamedTuple):
    """What an attacker knows."""

    port: int
    until: float
    """When it is over, in seconds of ``time.monotonic``."""

    @property
    def goes_on(self) -> bool:
        """Whether it is not over yet."""
        return time.monotonic() < self.until


Way = Callable[[Siege], Awaitable[int]]


async def _flood(siege: Siege, *settings: bytes, batch: Callable[[Wire], bytes], pause: float = 0) -> int:
    """Send batches as fast as they are taken over a few connections, and open these anew when they are closed."""

    async def one() -> int:
        sent = 0
        while siege.goes_on:
            with suppress(OSError):
                wire = await Wire.open(siege.port, *settings)
                while siege.goes_on and not wire.ended:
                    wire.put(batch(wire))
                    sent += _BATCH
                    await asyncio.wait_for(wire.drain(), max(0.1, siege.until - time.monotonic()))
                    await asyncio.sleep(pause)
                wire.close()
        return sent

    return sum(await asyncio.gather(*(one() for _ in range(_CONNECTIONS))))


def _call(wire: Wire, path: str, *parts: bytes, end: bool = False) -> bytes:
    stream = wire.stream()
    opened = frame(http2.HEADERS, headers(path), stream=stream, flags=http2.END_HEADERS)
    said = b"".join(frame(http2.DATA, part, stream=stream) for part in parts)
    return opened + said + (frame(http2.DATA, stream=stream, flags=http2.END_STREAM) if end else b"")


def _resets(path: str, *parts: bytes, end: bool = False) -> Way:
    """Make calls and take each back at once."""

    async def way(siege: Siege) -> int:
        def batch(wire: Wire) -> bytes:
            return b"".join(
                _call(wire, path, *parts, end=end) + frame(http2.RST_STREAM, _CANCEL, stream=wire.last_stream)
                for _ in range(_BATCH)
            )

        return await _flood(siege, batch=batch)

    return way


def _calls(path: str, *parts: bytes, closed: bool, end: bool, pause: float = 0) -> Way:
    async def way(siege: Siege) -> int:
        def batch(wire: Wire) -> bytes:
            return b"".join(_call(wire, path, *parts, end=end) for _ in range(_BATCH))

        return await _flood(siege, *([_CLOSED] if closed else []), batch=batch, pause=pause)

    return way


def _frames(made: bytes) -> Way:
    async def way(siege: Siege) -> int:
        return await _flood(siege, batch=lambda _wire: made * _BATCH)

    return way


async def _crumbs(siege: Siege) -> int:
    """Say one message of 64 KiB byte by byte, and nothing at all between two of them."""

    def batch(wire: Wire) -> bytes:
        first = b"" if wire.last_stream > 0 else _call(wire, http2.PLAY, b"\0" + (65_536).to_bytes(4))
        return first + (frame(http2.DATA, b"\0", stream=1) + frame(http2.DATA, stream=1)) * _BATCH

    return await _flood(siege, batch=batch)


async def _headers_without_end(siege: Siege) -> int:
    def batch(wire: Wire) -> bytes:
        more = frame(http2.CONTINUATION, b"\0\x01a\x7f\xe1\x07" + b"x" * 1120, stream=1)
        begun = b"" if wire.last_stream > 0 else frame(http2.HEADERS, headers(http2.PLAY), stream=wire.stream())
        return begun + more * _BATCH

    return await _flood(siege, batch=batch)


async def _strangers(siege: Siege) -> int:
    """Hold streams that never say Hello: few on each connection, on as many as are needed."""
    opened = 0
    wires: list[Wire] = []
    while siege.goes_on:
        wires = [wire for wire in wires if not wire.ended]
        if len(wires) < _AT_ONCE:
            with suppress(OSError):
                wire = await Wire.open(siege.port)
                wire.put(*(_call(wire, http2.PLAY) for _ in range(8)))
                wires.append(wire)
                opened += 8
        else:
            # They were told to go, perhaps; a new stream takes the place of each.
            for wire in wires:
                wire.put(_call(wire, http2.PLAY))
            opened += len(wires)
            await asyncio.sleep(0.5)
    return opened


async def _silent(siege: Siege) -> int:
    """Hold connections that answer pings and open no stream."""
    return await _crowd(siege, lambda: Wire.open(siege.port))


class _Mute:
    """A connection that says nothing, or a byte now and then."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ended = False
        self._writer = writer
        self._waiting = asyncio.ensure_future(self._wait(reader))

    async def _wait(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError):
            await reader.read(1)
        self.ended = True


async def _mute(siege: Siege) -> int:
    """Hold connections on which nothing comes that would make a call, or a handshake."""

    async def opened() -> _Mute:
        return _Mute(*await asyncio.open_connection("127.0.0.1", siege.port))

    return await _crowd(siege, opened)


async def _crowd(siege: Siege, opened: Callable[[], Awaitable[Wire | _Mute]]) -> int:
    count = 0
    wires: list[Wire | _Mute] = []
    while siege.goes_on:
        wires = [wire for wire in wires if not wire.ended]
        missing = min(_AT_ONCE, _CROWD - len(wires))
        found = await asyncio.gather(*(opened() for _ in range(missing)), return_exceptions=True)
        wires += [wire for wire in found if not isinstance(wire, BaseException)]
        count += missing
        await asyncio.sleep(0.01)
    return count


WAYS: dict[str, Way] = {
    "strangers": _strangers,
    "resets": _resets(http2.PLAY),
    "unary_resets": _resets(http2.LIST_GAMES, message(), end=True),
    "closed_window": _calls(http2.LIST_GAMES, message(), closed=True, end=True),
    "held_responses": _calls(http2.LIST_GAMES, message(), closed=True, end=True, pause=_LEISURE_SECONDS),
    "held_watches": _calls(http2.WATCH, message(), closed=False, end=True, pause=_LEISURE_SECONDS),
    "held_reflections": _calls(
        http2.REFLECTION, *[message(_REFLECT)] * 4, closed=True, end=False, pause=_LEISURE_SECONDS
    ),
    "unary": _calls(http2.LIST_GAMES, message(), closed=False, end=True),
    "health": _calls(http2.CHECK, message(), closed=False, end=True),
    "watches": _calls(http2.WATCH, message(), closed=True, end=True),
    "reflections": _calls(http2.REFLECTION, *[message(_REFLECT)] * 4, closed=True, end=False),
    "plays": _calls(http2.PLAY, closed=True, end=False),
    "unknown": _calls("/ordago.v1.Nothing/AtAll", message(), closed=True, end=True),
    "pings": _frames(frame(http2.PING, bytes(8))),
    "settings": _frames(frame(http2.SETTINGS, setting(http2.INITIAL_WINDOW_SIZE, 65_535))),
    "crumbs": _crumbs,
    "headers": _headers_without_end,
    "silent": _silent,
    "mute": _mute,
}


@contextmanager
def besieged(way: str, port: int, *, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """Attack a server in a way, in a process of its own, for some seconds or until the end of the context."""
    path = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "torture.siege", way, str(port), str(seconds)]
    environment = {**os.environ, **path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603 - ours
        try:
            yield process
        finally:
            process.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    told = parser.parse_args()
    siege = Siege(told.port, time.monotonic() + told.seconds)
    print(asyncio.run(WAYS[told.way](siege)))  # noqa: T201 - this is how it speaks
