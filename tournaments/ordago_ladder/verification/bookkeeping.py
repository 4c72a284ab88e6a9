"""Checks of an event's ledger and records against its event file, its schedule and each other."""

from collections.abc import Iterator, Mapping

from ordago import v1
from ordago.chance import MAX_NONCE_BYTES, MIN_NONCE_BYTES, commitment
from ordago.games import find_game
from ordago.match import TimeTerms
from ordago.record.ledgers.event import BeginEntry, CheckedIn, ResultEntry, SuspensionEntry
from ordago.record.ledgers.event_order import order_problems
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.matches.parts import fixed_secret, part_of
from ordago_ladder.matches.stages import ledger_problems, stages_of
from ordago_ladder.matches.terms import deal_seed_of, fault_terms, own_times, time_terms
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.schedule.conduct import Suspension, Suspensions
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.settings import Settings
from ordago_ladder.verification.findings import Finding, problem_sentence
from ordago_ladder.verification.published import Published
from ordago_ladder.verification.records import VerifiedRecord, by_other_rules, unaccounted
from ordago_ladder.verification.results import stated_versions


def ledger_findings(published: Published) -> Iterator[Finding]:
    """Yield the findings on a ledger, by itself and against the event file."""
    for problem in order_problems(published.ledger):
        yield published.in_ledger(problem_sentence(problem.entry, problem.sentence))
    begin = published.ledger.begin
    if begin is not None:
        begun_with = stages_of(published.settings, published.ledger)[0].settings
        for sentence in _differences(begin, published.settings, begun_with):
            yield published.in_ledger(f"entry 0: {sentence}")
        for sentence in ledger_problems(published.settings, published.ledger):
            yield published.in_ledger(sentence)
        if published.ledger.closing is not None and published.settings.event.until is None:
            yield published.in_ledger("The event was closed, but the event file names no time for that.")
        for sentence in (*_process_problems(published), *_secret_problems(published)):
            yield published.in_ledger(sentence)
    for entrant in published.ledger.checked_in:
        if not _is_nonce(entrant):
            wanted = f"{MIN_NONCE_BYTES} to {MAX_NONCE_BYTES} bytes"
            yield published.in_ledger(f"The nonce of {entrant.name!r} does not have {wanted}.")
        elif not entrant.nonce and (entrant.version or entrant.build):
            sentence = f"{entrant.name!r} has no nonce, as if it had not checked in, but has a version or a build."
            yield published.in_ledger(sentence)


def other_rules_findings(published: Published) -> Iterator[Finding]:
    """Yield the games of an event that committed to other versions of their rules than the installed ones.

    What ``ladder.json`` says of them is taken only if the commitment is to it.
    """
    begin, file, settings = published.ledger.begin, published.folder.ladder, published.settings
    try:
        stated = stated_versions(read_file(file))
    except UnreadableError:
        return
    versions = {game.name: stated.get(game.name, game.rules_version) for game in settings.games}
    found = list(by_other_rules(file.name, versions.items()))
    if found and begin is not None:
        begun_with = stages_of(settings, published.ledger)[0].settings
        if begin.settings_digest == settings_digest(begun_with, versions=versions).hex():
            yield from found


def _differences(begin: BeginEntry, settings: Settings, begun_with: Settings) -> Iterator[str]:
    if begin.event != settings.event.name:
        yield f"The ledger is of the event {begin.event!r}, not of {settings.event.name!r}."
    if begin.settings_digest != settings_digest(begun_with).hex():
        yield "The commitment is to another event file: games, terms or entrants were changed later."
    if begin.beacon != settings.event.beacon:
        yield "The beacon is not that of the event file."


def _process_problems(published: Published) -> Iterator[str]:
    wanted = {entrant.name: entrant.processes or 1 for entrant in published.settings.remote_entrants}
    for name, processes in published.ledger.fewer_processes.items():
        if processes >= wanted.get(name, 0):
            yield f"The ledger says that {name!r} connected with only {processes} processes, but it has no more."


def _secret_problems(published: Published) -> Iterator[str]:
    """Yield a sentence for each part with another secret than the event file gives, or with a nonce of an earlier one.

    Whoever knows a nonce could choose the secret of the next part for it. With a secret that anybody can read, nothing
    is lost by that.
    """
    known = set[tuple[str, str]]()
    for number, part in enumerate(published.ledger.parts, start=1):
        given = fixed_secret(published.settings, part=number)
        if given is not None and commitment(given).hex() != part.begin.secret_digest:
            yield f"The secret of part {number} is not the one of the event file."
        brought = {(one.name, one.nonce) for one in part.checked_in if one.nonce}
        for name, _ in sorted(brought & known) if given is None else ():
            yield f"The nonce of {name!r} in part {number} is that of an earlier part."
        known |= brought


def _is_nonce(entrant: CheckedIn) -> bool:
    size = len(entrant.nonce) // 2
    return size == 0 or MIN_NONCE_BYTES <= size <= MAX_NONCE_BYTES


def suspension_findings(published: Published, results: Mapping[str, MatchResult]) -> Iterator[Finding]:
    """Compare the suspensions of the ledger with those that the results cause, in the order of the ledger."""
    counted = Suspensions(suspend_after=published.settings.event.suspend_after)
    due: list[Suspension] = []
    for index, entry in enumerate(published.ledger.entries):
        if isinstance(entry, SuspensionEntry):
            if not due or entry != due.pop(0).entry:
                yield published.in_ledger(f"entry {index}: The results before do not cause a suspension.")
            continue
        if due:
            yield published.in_ledger(f"entry {index}: {due[0].entrant!r} should have been suspended before.")
        due = []
        if isinstance(entry, ResultEntry):
            played, before = results[entry.match_id], len(counted.suspended)
            counted.count(played.planned.entrants, played.result)
            due = [*counted.suspended[before:]]
    for suspension in due:
        yield published.in_ledger(f"{suspension.entrant!r} should have been suspended after the last result.")


class MatchCheck:
    """Comparison of records with the schedule, terms and ledger of an event."""

    def __init__(self, published: Published) -> None:
        """Index the entrants of the ledger."""
        ledger = published.ledger
        assert ledger.begin is not None
        self._settings = published.settings
        self._ledger = ledger
        self._entrants = {part.first: {one.name: one for one in part.checked_in} for part in ledger.parts}
        """The entrants of each part, by the index of its first entry."""
        self._own_times = own_times(published.settings)
        before = zip(ledger.entries, ledger.mixed_in, strict=False)
        self._mixed_in = {entry.match_id: values for entry, values in before if isinstance(entry, ResultEntry)}

    def differences(self, record: VerifiedRecord, planned: PlannedMatch, entry: ResultEntry) -> Iterator[str]:
        """Yield a sentence for each difference between a record and the schedule or the ledger.

        Args:
            record: the record.
            planned: its match.
            entry: the entry of its result in the ledger.
        """
        if record.digest.hex() != entry.record_digest:
            yield "The ledger has the digest of another record."
        part = part_of(planned, self._ledger)
        entrants = self._entrants[part.first]
        if not entrants.keys() >= set(planned.entrants):
            yield "An entrant at the table did not check in to this part of the event."
            return
        yield from self._seats(record.heading, planned, entrants)
        yield from self._terms(record.heading, planned)
        if record.heading.commitment.hex() != part.begin.secret_digest:
            yield "The digest of the secret is not that of the ledger."
        nonces = {name: bytes.fromhex(entrants[name].nonce) for name in planned.entrants}
        yield from self._deals(record.heading, planned, entry, nonces)
        for forfeit in record.unprompted:
            if not forfeit.comes_from_outside:
                yield unaccounted(forfeit)

    def _seats(
        self, heading: v1.MatchRecord, planned: PlannedMatch, entrants: Mapping[str, CheckedIn]
    ) -> Iterator[str]:
        seated = tuple(seat.name for seat in heading.seats)
        if seated != planned.entrants:
            yield f"Seated are {', '.join(seated)}; the schedule says {', '.join(planned.entrants)}."
            return
        for seat in heading.seats:
            own = TimeTerms.of(seat.clock) if seat.HasField("clock") else None
            if own != self._own_times.get(seat.name):
                yield f"The times of {seat.name!r} are not those that its odds in the event file give."
            brought = entrants[seat.name]
            if (seat.version, seat.build) != (brought.version, brought.build):
                yield f"The version of {seat.name!r} is not the one that it checked in with."

    def _terms(self, heading: v1.MatchRecord, planned: PlannedMatch) -> Iterator[str]:
        game, event = find_game(planned.game), self._settings.event
        played = self._settings.game_named(planned.game)
        options = game.rules.options(dict(played.options))
        if heading.game != planned.game or heading.options != game.codec.options(options):
            yield "The options are not those of the event file."
        if heading.conceding != (event.conceding and played.can_be_conceded):
            yield "The event file says otherwise if the match could be conceded."
        if heading.clock != time_terms(event).message() or heading.faults != fault_terms(event).message():
            yield "The times, or the consequences of faults, are not those of the event file."

    def _deals(
        self, heading: v1.MatchRecord, planned: PlannedMatch, entry: ResultEntry, nonces: Mapping[str, bytes]
    ) -> Iterator[str]:
        if heading.attempt != entry.attempt:
            yield f"The record is of attempt {heading.attempt}, and the ledger says {entry.attempt}."
        seed = deal_seed_of(
            planned,
            event=self._settings.event.name,
            nonces=nonces,
            mixed_in=self._mixed_in[entry.match_id],
            attempt=entry.attempt,
        )
        if heading.deal_seed != seed:
            yield "The seed of the deals is not that of the set with the nonces of the ledger."
