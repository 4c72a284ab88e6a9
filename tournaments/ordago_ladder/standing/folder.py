"""The published folder of a standing ladder."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DIGITS: Final = 6
"""No ledger has a number with more."""


@dataclass(frozen=True, slots=True)
class EpochFolder:
    """The folder of an epoch."""

    path: Path

    @property
    def ledger(self) -> Path:
        """The ledger. It is complete once its last line is ``end``."""
        return self.path / "ledger.jsonl"

    @property
    def settings(self) -> Path:
        """What all matches of the epoch are played under."""
        return self.path / "settings.json"

    @property
    def records(self) -> Path:
        """The folder of the records, once the epoch is revealed."""
        return self.path / "records"

    @property
    def half_written_records(self) -> Path:
        """The folder of the records while they are written."""
        return self.path / "records.part"


@dataclass(frozen=True, slots=True)
class LadderFolder:
    """The published folder of a standing ladder."""

    path: Path

    @property
    def epochs(self) -> Path:
        """The folder of the epochs."""
        return self.path / "epochs"

    def epoch(self, number: int) -> EpochFolder:
        """Return the folder of an epoch."""
        return EpochFolder(self.epochs / epoch_name(number))

    @property
    def file(self) -> Path:
        """The ladder file."""
        return self.path / "ladder.toml"

    @property
    def standing(self) -> Path:
        """The standing of the season that goes on, by now."""
        return self.path / "ladder.json"

    @property
    def seasons(self) -> Path:
        """The folder of the seasons."""
        return self.path / "seasons"

    def season_standing(self, season: str) -> Path:
        """Return the standing of a season by its epochs that are revealed. It is named as the season is called."""
        return self.seasons / season / self.standing.name


def epoch_name(number: int) -> str:
    """Return what the folder of an epoch is called."""
    return f"{number:0{_DIGITS}}"


def numbers_of(names: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of the epochs that have folders of these names, ascending. Other names are left out."""
    numbers = (int(name) for name in names if name.isascii() and name.isdigit() and len(name) == _DIGITS)
    return tuple(sorted(number for number in numbers if number >= 1))


def ladder_record_name(match_id: str) -> str:
    """Return the name of the file of a record in its folder."""
    return f"{match_id}.record"
