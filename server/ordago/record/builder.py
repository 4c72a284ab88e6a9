"""The construction of a record, entry by entry, while the match is played.

Entries are kept as serialized fields of the record until it is finished: many matches are played at once, and bytes
are the cheapest form of an entry to make and to keep.
"""

from collections.abc import Sequence
from typing import Final, cast

from ordago import v1
from ordago.game import Outcome, Shuffle
from ordago.record.digest import FORMAT_VERSION
from ordago.record.finished import FinishedRecord
from ordago.wire.entries import choice_entry, fields_after_the_charge, shuffle_entry

_LONGEST_REFUSED_BYTES: Final = 1024
"""The longest refused answer that is kept, far longer than any of a game. The contract states both bounds."""
_MOST_REFUSED: Final = 256
"""The most refused answers of a match that are kept: eight seats that forfeit by the usual terms have 240."""


class RecordBuilder:
    """Writes the record of one match while it is played."""

    def __init__(self, heading: v1.MatchRecord) -> None:
        """Begin with the heading: a record without entries and outcome."""
        self._record = heading
        self._entries: list[bytes] = []
        self._refusals: list[bytes] = []

    def shuffled(self, due: Shuffle, cards: Sequence[int]) -> None:
        """Record the outcome of a shuffle, in dealing order."""
        self.add(shuffle_entry(due, cards))

    def chosen(
        self,
        seat: int,
        action: bytes,
        *,
        charged_ms: int,
        broken_rules: tuple[str, ...] = (),
        fault: v1.Fault = v1.FAULT_UNSPECIFIED,
        lag_ms: int = 0,
        lost_ms: int = 0,
        away_ms: int = 0,
        concede: bool = False,
    ) -> bytes:
        """Record an action of a seat, and return the entry as a serialized field of a record."""
        more = b""
        if broken_rules or fault or lag_ms or lost_ms or away_ms or concede:
            more = fields_after_the_charge(broken_rules, fault, lag_ms, lost_ms, away_ms, concede)
        entry = choice_entry(seat, action, charged_ms, more)
        self._entries.append(entry)
        return entry

    def refused(self, seat: int, answer: bytes, refusal: v1.Refused) -> None:
        """Keep a refused answer, serialized, and what the seat was told, beside the record."""
        if len(self._refusals) < _MOST_REFUSED:
            kept = v1.RefusedAnswer(seat=seat, refused=refusal)
            if len(answer) <= _LONGEST_REFUSED_BYTES:
                kept.answer.MergeFromString(answer)
            self._refusals.append(v1.BotFault(refusals=[kept]).SerializeToString())

    def recall(self, choice: v1.RecordedChoice) -> None:
        """Record a choice made before the match was resumed."""
        self._enter(v1.RecordEntry(choice=choice))

    def forfeited(self, forfeit: v1.Forfeit) -> bytes:
        """Record that a seat was forfeited, and return the entry as a serialized field of a record."""
        return self._enter(v1.RecordEntry(forfeit=forfeit))

    def _enter(self, entry: v1.RecordEntry) -> bytes:
        entry.DiscardUnknownFields()
        serialized = v1.MatchRecord(entries=[entry]).SerializeToString(deterministic=True)
        self.add(serialized)
        return serialized

    def happened(self, *events: v1.Event) -> None:
        """Record events in order, each unredacted."""
        for event in events:
            self._enter(v1.RecordEntry(event=event))

    def add(self, entry: bytes) -> None:
        """Record an earlier entry, from ``shuffle_entry`` or ``event_entry``."""
        self._entries.append(entry)

    def finish(self, outcome: Outcome) -> FinishedRecord:
        """Return the record of the match, which ended so."""
        before = v1.MatchRecord()
        before.CopyFrom(self._record)
        before.DiscardUnknownFields()
        # Whatever the heading says: this is how records are written here.
        before.format_version = FORMAT_VERSION
        behind = v1.MatchRecord(outcome=outcome_message(outcome), conceding=before.conceding)
        if before.HasField("faults"):
            behind.faults.CopyFrom(before.faults)
        # The fields of the heading that come after the entries.
        before.ClearField("faults")
        before.ClearField("conceding")
        first, last = before.SerializeToString(deterministic=True), behind.SerializeToString(deterministic=True)
        serialized = b"".join((first, *self._entries, last))
        return FinishedRecord(before.match_id, serialized, refusals=b"".join(self._refusals))


def outcome_message(outcome: Outcome) -> v1.Outcome:
    """Return the message of an outcome."""
    # The reasons have the same numbers in the engine and in the contract.
    reason = cast(v1.OutcomeReason, outcome.reason.value)
    return v1.Outcome(reason=reason, scores=outcome.scores, placings=outcome.placings)
