"""The wire between a bot and the doctor's server: it can be cut, and it can stand still."""

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self, TypeAlias

Heard: TypeAlias = Callable[[bytes], object]
"""Is told what comes, before it is passed on."""

_READ_BYTES: Final = 64 * 1024
_MOST_CONNECTIONS: Final = 32
"""So many are passed on at once; more are shut."""
_PREFACE: Final = b"PRI * HTTP/2.0"
"""What a client begins with that speaks in the open."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""Ends a connection without a word of goodbye, as one that is lost."""


def _unheard(_data: bytes) -> None:
    """Let it pass."""


class _Line:
    """One connection of a bot, and the one to the server that it is joined with."""

    def __init__(self, bot: socket.socket, server: socket.socket, flows: threading.Event, heard: Heard) -> None:
        self._ends = (bot, server)
        self._flows = flows
        self._heard = heard
        self._lost = False
        for end in self._ends:
            # What is passed on does not wait for more to come.
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def carry(self) -> None:
        """Pass on what comes from either end, until both have ended."""
        bot, server = self._ends
        back = threading.Thread(target=self._pass_on, args=(server, bot, _unheard), daemon=True)
        back.start()
        self._pass_on(bot, server, self._heard)
        back.join()

    def lose(self) -> None:
        """Have both ends close without a word of goodbye."""
        self._lost = True
        for end in self._ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                # It wakes whoever reads.
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


class Wire:
    """Passes on bytes between bots and a server."""

    def __init__(self, server_port: int, *, host: str = "127.0.0.1", port: int = 0, heard: Heard = _unheard) -> None:
        """Listen.

        Args:
            server_port: the port of this machine where the server listens.
            host: the address to listen at.
            port: the port to listen at; 0: any.
            heard: is told all that bots say, in threads of its own.

        Raises:
            OSError: nothing can be listened on there.
        """
        self._server_port = server_port
        self._heard = heard
        self._listener = socket.create_server((host, port))
        self.port = int(self._listener.getsockname()[1])
        """The port where bots connect."""
        self.heard_in_the_open = False
        """Whether a bot spoke without TLS."""
        self._flows = _flowing()
        """What is set as long as those connections flow that are made now."""
        self._stalled: list[threading.Event] = []
        self._lines: set[_Line] = set()
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
            for line in self._lines:
                line.lose()
            self._lines.clear()

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
            # What is closed is not to be cut at the same time: its number may be that of another connection by then.
            with self._lock:
                self._lines.discard(line)
                line.close()


def _flowing() -> threading.Event:
    flows = threading.Event()
    flows.set()
    return flows
