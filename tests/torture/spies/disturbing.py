"""Attempts to take from everybody what there is only so much of. Each has a bound, in case that nobody stops it."""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_MEBIBYTE = 1 << 20
_OUTPUT_MIB = 200
_DISK_MIB = 200
_MEMORY_MIB = 400
_DESCRIPTORS = 20_000
_FORKS = 300
_HOLD_SECONDS = 20.0
"""So long it keeps what it took before it says so: who takes too much is found at the next look at it, not at once."""
_kept: list[object] = []


def output() -> Iterator[str]:
    """Print far more than anybody reads."""
    if not _kept:
        _kept.append(True)
        line = b"x" * (_MEBIBYTE - 1) + b"\n"
        for _ in range(_OUTPUT_MIB):
            os.write(1, line)
        yield f"{_OUTPUT_MIB} MiB read"


def disk() -> Iterator[str]:
    """Fill the folder for temporary files, by many files, since one may be bounded."""
    if not _kept:
        _kept.append(True)
        with suppress(OSError), tempfile.TemporaryDirectory() as folder:
            for number in range(_DISK_MIB):
                Path(folder, str(number)).write_bytes(b"x" * _MEBIBYTE)
            time.sleep(_HOLD_SECONDS)
            yield f"{_DISK_MIB} MiB of disk"


def memory() -> Iterator[str]:
    """Take memory."""
    if not _kept:
        _kept.extend(bytearray(b"x") * _MEBIBYTE for _ in range(_MEMORY_MIB))
        time.sleep(_HOLD_SECONDS)
        yield f"{_MEMORY_MIB} MiB of memory"


def descriptors() -> Iterator[str]:
    """Open as many files as there are, and keep some for itself."""
    opened = []
    with suppress(OSError):
        while len(opened) < _DESCRIPTORS:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    for descriptor in opened:
        os.close(descriptor)
    if len(opened) == _DESCRIPTORS:
        yield f"{_DESCRIPTORS} descriptors"


def forks() -> Iterator[str]:
    """Fork until it is refused."""
    if not _kept:
        _kept.append(True)
        children = []
        with suppress(OSError):
            while len(children) < _FORKS:
                child = os.fork()
                if not child:
                    time.sleep(_HOLD_SECONDS)
                    os._exit(0)
                children.append(child)
        time.sleep(_HOLD_SECONDS)
        if len(children) == _FORKS:
            yield f"{_FORKS} processes"
