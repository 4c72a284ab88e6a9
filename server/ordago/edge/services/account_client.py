"""The other end of ``AccountService``: asks a server, and says in a sentence why it gives no answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError, Message

from ordago.edge.services.accounts import ACCOUNT_SERVICE
from ordago.names import visible
from ordago_bot.tls import Tls

AnswerT = TypeVar("AnswerT", bound=Message)

_PATIENCE_SECONDS: Final = 20.0
"""Twice as long as a server takes at most until it gives up."""
# Else all that this process asks would go over one connection, with whatever token.
_OPTIONS: Final = (("grpc.use_local_subchannel_pool", 1),)


class CallError(Exception):
    """A call got no answer. The message says why, and tells no secret."""

    def __init__(self, status: str, sentence: str) -> None:
        """Take over what came in place of an answer: the name of a status, and a sentence."""
        super().__init__(sentence)
        self.status = status


def call_name(request: Message) -> str:
    """Return the name of the call that a request is for."""
    return request.DESCRIPTOR.name.removesuffix("Request")


class AccountClient:
    """Asks a server."""

    def __init__(self, channel: grpc.Channel, address: str, token: str) -> None:
        """Use ``AccountClient.opened``."""
        self._channel = channel
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    @classmethod
    @contextmanager
    def opened(cls, address: str, *, token: str = "", tls: Tls | None = None) -> Iterator["AccountClient"]:
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
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(
            f"/{ACCOUNT_SERVICE}/{call_name(request)}"
        )
        try:
            return answer.FromString(
                method(request.SerializeToString(), timeout=_PATIENCE_SECONDS, metadata=self._metadata)
            )
        except grpc.RpcError as error:
            # An error of a call is the call as well.
            raise self._told(cast(grpc.Call, error)) from None
        except DecodeError:
            raise CallError("INTERNAL", f"what {self._address} sends is no answer: is it a server of Ordago?") from None

    def _told(self, call: grpc.Call) -> CallError:
        status = call.code()
        if status is grpc.StatusCode.UNIMPLEMENTED:
            sentence = f"the server at {self._address} has no accounts: it is to be started with --tokens"
        elif status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            sentence = f"no answer from {self._address}: {call.details() or status.name}"
        else:
            sentence = call.details() or status.name
        # It may be any server, and what it says goes to a terminal.
        return CallError(status.name, visible(sentence))
