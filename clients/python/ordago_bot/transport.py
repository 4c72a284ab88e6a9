"""The wire under a player: one stream of ``BotService.Play``, taken up again when it breaks."""

import logging
import queue
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, cast

import grpc

from ordago import v1
from ordago_bot.player import Player
from ordago_bot.tls import Tls

_METHOD: Final = "/ordago.v1.BotService/Play"
_DESCRIBE: Final = "/ordago.v1.GameService/DescribeEvent"
_EVENT_KEY: Final = "ordago-event"
# Those of the contract (docs/protocol.md, broken connections).
_FIRST_PAUSE_SECONDS: Final = 0.25
_LONGEST_PAUSE_SECONDS: Final = 8.0
_LOOK_SECONDS: Final = 0.5
"""How often a stream that waits to be stopped looks whether it is over."""
# A connection that is half open is noticed after 35 seconds at most, while the session can still be resumed: for a
# minute as a rule. The server lets clients ping every 8 seconds.
_OPTIONS: Final = (
    # Else all players of a process would share one connection, on which a server bears but a few.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.keepalive_time_ms", 25_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # Its default of a minute would win over the line above.
    ("grpc.max_receive_message_length", -1),
)
_COME_BACK: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL})
_NOT_LET_IN: Final = frozenset({grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED})
_RETRY_AFTER: Final = "retry-after-ms"
_MS_PER_SECOND: Final = 1000

_logger = logging.getLogger("ordago_bot")


class SessionEndedError(Exception):
    """The server ended the session, and coming back is of no use."""


class Stop(NamedTuple):
    """How a bot is told to end. With one event for both it leaves at once."""

    retire: threading.Event
    """It takes no more seats, and ends when its running matches are over. Where it is not connected it leaves."""
    leave: threading.Event
    """It says goodbye, and forfeits what it plays. Set only after the other."""


def play(
    player: Player,
    *,
    address: str,
    token: str = "",
    event: str = "",
    tls: Tls | None = None,
    patience_seconds: float = 30.0,
    stop: Stop | None = None,
) -> str | None:
    """Play until the server says goodbye, and return its reason, or ``None`` if the bot left before, as it was told.

    A connection that breaks is taken up again, as long as this does not fail for ``patience_seconds`` on end, or for as
    long as the session can be resumed: a server that is started anew may carry on its matches. A server that says when
    to come back is obeyed.

    Args:
        player: who plays.
        address: where the server is, ``HOST:PORT`` or ``unix:PATH``.
        token: what the bot comes in with.
        event: the event that it comes in for; empty: what the server plays at all times, or the one that it plays.
        tls: how the server proves who it is; ``None`` where everything goes in the open.
        patience_seconds: for how long it tries in vain.
        stop: what tells the bot to end.

    Raises:
        SessionEndedError: the server refused or ended the session, or cannot be reached.
    """
    stop = stop or Stop(threading.Event(), threading.Event())
    pauses = _Pauses()
    while player.farewell is None and not stop.leave.is_set():
        stream = _Stream(player, address=address, token=token, event=event, tls=tls)
        threading.Thread(target=stream.obey, args=(stop,), daemon=True).start()
        end = _end_of(stream, player, address)
        if stream.alive or end.retry_after_seconds or end.lost_session:
            pauses = _Pauses()
        if player.farewell is None and not stop.leave.is_set():
            if pauses.seconds > max(patience_seconds, player.resume_window_seconds):
                raise SessionEndedError(f"no server answers at {address} ({end.reason})")
            pause = end.retry_after_seconds or pauses.next()
            _logger.info("the connection broke (%s); trying again in %.2f s", end.reason, pause)
            _wait(pause, player, stop)
    return player.farewell


def _wait(seconds: float, player: Player, stop: Stop) -> None:
    """Wait before the next attempt to connect, unless the bot is told to end."""
    if _was_told_before(player, stop):
        stop.leave.wait(seconds)
    elif stop.retire.wait(seconds):
        stop.leave.set()


def _was_told_before(player: Player, stop: Stop) -> bool:
    """Say whether the bot retires because it was told to. It may have retired by itself, and be told so later."""
    return player.retiring and stop.retire.is_set()


class _Pauses:
    """How long to wait before each attempt to come back, since the server was last heard of."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._next = _FIRST_PAUSE_SECONDS

    @property
    def seconds(self) -> float:
        """How long this goes on."""
        return time.monotonic() - self._began

    def next(self) -> float:
        """Return the next pause in seconds: twice the one before, within a bound."""
        pause = self._next
        self._next = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        return pause


class _Arrival(NamedTuple):
    """A frame that came."""

    frame: bytes
    seconds: float
    """When it came, by the monotonic clock."""


class _End(NamedTuple):
    """How a connection ended that may be taken up again."""

    reason: str
    """Why, in words of grpc or of the server: a certificate that is not believed looks like a server that is away."""
    retry_after_seconds: float
    """How long the server wants to be left alone; zero where it does not say."""
    lost_session: bool = False
    """Whether the server is there, and does not know the session any more: a new one may begin at once."""


class _Stream:
    """One connection."""

    def __init__(self, player: Player, *, address: str, token: str, event: str, tls: Tls | None = None) -> None:
        self._player = player
        self._address = address
        self._tls = tls
        self._event = event
        named = (("authorization", f"Bearer {token}" if token else ""), (_EVENT_KEY, event))
        self._metadata = tuple((key, value) for key, value in named if value)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[_Arrival | grpc.RpcError | None] = queue.SimpleQueue()
        self._playing = threading.Lock()
        self._over = threading.Event()
        self._left = False
        self.alive = False

    def run(self) -> None:
        """Play until the stream ends."""
        with _channel(self._address, self._tls) as channel:
            try:
                if self._player.keeps_receipts:
                    self._player.learn(_described(channel, self._event))
                # Without serializers bytes pass as they are: the session machine parses and makes them.
                method: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
                self._outbox.put(self._player.greet())
                frames = method(self._frames(), metadata=self._metadata)
                threading.Thread(target=self._read, args=(frames,), daemon=True).start()
                for arrival in self._arrivals():
                    self.alive = True
                    self._reply(arrival)
            finally:
                self._over.set()
                self._outbox.put(None)

    def _read(self, frames: Iterable[bytes]) -> None:
        """Note when each frame comes, even while the bot thinks about one before it."""
        end = None
        try:
            for frame in frames:
                self._inbox.put(_Arrival(frame, time.monotonic()))
        except grpc.RpcError as error:
            end = error
        finally:
            self._inbox.put(end)

    def _arrivals(self) -> Iterator[_Arrival]:
        while (arrival := self._inbox.get()) is not None:
            if isinstance(arrival, grpc.RpcError):
                raise arrival
            yield arrival

    def obey(self, stop: Stop) -> None:
        """Retire and leave as soon as the bot is told to, unless the stream is over before."""
        # Who retired on an earlier connection says it again by himself, as soon as this one is open.
        told = _was_told_before(self._player, stop)
        if not told and self._comes(stop.retire) and not stop.leave.is_set():
            self._retire(stop)
        if self._comes(stop.leave):
            self._leave()

    def _comes(self, order: threading.Event) -> bool:
        while not self._over.is_set():
            if order.wait(_LOOK_SECONDS):
                return True
        return False

    def _retire(self, stop: Stop) -> None:
        with self._playing:
            if not self.alive:
                stop.leave.set()
                return
            if frame := self._player.retire():
                self._outbox.put(frame)
        _logger.info("told to stop: running matches are played to their end; once more to leave at once")

    def _leave(self) -> None:
        with self._playing:
            if self.alive:
                self._outbox.put(self._player.leave("the bot was told to stop"))
            self._left = True
        self._outbox.put(None)

    def _frames(self) -> Iterator[bytes]:
        while (frame := self._outbox.get()) is not None:
            yield frame

    def _reply(self, arrival: _Arrival) -> None:
        frame, seconds = arrival
        with self._playing:
            answer = b"" if self._left else self._player.receive(frame, arrived_seconds=seconds)
        if answer:
            self._outbox.put(answer)


def _described(channel: grpc.Channel, event: str) -> v1.DescribeEventResponse:
    """Ask for the event that the bot comes in for. A server that does not know the question plays none."""
    method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_DESCRIBE)
    try:
        return v1.DescribeEventResponse.FromString(method(v1.DescribeEventRequest(event=event).SerializeToString()))
    except grpc.RpcError as error:
        if cast(grpc.Call, error).code() is not grpc.StatusCode.UNIMPLEMENTED:
            raise
        return v1.DescribeEventResponse()


def _channel(address: str, tls: Tls | None) -> grpc.Channel:
    if tls is None:
        return grpc.insecure_channel(address, options=_OPTIONS)
    credentials = grpc.ssl_channel_credentials(tls.authorities, tls.key, tls.certificate)
    return grpc.secure_channel(address, credentials, options=_OPTIONS)


def _end_of(stream: _Stream, player: Player, address: str) -> _End:
    """Play over a stream until it ends, and return how it did.

    Raises:
        SessionEndedError: it is of no use to come back.
    """
    try:
        stream.run()
    except grpc.RpcError as error:
        call = cast(grpc.Call, error)  # An error of a stream is its call as well.
        retry_after = player.retry_after_seconds or _retry_after_seconds(call)
        if not _is_worth_coming_back(call, stream, player, retry_after):
            reason = f"({call.code().name}): {call.details()}"
            raise SessionEndedError(f"the server at {address} ended the session {reason}") from None
        return _End(call.details() or call.code().name, retry_after, call.code() in _NOT_LET_IN)
    return _End("the stream ended", player.retry_after_seconds)


def _is_worth_coming_back(call: grpc.Call, stream: _Stream, player: Player, retry_after: float) -> bool:
    status = call.code()
    if status in _COME_BACK:
        return True
    if status in _NOT_LET_IN:
        # Perhaps the session cannot be resumed any more; then a new one may begin.
        return not stream.alive and player.lose_session(call.details())
    # A server that is full says when to come back. One that was flooded says goodbye as well, and means it.
    return retry_after > 0 and player.farewell is None


def _retry_after_seconds(call: grpc.Call) -> float:
    """Return the time that the server wants to be left alone, by what came with its status; 0 if it does not say."""
    values = [value for key, value in call.trailing_metadata() or () if key == _RETRY_AFTER]
    return int(values[0]) / _MS_PER_SECOND if values and values[0].isdigit() else 0.0
