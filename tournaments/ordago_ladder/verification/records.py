"""Verification of single records."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from ordago import v1
from ordago.games import find_game, game_names
from ordago.match import Audit, UnpromptedForfeit, audit
from ordago.record import RecordError, Result, digest, fault_name, read_record, result_of, rewritten, verify
from ordago.record.opening import other_rules
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import MOST_RECORD_BYTES, UnreadableError, names_in, read_file
from ordago_ladder.verification.findings import (
    Finding,
    OtherRulesFinding,
    Verification,
    as_sentence,
    problem_sentence,
)
from ordago_ladder.verification.sharing import shared

if TYPE_CHECKING:  # worker processes import this module, and need no ledgers
    from ordago.record.ledgers.event import ResultEntry
    from ordago.record.ledgers.ladder import LadderResultEntry

EntryT = TypeVar("EntryT", bound="ResultEntry | LadderResultEntry")

SUFFIX: Final = ".record"
MOST_DAMAGED: Final = 100
"""The number of findings after which a verification stops: each damaged file can cost seconds."""


class VerifiedRecord(NamedTuple):
    """The parts of a verified record that do not grow with the match."""

    heading: v1.MatchRecord
    """The record without its entries."""
    result: Result
    digest: bytes
    unprompted: tuple[UnpromptedForfeit, ...]
    """The forfeits that the record alone does not explain."""


def verify_file(path: Path, *, secret: bytes | None = None) -> Verification:
    """Verify one record.

    Raises:
        UnreadableError: it cannot be read.
        RecordError: it is not a record.
    """
    judged = _judged(read_file(path, most=MOST_RECORD_BYTES, follow=True), secret=secret)
    findings = tuple(_findings(judged.audit, path.name))
    return Verification(1, revealed=judged.is_revealed(secret), findings=findings)


def verify_records(folder: Path, *, secret: bytes | None = None, processes: int = 1) -> Verification:
    """Verify all records in a folder, each on its own.

    Args:
        folder: the folder.
        secret: the secret, where it was revealed elsewhere.
        processes: the most processes that share the records.

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
                findings.append(
                    Finding(path.name, "There are too many findings: verification stopped after this file.")
                )
                break
    return Verification(len(revealed), revealed=all(revealed), findings=tuple(findings))


def _examined(path: Path, *, secret: bytes | None) -> tuple[bool | None, Sequence[Finding]]:
    """Return True if the secret of a record is known (``None`` for a file that is no record), and its findings."""
    try:
        judged = _judged(read_file(path, most=MOST_RECORD_BYTES), secret=secret)
    except (UnreadableError, RecordError) as error:
        return None, [Finding(path.name, as_sentence(str(error)))]
    return judged.is_revealed(secret), list(_findings(judged.audit, path.name))


def _findings(found: Audit, name: str) -> Iterator[Finding]:
    """Yield the findings of a record's audit."""
    yield from (_unaccounted(forfeit, name) for forfeit in found.unprompted if not forfeit.comes_from_outside)
    for problem in found.problems:
        kind = OtherRulesFinding if problem.by_other_rules else Finding
        yield kind(name, problem_sentence(problem.entry, problem.sentence))


def by_other_rules(file: str, versions: Iterable[tuple[str, int]]) -> Iterator[Finding]:
    """Yield a finding for each installed game whose rules have another version than its matches."""
    for name, version in versions:
        game = find_game(name) if name in game_names() else None
        if game is not None and version != game.rules.version:
            yield OtherRulesFinding(file, other_rules(game, version))


class _Judged(NamedTuple):
    """A record after reading and replaying."""

    record: v1.MatchRecord
    """The record, with at least the entries that count faults, strikes and forfeits."""
    digest: bytes
    audit: Audit
    is_as_committed: bool
    """True if the file is byte for byte as an event writes it."""

    def is_revealed(self, secret: bytes | None) -> bool:
        """Return True if the secret is known, from the record or from elsewhere."""
        return secret is not None or bool(self.record.secret)


def _judged(data: bytes, *, secret: bytes | None) -> _Judged:
    """Read a record and replay it.

    Raises:
        RecordError: it is not a record.
    """
    again = rewritten(data, secret=secret)
    if again is not None:
        return _Judged(again.record, again.digest, audit(again.record, again.turns), is_as_committed=True)
    record = read_record(data)
    found = digest(record)
    written = v1.RecordFile(record=record, digest=found).SerializeToString(deterministic=True)
    return _Judged(record, found, _audit(record, secret=secret), is_as_committed=written == data)


def _audit(record: v1.MatchRecord, *, secret: bytes | None) -> Audit:
    """Check a record by the rules of its game and, if it passes, by those of the referee."""
    problems = verify(record, secret=secret)
    # The referee's rules can only be checked on a match that is valid by the rules of its game.
    return Audit(tuple(problems), ()) if problems else audit(record)


class Unproved(NamedTuple):
    """A file that failed verification."""

    sentences: Sequence[str]
    """The problems, at least one."""
    is_record: bool
    """True if it is a record, and was replayed."""


class RecordsProof:
    """A verification of the records of an event, or of an epoch of a standing ladder."""

    def __init__(self, folder: Path, *, secret_of: Callable[[str], bytes | None], processes: int) -> None:
        """Begin with no record replayed.

        Args:
            folder: the folder of the records.
            secret_of: returns the secret of a match by its ID; ``None`` if it is not revealed.
            processes: the most processes that share the work.
        """
        self._folder = folder
        self._secret_of = secret_of
        self._processes = processes
        self.records = 0
        """The number of records replayed."""

    def findings(
        self,
        entries: Sequence[EntryT],
        differences: Callable[[EntryT, VerifiedRecord], Iterable[str]],
        *,
        prefix: str,
        of: str = "",
        well: Callable[[EntryT], Iterable[Finding]] = lambda _: (),
    ) -> Iterator[Finding]:
        """Yield the findings on the records of these entries of a ledger, in order. Stop after ``MOST_DAMAGED``.

        Args:
            entries: the entries, each of a result.
            differences: yields a sentence for each difference between a record and its entry.
            prefix: the path of the records' folder in the verified folder, with a slash at the end.
            of: names the owner of the records in a sentence: ``" of this epoch"``.
            well: yields further findings for an entry whose record has none.
        """
        paths = [self._folder / f"{entry.match_id}{SUFFIX}" for entry in entries]
        work, found = [(path, self._secret_of(entry.match_id)) for entry, path in zip(entries, paths, strict=True)], 0
        with closing(shared(_verified_file, work, processes=self._processes)) as records:
            for entry, path, record in zip(entries, paths, records, strict=True):
                name = f"{prefix}{path.name}"
                sentences = [*self._sentences(entry, record, differences)]
                yield from (Finding(name, sentence) for sentence in sentences) if sentences else well(entry)
                found += len(sentences)
                if found >= MOST_DAMAGED:
                    yield Finding(name, f"There are too many findings: no more records{of} were read.")
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
    """Return the sentence on a forfeit that neither the bot nor the referee caused."""
    fault = fault_name(forfeit.fault).replace("_", " ")
    return f"entry {forfeit.entry}: Nothing accounts for the forfeit of seat {forfeit.seat} ({fault})."


def _verified_file(of: tuple[Path, bytes | None]) -> VerifiedRecord | Unproved:
    path, secret = of
    try:
        return _verified(read_file(path, most=MOST_RECORD_BYTES), secret=secret)
    except (UnreadableError, RecordError) as error:
        return Unproved([as_sentence(str(error))], is_record=False)


def _verified(data: bytes, *, secret: bytes | None) -> VerifiedRecord | Unproved:
    judged = _judged(data, secret=secret)
    if not judged.is_as_committed:
        return Unproved(["The record differs from the committed form byte for byte."], is_record=True)
    record = judged.record
    sentences = [problem_sentence(problem.entry, problem.sentence) for problem in judged.audit.problems]
    if record.secret:
        sentences.append("The record contains the secret, which belongs only in the ledger.")
    if sentences:
        return Unproved(sentences[:MOST_DAMAGED], is_record=True)
    counted = result_of(record)
    del record.entries[:]
    return VerifiedRecord(record, counted, judged.digest, judged.audit.unprompted)


def record_names(folder: Path) -> list[str]:
    """Return the names of the record files in a folder, by their suffix, ascending.

    Raises:
        UnreadableError: the folder cannot be read.
    """
    return [name for name in names_in(folder) if name.endswith(SUFFIX)]


def holds_records(folder: Path) -> bool:
    """Return True for a folder with records and no event, for instance that of ``ordago serve --records``.

    Raises:
        UnreadableError: the folder cannot be read.
    """
    event = EventFolder(folder)
    parts = (event.event_file, event.ladder, event.ledger, event.records)
    return not any(part.is_symlink() or part.exists() for part in parts) and bool(record_names(folder))


def _unaccounted(forfeit: UnpromptedForfeit, name: str) -> Finding:
    return Finding(name, problem_sentence(forfeit.entry, f"Nothing accounts for the forfeit of seat {forfeit.seat}."))
