"""What comes of a verification."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple

from ordago_ladder.pages.claims import Claim


class Finding(NamedTuple):
    """Something that is wrong in a folder."""

    file: str
    """The file, by its path in the folder."""
    sentence: str
    """What is wrong, in one sentence, down to the entry of a record."""


def contradictions(findings: Iterable[Finding], receipts: Collection[str]) -> int:
    """Return how many findings come from some files of receipts."""
    return sum(finding.file in receipts for finding in findings)


def as_sentence(reason: str) -> str:
    """Return why a file is not taken as a sentence that stands for itself."""
    return reason if reason.endswith(".") else f"It cannot be read: {reason}."


def problem_sentence(entry: int | None, sentence: str) -> str:
    """Return what is wrong with an entry, or with the whole."""
    return sentence if entry is None else f"entry {entry}: {sentence}"


class NoEventError(Exception):
    """A folder in which no event was published. The user erred."""


class DamagedError(Exception):
    """An event of which too much is damaged for anything else to be looked at."""

    def __init__(self, finding: Finding) -> None:
        """Remember what is damaged."""
        super().__init__(finding.sentence)
        self.finding = finding


@unique
class Verdict(Enum):
    """What a verification came to."""

    CLEAN = "clean"
    UNFINISHED = "unfinished"
    """Nothing is wrong with what is there, and the event goes on: its deals and its schedule are not proved."""
    NOT_CLEAN = "not clean"


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of verifying a folder."""

    records: int
    """How many records were played again."""
    revealed: bool
    """Whether the secrets of all of them are known, so that deals are proved, and schedule and ratings of an event."""
    findings: tuple[Finding, ...]
    unfinished: bool = False
    """Whether it is an event that goes on."""
    receipts: int = 0
    """How many receipts it was held against, those of other events not among them."""
    contradictions: int = 0
    """How many findings are contradictions between receipts and what was published, one of which is forged then."""
    claims: tuple[Claim, ...] = ()
    """What is proved of an event that is clean, and what is not."""

    @property
    def verdict(self) -> Verdict:
        """What it came to."""
        if self.findings:
            return Verdict.NOT_CLEAN
        return Verdict.UNFINISHED if self.unfinished else Verdict.CLEAN
