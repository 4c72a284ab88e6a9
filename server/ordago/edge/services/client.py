"""Clients of the services, with one-sentence errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final, Self, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message

from ordago.addresses import parse_address
from ordago.edge.services.accounts import ACCOUNT_SERVICE
from ordago.edge.services.events import EVENT_SERVICE
from ordago.edge.services.ladder import LADDER_SERVICE, MATCH_SERVICE
from ordago.names import visible
from ordago_bot.handshake import permanent_trouble, unused_proxy
from ordago_bot.tls import Tls

AnswerT = TypeVar("AnswerT", bound=Message)

_OPTIONS: Final = (
    # Without it all clients of this process would share one connection, whatever their tokens.
    ("grpc.use_local_subchannel_pool", 1),
    # A client that watches for long notices when the server is gone. The times are those of the contract.
    ("grpc.keepalive_time_ms", 25_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    # As bots do (docs/bot-process.md): grpc would go to a proxy of the environment, even for this machine.
    ("grpc.enable_http_proxy", 0),
)


class CallError(Exception):
    """A call without an answer. The message gives the reason, and contains no secret."""

    def __init__(self, status: str, sentence: str) -> None:
        """Take the name of a gRPC status, and a sentence."""
        super().__init__(sentence)
        self.status = status


def call_name(request: Message) -> str:
    """Return the name of a request's call, for instance ``GetBot``."""
    return request.DESCRIPTOR.name.removesuffix("Request")


class Client:
    """A client of one service."""

    service: ClassVar[str]
    """The full name of the service."""
    patience_seconds: ClassVar[float] = 20.0
    """The longest time to wait for an answer: twice the time after which a server gives up."""
    absent: ClassVar[str]
    """The end of the error sentence if a server does not offer the service: what it lacks, and how to start it."""

    def __init__(self, channel: grpc.Channel, address: str, token: str, tls: Tls | None) -> None:
        """Use ``opened``."""
        self._channel = channel
        self._address = address
        self._tls = tls
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    @classmethod
    @contextmanager
    def opened(cls, address: str, *, token: str = "", tls: Tls | None = None) -> Iterator[Self]:
        """Connect to the server at ``HOST:PORT`` or ``unix:PATH`` within the context. Some calls need a token.

        Raises:
            AddressError: the address is malformed.
        """
        target = parse_address(address).target
        if tls is None:
            opened = grpc.insecure_channel(target, options=_OPTIONS)
        else:
            credentials = grpc.ssl_channel_credentials(tls.authorities, tls.key, tls.certificate)
            opened = grpc.secure_channel(target, credentials, options=_OPTIONS)
        with opened as channel:
            yield cls(channel, address, token, tls)

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Make the call of a request, and return its answer.

        Raises:
            CallError: the call failed.
        """
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(self._path(request))
        with self._naming_errors():
            asked = request.SerializeToString()
            return answer.FromString(method(asked, timeout=self.patience_seconds, metadata=self._metadata))

    def listen(
        self, request: Message, answer: type[AnswerT], *, patience_seconds: float | None = None
    ) -> Iterator[AnswerT]:
        """Make the streaming call of a request, and yield its answers as they come.

        Args:
            request: the request.
            answer: the message of the answers.
            patience_seconds: the longest time for all of them; no limit if ``None``.

        Raises:
            CallError: the stream failed before its end.
        """
        method: grpc.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(self._path(request))
        with self._naming_errors():
            asked = request.SerializeToString()
            yield from map(answer.FromString, method(asked, timeout=patience_seconds, metadata=self._metadata))

    def _path(self, request: Message) -> str:
        return f"/{self.service}/{call_name(request)}"

    @contextmanager
    def _naming_errors(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            # The error of a grpc call is the call object as well.
            raise self._error(cast(grpc.Call, error)) from None
        except DecodeError:
            sentence = f"the answer from {self._address} is not from an Ordago server: check the address"
            raise CallError(grpc.StatusCode.DATA_LOSS.name, sentence) from None

    def _error(self, call: grpc.Call) -> CallError:
        status = call.code()
        if status is grpc.StatusCode.UNIMPLEMENTED:
            sentence = f"the server at {self._address} {self.absent}"
        elif status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED):
            sentence = self._no_answer(call.details() or status.name)
        else:
            sentence = call.details() or status.name
        # The server may be anybody's, and its sentence goes to a terminal, so control characters are made visible.
        return CallError(status.name, visible(sentence))

    def _no_answer(self, details: str) -> str:
        if trouble := permanent_trouble(parse_address(self._address), self._tls):
            return f"the server at {self._address} {trouble}"
        # If grpc gives several reasons, the last one is the actual error.
        reason = details.rpartition("last error: UNKNOWN: ")[2]
        return f"no answer from {self._address}: {reason}{unused_proxy()}"


class LadderClient(Client):
    """Client of ``LadderService``."""

    service = LADDER_SERVICE
    absent = "has no ladder: start it with --ladder"


class EventClient(Client):
    """Client of ``EventService``."""

    service = EVENT_SERVICE
    patience_seconds = 60.0
    absent = "holds no events: start it with --tokens and --data"


class MatchClient(Client):
    """Client of ``MatchService``."""

    service = MATCH_SERVICE
    absent = LadderClient.absent


__all__ = ["AccountClient", "CallError", "call_name"]


class AccountClient(Client):
    """Client of ``AccountService``."""

    service = ACCOUNT_SERVICE
    absent = "has no accounts: start it with --tokens"
