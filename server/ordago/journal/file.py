"""A journal on a disk: an append-only file, replaced by a new one when it is compacted."""

import errno
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ordago.files import PRIVATE_FILE, sync_folder
from ordago.journal import room
from ordago.journal.frames import Framing, JournalError, contents

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
RESERVE_BYTES: Final = 8 << 20
"""The space reserved for a full disk. A match of 300 choices takes some 6 KiB, so this is enough for 1,300."""
_USED_BYTES: Final = RESERVE_BYTES // 8
"""The reserve is renewed once this much of it is used."""
_ADVICE: Final = "check the disk and its free space"


def read_contents(path: Path) -> list[bytes]:
    """Return the contents of the journal at a path, in order; empty if there is no journal.

    Raises:
        JournalError: it cannot be read, or it is damaged.
    """
    try:
        return contents(path.read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(f"cannot read the journal {path}: {error.strerror}; {_ADVICE}") from error
    except JournalError as error:
        advice = "restore a good copy, or move the file away and lose the running matches"
        raise JournalError(f"cannot read the journal {path}: {error}; {advice}") from None


class _Part:
    """A file open for appending. Data written to it survives the death of the process."""

    def __init__(self, path: Path) -> None:
        """Create a new file, readable by its owner alone."""
        path.unlink(missing_ok=True)
        self.path = path
        self._descriptor = os.open(path, _FLAGS, PRIVATE_FILE)
        self.size = 0
        self._reserved = 0
        """Up to where there is room for it."""

    def write(self, data: bytes) -> None:
        """Write all of it, or, where that fails, nothing."""
        written = os.write(self._descriptor, data)
        if written < len(data):
            os.ftruncate(self._descriptor, self.size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.size += written

    def sync(self) -> None:
        """Wait until all that was written is safe from a power cut."""
        os.fdatasync(self._descriptor)

    def reserve(self) -> bool:
        """Reserve space for writes while the disk is full, and return True if enough, or nearly enough, is reserved."""
        # The system notes that as a change of the file: where nothing was written, it is to look as old as it is.
        if self.size + RESERVE_BYTES > self._reserved + _USED_BYTES:
            if not room.reserve(self._descriptor, begin=self.size, length=RESERVE_BYTES):
                return False
            self._reserved = self.size + RESERVE_BYTES
        return True

    def close(self) -> None:
        """Close the file, and give back the room that was kept for it."""
        with suppress(OSError):
            found = os.fstat(self._descriptor)
            os.ftruncate(self._descriptor, self.size)
            os.utime(self._descriptor, ns=(found.st_atime_ns, found.st_mtime_ns))
        os.close(self._descriptor)


class JournalFile:
    """A journal that is written. Appended contents survive the death of the process.

    Nothing is buffered in the process except contents entered ``together``.

    A file with too much outdated content is replaced by another: ``begin_successor``, then ``sync_successor``, which
    takes some time, then ``take_over``.
    """

    def __init__(self, path: Path, kept: Iterable[bytes]) -> None:
        """Begin a journal with some contents, in place of the existing one."""
        self._path = path
        self._framing = Framing()
        self._part: _Part | None = None
        self._successor: _Part | None = None
        self._since: list[bytes] = []
        """The contents appended since the successor was begun."""
        self._gathers = False
        """True if new contents are held back, to be written together."""
        self._held: list[bytes] = []
        """The contents held back until the next write."""
        self._holders: list[Callable[[Exception], None]] = []
        """For each of them, the callback for a failed write."""
        self._synced = 0
        self.is_full = False
        """True if the disk has no room beyond this journal's reserve. Updated by ``renew_reserve``."""
        self.written_bytes = 0
        """The number of bytes appended."""
        self.begin_successor(kept)
        self.sync_successor()
        self.take_over()
        self.sync()
        self.renew_reserve()

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self._current.size

    @property
    def _current(self) -> _Part:
        assert self._part is not None
        return self._part

    @property
    def free_bytes(self) -> int:
        """The free space on its disk for the server's user, in bytes."""
        return shutil.disk_usage(self._path.parent).free

    def append(self, content: bytes) -> None:
        """Append a content after everything entered before.

        Raises:
            JournalError: it cannot be written; the journal is as it was.
        """
        self._write_held()
        self._write(self._framing.framed(content))

    def enter(self, content: bytes, fail: Callable[[Exception], None] | None) -> None:
        """Write a content at the end: now, or at the end of ``together``.

        Args:
            content: the content.
            fail: called with the error if the write at the end of ``together`` fails; ``None`` writes at once.

        Raises:
            JournalError: it cannot be written now; the journal is as it was.
        """
        if not self._gathers or fail is None:
            self.append(content)
            return
        self._held.append(self._framing.framed(content))
        self._holders.append(fail)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write everything entered in this context at its end, in one go: all of it or nothing.

        If it cannot be written, everybody who entered something is notified, and the journal is as it was. A context
        within another leaves the writing to the outer one.
        """
        if self._gathers:
            yield
            return
        self._gathers = True
        try:
            yield
        finally:
            self._gathers = False
            self._write_held()

    def _write_held(self) -> None:
        if not self._held:
            return
        held, holders = self._held, self._holders
        self._held, self._holders = [], []
        try:
            self._write(b"".join(held))
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait for it are to know
            for fail in holders:
                fail(error)

    def _write(self, frames: bytes) -> None:
        # Each choice is written here, and the context manager would take half of the time.
        try:
            self._current.write(frames)
        except OSError as error:
            raise self._explanation(error) from error
        self.written_bytes += len(frames)
        if self._successor is not None:
            self._since.append(frames)

    def sync(self) -> None:
        """Wait until all contents appended before are safe from a power cut. May be called in another thread."""
        size = self._current.size
        with self._explained():
            if not self._synced:
                sync_folder(self._path.parent)
            if size != self._synced:
                self._current.sync()
        self._synced = size

    def renew_reserve(self) -> None:
        """Renew the reserve for writes while the disk is full. May be called in another thread.

        Raises:
            JournalError: the disk failed.
        """
        with self._explained():
            self.is_full = not self._current.reserve()

    def begin_successor(self, kept: Iterable[bytes]) -> None:
        """Begin the successor of this file with these contents."""
        self._write_held()
        self._drop_successor()
        with self._explained():
            self._since = []
            try:
                self._write_successor(kept)
            except OSError:
                self._drop_successor()
                raise

    def _write_successor(self, kept: Iterable[bytes]) -> None:
        self._successor = _Part(self._path.with_name(f"{self._path.name}.new"))
        self._successor.write(self._framing.whole(kept))
        if self._part is not None and not self._successor.reserve():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def sync_successor(self) -> None:
        """Wait until the new file is safe from a power cut. May be called in another thread.

        Raises:
            JournalError: the disk failed.
        """
        assert self._successor is not None
        with self._explained():
            self._successor.sync()

    def take_over(self) -> None:
        """Replace the old file by the new one, including the contents appended meanwhile.

        Raises:
            JournalError: it cannot be written; the old one stays.
        """
        assert self._successor is not None
        with self._explained():
            self._successor.write(b"".join(self._since))
            self._successor.path.replace(self._path)
        if self._part is not None:
            self._part.close()
        self._part, self._successor, self._synced = self._successor, None, 0

    def close(self) -> None:
        """Close all files. Nothing can be appended any more."""
        self._write_held()
        self._drop_successor()
        if self._part is not None:
            self._part.close()
            self._part = None

    def _drop_successor(self) -> None:
        """Discard a new file that never replaced the old one."""
        if self._successor is not None:
            self._successor.close()
            self._successor.path.unlink(missing_ok=True)
            self._successor = None

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the errors of the system into ours."""
        try:
            yield
        except OSError as error:
            raise self._explanation(error) from error

    def _explanation(self, error: OSError) -> JournalError:
        reason = error.strerror or str(error)
        return JournalError(f"cannot write the journal {self._path}: {reason}; {_ADVICE}")
