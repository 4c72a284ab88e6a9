"""Two lives of one entrant try to tell each other what they hold, by whatever both can reach."""

import ctypes
import fcntl
import os
import platform
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from reaching import MARK, let, listed

_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p
_OWN = secrets.token_hex(4)
_PROGRAM = Path(__file__).with_name("spy.py")
_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", os.environ.get("TMPDIR", "/tmp"))  # noqa: S108 - just there
_PORT = 20_000 + int(MARK[:4], 16) % 10_000
_KEY = int(MARK[:7], 16)
_CREATE = 0o1000
_USER_KEYRING = -4
_ADD_KEY, _KEYCTL = 248, 250
_SEARCH, _READ = 10, 11
_NOTE_BYTES = 8


def notes() -> Iterator[str]:
    """Leave a note in every place, and look for that of another life."""
    for name, exchange in _CHANNELS.items():
        with suppress(OSError):
            found = {note for note in exchange(_OWN) if note and note != _OWN}
            if found:
                yield name


def _by_files(own: str) -> Iterator[str]:
    for folder in map(Path, (*_FOLDERS, Path.home(), Path.cwd(), _PROGRAM.parent)):
        let(lambda folder=folder: (folder / f"{MARK}-{own}").touch())
        yield from (path.name.partition("-")[2] for path in listed(folder) if path.name.startswith(f"{MARK}-"))


def _by_times(own: str) -> Iterator[str]:
    before = f"{_PROGRAM.stat().st_mtime_ns:x}".zfill(_NOTE_BYTES)[-_NOTE_BYTES:]
    let(lambda: os.utime(_PROGRAM, ns=(int(own, 16), int(own, 16))))
    after = f"{_PROGRAM.stat().st_mtime_ns:x}".zfill(_NOTE_BYTES)[-_NOTE_BYTES:]
    # Something has changed only if somebody could change it.
    yield before if after == own else ""


def _by_modes(_own: str) -> Iterator[str]:
    mode = _PROGRAM.stat().st_mode
    yield "changed" if let(lambda: _PROGRAM.chmod(mode)) else ""


def _by_locks(_own: str) -> Iterator[str]:
    if "lock" not in _kept:
        lock = os.open(_PROGRAM, os.O_RDONLY)
        if not let(lambda: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)):
            # Another life has it, or nobody is let lock anything: then a lock of one's own fails as well.
            yield "locked" if let(lambda: fcntl.flock(lock, fcntl.LOCK_UN)) else ""
        _kept["lock"] = lock


def _by_shared_memory(own: str) -> Iterator[str]:
    number = _libc.shmget(_KEY, 64, _CREATE | 0o600)
    place = _libc.shmat(number, None, 0) if number >= 0 else None
    if place and ctypes.c_long(place).value != -1:
        yield ctypes.string_at(place, _NOTE_BYTES).decode("ascii", "replace").strip("\0")
        ctypes.memmove(place, own.encode(), _NOTE_BYTES)
        _libc.shmdt(ctypes.c_void_p(place))


def _by_keys(own: str) -> Iterator[str]:
    if platform.machine() == "x86_64":
        key = _libc.syscall(_KEYCTL, _SEARCH, _USER_KEYRING, b"user", MARK.encode(), 0)
        if key > 0:
            note = ctypes.create_string_buffer(_NOTE_BYTES)
            _libc.syscall(_KEYCTL, _READ, key, note, _NOTE_BYTES)
            yield note.raw.decode("ascii", "replace").strip("\0")
        _libc.syscall(_ADD_KEY, b"user", MARK.encode(), own.encode(), _NOTE_BYTES, _USER_KEYRING)


def _by_datagrams(family: int, places: tuple[object, object], own: str) -> Iterator[str]:
    """Take the first place that is free, and write to both."""
    mailbox = _mailbox(family, places)
    for place in places:
        let(lambda place=place: mailbox.sendto(own.encode(), place))
    with suppress(BlockingIOError):
        while True:
            yield mailbox.recv(64).decode("ascii", "replace")


def _mailbox(family: int, places: tuple[object, object]) -> socket.socket:
    name = f"mailbox {family}"
    if name not in _kept:
        mailbox = socket.socket(family, socket.SOCK_DGRAM)
        mailbox.settimeout(0.0)
        any(let(lambda place=place: mailbox.bind(place)) for place in places)
        _kept[name] = mailbox
    return _kept[name]


def _by_connections(own: str) -> Iterator[str]:
    """Listen, or where another life does, connect to it and tell it."""
    place = ("127.0.0.1", _PORT)
    if "listener" not in _kept:
        listener = socket.socket()
        listener.settimeout(0.0)
        if let(lambda: (listener.bind(place), listener.listen())):
            _kept["listener"] = listener
        else:
            with socket.create_connection(place, timeout=0.2) as connection:
                connection.send(own.encode())
                yield "connected"


_kept: dict[str, object] = {}
_CHANNELS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "files": _by_files,
    "times of a file": _by_times,
    "modes of a file": _by_modes,
    "locks": _by_locks,
    "shared memory": _by_shared_memory,
    "keys": _by_keys,
    "abstract Unix sockets": lambda own: _by_datagrams(socket.AF_UNIX, (f"\0{MARK}0", f"\0{MARK}1"), own),
    "UDP": lambda own: _by_datagrams(socket.AF_INET, (("127.0.0.1", _PORT), ("127.0.0.1", _PORT + 1)), own),
    "TCP": _by_connections,
}
