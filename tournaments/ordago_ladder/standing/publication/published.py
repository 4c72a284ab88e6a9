"""Reading of a standing ladder's published folder. It checks the form of files, and proves nothing."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago.record.ledgers.chain import LedgerError
from ordago.record.ledgers.ladder import EpochBegin, EpochLedger, parse_epoch
from ordago_ladder.folder import EpochFolder, LadderFolder, epoch_name, numbers_of
from ordago_ladder.publication.files import UnreadableError, names_in, read_text
from ordago_ladder.standing.epoch_settings import (
    MOST_SETTINGS_BYTES,
    EpochSettings,
    EpochSettingsError,
    parse_epoch_settings,
)
from ordago_ladder.verification.findings import DamagedError, Finding, NoEventError, as_sentence

MOST_LEDGER_BYTES: Final = 128 << 20
"""The longest ledger that is read: about 200,000 matches."""


@dataclass(frozen=True, slots=True)
class PublishedEpoch:
    """The ledger and the settings of a published epoch."""

    number: int
    folder: EpochFolder
    ledger: EpochLedger
    begin: EpochBegin
    settings: EpochSettings

    @property
    def name(self) -> str:
        """Its path in the folder of the ladder, with a slash."""
        return prefix_of(self.number)

    def in_ledger(self, sentence: str) -> Finding:
        """Return a finding about its ledger."""
        return Finding(f"{self.name}{self.folder.ledger.name}", sentence)


def prefix_of(number: int) -> str:
    """Return the path of an epoch in the folder of its ladder, with a slash."""
    return f"epochs/{epoch_name(number)}/"


def is_ladder(path: Path) -> bool:
    """Return True if a folder is that of a standing ladder."""
    return LadderFolder(path).epochs.is_dir()


def published_epochs(folder: LadderFolder) -> tuple[int, ...]:
    """Return the numbers of the published epochs, ascending.

    Raises:
        NoEventError: no epoch is published.
        UnreadableError: the folder cannot be read.
    """
    numbers = numbers_of(names_in(folder.epochs))
    if not numbers:
        raise NoEventError(f"{folder.path} has no published epoch: {prefix_of(1)} is missing")
    return numbers


def read_published_epoch(folder: LadderFolder, number: int) -> PublishedEpoch:
    """Read the ledger and the settings of an epoch.

    Raises:
        DamagedError: one of the two files is missing or damaged.
    """
    epoch = folder.epoch(number)
    try:
        ledger = parse_epoch(read_text(epoch.ledger, most=MOST_LEDGER_BYTES))
    except (UnreadableError, LedgerError) as error:
        raise _damaged(number, epoch.ledger, error) from None
    if ledger.begin is None:
        sentence = "The ledger does not begin with the beginning of an epoch."
        raise DamagedError(Finding(f"{prefix_of(number)}{epoch.ledger.name}", sentence))
    try:
        settings = parse_epoch_settings(read_text(epoch.settings, most=MOST_SETTINGS_BYTES))
    except (UnreadableError, EpochSettingsError) as error:
        raise _damaged(number, epoch.settings, error) from None
    return PublishedEpoch(number, epoch, ledger, ledger.begin, settings)


def _damaged(number: int, path: Path, error: Exception) -> DamagedError:
    return DamagedError(Finding(f"{prefix_of(number)}{path.name}", as_sentence(str(error))))
