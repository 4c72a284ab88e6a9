"""The proof of records, each for itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from ordago import v1
from ordago.match import Audit, UnpromptedForfeit, audit
from ordago.record import RecordError, Result, digest, fault_name, read_record, result_of, rewritten, verify
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import MOST_RECORD_BYTES, UnreadableError, names_in, read_file
from ordago_ladder.verification.findings import Finding, Verification, as_sentence, problem_sentence
from ordago_ladder.verification.sharing import shared

if TYPE_CHECKING:  # processes that prove records import this, and read no ledgers
    from ordago.record.ledgers.event import ResultEntry
    from ordago.record.ledgers.ladder import LadderResultEntry

EntryT = TypeVar("EntryT", bound="ResultEntry | LadderResultEntry")

SUFFIX: Final = ".record"
MOST_DAMAGED: Final = 100
"""After so many files that are no records nobody wants to know of more, and each can cost seconds."""


class VerifiedRecord(NamedTuple):
    """What is kept of a record that was verified: nothing that grows with the match."""

    heading: v1.MatchRecord
    """The record without its entries."""
    result: Result
    digest: bytes
    unprompted: tuple[UnpromptedForfeit, ...]
    """The forfeits that the record itself does not account for."""


def verify_file(path: Path, *, secret: bytes | None = None) -> Verification:
    """Verify one record.

    Raises:
        UnreadableError: it cannot be read.
        RecordError: it is no record.
    """
    judged = _judged(read_file(path, most=MOST_RECORD_BYTES, follow=True), secret=secret)
    findings = tuple(_findings(judged.audit, path.name))
    return Verification(1, revealed=judged.is_revealed(secret), findings=findings)


def verify_records(folder: Path, *, secret: bytes | None = None, processes: int = 1) -> Verification:
    """Verify all records in a folder, each for itself.

    Args:
        folder: the folder.
        secret: the secret, where it was revealed elsewhere.
        processes: how many processes share them, at most.

    Raises:
        UnreadableError: the folder cannot be read.
    """
    findings: list[Finding] = []
    revealed: list[bool] = []
    paths = [folder / name for name in record_names(folder)]
    with closing(shared(partial(_examined, secret=secret), paths, processes=processes)) as examined:
        for path, (is_revealed, found) in zip(paths, examined, strict=True):
            findings += found
            if is_revealed is not None:
                revealed.append(is_revealed)
            if len(findings) >= MOST_DAMAGED:
                findings.append(Finding(path.name, "So much is wrong that nothing after this file was read."))
                break
    return Verification(len(revealed), revealed=all(revealed), findings=tuple(findings))


def _examined(path: Path, *, secret: bytes | None) -> tuple[bool | None, Sequence[Finding]]:
    """Return whether the secret of a record is known, and what is wrong with it; ``None`` for what is no record."""
    try:
        judged = _judged(read_file(path, most=MOST_RECORD_BYTES), secret=secret)
    except (UnreadableError, RecordError) as error:
        return None, [Finding(path.name, as_sentence(str(error)))]
    return judged.is_revealed(secret), list(_findings(judged.audit, path.name))


def _findings(found: Audit, name: str) -> Iterator[Finding]:
    """Yield what is wrong with the record of a file, for itself."""
    yield from (_unaccounted(forfeit, name) for forfeit in found.unprompted if not forfeit.comes_from_outside)
    for problem in found.problems:
        yield Finding(name, problem_sentence(*problem))


class _Judged(NamedTuple):
    """A record that was read and played again."""

    record: v1.MatchRecord
    """The record, with those of its entries at least by which faults, strikes and forfeits are counted."""
    digest: bytes
    audit: Audit
    is_as_committed: bool
    """Whether the file is written as an event writes it, byte for byte."""

    def is_revealed(self, secret: bytes | None) -> bool:
        """Say whether the secret is known, here or from elsewhere."""
        return secret is not None or bool(self.record.secret)


def _judged(data: bytes, *, secret: bytes | None) -> _Judged:
    """Read a record and play it again.

    Raises:
        RecordError: it is no record.
    """
    again = rewritten(data, secret=secret)
    if again is not None:
        return _Judged(again.record, again.digest, audit(again.record, again.turns), is_as_committed=True)
    record = read_record(data)
    found = digest(record)
    written = v1.RecordFile(record=record, digest=found).SerializeToString(deterministic=True)
    return _Judged(record, found, _audit(record, secret=secret), is_as_committed=written == data)


def _audit(record: v1.MatchRecord, *, secret: bytes | None) -> Audit:
    """Return what is wrong with a record by the rules of its game, and, where nothing is, by those of the referee."""
    problems = verify(record, secret=secret)
    # What makes no sense by the rules of its game makes none by those of the referee.
    return Audit(tuple(problems), ()) if problems else audit(record)


class Unproved(NamedTuple):
    """A file that does not hold the record of a match as it was played."""

    sentences: Sequence[str]
    """What is wrong with it, at least one sentence."""
    is_record: bool
    """Whether it is a record at all, and was played again."""


class RecordsProof:
    """One verification of the records of an event, or of an epoch of a standing ladder."""

    def __init__(self, folder: Path, *, secret: bytes | None, processes: int) -> None:
        """Take the folder of the records, which some processes share at most, and the secret, if it is revealed."""
        self._folder = folder
        self._secret = secret
        self._processes = processes
        self.records = 0
        """How many records were played again."""

    def findings(
        self,
        entries: Sequence[EntryT],
        differences: Callable[[EntryT, VerifiedRecord], Iterable[str]],
        *,
        prefix: str,
        of: str = "",
        well: Callable[[EntryT], Iterable[Finding]] = lambda _: (),
    ) -> Iterator[Finding]:
        """Yield what is wrong with the records of some entries of a ledger, in their order, until it is too much.

        Args:
            entries: the entries, each of a result.
            differences: yields what is otherwise in a record than it has to be by its entry.
            prefix: the path of the folder in what is verified, with a slash.
            of: says whose records they are: ``" of this epoch"``.
            well: yields what else is wrong where nothing is wrong with a record.
        """
        paths = [self._folder / f"{entry.match_id}{SUFFIX}" for entry in entries]
        work, found = partial(_verified_file, secret=self._secret), 0
        with closing(shared(work, paths, processes=self._processes)) as records:
            for entry, path, record in zip(entries, paths, records, strict=True):
                name = f"{prefix}{path.name}"
                sentences = [*self._sentences(entry, record, differences)]
                yield from (Finding(name, sentence) for sentence in sentences) if sentences else well(entry)
                found += len(sentences)
                if found >= MOST_DAMAGED:
                    yield Finding(name, f"So much is wrong that no more records{of} were read.")
                    return

    def _sentences(
        self,
        entry: EntryT,
        record: VerifiedRecord | Unproved,
        differences: Callable[[EntryT, VerifiedRecord], Iterable[str]],
    ) -> Iterable[str]:
        if isinstance(record, Unproved):
            self.records += record.is_record
            return record.sentences
        self.records += 1
        return differences(entry, record)


def unaccounted(forfeit: UnpromptedForfeit) -> str:
    """Return what is wrong with a record in which neither bot nor referee brought about a forfeit."""
    fault = fault_name(forfeit.fault).replace("_", " ")
    return f"entry {forfeit.entry}: Nothing accounts for the forfeit of seat {forfeit.seat} ({fault})."


def _verified_file(path: Path, *, secret: bytes | None) -> VerifiedRecord | Unproved:
    try:
        return _verified(read_file(path, most=MOST_RECORD_BYTES), secret=secret)
    except (UnreadableError, RecordError) as error:
        return Unproved([as_sentence(str(error))], is_record=False)


def _verified(data: bytes, *, secret: bytes | None) -> VerifiedRecord | Unproved:
    judged = _judged(data, secret=secret)
    if not judged.is_as_committed:
        return Unproved(["The record is not written as it is committed, byte for byte."], is_record=True)
    record, sentences = judged.record, [problem_sentence(*problem) for problem in judged.audit.problems]
    if record.secret:
        sentences.append("The secret is revealed once, in the ledger, and not in records.")
    if sentences:
        return Unproved(sentences[:MOST_DAMAGED], is_record=True)
    counted = result_of(record)
    del record.entries[:]
    return VerifiedRecord(record, counted, judged.digest, judged.audit.unprompted)


def record_names(folder: Path) -> list[str]:
    """Return the names of what calls itself a record in a folder, ascending.

    Raises:
        UnreadableError: the folder cannot be read.
    """
    return [name for name in names_in(folder) if name.endswith(SUFFIX)]


def holds_records(folder: Path) -> bool:
    """Say whether a folder holds records and no event: that of ``ordago serve --records``, for instance.

    Raises:
        UnreadableError: the folder cannot be read.
    """
    event = EventFolder(folder)
    parts = (event.event_file, event.ladder, event.ledger, event.records)
    return not any(part.is_symlink() or part.exists() for part in parts) and bool(record_names(folder))


def _unaccounted(forfeit: UnpromptedForfeit, name: str) -> Finding:
    return Finding(name, problem_sentence(forfeit.entry, f"Nothing accounts for the forfeit of seat {forfeit.seat}."))
