"""Findings and verdict of a verification."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple

from ordago_ladder.pages.claims import Claim


class Finding(NamedTuple):
    """A problem in a folder."""

    file: str
    """The path of the file in the folder."""
    sentence: str
    """The problem in one sentence, with the entry of a record or ledger where there is one."""


class OtherRulesFinding(Finding):
    """A match, or all matches of a game, by another version of the rules: nothing is wrong, and nothing proved."""

    __slots__ = ()


def contradictions(findings: Iterable[Finding], receipts: Collection[str]) -> int:
    """Return the number of findings on these files of receipts."""
    return sum(finding.file in receipts for finding in findings)


def as_sentence(reason: str) -> str:
    """Return the reason for rejecting a file as a complete sentence."""
    return reason if reason.endswith(".") else f"It cannot be read: {reason}."


def problem_sentence(entry: int | None, sentence: str) -> str:
    """Return the sentence on an entry, with its number; ``None`` stands for the whole file."""
    return sentence if entry is None else f"entry {entry}: {sentence}"


class NoEventError(Exception):
    """A folder without a published event: a mistake of the user."""


class DamagedError(Exception):
    """An event too damaged for any further check."""

    def __init__(self, finding: Finding) -> None:
        """Take the finding on the damage."""
        super().__init__(finding.sentence)
        self.finding = finding


@unique
class Verdict(Enum):
    """The result of a verification."""

    CLEAN = "clean"
    UNFINISHED = "unfinished"
    """No findings, but the event goes on: its deals and its schedule are not proved yet."""
    NOT_JUDGED = "not judged"
    """It was played by other versions of the rules than the installed ones, and nothing else was found."""
    NOT_CLEAN = "not clean"


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of verifying a folder."""

    records: int
    """The number of records replayed."""
    revealed: bool
    """True if the secrets of all records are known, which proves deals, and the schedule and ratings of an event."""
    findings: tuple[Finding, ...]
    unfinished: bool = False
    """True for an event that goes on."""
    receipts: int = 0
    """The number of receipts of this event that the ledger was compared with."""
    receipts_ahead: int = 0
    """The number of those that are ahead of a ledger that goes on, and were compared with nothing."""
    contradictions: int = 0
    """The number of contradictions between receipts and the published ledger; one of the two is forged then."""
    other_pages: str = ""
    """The version of Ordago that made the pages, which this one cannot make again; empty if they were compared."""
    claims: tuple[Claim, ...] = ()
    """The claims on a clean event that are proved, and those that are not."""

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        if self.findings:
            by_other_rules = all(isinstance(finding, OtherRulesFinding) for finding in self.findings)
            return Verdict.NOT_JUDGED if by_other_rules else Verdict.NOT_CLEAN
        return Verdict.UNFINISHED if self.unfinished else Verdict.CLEAN
