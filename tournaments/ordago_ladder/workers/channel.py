"""Messages over a socket, each whole."""

import socket
from typing import Any

import trio

from ordago_ladder.workers.messages import LENGTH_BYTES, ToRunner, ToWorker, length_of, packed, unpacked


class ChannelClosedError(Exception):
    """Whoever is at the other end is gone."""


class Channel:
    """Messages to and from another process."""

    def __init__(self, end: socket.socket) -> None:
        """Speak over a socket, which is closed with the channel."""
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(end))
        self._turn = trio.Lock()

    async def send(self, message: ToWorker | ToRunner) -> None:
        """Send a message.

        Raises:
            ChannelClosedError: whoever is at the other end is gone.
        """
        try:
            async with self._turn:
                await self._stream.send_all(packed(message))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ChannelClosedError from None

    async def receive(self) -> Any:  # noqa: ANN401 - whoever receives looks at what it is
        """Wait for a message and return it.

        Raises:
            ChannelClosedError: whoever is at the other end is gone.
        """
        try:
            return unpacked(await self._read(length_of(await self._read(LENGTH_BYTES))))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ChannelClosedError from None

    async def _read(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            part = await self._stream.receive_some(size - len(content))
            if not part:
                raise ChannelClosedError
            content += part
        return bytes(content)

    async def aclose(self) -> None:
        """End it."""
        await self._stream.aclose()
