"""Listens in on a connection, whose bytes it passes on both ways."""

import socket
import threading
from contextlib import suppress
from typing import Self


class Tap:
    """Passes on one connection after the other to an address of this machine, and keeps what the clients say."""

    def __init__(self, address: str) -> None:
        self._port = int(address.rpartition(":")[2])
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.said = b""
        """What the client said whose connection was the last one, or is."""

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # A thread that waits for somebody to connect is woken by this, and not by closing alone.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                with client, socket.create_connection(("127.0.0.1", self._port)) as server:
                    self.said = b""
                    back = threading.Thread(target=_pass_on, args=(server, client))
                    back.start()
                    while data := _heard(client):
                        self.said += data
                        server.sendall(data)
                    server.shutdown(socket.SHUT_WR)
                    back.join()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := _heard(source):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


def _heard(source: socket.socket) -> bytes:
    """Return what comes; nothing where it was broken off."""
    with suppress(OSError):
        return source.recv(65_536)
    return b""
