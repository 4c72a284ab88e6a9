"""From a standing ladder to what is published of its epochs.

Of an epoch that goes on only settings and ledger are published. Once it is revealed its records are written beside the
ledger, then the ledger with its end, and then the records get their name: whatever stops this in between, no record
stands in the folder of a ledger without its end, and publishing again goes on.

A ledger that was published is never replaced by one that does not begin with it. Records that were published stay, also
when the ladder has given them up to make room.
"""

import json
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from ordago.record.chain import ledger_text
from ordago.record.ladder_ledger import EpochEnd, read_epoch
from ordago.store.files import sync_folder
from ordago_ladder.reading import UnreadableError, read_file
from ordago_ladder.standing.folder import EpochFolder, LadderFolder, ladder_record_name
from ordago_ladder.writing import write_published


class ArchiveError(Exception):
    """What was published does not fit what is to be published. The organiser mixed up folders, or lost results."""


class LadderSource(Protocol):
    """Where a standing ladder is kept, as far as it is published."""

    def epochs(self) -> Iterable[int]:
        """Return the numbers of the epochs that have begun, ascending."""

    def epoch_settings(self, epoch: int) -> str:
        """Return the settings of an epoch, as ``EpochSettings.text``."""

    def ledger(self, epoch: int) -> Sequence[str]:
        """Return the lines of the ledger of an epoch, as far as it has come."""

    def record(self, match_id: str) -> bytes | None:
        """Return the record of a match as a file, byte for byte as it was committed; its epoch is revealed.

        ``None``: it was given up to make room.
        """


def publish_epochs(source: LadderSource, folder: Path, *, complete: Collection[int] = ()) -> frozenset[int]:
    """Write all that may be known of a ladder's epochs into its folder.

    What is there already is left alone: of records it is their names that are looked at, and ``verify_ladder`` sees
    whether they are what they should be.

    Args:
        source: the ladder.
        folder: its folder, in which others may stand, too.
        complete: the epochs that are known to be published to their ends: they are not looked at again. Whoever
            publishes again and again hands in what the last time returned.

    Returns:
        The epochs that are published to their ends.

    Raises:
        ArchiveError: another ledger was published of an epoch.
        OSError: the folder cannot be written to.
    """
    ladder, done = LadderFolder(folder), set(complete)
    # An epoch is known of before the ledger of the one before is read: so that holds the head that the later one names.
    for number in tuple(source.epochs()):
        if number not in done and _publish(source, number, ladder.epoch(number)):
            done.add(number)
    return frozenset(done)


def _publish(source: LadderSource, number: int, folder: EpochFolder) -> bool:
    """Publish an epoch as far as it has come; say whether that is its end."""
    lines = source.ledger(number)
    text = ledger_text(lines).encode()
    _check_published(folder, text)
    _remove(*folder.path.glob("*.part"))
    write_published(folder.settings, source.epoch_settings(number).encode())
    if not _is_over(lines):
        _remove(folder.records)
        write_published(folder.ledger, text)
        return False
    names = {ladder_record_name(entry.match_id): entry.match_id for entry in read_epoch(lines).results}
    if folder.records.is_dir():
        write_published(folder.ledger, text)
        _mend(source, names, folder.records)
    else:
        kept = _write_records(source, names, folder.half_written_records)
        write_published(folder.ledger, text)
        _name_records(folder, kept=kept)
    return True


def _is_over(lines: Sequence[str]) -> bool:
    """Say whether a ledger has its end, without reading all of it."""
    return bool(lines) and json.loads(lines[-1])["kind"] == EpochEnd.model_fields["kind"].default


def _check_published(folder: EpochFolder, text: bytes) -> None:
    """See to it that the ledger that was published goes on in the one that is to be published."""
    if not folder.ledger.is_file():
        return
    try:
        goes_on = text.startswith(read_file(folder.ledger, most=len(text)))
    except UnreadableError:
        goes_on = False  # It is longer, or a link.
    if not goes_on:
        raise ArchiveError(
            f"{folder.ledger} is not how the ledger of this epoch begins: it was published of another ladder, or this "
            "one has lost what was told already; publish into another folder, or restore the ladder"
        )


def _write_records(source: LadderSource, names: Mapping[str, str], folder: Path) -> bool:
    """Write the records of an epoch into a new folder; say whether there are any."""
    folder.mkdir(parents=True)
    written = [_write_record(source, match_id, folder / name) for name, match_id in names.items()]
    return any(written)


def _mend(source: LadderSource, names: Mapping[str, str], folder: Path) -> None:
    """Write the records that are missing where they were published before, and remove what is no record."""
    found = {path.name for path in folder.iterdir()}
    _remove(*(folder / name for name in found.difference(names)))
    for name in sorted(names.keys() - found):
        _write_record(source, names[name], folder / name)


def _write_record(source: LadderSource, match_id: str, path: Path) -> bool:
    record = source.record(match_id)
    if record is not None:
        write_published(path, record)
    return record is not None


def _name_records(folder: EpochFolder, *, kept: bool) -> None:
    """Give the records of an epoch their name. Of an epoch whose records were given up there is no folder."""
    sync_folder(folder.half_written_records)
    if kept:
        folder.half_written_records.replace(folder.records)
    else:
        _remove(folder.half_written_records)
    sync_folder(folder.path)


def _remove(*paths: Path) -> None:
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
