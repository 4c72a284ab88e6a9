"""The other end of the services: asks a server, and says in a sentence why it gives no answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final, Self, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message

from ordago.edge.services.accounts import ACCOUNT_SERVICE
from ordago.edge.services.events import EVENT_SERVICE
from ordago.edge.services.ladder import LADDER_SERVICE, MATCH_SERVICE
from ordago.names import visible
from ordago_bot.tls import Tls

AnswerT = TypeVar("AnswerT", bound=Message)

_OPTIONS: Final = (
    # Else all that this process asks would go over one connection, with whatever token.
    ("grpc.use_local_subchannel_pool", 1),
    # Whoever looks on for long notices when the server is gone; its times are those of the contract.
    ("grpc.keepalive_time_ms", 25_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
)


class CallError(Exception):
    """A call got no answer. The message says why, and tells no secret."""

    def __init__(self, status: str, sentence: str) -> None:
        """Take over what came in place of an answer: the name of a status, and a sentence."""
        super().__init__(sentence)
        self.status = status


def call_name(request: Message) -> str:
    """Return the name of the call that a request is for."""
    return request.DESCRIPTOR.name.removesuffix("Request")


class Client:
    """Asks a server by one of its services."""

    service: ClassVar[str]
    """The full name of the service."""
    patience_seconds: ClassVar[float] = 20.0
    """For how long an answer is waited for: twice as long as a server takes at most until it gives up."""
    absent: ClassVar[str]
    """What a server that does not offer it lacks, and how it is to be started: the rest of a sentence."""

    def __init__(self, channel: grpc.Channel, address: str, token: str) -> None:
        """Use ``opened``."""
        self._channel = channel
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    @classmethod
    @contextmanager
    def opened(cls, address: str, *, token: str = "", tls: Tls | None = None) -> Iterator[Self]:
        """Ask the server at ``HOST:PORT``, by a token where a call needs one."""
        if tls is None:
            opened = grpc.insecure_channel(address, options=_OPTIONS)
        else:
            credentials = grpc.ssl_channel_credentials(tls.authorities, tls.key, tls.certificate)
            opened = grpc.secure_channel(address, credentials, options=_OPTIONS)
        with opened as channel:
            yield cls(channel, address, token)

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Make the call that a request is for, and return its answer.

        Raises:
            CallError: there is none.
        """
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(self._path(request))
        with self._told():
            asked = request.SerializeToString()
            return answer.FromString(method(asked, timeout=self.patience_seconds, metadata=self._metadata))

    def listen(self, request: Message, answer: type[AnswerT]) -> Iterator[AnswerT]:
        """Make the call that a request is for, and go through its answers as they come.

        Raises:
            CallError: it did not come to its end.
        """
        method: grpc.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(self._path(request))
        with self._told():
            yield from map(answer.FromString, method(request.SerializeToString(), metadata=self._metadata))

    def _path(self, request: Message) -> str:
        return f"/{self.service}/{call_name(request)}"

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            # An error of a call is the call as well.
            raise self._error(cast(grpc.Call, error)) from None
        except DecodeError:
            sentence = f"what came from {self._address} is no answer: is another program listening there?"
            raise CallError(grpc.StatusCode.DATA_LOSS.name, sentence) from None

    def _error(self, call: grpc.Call) -> CallError:
        status = call.code()
        if status is grpc.StatusCode.UNIMPLEMENTED:
            sentence = f"the server at {self._address} {self.absent}"
        elif status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED):
            # Of several reasons that grpc gives, the last one is that of the server.
            reason = (call.details() or status.name).rpartition("last error: UNKNOWN: ")[2]
            sentence = f"no answer from {self._address}: {reason}"
        else:
            sentence = call.details() or status.name
        # It may be any server, and what it says goes to a terminal.
        return CallError(status.name, visible(sentence))


class LadderClient(Client):
    """Asks for a ladder."""

    service = LADDER_SERVICE
    absent = "has no ladder: it is to be started with --ladder"


class EventClient(Client):
    """Asks for events."""

    service = EVENT_SERVICE
    patience_seconds = 60.0
    absent = "holds no events: it is to be started with --tokens and --data"


class MatchClient(Client):
    """Asks for the matches of a ladder."""

    service = MATCH_SERVICE
    absent = LadderClient.absent


__all__ = ["AccountClient", "CallError", "call_name"]


class AccountClient(Client):
    """Asks for accounts."""

    service = ACCOUNT_SERVICE
    absent = "has no accounts: it is to be started with --tokens"
