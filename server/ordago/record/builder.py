"""How a record comes about: entry by entry, while the match is played.

Entries are kept as serialized fields of the record until it is finished: many matches are played at once, and bytes are
the cheapest to make and to keep of all that a record could be made of.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final, cast

from ordago import v1
from ordago.cards import LAST_CARD
from ordago.fields import Field, delimited, list_heads, number, tag
from ordago.game import Outcome, Shuffle
from ordago.kept import Kept
from ordago.record.digest import FORMAT_VERSION
from ordago.record.finished import FinishedRecord

_ENTRIES: Final = tag(v1.MatchRecord, "entries")
_SHUFFLE_ENTRY: Final = Field(tag(v1.RecordEntry, "shuffle"), within=_ENTRIES)
_EVENT_ENTRY: Final = Field(tag(v1.RecordEntry, "event"), within=_ENTRIES)
_CHOICE_ENTRY: Final = Field(tag(v1.RecordEntry, "choice"), within=_ENTRIES)
_SEAT: Final = tag(v1.RecordedChoice, "seat")
_ACTION: Final = tag(v1.RecordedChoice, "action")
_CHARGED: Final = tag(v1.RecordedChoice, "charged_ms")
_DEAL: Final = tag(v1.RecordedShuffle, "deal")
_NUMBER: Final = tag(v1.RecordedShuffle, "shuffle")
_CARDS: Final = list_heads(tag(v1.RecordedShuffle, "cards"), LAST_CARD)
_MOST_KEPT: Final = 4096
"""Of choices that come again and again: at some hundred bytes each less than a megabyte of memory."""


class RecordBuilder:
    """Writes the record of one match while it is played."""

    def __init__(self, heading: v1.MatchRecord) -> None:
        """Begin with what is known before the first shuffle: a record without entries and outcome."""
        self._record = heading
        self._entries: list[bytes] = []

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
    ) -> bytes:
        """Record what a seat did, and return the entry as a serialized field of a record.

        Args:
            seat: the seat.
            action: the ``v1.Action``, complete and serialized.
            charged_ms: the time that was charged, in milliseconds.
            broken_rules: the rules that the answers broke that were refused before, in order.
            fault: why the default action was taken; unspecified where the action is the bot's own.
            lag_ms: the travelling time that was not charged, in milliseconds.
            lost_ms: the time that the server lost meanwhile, in milliseconds.
            away_ms: the time that the seat was disconnected meanwhile, in milliseconds.
        """
        choice = _CHOICES[seat][action] + number(_CHARGED, charged_ms)
        if broken_rules or fault or lag_ms or lost_ms or away_ms:
            choice += _fields_after_the_charge(broken_rules, fault, lag_ms, lost_ms, away_ms)
        entry = _CHOICE_ENTRY.of(choice)
        self._entries.append(entry)
        return entry

    def recall(self, choice: v1.RecordedChoice) -> None:
        """Record a choice that was recorded before, in a match that goes on."""
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
        """Record events in order, each with all that anybody could see of it."""
        for event in events:
            self._enter(v1.RecordEntry(event=event))

    def add(self, entry: bytes) -> None:
        """Record an entry that was made before, from ``shuffle_entry`` or ``event_entry``."""
        self._entries.append(entry)

    def finish(self, outcome: Outcome) -> FinishedRecord:
        """Return the record of the match, which ended so."""
        before = v1.MatchRecord()
        before.CopyFrom(self._record)
        before.DiscardUnknownFields()
        # Whatever the heading says: this is how records are written here.
        before.format_version = FORMAT_VERSION
        behind = v1.MatchRecord(outcome=outcome_message(outcome))
        if before.HasField("faults"):
            behind.faults.CopyFrom(before.faults)
        # The one field of the heading that stands behind the entries.
        before.ClearField("faults")
        first, last = before.SerializeToString(deterministic=True), behind.SerializeToString(deterministic=True)
        return FinishedRecord(before.match_id, b"".join((first, *self._entries, last)))


def shuffle_entry(due: Shuffle, cards: Sequence[int]) -> bytes:
    """Return the entry of a shuffle and its outcome, in dealing order, as a serialized field of a record."""
    # A card of the engine is the number of the card in the contract.
    shuffle = number(_DEAL, due.deal) + number(_NUMBER, due.shuffle) + _CARDS[len(cards)] + bytes(cards)
    return _SHUFFLE_ENTRY.of(shuffle)


def event_entry(event: bytes) -> bytes:
    """Return the entry of an event, with all that anybody could see of it, as a serialized field of a record.

    Args:
        event: the ``v1.Event``, serialized.
    """
    return _EVENT_ENTRY.of(event)


def _who_did_what(seat: int, action: bytes) -> bytes:
    return number(_SEAT, seat) + delimited(_ACTION, action)


def _choices_of(seat: int) -> Kept[bytes, bytes]:
    return Kept(partial(_who_did_what, seat))


_CHOICES: Final = Kept(_choices_of)
"""Who did what, for each seat by the action: the same again and again in all matches."""


@lru_cache(maxsize=_MOST_KEPT)
def _fields_after_the_charge(
    broken_rules: tuple[str, ...], fault: v1.Fault, lag_ms: int, lost_ms: int, away_ms: int
) -> bytes:
    choice = v1.RecordedChoice(
        strikes=len(broken_rules),
        fault=fault,
        lag_ms=lag_ms,
        lost_ms=lost_ms,
        away_ms=away_ms,
        broken_rules=broken_rules,
    )
    return choice.SerializeToString(deterministic=True)


def outcome_message(outcome: Outcome) -> v1.Outcome:
    """Return the message of an outcome."""
    # The reasons have the same numbers in the engine and in the contract.
    reason = cast(v1.OutcomeReason, outcome.reason.value)
    return v1.Outcome(reason=reason, scores=outcome.scores, placings=outcome.placings)
