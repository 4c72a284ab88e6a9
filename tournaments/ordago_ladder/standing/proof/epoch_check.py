"""Verification of one epoch of a standing ladder: of its ledger and, once it is revealed, of its records."""

import os
from collections.abc import Iterator, Sequence

from ordago import v1
from ordago.match import record_heading
from ordago.record.ledgers.ladder import LadderResultEntry
from ordago.record.ledgers.ladder_order import epoch_problems
from ordago_ladder.folder import ladder_record_name
from ordago_ladder.standing.epoch_settings import EpochSettingsError
from ordago_ladder.standing.publication.published import PublishedEpoch
from ordago_ladder.standing.ratings import CareerResult
from ordago_ladder.standing.seasons.careers import career_result
from ordago_ladder.standing.terms import ladder_match_terms
from ordago_ladder.verification.findings import Finding, problem_sentence
from ordago_ladder.verification.published import left_over
from ordago_ladder.verification.records import RecordsProof, VerifiedRecord, by_other_rules, unaccounted


class EpochCheck:
    """One verification of an epoch. Records are checked only if nothing is wrong with ledger and names."""

    def __init__(self, epoch: PublishedEpoch, *, processes: int) -> None:
        """Prepare to verify an epoch. At most ``processes`` processes share its records."""
        self._epoch = epoch
        self._ledger = epoch.ledger
        self._results: list[CareerResult] = []
        """The results of the records that could be replayed, in the order of the ledger."""
        self._proof = RecordsProof(epoch.folder.records, secret_of=lambda _: epoch.ledger.secret, processes=processes)

    @property
    def records(self) -> int:
        """The number of records that were replayed."""
        return self._proof.records

    @property
    def results(self) -> Sequence[CareerResult] | None:
        """The results in the order of the ledger, after ``findings``; ``None`` unless all records could be replayed."""
        whole = self._ledger.end is not None and len(self._results) == len(self._ledger.results)
        return self._results if whole else None

    @property
    def without_records(self) -> bool:
        """True if the epoch has no records: it still runs, or they are not published any more."""
        return self._ledger.end is None or not os.path.lexists(self._epoch.folder.records)

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with the epoch on its own."""
        found = [*self._ledger_findings(), *self._name_findings()]
        yield from found or [*self._other_rules()] or self._record_findings()

    def _other_rules(self) -> Iterator[Finding]:
        """Yield the games whose records the installed rules cannot replay."""
        if self._ledger.secret is not None and not self.without_records:
            games = self._epoch.settings.games
            name = f"{self._epoch.name}{self._epoch.folder.settings.name}"
            yield from by_other_rules(name, ((game.name, game.rules_version) for game in games))

    def _ledger_findings(self) -> Iterator[Finding]:
        for problem in epoch_problems(self._ledger):
            yield self._epoch.in_ledger(problem_sentence(problem.entry, problem.sentence))
        begin, settings = self._epoch.begin, self._epoch.settings
        if begin.epoch != self._epoch.number:
            yield self._epoch.in_ledger(f"The ledger is of epoch {begin.epoch}.")
        if begin.settings_digest != settings.digest.hex() or begin.ladder != settings.ladder:
            yield self._epoch.in_ledger("Its settings are not those that the epoch began with.")
        for seating in self._ledger.seatings.values():
            try:
                seats = settings.game_named(seating.game).seats
            except EpochSettingsError as error:
                yield self._epoch.in_ledger(f"match {seating.number}: {error}")
            else:
                if seats != len(seating.seats):
                    yield self._epoch.in_ledger(f"match {seating.number}: {seats} should be at the table.")

    def _name_findings(self) -> Iterator[Finding]:
        """Yield files that do not belong in the folder, such as records of an epoch that still runs."""
        folder, prefix = self._epoch.folder, self._epoch.name
        parts = {folder.ledger.name, folder.settings.name}
        # A server may be publishing or deleting right now, or may have been killed while it did.
        unfinished = {
            folder.half_written_records.name,
            folder.dropped_records.name,
            *(f"{part}.part" for part in parts),
        }
        over = {folder.records.name} if self._ledger.end else set()
        yield from left_over(folder.path, parts | unfinished | over, prefix=prefix)
        if not self.without_records:
            known = {ladder_record_name(entry.match_id) for entry in self._ledger.results}
            yield from left_over(folder.records, known, prefix=f"{prefix}{folder.records.name}/")

    def _record_findings(self) -> Iterator[Finding]:
        if self._ledger.secret is None or self.without_records:
            return iter(())
        prefix = f"{self._epoch.name}{self._epoch.folder.records.name}/"
        return self._proof.findings(self._ledger.results, self._verify, prefix=prefix, of=" of this epoch")

    def _verify(self, entry: LadderResultEntry, record: VerifiedRecord) -> Iterator[str]:
        """Yield what is wrong with the record of a match, and note its result."""
        if record.digest.hex() != entry.record_digest:
            yield "The ledger has the digest of another record."
        yield from self._differences(record, entry)
        seating = self._ledger.seatings[entry.match_id]
        players, unrated = [seat.player for seat in seating.seats], seating.unrated
        self._results.append(
            career_result(record.heading.game, players, record.result, ended=entry.ended, unrated=unrated)
        )
        yield from (unaccounted(forfeit) for forfeit in record.unprompted if not forfeit.comes_from_outside)

    def _differences(self, record: VerifiedRecord, entry: LadderResultEntry) -> Iterator[str]:
        """Yield the differences between the heading of a record and the terms that its match had to have."""
        assert self._ledger.secret is not None
        terms = ladder_match_terms(
            self._ledger.seatings[entry.match_id],
            begin=self._epoch.begin,
            players=self._ledger.players,
            settings=self._epoch.settings,
            secret=self._ledger.secret,
        )
        found, wanted = record.heading, record_heading(terms)
        if (found.match_id, found.attempt) != (wanted.match_id, wanted.attempt):
            yield "The record is of another match."
        if list(found.seats) != list(wanted.seats):
            yield f"Seated are {_seated(found)}; the ledger says {_seated(wanted)}."
        if (found.game, found.rules_version, found.options) != (wanted.game, wanted.rules_version, wanted.options):
            yield "The game, its rules or its options are not those of the settings."
        if (found.clock, found.faults) != (wanted.clock, wanted.faults):
            yield "The times, or the consequences of faults, are not those of the settings."
        if found.conceding:
            yield "No match of a ladder can be conceded."
        if found.deal_seed != wanted.deal_seed:
            yield "The seed of the deals is not that of this match with the nonces of the ledger."


def _seated(heading: v1.MatchRecord) -> str:
    return ", ".join(" ".join(filter(None, [seat.name, seat.version, seat.build])) for seat in heading.seats)
