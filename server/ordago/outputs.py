"""Output files that a user names: they replace nothing but earlier output of the same kind.

A file is checked before the work for it begins, and again when it is written. It is written completely beside the old
one, which stays if that fails.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from ordago.files import sync_file, sync_folder

_MOST_BYTES: Final = 64 << 20
"""No file of ours is larger, if it is recognised by all of its content."""


class OccupiedError(Exception):
    """A file cannot be written at the user's path; nothing was changed. The message says why, and what to do."""


class Output(NamedTuple):
    """A file that is to be written."""

    path: Path
    what: str
    """The kind of file, as in a sentence: ``a record``."""
    is_ours: Callable[[bytes], bool]
    """Return True for content of this kind, which may be replaced."""
    force: bool = False
    """True if any other file may be replaced as well."""
    inputs: tuple[Path, ...] = ()
    """The files that it is made from, which are never replaced."""

    def check(self) -> None:
        """Check that it can be written.

        Raises:
            OccupiedError: it cannot.
        """
        try:
            self._check()
        except OSError as error:
            raise OccupiedError(f"cannot write {self.path}: {error.strerror}") from None

    def write(self, content: bytes) -> None:
        """Write all of it.

        Raises:
            OccupiedError: it cannot be written; what stood there stays.
        """
        with self.opened() as part:
            part.write_bytes(content)

    @contextmanager
    def opened(self, *, private: bool = False) -> Iterator[Path]:
        """Yield a file to write into, which is moved into place at the end.

        Raises:
            OccupiedError: it cannot be written; what stood there stays.
        """
        self.check()
        try:
            if self.path.exists() and not self.path.is_file():
                with _copied(self.path) as part:
                    yield part
                return
            with _part_file(self.path.resolve(), private=private) as part:
                yield part
                # Somebody may have written there since.
                self.check()
        except OSError as error:
            raise OccupiedError(f"cannot write {self.path}: {error.strerror}") from None

    def _check(self) -> None:
        if not os.path.lexists(self.path):
            self._check_folder()
            return
        if not self.path.exists():
            raise self._occupied("is a broken link", "name another file")
        kind = self.path.stat().st_mode
        if stat.S_ISCHR(kind) or stat.S_ISFIFO(kind):
            # Nothing is replaced there, as with /dev/null.
            return
        if not stat.S_ISREG(kind):
            raise self._occupied("is not a file", "name another one")
        if any(known.exists() and known.samefile(self.path) for known in self.inputs):
            raise self._occupied("is the input itself", "name another file")
        if not os.access(self.path, os.W_OK):
            raise self._occupied("is write-protected", "name another file")
        if not self.force and not self._holds_ours():
            raise self._occupied(f"exists and is not {self.what}", "name another file, or replace it with --force")
        self._check_folder()

    def _check_folder(self) -> None:
        folder = self.path.resolve().parent
        if not folder.is_dir():
            raise OccupiedError(f"there is no folder {folder} for {self.path.name}: make it, or name another file")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise self._occupied("is in a folder that you cannot write to", "name another file")

    def _holds_ours(self) -> bool:
        with self.path.open("rb") as file:
            content = file.read(_MOST_BYTES)
        return not content or self.is_ours(content)

    def _occupied(self, why: str, advice: str) -> OccupiedError:
        return OccupiedError(f"{self.path} {why}: {advice}")


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """Yield an empty file elsewhere, and copy it at the end: beside a device or a pipe nothing can be written."""
    with TemporaryDirectory(prefix="ordago-") as folder:
        part = Path(folder) / "part"
        part.touch()
        yield part
        with part.open("rb") as source, path.open("wb") as target:
            copyfileobj(source, target)


@contextmanager
def _part_file(path: Path, *, private: bool) -> Iterator[Path]:
    """Yield an empty file beside a path, and move it into place once it is complete and safe from a power cut."""
    part = path.with_name(f".ordago-{token_hex(8)}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if private else 0o666))
    try:
        yield part
        sync_file(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)
