"""The sockets that this process has open, and who is at their other ends.

grpc owns them and may close one at any moment, and its number may then be that of another file. So a socket is known by
its inode too, and whatever is done with it is done with a copy.
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
"""What the address of a Unix socket begins with; its path follows."""
_OPEN_FILES: Final = "/proc/self/fd"
"""Where a system tells which files a process has open. Where it does not, no sockets are found."""
_CREDENTIALS: Final = struct.Struct("3i")
"""A process, its user and its group."""


class Socket(NamedTuple):
    """An open socket."""

    number: int
    inode: int


class Visitor(NamedTuple):
    """Who is at the other end of a connection."""

    end: Endpoint | None
    """As grpc names it in a call; nothing at a Unix socket, where all look the same."""
    origin: str
    """With whom connections are counted: those from its address, or those of its process and all that it isolates."""


def has_fewer_files_open(than: int) -> bool:
    """Say whether this process has fewer files open than so many, sockets among them. It does not count any further.

    Where the system does not tell, as to a process that may open no more of them, it is said to have more.
    """
    with suppress(OSError), os.scandir(_OPEN_FILES) as files:
        # The folder that tells is open, too.
        return sum(1 for _ in islice(files, than + 1)) <= than
    return False


def number_of_files() -> int:
    """Return how many files this process has open, without looking at any; 0 where the system does not say."""
    with suppress(OSError):
        return Path(_OPEN_FILES).stat().st_size
    return 0


def open_sockets(known: Mapping[int, Socket]) -> Iterator[Socket]:
    """Yield the open sockets of this process; the system is not asked again about those that are known by number."""
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
    """Shut a connection, if it is still there: whoever reads from it finds that it has ended."""
    with suppress(OSError), _copied(known) as copy:
        copy.shutdown(socket.SHUT_RDWR)


def visitor_at(known: Socket, *, address: str, port: int) -> Visitor | None:
    """Return who is at the other end of a connection to this server; nothing for any other socket.

    Args:
        known: the socket.
        address: where the server listens, as grpc was told it.
        port: its port there, if it has one.
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
    """Return what the process is called that has connected; where it is isolated, with all that are with it."""
    process = _CREDENTIALS.unpack(copy.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))[0]
    with suppress(OSError):
        theirs, ours = (Path(f"/proc/{whose}/ns/pid").readlink() for whose in (process, "self"))
        if theirs != ours:
            return f"processes in {theirs}"
    return f"process {process}"


@contextmanager
def _copied(known: Socket) -> Iterator[socket.socket]:
    """Open a socket that is open already once more, so that it stays the same one as long as that is done.

    Raises:
        OSError: it was closed.
    """
    copy = os.dup(known.number)
    found = os.fstat(copy)
    if not S_ISSOCK(found.st_mode) or found.st_ino != known.inode:
        os.close(copy)
        raise OSError("it was closed")
    with socket.socket(fileno=copy) as opened:
        yield opened
