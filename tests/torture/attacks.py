"""What can be done to a server by those who connect to it: with gRPC, and with bare sockets."""

import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import grpc
from support.frames import from_bot, hello
from torture.links import frames_from_bots, one_of

from ordago import v1

_METHOD = "/ordago.v1.BotService/Play"
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_HUGE_BYTES = 5 * 2**20
_FRAMES_A_STREAM = 300
_PATIENCE_SECONDS = 2.0
_SLOWLY_SECONDS = 0.05
_HELD = 25
GREETING = from_bot(hello(bot=v1.Software(name="attacker"), max_matches=1))


class Attack:
    """Everything at once, until it is told to stop."""

    def __init__(self, port: int, seed: str) -> None:
        self._port = port
        self._seed = seed
        self._over = threading.Event()
        self.count = Counter[str]()
        self._threads = [
            threading.Thread(target=self._again_and_again, args=(way, number), daemon=True)
            for number, way in enumerate(
                [self._fuzz, self._fuzz, self._huge, self._garbage, self._slowly, self._silent, self._deaf, self._torn]
            )
        ]

    def __enter__(self) -> "Attack":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _again_and_again(self, way: Callable[[Random], None], number: int) -> None:
        rng = Random(f"{self._seed} {number}")
        while not self._over.is_set():
            with suppress(OSError, grpc.RpcError):
                way(rng)
            self.count[way.__name__.strip("_")] += 1

    # With gRPC

    def _stream(self, frames: Iterator[bytes], channel: grpc.Channel) -> Any:
        method: Any = channel.stream_stream(_METHOD)
        return method(frames, timeout=_PATIENCE_SECONDS)

    def _fuzz(self, rng: Random) -> None:
        """Send frames that are valid, nearly valid or neither, after a proper greeting, and read what comes."""
        known = frames_from_bots(rng)
        frames = [GREETING, *(one_of(known, rng) for _ in range(_FRAMES_A_STREAM))]
        with grpc.insecure_channel(f"127.0.0.1:{self._port}") as channel:
            for _ in range(20):
                rng.shuffle(known)
                self.count["frames"] += len(frames)
                with suppress(grpc.RpcError):
                    list(self._stream(iter(frames), channel))
                frames[1:] = [one_of(known, rng) for _ in range(_FRAMES_A_STREAM)]
                if self._over.is_set():
                    return

    def _huge(self, rng: Random) -> None:
        """Send a message that is far too large."""
        with grpc.insecure_channel(f"127.0.0.1:{self._port}") as channel:
            list(self._stream(iter([GREETING, rng.randbytes(_HUGE_BYTES)]), channel))

    def _silent(self, _rng: Random) -> None:
        """Open streams and say nothing, not even hello."""
        with grpc.insecure_channel(f"127.0.0.1:{self._port}") as channel:
            held = [self._stream(self._nothing(), channel) for _ in range(_HELD)]
            self._over.wait(_PATIENCE_SECONDS)
            for call in held:
                call.cancel()

    def _deaf(self, _rng: Random) -> None:
        """Come in, be seated, and never read nor answer."""
        with grpc.insecure_channel(f"127.0.0.1:{self._port}") as channel:
            call = self._stream(self._nothing(GREETING), channel)
            self._over.wait(_PATIENCE_SECONDS)
            call.cancel()

    def _nothing(self, *first: bytes) -> Iterator[bytes]:
        yield from first
        self._over.wait(_PATIENCE_SECONDS)

    # With bare sockets

    def _connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port), timeout=_PATIENCE_SECONDS)

    def _garbage(self, rng: Random) -> None:
        """Say what is no HTTP/2, at once or after a proper beginning."""
        with self._connected() as wire:
            wire.sendall((_PREFACE if rng.random() < 0.5 else b"") + rng.randbytes(rng.randrange(1, 5000)))
            wire.recv(100)
        time.sleep(0.01)

    def _slowly(self, _rng: Random) -> None:
        """Hold many connections half open, and say the beginning of a call byte by byte on some."""
        wires = [self._connected() for _ in range(_HELD)]
        headers = bytes([0, 0, 200, 1, 4, 0, 0, 0, 1])
        try:
            for byte in (_PREFACE + headers)[: int(_PATIENCE_SECONDS / _SLOWLY_SECONDS)]:
                for wire in wires[: _HELD // 2]:
                    wire.send(bytes([byte]))
                self._over.wait(_SLOWLY_SECONDS)
        finally:
            for wire in wires:
                wire.close()

    def _torn(self, _rng: Random) -> None:
        """Connect, and reset the connection in the middle of the greeting."""
        wire = self._connected()
        wire.sendall(_PREFACE[:20])
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        wire.close()
        time.sleep(0.005)
