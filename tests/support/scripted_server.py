"""A server that says what a test tells it to, over real gRPC, to bots that are processes of their own."""

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn, Self, TypeAlias

import grpc

from ordago import v1
from ordago.addresses import parse_address
from ordago_doctor.server import Connection, Ending, StreamOverError
from ordago_doctor.server import ScriptedServer as Server

LONGEST_SECONDS = 300.0
"""The patience of the tests is shorter."""


class BrokenOffError(Exception):
    """A scene ends the stream with a status."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.sentence)
        self.ending = ending


class Stage(NamedTuple):
    """One connection, as a scene sees it."""

    connection: Connection

    def hear(self) -> Sequence[v1.BotMessage]:
        """Wait for the next frame of the bot and return its messages."""
        return v1.PlayRequest.FromString(self.connection.hear(LONGEST_SECONDS).frame).messages

    def hear_all(self) -> Iterator[v1.BotMessage]:
        """Yield all messages of the bot, until its stream is over."""
        with suppress(StreamOverError):
            while True:
                yield from self.hear()

    def hello(self) -> v1.Hello:
        """Wait for the greeting of the bot."""
        return self.hear()[0].hello

    def choice(self) -> v1.Choice:
        """Wait for a frame and return the choice that it begins with."""
        return self.hear()[0].choice

    def break_off(self, status: grpc.StatusCode, sentence: str = "", *, retry_after_ms: int | None = None) -> NoReturn:
        """End the stream with a status, and say when to come back if this is given."""
        raise BrokenOffError(Ending(status, sentence, retry_after_ms))


Scene: TypeAlias = Callable[[Stage], Iterator[bytes] | None]
"""What happens on one connection; it yields the frames that the server sends."""


class ScriptedServer:
    """Plays one scene for each connection, in order, and refuses whoever comes after the last."""

    def __init__(self, *, socket: str = "") -> None:
        """Listen on a port of this machine, and on a Unix socket, if the path of one is given."""
        self._scenes: list[Scene] = []
        self._server = Server(socket=parse_address(f"unix:{socket}").target.removeprefix("unix:") if socket else "")
        self._over = threading.Event()
        self.address = f"127.0.0.1:{self._server.port}"

    def __enter__(self) -> Self:
        self._server.__enter__()
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.__exit__()

    def _serve(self) -> None:
        while not self._over.is_set():
            if (connection := self._server.next(0.1)) is not None:
                scene = self._scenes.pop(0) if self._scenes else _too_late
                threading.Thread(target=_play, args=(scene, connection), daemon=True).start()

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


def _too_late(stage: Stage) -> None:
    stage.break_off(grpc.StatusCode.ABORTED, "the script is over")


def _play(scene: Scene, connection: Connection) -> None:
    ending = Ending(grpc.StatusCode.OK)
    try:
        for frame in scene(Stage(connection)) or ():
            connection.send(frame)
    except BrokenOffError as broken_off:
        ending = broken_off.ending
    except StreamOverError:
        pass  # The bot has gone before the scene was over.
    connection.end(ending)
