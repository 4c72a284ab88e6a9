"""Servers for bots that look at what they cannot connect to: over TLS, in the clear, and under another host."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import grpc
from support.certificates import Files

from ordago.addresses import Address


@contextmanager
def listening(files: Files | None = None, *, mutual: bool = False) -> Iterator[Address]:
    """Listen with the newest certificate of some files, or in the clear, and yield the address."""
    server = grpc.server(ThreadPoolExecutor(1))
    if files is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        pair = (files.key.read_bytes(), files.certificate.read_bytes())
        clients = files.clients.read_bytes() if mutual else None
        credentials = grpc.ssl_server_credentials([pair], clients, require_client_auth=mutual)
        port = server.add_secure_port("127.0.0.1:0", credentials)
    server.start()
    try:
        yield Address("127.0.0.1", port)
    finally:
        server.stop(None)


@contextmanager
def forwarded(target: Callable[[], Address], *, host: str = "127.0.0.2") -> Iterator[Address]:
    """Pass connections at another host of this machine on to a server, whichever it is when they come."""
    with ThreadPoolExecutor() as pool, socket.create_server((host, 0)) as listener:

        def accept() -> None:
            try:
                while True:
                    taken, _ = listener.accept()
                    pool.submit(_join, taken, target())
            except OSError:
                return  # The listener is closed at the end.

        pool.submit(accept)
        try:
            yield Address(host, listener.getsockname()[1])
        finally:
            listener.shutdown(socket.SHUT_RDWR)


def _join(taken: socket.socket, target: Address) -> None:
    with taken, socket.create_connection((target.host, target.port)) as onward, ThreadPoolExecutor(1) as pool:
        pool.submit(_carry, onward, taken)
        _carry(taken, onward)


def _carry(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        # One side has gone, so the other one is not needed any more. Closing it would not wake who waits for its bytes.
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
