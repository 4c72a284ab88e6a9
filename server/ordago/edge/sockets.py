"""Open sockets of this process, and their other ends.

grpc owns the sockets and may close one at any moment, and its number may then be reused for another file. So a socket
is identified by its inode too, and all calls use a duplicate of its descriptor.
"""

import os
import socket
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from stat import S_ISSOCK
from typing import Final, NamedTuple

from ordago.edge.origins import Endpoint, endpoint

UNIX: Final = "unix:"
"""The prefix of a Unix socket's address, before its path."""
_OPEN_FILES: Final = "/proc/self/fd"
"""The folder of this process's open files, on Linux. On systems without it no sockets are found."""
_CREDENTIALS: Final = struct.Struct("3i")
"""The layout of ``SO_PEERCRED``: process, user, group."""


class Socket(NamedTuple):
    """An open socket."""

    number: int
    inode: int


class Visitor(NamedTuple):
    """The other end of a connection to this server."""

    end: Endpoint | None
    """The address and port, as grpc names them in a call; ``None`` at a Unix socket, where all look the same."""
    origin: str
    """The key for counting connections: the address, or at a Unix socket the process or its sandbox."""


def has_fewer_files_open(than: int) -> bool:
    """Return True if this process has fewer than ``than`` files open, sockets included. It counts no further.

    Returns False if the system does not say, for instance if this process may open no more files.
    """
    with suppress(OSError), os.scandir(_OPEN_FILES) as files:
        # The folder itself is open, too.
        return sum(1 for _ in islice(files, than + 1)) <= than
    return False


def number_of_files() -> int:
    """Return the number of open files without listing them; 0 if the system does not say."""
    with suppress(OSError):
        return Path(_OPEN_FILES).stat().st_size
    return 0


def open_sockets(known: Mapping[int, Socket]) -> Iterator[Socket]:
    """Yield the open sockets of this process. Those in ``known``, by number, are taken from there without a check."""
    with suppress(OSError), os.scandir(_OPEN_FILES) as files:
        for file in files:
            number = int(file.name)
            if number in known:
                yield known[number]
                continue
            try:
                found = os.fstat(number)
            except OSError:
                continue
            if S_ISSOCK(found.st_mode):
                yield Socket(number, found.st_ino)


def shut(known: Socket) -> None:
    """Shut down a connection if it is still open, so that readers at both ends see its end."""
    with suppress(OSError), _copied(known) as copy:
        copy.shutdown(socket.SHUT_RDWR)


def visitor_at(known: Socket, *, address: str, port: int) -> Visitor | None:
    """Return the other end of a connection to this server; ``None`` for any other socket.

    Args:
        known: the socket.
        address: the address of the server, in grpc's form.
        port: its port; ignored for a Unix socket.
    """
    with suppress(OSError, ValueError), _copied(known) as copy:
        if copy.family == socket.AF_UNIX:
            at = copy.getpeername(), copy.getsockname()
            return Visitor(None, _process_at(copy)) if at == ("", address.removeprefix(UNIX)) else None
        if copy.family in (socket.AF_INET, socket.AF_INET6) and copy.getsockname()[1] == port:
            end = endpoint(*copy.getpeername()[:2])
            return Visitor(end, end.origin)
    return None


def _process_at(copy: socket.socket) -> str:
    """Return a name for the process that has connected; if it is in a PID namespace of its own, a name for that."""
    process = _CREDENTIALS.unpack(copy.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))[0]
    with suppress(OSError):
        theirs, ours = (Path(f"/proc/{whose}/ns/pid").readlink() for whose in (process, "self"))
        if theirs != ours:
            return f"processes in {theirs}"
    return f"process {process}"


@contextmanager
def _copied(known: Socket) -> Iterator[socket.socket]:
    """Duplicate the descriptor of a socket, so that it stays the same socket within the context.

    Raises:
        OSError: the socket was closed.
    """
    copy = os.dup(known.number)
    found = os.fstat(copy)
    if not S_ISSOCK(found.st_mode) or found.st_ino != known.inode:
        os.close(copy)
        raise OSError("it was closed")
    with socket.socket(fileno=copy) as opened:
        yield opened
