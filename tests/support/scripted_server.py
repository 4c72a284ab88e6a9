"""A server that says what a test tells it to, over real gRPC, to bots that are processes of their own."""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, NoReturn, Self, TypeAlias

import grpc

from ordago import v1


class Stage(NamedTuple):
    """One connection, as a scene sees it."""

    requests: Iterator[v1.PlayRequest]
    context: grpc.ServicerContext

    def hear(self) -> Sequence[v1.BotMessage]:
        """Wait for the next frame of the bot and return its messages."""
        return next(self.requests).messages

    def hello(self) -> v1.Hello:
        """Wait for the greeting of the bot."""
        return self.hear()[0].hello

    def choice(self) -> v1.Choice:
        """Wait for a frame and return the choice that it begins with."""
        return self.hear()[0].choice

    def break_off(self, status: grpc.StatusCode, sentence: str = "", *, retry_after_ms: int | None = None) -> NoReturn:
        """End the stream with a status, and say when to come back if this is given."""
        if retry_after_ms is not None:
            self.context.set_trailing_metadata((("retry-after-ms", str(retry_after_ms)),))
        self.context.abort(status, sentence)


Scene: TypeAlias = Callable[[Stage], Iterator[bytes]]
"""What happens on one connection; it yields the frames that the server sends."""


class ScriptedServer:
    """Plays one scene for each connection, in order, and refuses whoever comes after the last."""

    def __init__(self) -> None:
        self._scenes: list[Scene] = []
        self._server = grpc.server(ThreadPoolExecutor(max_workers=4))
        method = grpc.stream_stream_rpc_method_handler(self._play, request_deserializer=v1.PlayRequest.FromString)
        handler = grpc.method_handlers_generic_handler("ordago.v1.BotService", {"Play": method})
        self._server.add_generic_rpc_handlers((handler,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait()

    def _play(self, requests: Iterator[v1.PlayRequest], context: grpc.ServicerContext) -> Iterator[bytes]:
        if not self._scenes:
            context.abort(grpc.StatusCode.ABORTED, "the script is over")
        yield from self._scenes.pop(0)(Stage(requests, context))

    @property
    def unplayed(self) -> int:
        """How many scenes nobody came for."""
        return len(self._scenes)

    def stage(self, *scenes: Scene) -> None:
        """Play these scenes for whoever comes next."""
        self._scenes = list(scenes)

    def start(
        self, command: Sequence[str], *scenes: Scene, environment: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[str]":
        """Start a bot that these scenes are played for."""
        self.stage(*scenes)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ORDAGO_")}
        return subprocess.Popen(  # noqa: S603 - ours
            [*command, "--address", self.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**clean, **(environment or {})},
        )
