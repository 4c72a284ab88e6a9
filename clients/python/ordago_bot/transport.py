"""The wire under a player: one stream of ``BotService.Play``, taken up again when it breaks."""

import logging
import queue
import threading
import time
from collections.abc import Iterator
from typing import Final, cast

import grpc

from ordago_bot.player import Player
from ordago_bot.tls import Tls

_METHOD: Final = "/ordago.v1.BotService/Play"
_FIRST_PAUSE_SECONDS: Final = 0.25
_LONGEST_PAUSE_SECONDS: Final = 8.0
_LOOK_SECONDS: Final = 0.5
"""How often a stream that waits to be stopped looks whether it is over."""
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 25_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", -1),
)
_COME_BACK: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL})

_logger = logging.getLogger("ordago_bot")


class SessionEndedError(Exception):
    """The server ended the session, and coming back is of no use."""


def play(
    player: Player,
    *,
    address: str,
    token: str = "",
    tls: Tls | None = None,
    patience_seconds: float = 30.0,
    stop: threading.Event | None = None,
) -> str | None:
    """Play until the server says goodbye, and return its reason, or ``None`` if ``stop`` was set before.

    A connection that breaks is taken up again, as long as this does not fail for ``patience_seconds`` on end.

    Raises:
        SessionEndedError: the server refused or ended the session, or cannot be reached.
    """
    stop = stop or threading.Event()
    pause, last_alive = _FIRST_PAUSE_SECONDS, time.monotonic()
    while player.farewell is None and not stop.is_set():
        stream = _Stream(player, address=address, token=token, tls=tls)
        threading.Thread(target=stream.leave_when, args=(stop,), daemon=True).start()
        try:
            stream.run()
        except grpc.RpcError as error:
            _judge(player, error, address)
        if stream.alive:
            pause, last_alive = _FIRST_PAUSE_SECONDS, time.monotonic()
        if player.farewell is None and not stop.is_set():
            if time.monotonic() - last_alive > patience_seconds:
                raise SessionEndedError(f"no server answers at {address}")
            _logger.info("the connection broke; trying again in %.2f s", pause)
            stop.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
    return player.farewell


class _Stream:
    """One connection."""

    def __init__(self, player: Player, *, address: str, token: str, tls: Tls | None) -> None:
        self._player = player
        self._address = address
        self._tls = tls
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._playing = threading.Lock()
        self._over = threading.Event()
        self._left = False
        self.alive = False

    def run(self) -> None:
        """Play until the stream ends."""
        with _channel(self._address, self._tls) as channel:
            # Without serializers bytes pass as they are: the session machine parses and makes them.
            method: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
            self._outbox.put(self._player.greet())
            try:
                for frame in method(self._frames(), metadata=self._metadata):
                    self.alive = True
                    self._reply(frame)
            finally:
                self._over.set()
                self._outbox.put(None)

    def leave_when(self, stop: threading.Event) -> None:
        """Say goodbye as soon as an event is set, unless the stream is over before."""
        while not self._over.is_set():
            if stop.wait(_LOOK_SECONDS):
                self._leave()
                return

    def _leave(self) -> None:
        with self._playing:
            if self.alive:
                self._outbox.put(self._player.leave("the bot was told to stop"))
            self._left = True
        self._outbox.put(None)

    def _frames(self) -> Iterator[bytes]:
        while (frame := self._outbox.get()) is not None:
            yield frame

    def _reply(self, frame: bytes) -> None:
        with self._playing:
            answer = b"" if self._left else self._player.receive(frame)
        if answer:
            self._outbox.put(answer)


def _channel(address: str, tls: Tls | None) -> grpc.Channel:
    if tls is None:
        return grpc.insecure_channel(address, options=_OPTIONS)
    credentials = grpc.ssl_channel_credentials(tls.authorities, tls.key, tls.certificate)
    return grpc.secure_channel(address, credentials, options=_OPTIONS)


def _judge(player: Player, error: grpc.RpcError, address: str) -> None:
    """Return if it is worth while to come back; else say why not."""
    call = cast(grpc.Call, error)  # An error of a stream is its call as well.
    status = call.code()
    if status in _COME_BACK:
        return
    if status is grpc.StatusCode.UNAUTHENTICATED and player.forget_session():
        return
    raise SessionEndedError(f"the server at {address} ended the session ({status.name}): {call.details()}")
