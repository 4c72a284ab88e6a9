"""A client on the wire that keeps to no contract."""

import queue
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import trio
from support.frames import body_of

from ordago import v1

in_thread = trio.to_thread.run_sync
_OPTIONS = [("grpc.max_receive_message_length", -1)]


class RawClient:
    """A client that sends whatever it is told to, and reads when it is told to."""

    def __init__(
        self,
        port: int,
        *,
        token: str | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        shares: bool = False,
    ) -> None:
        """Begin a stream, on a connection of its own, or on one with all others that share theirs."""
        address = f"127.0.0.1:{port}"
        options = [*_OPTIONS, ("grpc.use_local_subchannel_pool", 0 if shares else 1)]
        self._channel = (
            grpc.insecure_channel(address, options=options)
            if credentials is None
            else grpc.secure_channel(address, credentials, options=options)
        )
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        metadata = [] if token is None else [("authorization", f"Bearer {token}")]
        method: Any = self._channel.stream_stream("/ordago.v1.BotService/Play")
        self.call: Any = method(iter(self._outbox.get, None), metadata=metadata)

    def say(self, *frames: bytes) -> None:
        for frame in frames:
            self._outbox.put(frame)

    def end_sending(self) -> None:
        self._outbox.put(None)

    def hear(self) -> list[Any]:
        """Read one frame."""
        return [body_of(message) for message in v1.PlayResponse.FromString(next(self.call)).messages]

    def hear_if_any(self) -> list[Any]:
        """Read one frame, or nothing where the stream ends without one."""
        try:
            return self.hear()
        except (grpc.RpcError, StopIteration):
            return []

    def hear_out(self) -> list[Any]:
        """Read to the end of the stream."""
        heard = []
        try:
            while True:
                heard += self.hear()
        except (grpc.RpcError, StopIteration):
            return heard

    def end(self) -> tuple[grpc.StatusCode, str]:
        """Read to the end of the stream and return its status."""
        self.hear_out()
        return self.call.code(), self.call.details()

    @property
    def retry_after_ms(self) -> int:
        """What the server said at the end about coming again; 0 if nothing."""
        return int(dict(self.call.trailing_metadata()).get("retry-after-ms", "0"))

    def close(self) -> None:
        self.end_sending()
        self._channel.close()


@asynccontextmanager
async def raw_client(
    port: int, *, token: str | None = None, credentials: grpc.ChannelCredentials | None = None, shares: bool = False
) -> AsyncIterator[RawClient]:
    client = RawClient(port, token=token, credentials=credentials, shares=shares)
    try:
        yield client
    finally:
        client.close()
        await trio.lowlevel.checkpoint()
