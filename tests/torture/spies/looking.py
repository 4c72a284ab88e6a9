"""Attempts to read, to write and to reach what is somebody else's."""

import ctypes
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from reaching import EVENT, MARK, contents, let, listed, others, readable

_libc = ctypes.CDLL(None, use_errno=True)
_PLACES = ("private/event.db", "private/event.db-wal", "private/journal", "event.toml", "ladder.json", "index.html")
_AROUND = 3000
"""So many numbers of processes before and after its own a spy tries: /proc may not show what is there."""
_SIGNALS_NOTHING = 0


class _Piece(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def store() -> Iterator[str]:
    """Read the store of the event, found by what it has open itself, or by its path."""
    for link in listed(Path("/proc/self/fd")):
        for folder in Path(_target(link)).parents[:3]:
            if readable(folder / "event.db"):
                yield "event.db by its own files"
    yield from (name for name in _PLACES[:3] if readable(EVENT / name))
    yield from (f"names in {folder.name}" for folder in (EVENT, EVENT / "private") if listed(folder))


def writing() -> Iterator[str]:
    """Change what was played, or what is published."""
    yield from (name for name in _PLACES if let(lambda name=name: (EVENT / name).open("r+b").close()))
    for folder in ("private", "records", "."):
        if let(lambda folder=folder: (EVENT / folder / f"{MARK}.new").touch()):
            (EVENT / folder / f"{MARK}.new").unlink(missing_ok=True)
            yield f"new files in {folder}"


def files() -> Iterator[str]:
    """Read what the organiser has beside the event."""
    if readable(Path(os.environ["SPY_SECRET"])):
        yield "a file of the organiser"
    if listed(Path(os.environ["SPY_SECRET"]).parent):
        yield "the names of the organiser's files"


def neighbours() -> Iterator[str]:
    """See other processes, and send them signals. The one that is sent does nothing, and is let or not like others."""
    if any(others()):
        yield "sees them"
    around = range(max(2, os.getpid() - _AROUND), os.getpid() + _AROUND)
    if any(let(lambda number=number: _signal(number)) for number in around if number != os.getppid()):
        yield "could signal them"


def environments() -> Iterator[str]:
    """Read what others were started with."""
    if "SPY_ORGANISER" in os.environ:
        yield "what only the organiser has, in its own"
    for folder in others():
        for name in ("environ", "cmdline"):
            if b"SPY_ORGANISER=" in contents(folder / name):
                yield f"what only the organiser has, by {name}"
            if b"ORDAGO_TOKEN=" in contents(folder / name):
                yield f"a token, by {name}"


def secrets_in_memory() -> Iterator[str]:
    """Read the memory of others."""
    for folder in others():
        place = _some_place(folder)
        if place and let(lambda folder=folder, place=place: _memory_by_file(folder, place)):
            yield "by /proc"
        if place and _memory_by_call(int(folder.name), place):
            yield "by process_vm_readv"


def tokens() -> Iterator[str]:
    """Read the pipes of others before they do: who has a token plays as its victim."""
    for folder in others():
        for link in listed(folder / "fd"):
            if (
                _target(link).startswith("pipe:")
                and int(link.name) > 2
                and let(lambda link=link: _opened_and_closed(link))
            ):
                yield "opened a pipe of another"


def network() -> Iterator[str]:
    """Reach a program that has nothing to do with the event."""
    port, path = int(os.environ["SPY_PORT"]), os.environ["SPY_SOCKET"]
    places = {
        "TCP": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)),
        "UDP": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", port)),
        "a Unix socket": (socket.AF_UNIX, socket.SOCK_STREAM, path),
        "an abstract Unix socket": (socket.AF_UNIX, socket.SOCK_STREAM, f"\0{MARK}"),
    }
    for name, (family, kind, address) in places.items():
        if let(lambda family=family, kind=kind, address=address: _say_something(family, kind, address)):
            yield name


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def _signal(number: int) -> None:
    """Send a signal to a process, unless it is a thread or a child of this one: these are of its session."""
    if os.getsid(number) == os.getsid(0):
        raise ProcessLookupError
    os.kill(number, _SIGNALS_NOTHING)


def _some_place(folder: Path) -> int:
    """Return the address of something that a process has in its memory, or of where Python mostly lies."""
    first = contents(folder / "maps").split(b"-")[0]
    return int(first, 16) if first else 0x400000


def _memory_by_file(folder: Path, place: int) -> bytes:
    with (folder / "mem").open("rb", buffering=0) as memory:
        memory.seek(place)
        return memory.read(8)


def _memory_by_call(number: int, place: int) -> bool:
    room = ctypes.create_string_buffer(8)
    here = _Piece(ctypes.cast(room, ctypes.c_void_p), 8)
    there = _Piece(place, 8)
    return _libc.process_vm_readv(number, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0


def _opened_and_closed(link: Path) -> None:
    assert stat.S_ISFIFO(link.stat().st_mode)
    os.close(os.open(link, os.O_RDONLY | os.O_NONBLOCK))


def _say_something(family: int, kind: int, address: object) -> None:
    with socket.socket(family, kind) as connection:
        connection.settimeout(0.2)
        connection.connect(address)
        connection.send(b"?")
