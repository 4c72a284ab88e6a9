"""All that a server keeps in databases, in one file: made while it runs, and brought back.

A backup is a ZIP file for its owner alone. It holds ``backup.json``, which says what it is, and a database of SQLite
for each kind of content, also of what PostgreSQL keeps.
"""

import json
import shutil
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from ordago.store.accounts import Accounts
from ordago.store.database import Stored
from ordago.store.errors import StoreError
from ordago.store.files import private_file, private_folder, sync_file, sync_folder
from ordago.store.ladder_check import LadderInspection

ACCOUNTS_FILE: Final = "accounts.sqlite"
"""The accounts, in the folder of a server's own files."""
LADDER_FILE: Final = "ladder.sqlite"
"""The standing ladder, unless PostgreSQL keeps it."""
CONTENTS: Final[Mapping[str, type[Stored]]] = {ACCOUNTS_FILE: Accounts, LADDER_FILE: LadderInspection}
"""What there may be in a folder of a server's own files, and in a backup."""

_TOLD: Final = "backup.json"
_FORMAT: Final = {"format": "ordago-backup-1"}
_MOST_TOLD_BYTES: Final = 10_000
_BUFFER_BYTES: Final = 1 << 20


class Restored(NamedTuple):
    """What was brought back."""

    contents: tuple[str, ...]
    """The databases, by their names in ``CONTENTS``."""
    epochs: int
    """How many epochs the ladder has."""
    results: int
    """How many results."""


def write_backup(file: Path, sources: Mapping[str, Stored]) -> None:
    """Write all that some databases hold into a file. Each is as it was at one moment; they may be written meanwhile.

    What stood there before is replaced when the new file is whole and safe from a power cut.

    Args:
        file: the file.
        sources: the open databases by the names that they have in ``CONTENTS``.

    Raises:
        StoreError: a database cannot be read.
        OSError: the file cannot be written.
    """
    part, copy = file.with_name(f"{file.name}.part"), file.with_name(f"{file.name}.copy")
    try:
        _renew(part)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_TOLD, json.dumps(_FORMAT))
            for name, source in sources.items():
                _renew(copy)
                source.copy_to_file(copy)
                archive.write(copy, name)
        sync_file(part)
        part.replace(file)
        sync_folder(file.parent)
    finally:
        part.unlink(missing_ok=True)
        copy.unlink(missing_ok=True)


def restore_backup(file: Path, folder: Path, *, ladder: str | None = None) -> Restored:
    """Bring back what a backup holds, once all of it is found to be whole.

    Args:
        file: the backup.
        folder: where the databases go. None of them is there yet.
        ladder: the URL of an empty database that gets the ladder instead of a file in the folder.

    Raises:
        StoreError: it is no backup, or damaged, or there is something in its place, or there is no room for it.
        OSError: the folder cannot be used.
    """
    private_folder(folder)
    unpacked = folder / "restore.part"
    try:
        private_folder(unpacked)
        names = _unpack(file, unpacked)
        _check_free(folder, names)
        restored = _checked(unpacked, names)
        if ladder is not None and LADDER_FILE in names:
            _load(unpacked / LADDER_FILE, ladder)
            names.remove(LADDER_FILE)
        for name in names:
            sync_file(unpacked / name)
            (unpacked / name).replace(folder / name)
        sync_folder(folder)
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
    return restored


def _renew(file: Path) -> None:
    file.unlink(missing_ok=True)
    private_file(file)


def _check_free(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        if (folder / name).exists():
            raise StoreError(f"There is {folder / name} already: name a folder without one.")


def _unpack(file: Path, folder: Path) -> list[str]:
    """Unpack the databases of a backup, and return their names."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = _names(archive)
            if sum(archive.getinfo(name).file_size for name in names) > shutil.disk_usage(folder).free:
                raise StoreError(f"There is not enough room in {folder} for what is in {file}.")
            for name in names:
                private_file(folder / name)
                with archive.open(name) as packed, (folder / name).open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, _BUFFER_BYTES)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError):
        raise StoreError(f"{file} is no backup, or it is damaged: take another one.") from None
    return names


def _names(archive: zipfile.ZipFile) -> list[str]:
    """Return the databases that a backup holds. Nothing else may be in it: it could lead to other places.

    Raises:
        ValueError: it is no backup.
    """
    names = archive.namelist()
    if names[:1] != [_TOLD] or archive.getinfo(_TOLD).file_size > _MOST_TOLD_BYTES:
        raise ValueError
    if json.loads(archive.read(_TOLD)) != _FORMAT or len(names) < 2 or len(set(names)) < len(names):
        raise ValueError
    if not CONTENTS.keys() >= {*names[1:]}:
        raise ValueError
    return names[1:]


def _checked(folder: Path, names: Sequence[str]) -> Restored:
    epochs, results = 0, 0
    for name in names:
        with CONTENTS[name].open(folder / name) as stored:
            stored.check_pages()
            if isinstance(stored, LadderInspection):
                checked = stored.check()
                epochs, results = len(checked), sum(epoch.results for epoch in checked)
    return Restored(tuple(names), epochs, results)


def _load(file: Path, place: str) -> None:
    """Load a ladder into a database that has none."""
    with ExitStack() as opened:
        target = opened.enter_context(LadderInspection.open(place, create=True))
        if target.is_begun():
            raise StoreError("There is a ladder in the database already: name an empty one.")
        opened.enter_context(LadderInspection.open(file)).copy_rows_to(target)
