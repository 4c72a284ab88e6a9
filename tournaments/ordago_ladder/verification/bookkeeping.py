"""Whether the ledger of an event fits its event file, and its results the suspensions that it tells."""

from collections.abc import Iterator, Mapping

from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES
from ordago.record.ledgers.event import BeginEntry, CheckedIn, ResultEntry, SuspensionEntry
from ordago.record.ledgers.event_order import order_problems
from ordago.store import MatchResult
from ordago_ladder.matches.growth import field_problems
from ordago_ladder.schedule.conduct import Suspension, Suspensions
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.findings import Finding, problem_sentence
from ordago_ladder.verification.published import Published


def ledger_findings(published: Published) -> Iterator[Finding]:
    """Yield what is wrong with a ledger, for itself and beside the event file."""
    for problem in order_problems(published.ledger):
        yield Finding(_ledger(published), problem_sentence(*problem))
    begin = published.ledger.begin
    if begin is not None:
        for sentence in _differences(begin, published.settings):
            yield Finding(_ledger(published), f"entry 0: {sentence}")
        for sentence in field_problems(published.settings, published.ledger):
            yield Finding(_ledger(published), sentence)
        if published.ledger.closing is not None and published.settings.event.until is None:
            yield Finding(_ledger(published), "The event was closed, and the event file names no time for that.")
        for sentence in _process_problems(published):
            yield Finding(_ledger(published), sentence)
    for entrant in published.ledger.checked_in:
        if not _is_nonce(entrant):
            wanted = f"{MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} bytes"
            yield Finding(_ledger(published), f"The nonce of {entrant.name!r} does not have {wanted}.")
        elif not entrant.nonce and (entrant.version or entrant.build):
            sentence = f"{entrant.name!r} brought no nonce, as if it had not come, and brought a version or a build."
            yield Finding(_ledger(published), sentence)


def _ledger(published: Published) -> str:
    return published.folder.ledger.name


def _differences(begin: BeginEntry, settings: Settings) -> Iterator[str]:
    if begin.event != settings.event.name:
        yield f"The ledger is of the event {begin.event!r}, not of {settings.event.name!r}."
    if begin.settings_digest != settings_digest(settings.of_first(len(begin.entrants))).hex():
        yield "Another event file was committed to: games, terms or entrants were changed since."
    if begin.beacon != settings.event.beacon:
        yield "The beacon is not that of the event file."


def _process_problems(published: Published) -> Iterator[str]:
    wanted = {entrant.name: entrant.processes or 1 for entrant in published.settings.remote_entrants}
    for name, processes in published.ledger.fewer_processes.items():
        if processes >= wanted.get(name, 0):
            yield f"{name!r} is said to have come with {processes} of its processes, and that is no fewer than it has."


def _is_nonce(entrant: CheckedIn) -> bool:
    size = len(entrant.nonce) // 2
    return size == 0 or MIN_NONCE_BYTES <= size <= MAX_NONCE_BYTES


def suspension_findings(published: Published, results: Mapping[str, MatchResult]) -> Iterator[Finding]:
    """Compare the suspensions with those that the results bring about, in the order of the ledger."""
    counted = Suspensions(suspend_after=published.settings.event.suspend_after)
    due: list[Suspension] = []
    for index, entry in enumerate(published.ledger.entries):
        if isinstance(entry, SuspensionEntry):
            if not due or entry != due.pop(0).entry:
                yield Finding(_ledger(published), f"entry {index}: The results before do not bring about a suspension.")
            continue
        if due:
            yield Finding(_ledger(published), f"entry {index}: {due[0].entrant!r} was to be suspended before.")
        due = []
        if isinstance(entry, ResultEntry):
            played, before = results[entry.match_id], len(counted.suspended)
            counted.count(played.planned.entrants, played.result)
            due = [*counted.suspended[before:]]
    for suspension in due:
        yield Finding(_ledger(published), f"{suspension.entrant!r} was to be suspended after the last result.")
