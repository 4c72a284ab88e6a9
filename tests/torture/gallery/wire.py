"""What the bad bots have in common: one stream to the server that started them, and what a good bot would do there."""

import os
import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc

from ordago import v1

_METHOD = "/ordago.v1.BotService/Play"
# It can be read once.
TOKEN = Path(os.environ["ORDAGO_TOKEN_FILE"]).read_text(encoding="ascii")
_OPTIONS = (
    # Each has a connection of its own.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
)


class Wire:
    """A stream. Nothing is said on it, not even hello, but what the bot says."""

    def __init__(self) -> None:
        """Open it where the environment says."""
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        metadata = (("authorization", f"Bearer {TOKEN}"),)
        channel = grpc.insecure_channel(os.environ["ORDAGO_ADDRESS"], options=_OPTIONS)
        method: Any = channel.stream_stream(_METHOD)
        self._call: Any = method(iter(self._outbox.get, None), metadata=metadata)

    def say(self, **body: Any) -> None:
        """Send a message, for instance ``choice=...``."""
        self.say_bytes(v1.PlayRequest(messages=[v1.BotMessage(**body)]).SerializeToString())

    def say_bytes(self, frame: bytes) -> None:
        """Send anything."""
        self._outbox.put(frame)

    def greet(self, *, version: int = 1) -> None:
        """Say hello."""
        nonce = bytes.fromhex(os.environ.get("ORDAGO_NONCE", "00" * 16))
        self.say(hello=v1.Hello(min_version=version, max_version=version, nonce=nonce))

    def hear(self) -> Iterator[v1.ServerMessage]:
        """Yield what the server says, to the end of the stream."""
        try:
            for frame in self._call:
                yield from v1.PlayResponse.FromString(frame).messages
        except grpc.RpcError:
            return

    def answer(self, decision: v1.Decision) -> None:
        """Give the default answer."""
        self.choose(decision.match_handle, decision.number, decision.default_answer)

    def choose(self, handle: int, number: int, answer: v1.Answer) -> None:
        """Give an answer."""
        self.say(choice=v1.Choice(match_handle=handle, number=number, answer=answer))


def play(decide: Callable[[Wire, v1.Decision], object]) -> None:
    """Come in, and do this with every decision, to the end of the session."""
    wire = Wire()
    wire.greet()
    for message in wire.hear():
        if message.HasField("decision"):
            decide(wire, message.decision)
        elif message.HasField("refused") and message.refused.time_left_ms:
            again = v1.Decision(match_handle=message.refused.match_handle, number=message.refused.number)
            decide(wire, again)
