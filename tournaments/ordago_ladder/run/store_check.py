"""Integrity checks of the store of an event: its tables have to agree with its ledger."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ordago.chance import commitment
from ordago.record import RecordError, digest, read_record, result_of
from ordago.record.ledgers.chain import LedgerError, ledger_text
from ordago.record.ledgers.event import BeginEntry, Ledger, ResultEntry, read_ledger
from ordago.record.ledgers.event_order import order_problems
from ordago.store import EventState, MatchResult, StoreError
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import schedule_of
from ordago_ladder.matches.parts import named
from ordago_ladder.matches.stages import ledger_problems, stages_of
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.schedule.conduct import Suspensions
from ordago_ladder.settings.settings import Settings


def checked_state(settings: Settings, store: Store, folder: EventFolder) -> tuple[EventState, Ledger]:
    """Return the contents of the store of an event and its ledger, after checking that they agree.

    It takes milliseconds for each record, so call it in a worker thread.

    Raises:
        StoreError: the store was tampered with; the message says where, and what to do.
    """
    # Read before the store: another process may publish a longer ledger at any time.
    published = _published(folder)
    state = store.state()
    ledger = ledger_of(state)
    for sentence in _differences(settings, state, ledger, store):
        raise _changed(sentence)
    _check_beginning(folder, published, ledger)
    return state, ledger


def ledger_of(state: EventState) -> Ledger:
    """Return the ledger of an event.

    Raises:
        StoreError: the ledger was tampered with.
    """
    try:
        return read_ledger(state.lines)
    except LedgerError as error:
        raise _changed(str(error)) from None


def check_published(folder: EventFolder, ledger: Ledger) -> None:
    """Check that the published ledger, if any, equals the ledger of the store or a beginning of it.

    Raises:
        StoreError: it is not.
    """
    _check_beginning(folder, _published(folder), ledger)


def _published(folder: EventFolder) -> bytes:
    return folder.ledger.read_bytes() if folder.ledger.is_file() else b""


def _check_beginning(folder: EventFolder, published: bytes, ledger: Ledger) -> None:
    if not ledger_text(ledger.lines).encode().startswith(published):
        raise StoreError(
            f"{folder.ledger} is of another run, or was changed: the ledger in the store does not begin with it. Keep "
            "it, and run in another folder, or restore the store from a copy."
        )


def suspensions_of(settings: Settings, state: EventState, ledger: Ledger) -> Suspensions:
    """Return the suspensions by the results, in the order in which these were committed."""
    suspensions = Suspensions(suspend_after=settings.event.suspend_after)
    results = {played.match.match_id: played for played in state.results}
    for entry in ledger.results:
        played = results[entry.match_id]
        suspensions.count(played.planned.entrants, played.result)
    return suspensions


def _changed(sentence: str) -> StoreError:
    return StoreError(
        f"The store of the event was changed from outside: {sentence} Restore it from a copy, or run the event again "
        "in another folder."
    )


def _differences(settings: Settings, state: EventState, ledger: Ledger, store: Store) -> Iterator[str]:
    """Yield a sentence for each difference between tables and ledger. Later checks rely on earlier ones."""
    yield from (problem.sentence for problem in order_problems(ledger))
    begun_with = stages_of(settings, ledger)[0].settings
    first = ledger.parts[0].end
    secret = bytes.fromhex(first.secret) if first is not None else state.event.secret
    if not _begins(ledger, begin_entry(begun_with, secret=secret)):
        yield "The commitment is not that to its secret and its settings."
    if commitment(state.event.secret).hex() != ledger.parts[-1].begin.secret_digest:
        yield "The secret is not the one that the last part of the event is committed to."
    if state.event.finished != (ledger.end is not None):
        yield "The store and its ledger disagree on the end of the event."
    yield from ledger_problems(settings, ledger)
    if tuple(entrant.name for entrant in state.entrants) != ledger.entrants:
        yield "The entrants are not those of the ledger."
    checked_in = {one.name: one for one in ledger.parts[-1].checked_in}
    for entrant in state.entrants:
        if entrant.checked_in != checked_in.get(entrant.name):
            yield f"The data of {entrant.name!r} is not what it checked in with."
    yield from _match_differences(settings, state, ledger)
    yield from _result_differences(state.results, ledger.results, store)
    if [one.entry for one in suspensions_of(settings, state, ledger).suspended] != list(ledger.suspensions):
        yield "The suspensions do not follow from the results."


def _begins(ledger: Ledger, begun: BeginEntry) -> bool:
    """Return True if an event began so, whatever the order of its entrants in the file by now."""
    names = ledger.begin.entrants if ledger.begin is not None else ()
    return sorted(names) == sorted(begun.entrants) and begun.model_copy(update={"entrants": names}) == ledger.begin


def _match_differences(settings: Settings, state: EventState, ledger: Ledger) -> Iterator[str]:
    schedule = schedule_of(settings, ledger)
    schedule.plan(state.results)
    due = named(schedule.known, ledger, kept=state.event.secret)
    voids = Counter(entry.match_id for entry in ledger.voids)
    for match in state.matches:
        if match.planned != due.get(match.match_id):
            yield f"Match {match.match_id} is not one of the schedule."
        if match.attempt != voids.pop(match.match_id, 0):
            yield f"The attempt at match {match.match_id} is not the one after those that were void."
    for match_id in voids:
        yield f"Match {match_id}, of which an attempt was void, is missing."


def _result_differences(results: Sequence[MatchResult], entries: Sequence[ResultEntry], store: Store) -> Iterator[str]:
    entered = {entry.match_id: entry for entry in entries}
    for played in results:
        entry = entered.pop(played.match.match_id, None)
        if entry is None:
            yield f"Match {played.match.match_id} has a result that its ledger does not tell of."
        elif not _is_as_entered(played, entry, store.record(entry.match_id)):
            yield f"The result of match {entry.match_id}, or its record, is not the one that was committed."
    for match_id in entered:
        yield f"The result of match {match_id} is missing."


def _is_as_entered(played: MatchResult, entry: ResultEntry, contents: bytes) -> bool:
    try:
        record = read_record(contents)
    except RecordError:
        return False
    written = (digest(record).hex(), record.match_id, record.attempt, result_of(record))
    return written == (entry.record_digest, entry.match_id, entry.attempt, played.result)
