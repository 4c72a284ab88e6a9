"""The wire between a bot and the doctor's server, which can break and stall."""

import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Self, TypeAlias

Heard: TypeAlias = Callable[[bytes], object]
"""A callback for data, called before it is passed on."""

_READ_BYTES: Final = 64 * 1024
_MOST_CONNECTIONS: Final = 32
"""The number of connections at a time; further ones are closed."""
_PREFACE: Final = b"PRI * HTTP/2.0"
"""The first bytes of a client without TLS."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""Closes a connection with a reset, like a lost one."""


def _unheard(_data: bytes) -> None:
    """Ignore the data."""


class _Line:
    """A connection of a bot, joined with one to the server."""

    def __init__(self, bot: socket.socket, server: socket.socket, flows: threading.Event, heard: Heard) -> None:
        self._ends = (bot, server)
        self._flows = flows
        self._heard = heard
        self._lost = False
        for end in self._ends:
            # Send at once, and do not wait for more data.
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def carry(self) -> None:
        """Pass on data in both directions, until both ends are closed."""
        bot, server = self._ends
        back = threading.Thread(target=self._pass_on, args=(server, bot, _unheard), daemon=True)
        back.start()
        self._pass_on(bot, server, self._heard)
        back.join()

    def lose(self) -> None:
        """Reset both ends."""
        self._lost = True
        for end in self._ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                # This wakes the thread that reads.
                end.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        """Close both ends."""
        for end in self._ends:
            end.close()

    def _pass_on(self, source: socket.socket, sink: socket.socket, heard: Heard) -> None:
        with suppress(OSError):
            while (data := source.recv(_READ_BYTES)) and not self._lost:
                heard(data)
                self._flows.wait()
                sink.sendall(data)
        with suppress(OSError):
            if not self._lost:
                sink.shutdown(socket.SHUT_WR)


@contextmanager
def kept_address(host: str, port: int) -> Iterator[None]:
    """Keep an address between two listeners, so that no other program takes it in the meantime.

    A socket that is bound and does not listen refuses connections, as a closed port does. Without it the system may
    give the port to any connection that leaves this machine, such as an attempt of the waiting bot itself.

    Args:
        host: the address.
        port: the port; with 0 there is nothing to keep.

    Raises:
        OSError: another program has the address.
    """
    with socket.socket() as keeper:
        if port and sys.platform == "linux":  # elsewhere no Wire could listen beside it
            keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            keeper.bind((host, port))
        yield


class Wire:
    """A proxy between bots and a server."""

    def __init__(self, server_port: int, *, host: str = "127.0.0.1", port: int = 0, heard: Heard = _unheard) -> None:
        """Listen.

        Args:
            server_port: the port of the server on this machine.
            host: the address to listen on.
            port: the port to listen on; 0 for any free one.
            heard: called with all data from bots, in threads of its own.

        Raises:
            OSError: the address cannot be listened on.
        """
        self._server_port = server_port
        self._heard = heard
        self._listener = socket.create_server((host, port))
        self.port = int(self._listener.getsockname()[1])
        """The port for bots."""
        self.heard_in_the_open = False
        """True once a bot has spoken without TLS."""
        self._flows = _flowing()
        """Set while the connections that are made now flow."""
        self._stalled: list[threading.Event] = []
        self._lines: set[_Line] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # This wakes the thread that accepts; closing alone does not.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.flow()
        self.cut()

    def cut(self) -> None:
        """Break all connections. New ones are passed on again."""
        with self._lock:
            for line in self._lines:
                line.lose()
            self._lines.clear()

    def stall(self) -> None:
        """Stall: existing connections stay open without passing on data. New ones flow."""
        self._flows.clear()
        self._stalled.append(self._flows)
        self._flows = _flowing()

    def flow(self) -> None:
        """Resume the stalled connections."""
        while self._stalled:
            self._stalled.pop().set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                bot, _ = self._listener.accept()
                if len(self._lines) < _MOST_CONNECTIONS:
                    threading.Thread(target=self._join, args=(bot,), daemon=True).start()
                else:
                    bot.close()

    def _join(self, bot: socket.socket) -> None:
        """Join a connection of a bot with one to the server, until both have ended."""
        with suppress(OSError), bot, socket.create_connection(("127.0.0.1", self._server_port)) as server:
            line = _Line(bot, server, self._flows, self._heard)
            with self._lock:
                self._lines.add(line)
            self.heard_in_the_open |= bot.recv(len(_PREFACE), socket.MSG_PEEK) == _PREFACE
            line.carry()
            # Close under the lock: a concurrent cut could meet a reused file descriptor.
            with self._lock:
                self._lines.discard(line)
                line.close()


def _flowing() -> threading.Event:
    flows = threading.Event()
    flows.set()
    return flows
