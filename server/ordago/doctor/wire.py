"""The wire between a bot and the doctor's server: it can be cut, and it can stand still."""

import socket
import struct
import threading
from contextlib import suppress
from typing import Final, Self

_READ_BYTES: Final = 64 * 1024
_PREFACE: Final = b"PRI * HTTP/2.0"
"""What a client begins with that speaks in the open."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""Ends a connection without a word of goodbye, as one that is lost."""


class Wire:
    """Passes on bytes between bots and a server."""

    def __init__(self, server_port: int, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen.

        Args:
            server_port: the port of this machine where the server listens.
            host: the address to listen at.
            port: the port to listen at; 0: any.

        Raises:
            OSError: nothing can be listened on there.
        """
        self._server_port = server_port
        self._listener = socket.create_server((host, port))
        self.port = int(self._listener.getsockname()[1])
        """The port where bots connect."""
        self.heard_in_the_open = False
        """Whether a bot spoke without TLS."""
        self._flows = _flowing()
        """What is set as long as those connections flow that are made now."""
        self._stalled: list[threading.Event] = []
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # A thread that waits for somebody to connect is woken by this, and not by closing alone.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.flow()
        self.cut()

    def cut(self) -> None:
        """Break all connections; new ones are passed on again."""
        with self._lock:
            ends, self._ends = self._ends, set()
        for end in ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def stall(self) -> None:
        """Stand still: the connections that there are stay, and nothing goes either way. New ones flow."""
        self._flows.clear()
        self._stalled.append(self._flows)
        self._flows = _flowing()

    def flow(self) -> None:
        """Pass on again what came meanwhile."""
        while self._stalled:
            self._stalled.pop().set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                bot, _ = self._listener.accept()
                threading.Thread(target=self._join, args=(bot,), daemon=True).start()

    def _join(self, bot: socket.socket) -> None:
        try:
            server = socket.create_connection(("127.0.0.1", self._server_port))
        except OSError:
            bot.close()
            return
        for end in (bot, server):
            # What is passed on does not wait for more to come.
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._ends |= {bot, server}
        flows = self._flows
        threading.Thread(target=self._pass_on, args=(server, bot, flows), daemon=True).start()
        with suppress(OSError):
            self.heard_in_the_open |= bot.recv(len(_PREFACE), socket.MSG_PEEK) == _PREFACE
        self._pass_on(bot, server, flows)

    def _pass_on(self, source: socket.socket, sink: socket.socket, flows: threading.Event) -> None:
        with suppress(OSError):
            while data := source.recv(_READ_BYTES):
                flows.wait()
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)


def _flowing() -> threading.Event:
    flows = threading.Event()
    flows.set()
    return flows
