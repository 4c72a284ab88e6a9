"""Verification of a published event, from its folder alone."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from ordago.record import read_record
from ordago.record.ledgers.event import ResultEntry
from ordago.record.ledgers.receipts import Receipt, ReceiptError, is_ahead, parse_receipts, verify_receipts
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago.version import __version__
from ordago_ladder.folder import match_page_name
from ordago_ladder.matches.due import course_problems, due_matches, schedule_of, unless_closed
from ordago_ladder.matches.parts import named, part_of, secret_of
from ordago_ladder.pages.claims import OF_ALL_FILES, claims_of
from ordago_ladder.publication.files import MOST_RECORD_BYTES, UnreadableError, read_file
from ordago_ladder.publication.publish import is_data, open_matches, published_files, published_ladder, published_names
from ordago_ladder.rating.think_times import ThinkTimes, think_times
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.schedule.schedule import Plan
from ordago_ladder.showing.match_page import match_page
from ordago_ladder.verification.bookkeeping import (
    MatchCheck,
    ledger_findings,
    other_rules_findings,
    suspension_findings,
)
from ordago_ladder.verification.findings import DamagedError, Finding, Verification, as_sentence, contradictions
from ordago_ladder.verification.published import Published, name_findings, read_published
from ordago_ladder.verification.records import RecordsProof, VerifiedRecord
from ordago_ladder.verification.results import ResultsError, StatedResults, stated_maker

_NOT_ENDED: Final = "All matches are played, but the secret is not revealed: the event was not finished."
_ENDED_EARLY: Final = "The event is over, although by its results more matches were due."
_OTHER_SCHEDULE: Final = "The due matches do not follow from the results."


def verify_folder(path: Path, *, receipts: Sequence[Path] = (), processes: int = 1) -> Verification:
    """Verify everything that an event published.

    Every record is replayed by the rules and compared with the event file and the ledger. The secret of a finished
    event proves every deal and the whole schedule. Finally, all published files are generated again and compared byte
    for byte; those that show it to people only if this version of Ordago published them.

    Args:
        path: the folder.
        receipts: files with receipts of entrants, which the ledger has to match.
        processes: the most processes that verify records in parallel.

    Raises:
        NoEventError: the folder holds no published event.
        UnreadableError: a file of receipts cannot be read.
        ReceiptError: a file of receipts is invalid.
    """
    kept = {file: read_receipts(file) for file in receipts}
    try:
        published = read_published(path)
    except DamagedError as error:
        return Verification(0, revealed=False, findings=(error.finding,))
    check = _EventCheck(published, processes=processes)
    findings = list(other_rules_findings(published)) or list(ledger_findings(published)) or list(check.findings())
    for file, receipts_of_file in kept.items():
        findings += [Finding(str(file), sentence) for sentence in verify_receipts(published.ledger, receipts_of_file)]
    own = [receipt for file in kept.values() for receipt in file if receipt.event == published.settings.event.name]
    claims = claims_of(published.settings, published.ledger)
    return Verification(
        check.records,
        revealed=published.ledger.end is not None,
        findings=tuple(findings),
        unfinished=published.ledger.end is None,
        receipts=len(own),
        receipts_ahead=sum(is_ahead(receipt, published.ledger) for receipt in own),
        contradictions=contradictions(findings, {*map(str, receipts)}),
        other_pages=check.other_pages,
        claims=tuple(claim for claim in claims if not (check.other_pages and claim.said == OF_ALL_FILES)),
    )


def read_receipts(file: Path) -> Sequence[Receipt]:
    """Return the receipts in a file named by the user.

    Raises:
        UnreadableError: it cannot be read.
        ReceiptError: it is invalid.
    """
    try:
        return parse_receipts(read_file(file, follow=True).decode(errors="replace"))
    except ReceiptError as error:
        raise ReceiptError(f"{file}: {error}") from None


class _Course(NamedTuple):
    """The matches of an event, as far as they are known before its records are read."""

    due: Plan
    """The matches that are due if the reported results are true."""
    matches: Mapping[str, PlannedMatch]
    """The matches that need a result, by ID."""
    stated: Mapping[str, MatchResult]
    """The results in ``ladder.json``, by match ID; empty where all records are open."""
    open: Sequence[str]
    """The IDs of the matches whose records have to be published."""


class _EventCheck:
    """A verification of an event. It stops at the first group of checks with findings: these would cause more later."""

    def __init__(self, published: Published, *, processes: int) -> None:
        self._published = published
        self._settings = as_played(published.settings, published.ledger)
        self._ledger = published.ledger
        self._folder = published.folder
        self._is_over = self._ledger.end is not None
        self._results: dict[str, MatchResult] = {}
        self._times: dict[str, ThinkTimes] = {}
        self._version = __version__
        """The version that published the folder, by its own word."""
        self._revealed: dict[str, bytes | None] = {}
        """The secret of each match, by ID; ``None`` where it is not revealed."""
        self._proof = RecordsProof(self._folder.records, secret_of=self._revealed.get, processes=processes)

    @property
    def records(self) -> int:
        """The number of records replayed."""
        return self._proof.records

    @property
    def other_pages(self) -> str:
        """The version that made the pages if it is another; empty if this one can make them again."""
        return self._version if self._version != __version__ else ""

    def findings(self) -> Iterator[Finding]:
        """Yield the findings on an event whose ledger, checked alone, has none."""
        try:
            self._version = stated_maker(read_file(self._folder.ladder))
            course = self._course()
        except (ResultsError, UnreadableError) as error:
            yield Finding(self._folder.ladder.name, as_sentence(str(error)))
            return
        names = published_names(self._settings, course.matches.values(), course.open)
        strangers = name_findings(self._folder, names, other_pages=bool(self.other_pages))
        found = [*strangers, *self._entry_findings(course)]
        found = found or list(self._record_findings(course))
        found = found or list(self._conclusions(course))
        yield from found or self._file_findings()

    def _course(self) -> _Course:
        if self._is_over and not self._ledger.gone:
            due = due_matches(self._published.settings, self._ledger, ())
            if due.complete:
                matches = named(due.matches, self._ledger)
                return _Course(due, matches, {}, list(matches))
        due, stated = self._stated_course()
        matches = named(due.matches, self._ledger)
        if self._is_over:
            return _Course(due, matches, stated, list(matches))
        # Of a part that goes on only the stated results name the matches.
        at_last = (played for played in stated.values() if part_of(played.planned, self._ledger).end is None)
        matches |= {played.match.match_id: played.planned for played in at_last}
        return _Course(due, matches, stated, open_matches(self._settings, list(stated.values())))

    def _stated_course(self) -> tuple[Plan, Mapping[str, MatchResult]]:
        """Return the plan that follows from the results in ``ladder.json``, and these results."""
        stated = StatedResults(read_file(self._folder.ladder))
        schedule = schedule_of(self._published.settings, self._ledger)
        due = unless_closed(schedule.plan_by(stated.of), schedule, self._ledger)
        return due, stated.all(due.matches)

    def _entry_findings(self, course: _Course) -> Iterator[Finding]:
        """Compare the results in the ledger with the matches that need one."""
        entered = {entry.match_id: entry for entry in self._ledger.results}
        for match_id, planned in course.matches.items():
            if match_id not in entered:
                yield self._published.in_ledger(f"Match {match_id}, row {planned.row} of the schedule, has no result.")
            elif match_id in course.stated and course.stated[match_id].match.attempt != entered[match_id].attempt:
                yield self._published.in_ledger(f"Match {match_id} has a result of another attempt in the ladder.")
        for match_id in sorted(entered.keys() - course.matches.keys()):
            where = "schedule" if self._is_over else "ladder"
            yield self._published.in_ledger(f"The {where} has no match {match_id}, but the ledger has a result of it.")
        for match_id in sorted(course.stated.keys() - course.matches.keys()):
            yield Finding(self._folder.ladder.name, f"The schedule has no match {match_id}.")

    def _record_findings(self, course: _Course) -> Iterator[Finding]:
        entered = {entry.match_id: entry for entry in self._ledger.results}
        self._results.update(course.stated)
        for match_id, planned in course.matches.items():
            self._revealed[match_id] = secret_of(planned, self._ledger, kept=None)
        return self._proof.findings(
            [entered[match_id] for match_id in course.open],
            partial(self._record_differences, MatchCheck(self._published), course),
            prefix=f"{self._folder.records.name}/",
            well=self._page_findings,
        )

    def _record_differences(
        self, check: MatchCheck, course: _Course, entry: ResultEntry, record: VerifiedRecord
    ) -> Iterator[str]:
        """Yield a sentence for each difference in the record of a match, and store its result."""
        match_id, planned = entry.match_id, course.matches[entry.match_id]
        played = MatchResult(IssuedMatch(planned, match_id, entry.attempt), record.result)
        self._results[match_id] = played
        if record.heading.match_id != match_id:
            yield f"The record is of another match, {record.heading.match_id!r}."
        yield from check.differences(record, planned, entry)
        if course.stated.get(match_id, played).result != played.result:
            yield f"The result in {self._folder.ladder.name} is another."

    def _page_findings(self, entry: ResultEntry) -> Iterator[Finding]:
        """Regenerate the page of a match whose record is valid, and compare it with the published page."""
        match_id = entry.match_id
        record = read_record(read_file(self._folder.record(match_id), most=MOST_RECORD_BYTES))
        self._times[match_id] = think_times(record)
        yield from self._differences(match_page_name(match_id), match_page(record).encode())

    def _conclusions(self, course: _Course) -> Iterator[Finding]:
        """Yield a finding for each ledger entry that does not follow from the results. They are complete by now."""
        yield from suspension_findings(self._published, self._results)
        if due_matches(self._published.settings, self._ledger, self._results.values()) != course.due:
            yield self._published.in_ledger(_OTHER_SCHEDULE)
        for sentence in course_problems(self._published.settings, self._ledger, self._results.values()):
            yield self._published.in_ledger(sentence)
        all_played = course.due.complete and len(course.matches) == len(course.due.matches)
        if all_played and not self._is_over:
            yield self._published.in_ledger(_NOT_ENDED)
        if self._is_over and not course.due.complete:
            yield self._published.in_ledger(_ENDED_EARLY)

    def _file_findings(self) -> Iterator[Finding]:
        """Regenerate all published files except records and match pages, and compare them with the published ones."""
        ladder = published_ladder(self._published.settings, self._results.values(), self._ledger)
        files = published_files(self._published.text, ladder, self._ledger, self._times, version=self._version)
        for name, content in files.items():
            yield from self._differences(name, content)

    def _differences(self, name: str, wanted: bytes) -> Iterator[Finding]:
        """Compare a file with its expected content, unless another version showed the same in its own way."""
        if self.other_pages and not is_data(name):
            return
        try:
            found = read_file(self._folder.path / name)
        except UnreadableError as error:
            yield Finding(name, as_sentence(str(error)))
            return
        if found != wanted:
            line = _first_difference(found, wanted)
            yield Finding(name, f"From line {line} on it does not follow from event file, ledger and records.")


def _first_difference(found: bytes, wanted: bytes) -> int:
    """Return the number of the first line in which two texts differ, from 1."""
    pairs = zip_longest(found.splitlines(keepends=True), wanted.splitlines(keepends=True))
    return next(number for number, (line, other) in enumerate(pairs, start=1) if line != other)
