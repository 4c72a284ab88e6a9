"""Whether the record of a match is that of its place in the schedule, and of its entry in the ledger."""

from collections.abc import Iterator

from ordago import v1
from ordago.games import find_game
from ordago.match import UnpromptedForfeit
from ordago.record import fault_name
from ordago.record.ledgers.event import ResultEntry, SuspensionEntry
from ordago.store import PlannedMatch
from ordago_ladder.matches.terms import deal_seed_of, fault_terms, time_terms
from ordago_ladder.verification.published import Published
from ordago_ladder.verification.records import VerifiedRecord


class MatchCheck:
    """Compares records with what an event says of their matches."""

    def __init__(self, published: Published) -> None:
        """Take what the ledger says of entrants and results."""
        ledger = published.ledger
        assert ledger.begin is not None
        self._settings = published.settings
        self._secret_digest = bytes.fromhex(ledger.begin.secret_digest)
        self._entrants = {entrant.name: entrant for entrant in ledger.checked_in}
        self._nonces = {entrant.name: bytes.fromhex(entrant.nonce) for entrant in ledger.checked_in}
        self._beacon = bytes.fromhex(ledger.beacon.value) if ledger.beacon else b""
        self._places = {entry: place for place, entry in enumerate(ledger.entries) if isinstance(entry, ResultEntry)}
        self._suspensions = {
            entry.entrant: (place, entry.fault)
            for place, entry in enumerate(ledger.entries)
            if isinstance(entry, SuspensionEntry)
        }

    def differences(self, record: VerifiedRecord, planned: PlannedMatch, entry: ResultEntry) -> Iterator[str]:
        """Yield what is otherwise in a record than in the schedule and in the ledger.

        Args:
            record: the record.
            planned: its match.
            entry: what the ledger says of it.
        """
        if record.digest.hex() != entry.record_digest:
            yield "The ledger has the digest of another record."
        yield from self._seats(record.heading, planned)
        yield from self._terms(record.heading, planned)
        yield from self._deals(record.heading, planned, entry)
        for forfeit in record.unprompted:
            if not forfeit.comes_from_outside and not self._is_suspended(forfeit, planned, entry):
                fault = fault_name(forfeit.fault).replace("_", " ")
                yield f"entry {forfeit.entry}: Nothing accounts for the forfeit of seat {forfeit.seat} ({fault})."

    def _seats(self, heading: v1.MatchRecord, planned: PlannedMatch) -> Iterator[str]:
        seated = tuple(seat.name for seat in heading.seats)
        if seated != planned.entrants:
            yield f"Seated are {', '.join(seated)}; the schedule says {', '.join(planned.entrants)}."
            return
        for seat in heading.seats:
            brought = self._entrants[seat.name]
            if (seat.version, seat.build) != (brought.version, brought.build):
                yield f"The version of {seat.name!r} is not the one that he checked in with."

    def _terms(self, heading: v1.MatchRecord, planned: PlannedMatch) -> Iterator[str]:
        game, event = find_game(planned.game), self._settings.event
        options = game.rules.options(dict(self._settings.game_named(planned.game).options))
        if heading.game != planned.game or heading.options != game.codec.options(options):
            yield "The options are not those of the event file."
        if heading.clock != time_terms(event).message() or heading.faults != fault_terms(event).message():
            yield "The times, or what comes of faults, are not those of the event file."

    def _deals(self, heading: v1.MatchRecord, planned: PlannedMatch, entry: ResultEntry) -> Iterator[str]:
        if heading.attempt != entry.attempt:
            yield f"The record is of attempt {heading.attempt}, and the ledger says {entry.attempt}."
        if heading.commitment != self._secret_digest:
            yield "The digest of the secret is not that of the ledger."
        seed = deal_seed_of(
            planned,
            event=self._settings.event.name,
            nonces=self._nonces,
            beacon=self._beacon,
            attempt=entry.attempt,
        )
        if heading.deal_seed != seed:
            yield "The seed of the deals is not that of the set with the nonces of the ledger."

    def _is_suspended(self, forfeit: UnpromptedForfeit, planned: PlannedMatch, entry: ResultEntry) -> bool:
        """Say whether a stand-in sat there, for an entrant who was suspended for this fault before."""
        suspension = self._suspensions.get(planned.entrants[forfeit.seat])
        if suspension is None:
            return False
        place, fault = suspension
        return place < self._places[entry] and fault == fault_name(forfeit.fault)
