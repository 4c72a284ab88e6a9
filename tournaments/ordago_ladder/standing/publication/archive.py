"""Publication of a standing ladder's epochs as files.

A running epoch has only its settings and its ledger published. Once it is revealed, its records are written to a
temporary folder next to the ledger, then the ledger with its end, and then that folder gets its final name. Whatever
stops this in between, a folder never has records without the end of the ledger, and the next call goes on from there.
Callers may stop it on purpose: an epoch may have so many records that other news would wait too long for them.

A published ledger is only replaced by one that begins with it. Published records stay even when the ladder has pruned
its own, until ``drop_records``.
"""

import json
import math
import os
import shutil
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ordago.files import sync_folder
from ordago.record.ledgers.chain import ledger_text
from ordago.record.ledgers.ladder import EpochEnd, read_epoch
from ordago_ladder.folder import EpochFolder, LadderFolder, ladder_record_name
from ordago_ladder.publication.files import UnreadableError, read_file, write_published


class ArchiveError(Exception):
    """A published ledger contradicts the ladder. The organiser mixed up folders, or lost results."""


class LadderSource(Protocol):
    """The parts of a standing ladder's store that are published."""

    def epochs(self) -> Iterable[int]:
        """Return the numbers of the epochs that have begun, ascending."""

    def epoch_settings(self, epoch: int) -> str:
        """Return the settings of an epoch, as ``EpochSettings.text``."""

    def ledger(self, epoch: int) -> Sequence[str]:
        """Return the lines of the ledger of an epoch so far."""

    def record(self, match_id: str) -> bytes | None:
        """Return the record of a match of a revealed epoch, byte for byte as it was committed.

        ``None``: the record was pruned.
        """


def publish_epochs(
    source: LadderSource, folder: Path, *, complete: Collection[int] = (), most_seconds: float = math.inf
) -> frozenset[int]:
    """Publish all epochs of a ladder, as far as they may be public, in a folder.

    Existing records are recognised by their names and left alone; ``verify_ladder`` checks their contents.

    Args:
        source: the ladder.
        folder: its published folder, which may hold other files too.
        complete: the epochs that an earlier call returned as completely published. They are skipped.
        most_seconds: the approximate time for writing records; those that are left wait for the next call.

    Returns:
        The epochs that are completely published.

    Raises:
        ArchiveError: a different ledger was published for an epoch.
        OSError: the folder cannot be written to.
    """
    ladder, done, share = LadderFolder(folder), set(complete), _Share(most_seconds)
    # The list of epochs is read before any ledger. So the ledger of each holds the head that the next epoch names.
    in_turn = True
    for number in tuple(source.epochs()):
        if number in done:
            continue
        in_turn = _publish(source, number, ladder.epoch(number), share if in_turn else None)
        if in_turn:
            done.add(number)
    return frozenset(done)


@dataclass(slots=True)
class _Share:
    """The time that is left for writing records."""

    seconds: float


def _publish(source: LadderSource, number: int, folder: EpochFolder, share: _Share | None) -> bool:
    """Publish an epoch so far; return True if it is complete.

    Records are written while there is time, and the end of the ledger once all of them are there. Without a share
    neither is written, since the epoch before is not complete.
    """
    lines = source.ledger(number)
    text = ledger_text(lines).encode()
    published = _published_ledger(folder, text)
    _remove(*(path for path in folder.path.glob("*.part") if path != folder.half_written_records))
    write_published(folder.settings, source.epoch_settings(number).encode())
    if not _is_over(lines):
        _remove(folder.records, folder.half_written_records)
        write_published(folder.ledger, text)
        return False
    if published != text:
        # The next epoch and the receipts of bots refer to these lines, so they do not wait for the end.
        write_published(folder.ledger, ledger_text(lines[:-1]).encode())
    return share is not None and _publish_end(source, lines, folder, share)


def _publish_end(source: LadderSource, lines: Sequence[str], folder: EpochFolder, share: _Share) -> bool:
    """Publish the records of an epoch, and then the end of its ledger; return True if the time sufficed."""
    names = {ladder_record_name(entry.match_id): entry.match_id for entry in read_epoch(lines).results}
    if folder.records.is_dir():
        _remove(folder.half_written_records)
        write_published(folder.ledger, ledger_text(lines).encode())
        return _fill(folder.records, source, names, share)
    folder.half_written_records.mkdir(exist_ok=True)
    if not _fill(folder.half_written_records, source, names, share):
        return False
    write_published(folder.ledger, ledger_text(lines).encode())
    _name_records(folder)
    return True


def _is_over(lines: Sequence[str]) -> bool:
    """Return True if a ledger has its end. Only its last line is parsed."""
    return bool(lines) and json.loads(lines[-1])["kind"] == EpochEnd.model_fields["kind"].default


def _published_ledger(folder: EpochFolder, text: bytes) -> bytes:
    """Return the published ledger, after a check that the new one continues it; empty if there is none.

    Raises:
        ArchiveError: the new ledger does not begin with it.
    """
    if not folder.ledger.is_file():
        return b""
    try:
        published = read_file(folder.ledger, most=len(text))
        goes_on = text.startswith(published)
    except UnreadableError:
        goes_on = False  # It is longer, or a link.
    if not goes_on:
        raise ArchiveError(
            f"the ledger of this epoch does not begin like {folder.ledger}, which is of another ladder, or of this one "
            "before it lost data; publish into another folder, or restore the ladder"
        )
    return published


def _fill(folder: Path, source: LadderSource, names: Mapping[str, str], share: _Share) -> bool:
    """Write the missing records into a folder, and remove files that do not belong there.

    Existing records are whole, since each is renamed into place. Return False if the time ran out before the last; at
    least one is written in any case.
    """
    until = time.monotonic() + share.seconds
    found = {path.name for path in folder.iterdir()}
    _remove(*(folder / name for name in found.difference(names)))
    missing = sorted(names.keys() - found)
    for number, name in enumerate(missing, start=1):
        # A pruned record is looked up in vain on every call, so it must not use up the one record of a short share.
        if _write_record(source, names[name], folder / name) and time.monotonic() > until:
            share.seconds = 0.0
            return number == len(missing)
    share.seconds = until - time.monotonic()
    return True


def _write_record(source: LadderSource, match_id: str, path: Path) -> bool:
    record = source.record(match_id)
    if record is not None:
        write_published(path, record)
    return record is not None


def _name_records(folder: EpochFolder) -> None:
    """Rename the folder of records to its final name. An epoch whose records were all pruned gets no folder."""
    sync_folder(folder.half_written_records)
    if any(folder.half_written_records.iterdir()):
        folder.half_written_records.replace(folder.records)
    else:
        _remove(folder.half_written_records)
    sync_folder(folder.path)


def drop_records(folder: EpochFolder) -> bool:
    """Remove the published records of an epoch; return True if there were some. Its ledger and settings stay.

    Nobody sees half of them, whatever stops this: ``publish_epochs`` removes what is left under the other name.
    """
    _remove(folder.dropped_records)
    if not os.path.lexists(folder.records):
        return False
    folder.records.rename(folder.dropped_records)
    sync_folder(folder.path)
    _remove(folder.dropped_records)
    return True


def record_bytes(folder: EpochFolder) -> int:
    """Return the size of the published records of an epoch, in bytes; 0 without any."""
    return sum(path.stat().st_size for path in folder.records.glob("*"))


def _remove(*paths: Path) -> None:
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
