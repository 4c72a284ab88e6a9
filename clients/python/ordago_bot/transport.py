"""The network connection of a player: a stream of ``BotService.Play``, opened again when it breaks."""

import logging
import queue
import random
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, cast

import grpc

from ordago import v1
from ordago.addresses import Address, parse_address
from ordago_bot import events
from ordago_bot.back_off import PATIENCE_SECONDS, End, Over
from ordago_bot.handshake import permanent_trouble, unused_proxy
from ordago_bot.log import NOTE, Event
from ordago_bot.minds import Minds
from ordago_bot.player import Player
from ordago_bot.tls import Tls

_METHOD: Final = "/ordago.v1.BotService/Play"
_DESCRIBE: Final = "/ordago.v1.GameService/DescribeEvent"
_EVENT_KEY: Final = "ordago-event"
_LOOK_SECONDS: Final = 0.5
"""The interval in which the thread that waits for an order to stop checks for the end of its stream."""
# Half-open connections are noticed after 25 + 10 seconds at most, within the minute for which sessions can usually be
# resumed. The server allows a ping every 8 seconds.
_OPTIONS: Final = (
    # Without it all players of a process would share one connection, and a server limits the streams of each.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.keepalive_time_ms", 25_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # Its default of a minute would win over the line above.
    ("grpc.max_receive_message_length", -1),
    # Without it grpc sends extra pings to measure bandwidth, for windows far larger than a bot ever needs.
    ("grpc.http2.bdp_probe", 0),
    # Libraries disagree on what the variables for proxies mean; grpc would use one for this machine, too.
    ("grpc.enable_http_proxy", 0),
)
_NO_CONNECTION: Final = re.compile("^failed to connect to all addresses; last error: [A-Z]+: (ipv[46]:)?")
"""The words of gRPC in front of the reason for a failed connection."""
_RETRY_AFTER: Final = "retry-after-ms"
_UNAVAILABLE: Final = "UNAVAILABLE"
NO_TOKEN: Final = "the token has a character that no token has; was it copied with a line end?"  # noqa: S105 - a sentence
NO_EVENT: Final = "no event: its name has small letters, digits and hyphens"


class SessionEndedError(Exception):
    """The server ended the session for good, or cannot be reached."""

    def __init__(self, event: Event) -> None:
        """Raise for this reason."""
        super().__init__(event.message)
        self.event = event
        """The reason, for the log."""


class Stop(NamedTuple):
    """Orders to end. If both are the same event, the bot leaves at once."""

    retire: threading.Event
    """Take no more seats, and end when the running matches are over; if not connected, leave."""
    leave: threading.Event
    """Say goodbye, and forfeit the running matches. Set only after ``retire``."""


def is_event(name: str) -> bool:
    """Return True if an event may have this name, or if it is empty."""
    return not name or re.fullmatch("[a-z0-9][a-z0-9-]{0,63}", name) is not None


def play(
    player: Player,
    *,
    address: str,
    token: str = "",
    event: str = "",
    tls: Tls | None = None,
    patience_seconds: float = PATIENCE_SECONDS,
    stop: Stop | None = None,
    jitter: Callable[[], float] = random.random,
) -> str | None:
    """Play until the server says goodbye and return its reason, or ``None`` if the bot was told to leave before.

    A broken connection is opened again. After ``patience_seconds`` of failed attempts the bot gives up, or when the
    session cannot be resumed any more, if that is later: a restarted server may continue its matches. If the server
    says when to come back, the bot waits until then.

    Args:
        player: the player to connect.
        address: the address of the server, ``HOST:PORT``, ``[IPv6]:PORT`` or ``unix:PATH``.
        token: the bearer token of the bot; empty to send none.
        event: the name of the event to join; empty for the server's ladder, or its only event.
        tls: certificates for TLS; ``None`` for an unencrypted connection.
        patience_seconds: seconds of failed attempts before giving up.
        stop: orders to end, set by another thread.
        jitter: draws random numbers from 0 to 1, by which the pauses between attempts vary.

    Raises:
        AddressError: the address is malformed.
        SessionEndedError: the server refused or ended the session for good, or cannot be reached.
    """
    target = parse_address(address)
    stop = stop or Stop(threading.Event(), threading.Event())
    minds = Minds()
    was_heard = has_looked = False
    try:
        while not stop.leave.is_set():
            stream = _Stream(player, minds, address=target, token=token, event=event, tls=tls)
            threading.Thread(target=stream.obey, args=(stop,), daemon=True).start()
            end = stream.run()
            was_heard |= stream.alive
            if end.status == _UNAVAILABLE and not (was_heard or has_looked):
                has_looked = True
                _check_trouble(address, tls)
            comes_back = player.lost(end, address=address, patience_seconds=patience_seconds, jitter=jitter())
            if isinstance(comes_back, Over):
                return _farewell(comes_back, hint="" if was_heard else unused_proxy())
            if not stop.leave.is_set():
                comes_back.event.log()
                _wait(comes_back.seconds, player, stop)
    finally:
        minds.close()
    return None


def _check_trouble(address: str, tls: Tls | None) -> None:
    """Look, after a first connection that failed, whether another one can ever work.

    Raises:
        SessionEndedError: it cannot.
    """
    if trouble := permanent_trouble(parse_address(address), tls):
        raise SessionEndedError(Event(NOTE, f"the server at {address} {trouble}", level=logging.ERROR))


def _farewell(over: Over, *, hint: str) -> str:
    """Return the goodbye of the server; hint is added to the sentence about a server that never answered."""
    event = over.event
    if not over.exit_code:
        return str(event.fields["sentence"])
    if event.name == events.UNREACHABLE:
        event = event._replace(message=event.message + hint)
    raise SessionEndedError(event)


def _wait(seconds: float, player: Player, stop: Stop) -> None:
    """Wait before the next attempt to connect, unless the bot is told to end."""
    if _was_asked_before(player, stop):
        stop.leave.wait(seconds)
    elif stop.retire.wait(seconds):
        stop.leave.set()


def _was_asked_before(player: Player, stop: Stop) -> bool:
    """Return True if the bot retires by order. It may also have retired by itself before."""
    return player.retiring and stop.retire.is_set()


class _Arrival(NamedTuple):
    """A frame that arrived."""

    frame: bytes
    seconds: float
    """The time of arrival, by the monotonic clock."""


class _Thoughts(NamedTuple):
    """The news that bots that think elsewhere have finished thoughts."""


class _Stream:
    """One connection."""

    def __init__(
        self, player: Player, minds: Minds, *, address: Address, token: str, event: str, tls: Tls | None = None
    ) -> None:
        self._player = player
        self._minds = minds
        self._address = address
        self._tls = tls
        self._event = event
        named = (("authorization", f"Bearer {token}" if token else ""), (_EVENT_KEY, event))
        self._metadata = tuple((key, value) for key, value in named if value)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[_Arrival | _Thoughts | End] = queue.SimpleQueue()
        self._playing = threading.Lock()
        self._over = threading.Event()
        self.alive = False

    def run(self) -> End:
        """Play until the stream ends, and return its end."""
        with _channel(self._address, self._tls) as channel:
            try:
                return self._run(channel)
            except grpc.RpcError as error:
                return _end_of(error)
            finally:
                self._over.set()
                self._outbox.put(None)

    def _run(self, channel: grpc.Channel) -> End:
        if self._player.keeps_receipts:
            self._player.learn(_described(channel, self._event))
        # No serializers: the state machine of the session parses and makes the bytes itself.
        method: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
        # Answers found while there was no connection are stored, and sent when their decisions come again.
        self._minds.wake = self._wake
        self._reply(_Thoughts())
        self._outbox.put(self._player.connect())
        frames = method(self._frames(), metadata=self._metadata)
        threading.Thread(target=self._read, args=(frames,), daemon=True).start()
        while not isinstance(came := self._inbox.get(), End):
            self._reply(came)
        return came

    def _read(self, frames: Iterable[bytes]) -> None:
        """Note the arrival time of each frame, even while the bot thinks about an earlier one."""
        end = End("OK")
        try:
            for frame in frames:
                self._inbox.put(_Arrival(frame, time.monotonic()))
        except grpc.RpcError as error:
            end = _end_of(error)
        finally:
            self._inbox.put(end)

    def _wake(self) -> None:
        self._inbox.put(_Thoughts())

    def obey(self, stop: Stop) -> None:
        """Retire and leave as soon as ``stop`` orders it, unless the stream ends before."""
        # A player that retired on an earlier connection says so again by itself, as soon as this one is open.
        was_asked = _was_asked_before(self._player, stop)
        if not was_asked and self._comes(stop.retire) and not stop.leave.is_set():
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
        events.stopping().log()

    def _leave(self) -> None:
        with self._playing:
            frame = self._player.leave()
        for sent in (frame, None) if frame else (None,):
            self._outbox.put(sent)

    def _frames(self) -> Iterator[bytes]:
        while (frame := self._outbox.get()) is not None:
            yield frame

    def _reply(self, came: "_Arrival | _Thoughts") -> None:
        with self._playing:
            if isinstance(came, _Arrival):
                self.alive = True
                frame = self._player.receive(came.frame, arrived_seconds=came.seconds)
            else:
                frame = self._player.answer(self._minds.finished())
            questions = self._player.questions()
        if frame:
            self._outbox.put(frame)
        self._minds.think(questions)


def _described(channel: grpc.Channel, event: str) -> v1.DescribeEventResponse:
    """Ask for the description of the event. A server without this method has no event."""
    method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_DESCRIBE)
    try:
        return v1.DescribeEventResponse.FromString(method(v1.DescribeEventRequest(event=event).SerializeToString()))
    except grpc.RpcError as error:
        if cast(grpc.Call, error).code() is not grpc.StatusCode.UNIMPLEMENTED:
            raise
        return v1.DescribeEventResponse()


def _channel(address: Address, tls: Tls | None) -> grpc.Channel:
    if tls is None:
        return grpc.insecure_channel(address.target, options=_OPTIONS)
    credentials = grpc.ssl_channel_credentials(tls.authorities, tls.key, tls.certificate)
    return grpc.secure_channel(address.target, credentials, options=_OPTIONS)


def _end_of(error: grpc.RpcError) -> End:
    call = cast(grpc.Call, error)  # An error of a stream is its call as well.
    return End(call.code().name, _NO_CONNECTION.sub("", call.details() or ""), _retry_after_ms(call))


def _retry_after_ms(call: grpc.Call) -> int:
    """Return the milliseconds after which the server allows another attempt, from its trailers; 0 if not given."""
    value = next((str(value) for key, value in call.trailing_metadata() or () if key == _RETRY_AFTER), "")
    return int(value) if re.fullmatch("[0-9]{1,10}", value) else 0
