"""Just enough of HTTP/2 to do what no library would: frames by hand, over connections that keep to no limit."""

import asyncio
from collections.abc import Iterator

HEAD_BYTES = 9
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 9
ACKNOWLEDGED, END_STREAM, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

PLAY = "/ordago.v1.BotService/Play"
LIST_GAMES = "/ordago.v1.GameService/ListGames"
CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


def frame(kind: int, payload: bytes = b"", *, stream: int = 0, flags: int = 0) -> bytes:
    """Return a frame."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def frames(data: bytes) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield kind, flags, stream and payload of each frame that is there in full."""
    while len(data) >= HEAD_BYTES and len(data) >= (end := HEAD_BYTES + int.from_bytes(data[:3])):
        yield data[3], data[4], int.from_bytes(data[5:9]), data[HEAD_BYTES:end]
        data = data[end:]


def setting(identifier: int, value: int) -> bytes:
    """Return the payload of one setting."""
    return identifier.to_bytes(2) + value.to_bytes(4)


def headers(path: str, *more: tuple[str, str]) -> bytes:
    """Return the block of headers of a call, each of them spelled out."""
    names = (
        (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "ordago"), ("te", "trailers"),
        ("content-type", "application/grpc"), *more,
    )  # fmt: skip
    return b"".join(b"\0" + _text(name) + _text(value) for name, value in names)


def _text(text: str) -> bytes:
    return _length(len(text)) + text.encode()


def _length(number: int) -> bytes:
    """Return a whole number as HPACK writes it behind one bit."""
    if number < 127:
        return bytes((number,))
    number -= 127
    digits = [127]
    while number >= 128:
        digits.append(number % 128 + 128)
        number //= 128
    return bytes((*digits, number))


def message(payload: bytes = b"") -> bytes:
    """Return a message of gRPC."""
    return b"\0" + len(payload).to_bytes(4) + payload


class Wire:
    """A connection that answers pings and settings, and counts what comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.last_stream = -1
        """The number of the stream that was opened last; -1 if none was."""
        self.ended = False
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def open(cls, port: int, *settings: bytes) -> "Wire":
        """Connect and send the preface with some settings."""
        wire = cls(*await asyncio.open_connection("127.0.0.1", port))
        wire.put(PREFACE, frame(SETTINGS, b"".join(settings)))
        return wire

    def put(self, *data: bytes) -> None:
        """Send, as soon as there is room."""
        self._writer.write(b"".join(data))

    def stream(self) -> int:
        """Return the number of a new stream."""
        self.last_stream += 2
        return self.last_stream

    async def drain(self) -> None:
        """Wait until there is room."""
        await self._writer.drain()
        # Else a writer that always finds room would never let the reader have its turn.
        await asyncio.sleep(0)

    def close(self) -> None:
        """Close it."""
        self._reading.cancel()
        self._writer.transport.abort()

    async def _read(self) -> None:
        data = b""
        try:
            while more := await self._reader.read(65536):
                data += more
                for kind, flags, _, payload in frames(data):
                    data = data[HEAD_BYTES + len(payload) :]
                    if kind in (SETTINGS, PING) and not flags & ACKNOWLEDGED:
                        self.put(frame(kind, payload if kind == PING else b"", flags=ACKNOWLEDGED))
        except OSError:
            pass
        finally:
            self.ended = True
