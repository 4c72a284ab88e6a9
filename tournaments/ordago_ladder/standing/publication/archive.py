"""From a standing ladder to what is published of its epochs.

Of an epoch that goes on only settings and ledger are published. Once it is revealed its records are written beside the
ledger, then the ledger with its end, and then the records get their name: whatever stops this in between, no record
stands in the folder of a ledger without its end, and publishing again goes on where it was. It may be stopped on
purpose: an epoch may have so many records that all else that is to be told would wait too long for them.

A ledger that was published is never replaced by one that does not begin with it. Records that were published stay, also
when the ladder has given them up to make room.
"""

import json
import math
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


def publish_epochs(
    source: LadderSource, folder: Path, *, complete: Collection[int] = (), most_seconds: float = math.inf
) -> frozenset[int]:
    """Write all that may be known of a ladder's epochs into its folder.

    What is there already is left alone: of records it is their names that are looked at, and ``verify_ladder`` sees
    whether they are what they should be.

    Args:
        source: the ladder.
        folder: its folder, in which others may stand, too.
        complete: the epochs that are known to be published to their ends: they are not looked at again. Whoever
            publishes again and again hands in what the last time returned.
        most_seconds: for about so long records are written; those that are left wait for the next time.

    Returns:
        The epochs that are published to their ends.

    Raises:
        ArchiveError: another ledger was published of an epoch.
        OSError: the folder cannot be written to.
    """
    ladder, done, share = LadderFolder(folder), set(complete), _Share(most_seconds)
    # An epoch is known of before the ledger of the one before is read: so that holds the head that the later one names.
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
    """How long records may be written."""

    seconds: float


def _publish(source: LadderSource, number: int, folder: EpochFolder, share: _Share | None) -> bool:
    """Publish an epoch as far as it has come; say whether that is its end.

    Records are written as long as they may, and the end of the ledger when all are; neither where they have no share,
    since the epoch before is not complete.
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
        # What the next epoch and bots know of this ledger is told though its end has to wait.
        write_published(folder.ledger, ledger_text(lines[:-1]).encode())
    return share is not None and _publish_end(source, lines, folder, share)


def _publish_end(source: LadderSource, lines: Sequence[str], folder: EpochFolder, share: _Share) -> bool:
    """Publish the records of an epoch, and then the end of its ledger; say whether there was time for all of it."""
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
    """Say whether a ledger has its end, without reading all of it."""
    return bool(lines) and json.loads(lines[-1])["kind"] == EpochEnd.model_fields["kind"].default


def _published_ledger(folder: EpochFolder, text: bytes) -> bytes:
    """Return the ledger that was published, which has to go on in the one that is to be published."""
    if not folder.ledger.is_file():
        return b""
    try:
        published = read_file(folder.ledger, most=len(text))
        goes_on = text.startswith(published)
    except UnreadableError:
        goes_on = False  # It is longer, or a link.
    if not goes_on:
        raise ArchiveError(
            f"{folder.ledger} is not how the ledger of this epoch begins: it was published of another ladder, or this "
            "one has lost what was told already; publish into another folder, or restore the ladder"
        )
    return published


def _fill(folder: Path, source: LadderSource, names: Mapping[str, str], share: _Share) -> bool:
    """Write the records that are missing in a folder, and remove what is no record.

    Each that is there is whole. Say whether none is left when the time is over; one is written in any case.
    """
    until = time.monotonic() + share.seconds
    found = {path.name for path in folder.iterdir()}
    _remove(*(folder / name for name in found.difference(names)))
    missing = sorted(names.keys() - found)
    for number, name in enumerate(missing, start=1):
        # What was given up is asked for in vain each time, so it must not count.
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
    """Give the records of an epoch their name. Of an epoch whose records were given up there is no folder."""
    sync_folder(folder.half_written_records)
    if any(folder.half_written_records.iterdir()):
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
