"""``RulesService``: the rules of the games over grpc, for bots on the same machine."""

import os
import socket
import stat
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import grpc

from ordago import v1
from ordago.addresses import Address
from ordago.edge.server import EdgeError
from ordago.search.pool import CallerGoneError, Pool
from ordago.search.requests import MOST_MESSAGE_BYTES, RequestError, Why

_SERVICE: Final = v1.DrawWorldsRequest.DESCRIPTOR.file.services_by_name["RulesService"]
_WAITING: Final = 64
"""The calls that may wait for a process. Each holds its request in memory."""
_STATUSES: Final[Mapping[Why, grpc.StatusCode]] = {
    Why.UNFIT: grpc.StatusCode.INVALID_ARGUMENT,
    Why.TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Why.FOREIGN_STATE: grpc.StatusCode.FAILED_PRECONDITION,
    Why.TOO_LONG: grpc.StatusCode.DEADLINE_EXCEEDED,
    Why.FAILED: grpc.StatusCode.INTERNAL,
}
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MOST_MESSAGE_BYTES),
    ("grpc.max_send_message_length", MOST_MESSAGE_BYTES),
    # Two services on one port would refuse each other's states.
    ("grpc.so_reuseport", 0),
)
_OWNER_ONLY: Final = 0o177
"""The mask of permissions that leaves a socket to its owner: mode 0600."""


@contextmanager
def open_rules(address: Address, pool: Pool) -> Iterator[str]:
    """Serve the rules within the context, and yield the address to connect to.

    Args:
        address: the path of a Unix socket, which nobody but this user can connect to, or a host and port of this
            machine, which every user of it can.
        pool: answers the requests. It is ended with the context.

    Raises:
        EdgeError: the address cannot be listened on.
    """
    if address.path:
        _free(Path(address.path))
    calls = {method.name: _handler(pool, method.name) for method in _SERVICE.methods}
    workers = ThreadPoolExecutor(pool.size, thread_name_prefix="ordago-rules")
    server = grpc.server(workers, options=_OPTIONS, maximum_concurrent_rpcs=pool.size + _WAITING)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE.full_name, calls),))
    try:
        yield _listening(server, address)
    finally:
        server.stop(None)
        pool.end()
        if address.path:
            Path(address.path).unlink(missing_ok=True)


def _listening(server: grpc.Server, address: Address) -> str:
    """Start a server, and return its address."""
    host = f"[{address.host}]" if ":" in address.host else address.host
    before = os.umask(_OWNER_ONLY)
    try:
        # As a name of the domain name system, an address with port 0 is refused.
        port = server.add_insecure_port(address.target if address.path else f"{host}:{address.port}")
    except RuntimeError as error:
        if address.path:
            sentence = f"cannot listen on {address.path}: its folder is missing, or you may not write there"
        else:
            sentence = f"cannot listen on {host}:{address.port}: it is in use; choose another port, or 0 for any"
        raise EdgeError(sentence) from error
    finally:
        os.umask(before)
    server.start()
    return f"unix:{address.path}" if address.path else f"{host}:{port}"


def _free(path: Path) -> None:
    """Check that a path is free. A socket that nobody listens on is removed; grpc would remove any."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise EdgeError(f"{path} exists and is no socket: choose another path")
        if _is_listened_on(path):
            raise EdgeError(f"{path} is in use by a running program: choose another path")
        path.unlink()
    except FileNotFoundError:
        """It is free."""
    except OSError as error:
        raise EdgeError(f"cannot listen on {path}: {error.strerror}") from None


def is_loopback(host: str) -> bool:
    """Return True for an address that only programs on this machine can connect to."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_listened_on(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.connect(str(path))
        except ConnectionRefusedError:
            return False
        except OSError:
            # Of another user, for instance: not ours to remove.
            return True
        return True


def _handler(pool: Pool, name: str) -> "grpc.RpcMethodHandler[Any, Any]":
    return grpc.unary_unary_rpc_method_handler(partial(_answer, pool, name))


def _answer(pool: Pool, name: str, request: bytes, context: grpc.ServicerContext) -> bytes:
    try:
        return pool.answer(name, request, is_wanted=context.is_active)
    except RequestError as error:
        context.abort(_STATUSES[error.why], str(error))
    except CallerGoneError:
        context.abort(grpc.StatusCode.CANCELLED, "the caller has gone")
