"""Backup and restoration of all databases of a server, in one file, made while the server runs.

A backup is a ZIP file for its owner alone. It has ``backup.json``, which describes it, and an SQLite database
for each kind of content, even if PostgreSQL stored it; beside that of a hosted event the note about it. For owners of
public keys the ZIP file is encrypted as a whole.

Bots have seen deals since the backup, so a restored event never deals them again: its ledger gets a ``restoration``
before it is put in its place, whose value is mixed into all later deals.
"""

import json
import re
import secrets
import shutil
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from ordago.chance import MIN_NONCE_BYTES
from ordago.files import private_file, private_folder, sync_file, sync_folder
from ordago.outputs import Output
from ordago.record import digest, read_record
from ordago.record.ledgers.event import RestorationEntry, read_ledger
from ordago.record.ledgers.event_order import order_problems
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.schema import ACCOUNTS_SCHEMA
from ordago.store.database import Schema
from ordago.store.encryption import decrypt, encrypt, is_encrypted
from ordago.store.errors import StoreEmptyError, StoreError
from ordago.store.event.schema import EVENT_SCHEMA
from ordago.store.event.store import Store
from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.schema import LADDER_SCHEMA
from ordago.store.untrusted import disarm
from ordago.store.versioned import Stored

ACCOUNTS_FILE: Final = "accounts.sqlite"
"""The accounts, in the folder of a server's own files."""
LADDERS_FOLDER: Final = "ladders"
"""The folders of the standing ladders, in that folder."""
_LADDER_FILE: Final = re.compile(rf"{LADDERS_FOLDER}/[a-z0-9-]{{1,64}}/ladder\.sqlite", re.ASCII)
"""A standing ladder, in that folder, unless PostgreSQL keeps it."""
EVENTS_FOLDER: Final = "events"
"""The folders of the hosted events, in that folder."""
_EVENT: Final = rf"{EVENTS_FOLDER}/[a-z0-9][a-z0-9-]{{0,63}}/private"
_EVENT_FILE: Final = re.compile(rf"{_EVENT}/event\.db", re.ASCII)
"""The database of a hosted event, in that folder."""
_EVENT_NOTE: Final = re.compile(rf"{_EVENT}/hosted\.json", re.ASCII)
"""The note of the server about a hosted event."""
_OF_AN_EVENT: Final = (_EVENT_FILE, _EVENT_NOTE)
_REMOVED_EVENTS: Final = f"{EVENTS_FOLDER}/removed.json"
"""The names that removed events had, which no other event may have."""

_MANIFEST: Final = "backup.json"
_FORMAT: Final = {"format": "ordago-backup-1"}
_MOST_MANIFEST_BYTES: Final = 10_000
"""``backup.json`` is far shorter; a longer one is not read, since unpacking it could fill the memory."""
_NAME_AT: Final = 30
"""The position of the first file's name in an archive."""
_BUFFER_BYTES: Final = 1 << 20
_MOST_FOLD: Final = 100
"""The most that a backup may unpack to, as a multiple of its size. Ours come to 3, deflation to 1,000."""
_ALWAYS_BYTES: Final = 64 << 20
"""The size that any backup may unpack to: databases that are nearly empty shrink most."""
_WAYS_OF_PACKING: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_SCHEMAS: Final[Mapping[type[Stored], Schema]] = {
    Accounts: ACCOUNTS_SCHEMA,
    LadderInspection: LADDER_SCHEMA,
    Store: EVENT_SCHEMA,
}
_PACKED: Final = "packed"
"""The folder in which a restoration keeps databases as the backup has them."""


class Restored(NamedTuple):
    """A database that was restored."""

    name: str
    """Its file in the folder of a server's own files."""
    epochs: int = 0
    """The number of epochs of the ladder in it."""
    results: int = 0
    """The number of results of the ladder or the event in it."""


def ladder_file(name: str) -> str:
    """Return the file of a ladder of this short name in the folder of a server's own files."""
    return f"{LADDERS_FOLDER}/{name}/ladder.sqlite"


def kind_of(name: str) -> type[Stored] | None:
    """Return the type stored in one of the server's own files; ``None`` if the file is not to be backed up."""
    if name == ACCOUNTS_FILE:
        return Accounts
    if _EVENT_FILE.fullmatch(name):
        return Store
    return LadderInspection if _LADDER_FILE.fullmatch(name) else None


def _is_note(name: str) -> bool:
    return name == _REMOVED_EVENTS or _EVENT_NOTE.fullmatch(name) is not None


def is_backup(content: bytes) -> bool:
    """Return True if content that begins like this may be a backup."""
    return content.startswith(b"PK\x03\x04") and content[_NAME_AT : _NAME_AT + len(_MANIFEST)] == _MANIFEST.encode()


def write_backup(
    output: Output,
    sources: Mapping[str, Stored],
    *,
    events_of: Path | None = None,
    owners: Sequence[Any] = (),
) -> list[str]:
    """Write some databases into a file. Each is a snapshot of one moment; writers may go on meanwhile.

    Args:
        output: the file.
        sources: the databases, by their names in it.
        events_of: the folder of a server's own files, whose hosted events are added; ``None`` for none.
        owners: the ``recipients`` who alone can read it; none leaves it unencrypted.

    Returns:
        The names of all that is in it.
    """
    with output.opened(private=True) as part:
        # The folder of an encrypted backup may be on another machine, so nothing unencrypted is written there.
        at = (events_of if events_of is not None and events_of.is_dir() else None) if owners else part.parent
        with TemporaryDirectory(dir=at, prefix=".ordago-") as folder:
            packed = Path(folder) / "packed" if owners else part
            names = _pack(packed, sources, events_of, Path(folder))
            if owners:
                encrypt(packed, part, owners)
    return names


def _pack(file: Path, sources: Mapping[str, Stored], events_of: Path | None, folder: Path) -> list[str]:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MANIFEST, json.dumps(_FORMAT))
        for name, source in sources.items():
            _write_copy(archive, name, source, folder)
        if events_of is not None:
            _write_events(archive, events_of, folder)
        return archive.namelist()[1:]


def _write_copy(archive: zipfile.ZipFile, name: str, source: Stored, folder: Path) -> None:
    copy = folder / "copy"
    private_file(copy)
    source.copy_to_file(copy)
    archive.write(copy, name)
    copy.unlink()


def _write_events(archive: zipfile.ZipFile, data: Path, folder: Path) -> None:
    for note in sorted((data / EVENTS_FOLDER).glob("*/private/hosted.json")):
        name = note.relative_to(data).as_posix()
        if _is_note(name):
            try:
                _write_event(archive, name, note, folder)
            except (StoreError, OSError) as error:
                # An event may be removed meanwhile.
                if note.exists():
                    raise StoreError(f"The event in {note.parent.parent} cannot be backed up: {error}") from None
    # After the events: one that is removed meanwhile stays so after a restoration.
    if (data / _REMOVED_EVENTS).exists():
        archive.write(data / _REMOVED_EVENTS, _REMOVED_EVENTS)


def _write_event(archive: zipfile.ZipFile, name: str, note: Path, folder: Path) -> None:
    # The note first: of an event that ends meanwhile it says that it runs, so that it ends after a restoration, too.
    noted, place = note.read_bytes(), note.with_name("event.db")
    # An event that authors still enter, or that is just being opened, is its note alone.
    if place.exists() or (note.parents[1] / "ledger.jsonl").exists():
        with suppress(StoreEmptyError), Store.open(place, outdated=True) as store:
            if store.begun() is not None:
                _write_copy(archive, PurePosixPath(name).with_name(place.name).as_posix(), store, folder)
    archive.writestr(name, noted)


def restore_backup(
    file: Path,
    folder: Path,
    *,
    ladder: str | None = None,
    accounts: str | None = None,
    identity: Path | None = None,
) -> list[Restored]:
    """Restore the contents of a backup, once all of it has been verified.

    Args:
        file: the backup.
        folder: the folder of a server's own files.
        ladder: the URL of a database for the ladder; ``None`` for a file in the folder.
        accounts: the URL of a database for the accounts; ``None`` for a file in the folder.
        identity: a file with secret keys, which is read if the backup is encrypted.
    """
    private_folder(folder)
    unpacked = folder / "restore.part"
    # What a restoration left that was killed must not mix with this one.
    shutil.rmtree(unpacked, ignore_errors=True)
    try:
        private_folder(unpacked)
        names = _unpack(file, _decrypted(file, unpacked / "decrypted", identity), unpacked / _PACKED)
        _check_free(folder, names)
        restored = [_rebuilt(unpacked, name) for name in names if not _is_note(name)]
        for name in filter(_is_note, names):
            _take(_check_note(unpacked / _PACKED / name), unpacked / name)
        loaded = _load(unpacked, names, ladder, accounts)
        # Notes come last: a server finds an event by its note.
        for name in sorted({*names} - loaded, key=_is_note):
            _take(unpacked / name, folder / name)
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
    return restored


def _check_free(folder: Path, names: Sequence[str]) -> None:
    # SQLite would take the log of another database for that of this one.
    own = [f"{name}{suffix}" for name in names for suffix in ("", "-wal", "-journal")]
    # What an event published after the backup contradicts its restored ledger, and a journal has deals of then.
    events = [str(PurePosixPath(name).parents[1]) for name in names if _EVENT_NOTE.fullmatch(name)]
    for name in (*own, *events):
        if (folder / name).exists():
            raise StoreError(f"{folder / name} exists already: name a folder without it.")


def _decrypted(file: Path, target: Path, identity: Path | None) -> Path:
    if not is_encrypted(file):
        return file
    if identity is None:
        raise StoreError(f"{file} is encrypted: name the file of its secret key with --identity.")
    decrypt(file, target, identity=identity)
    return target


def _unpack(file: Path, decrypted: Path, folder: Path) -> list[str]:
    """Unpack the databases of a backup, and return their names."""
    damaged = StoreError(f"{file} is not a backup, or it is damaged: use another one.")
    try:
        with _opened(decrypted) as archive:
            names = _names(archive)
            _check_room(file, folder.parent, sum(archive.getinfo(name).file_size for name in names))
            for name in names:
                private_folder((folder / name).parent)
                private_file(folder / name)
                with archive.open(name) as packed, (folder / name).open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, _BUFFER_BYTES)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError):
        raise damaged from None
    return names


def _opened(file: Path) -> zipfile.ZipFile:
    """Open a possible backup. Opening a pipe would block until something is written into it, so it is refused.

    Raises:
        ValueError: it is no file.
        OSError: it cannot be read.
    """
    if not stat.S_ISREG(file.stat().st_mode):
        raise ValueError
    return zipfile.ZipFile(file)


def _check_room(file: Path, folder: Path, size: int) -> None:
    """Check that there is room for databases of this size, both unpacked and rebuilt.

    Raises:
        ValueError: no backup is so small, and holds so much.
    """
    if size > max(_ALWAYS_BYTES, _MOST_FOLD * file.stat().st_size):
        raise ValueError
    if 2 * size > shutil.disk_usage(folder).free:
        raise StoreError(f"There is not enough space in {folder.parent} for the contents of {file}.")


def _names(archive: zipfile.ZipFile) -> list[str]:
    """Return the databases that a backup holds. Nothing else may be in it: it could lead to other places.

    Raises:
        ValueError: it is no backup.
    """
    names = archive.namelist()
    if any(part.compress_type not in _WAYS_OF_PACKING for part in archive.infolist()):
        raise ValueError
    if names[:1] != [_MANIFEST] or archive.getinfo(_MANIFEST).file_size > _MOST_MANIFEST_BYTES:
        raise ValueError
    if json.loads(archive.read(_MANIFEST)) != _FORMAT or len(names) < 2 or len(set(names)) < len(names):
        raise ValueError
    if not all(kind_of(name) or _is_note(name) for name in names[1:]):
        raise ValueError
    stores, notes = ({PurePosixPath(name).parent for name in names if one.fullmatch(name)} for one in _OF_AN_EVENT)
    if not stores <= notes:
        raise ValueError
    return names[1:]


def _rebuilt(folder: Path, name: str) -> Restored:
    """Rebuild a database from the rows of an unpacked one, and check it."""
    kind, packed = kind_of(name), folder / _PACKED / name
    assert kind is not None
    disarm(packed, _SCHEMAS[kind])
    private_folder((folder / name).parent)
    with kind.open(folder / name, create=True) as stored:
        # An older Ordago may have made the backup; what is unpacked is nobody else's yet.
        with kind.open(packed, outdated=True) as source:
            source.migrate()
            source.copy_rows_to(stored)
        packed.unlink()
        restored = Restored(name, *_checked(stored))
        if isinstance(stored, Store):
            value = secrets.token_bytes(MIN_NONCE_BYTES).hex()
            stored.restore_event(RestorationEntry(time=f"{datetime.now(tz=UTC):%Y-%m-%dT%H:%M:%SZ}", value=value))
        return restored


def _check_note(note: Path) -> Path:
    try:
        json.loads(note.read_bytes())
    except (ValueError, RecursionError):
        raise StoreError(f"The backup is damaged: its {note.name} is not JSON.") from None
    return note


def _checked(stored: Stored) -> tuple[int, int]:
    """Read all of a database, and return the numbers of its epochs and results."""
    try:
        if isinstance(stored, LadderInspection):
            epochs = stored.check()
            # A server that starts reads all of them.
            stored.ladder(), stored.players()
            return len(epochs), sum(1 for _ in stored.results_since())
        if isinstance(stored, Store):
            return 0, _check_event(stored)
        assert isinstance(stored, Accounts)
        stored.accounts(), stored.tokens()
    except (ValueError, TypeError, LookupError):
        raise StoreError("The database is damaged: a row has invalid contents.") from None
    return 0, 0


def _check_event(store: Store) -> int:
    """Compare the results and records of an event with its ledger, and return their number."""
    ledger = read_ledger(store.state().lines)
    for problem in order_problems(ledger):
        raise StoreError(f"The ledger of the event is damaged: {problem.sentence}")
    entered = {entry.match_id: entry.record_digest for entry in ledger.results}
    played = [one.match.match_id for one in store.state().results]
    if {match_id: digest(read_record(store.record(match_id))).hex() for match_id in played} != entered:
        raise StoreError("The results of the event differ from its ledger.")
    return len(played)


def _take(source: Path, target: Path) -> None:
    private_folder(target.parent)
    sync_file(source)
    source.replace(target)
    sync_folder(target.parent)


def _load(folder: Path, names: Sequence[str], ladder: str | None, accounts: str | None) -> set[str]:
    """Load databases that have a place of their own, once all these are known to be empty, and return their names."""
    with ExitStack() as opened:
        targets: dict[str, Stored] = {}
        if ladder is not None:
            targets[_only_ladder(names)] = into = opened.enter_context(LadderInspection.open(ladder, create=True))
            if into.is_begun():
                raise StoreError("The database already contains a ladder: name an empty one.")
        if accounts is not None and ACCOUNTS_FILE in names:
            targets[ACCOUNTS_FILE] = theirs = opened.enter_context(Accounts.open(accounts, create=True))
            if theirs.accounts():
                raise StoreError("The database already contains accounts: name an empty one in ORDAGO_ACCOUNTS.")
        for name, target in targets.items():
            with type(target).open(folder / name) as source:
                source.copy_rows_to(target)
    return {*targets}


def _only_ladder(names: Sequence[str]) -> str:
    ladders = [name for name in names if _LADDER_FILE.fullmatch(name)]
    if len(ladders) != 1:
        raise StoreError(f"The backup contains {len(ladders)} ladders, and a PostgreSQL database takes one.")
    return ladders[0]
