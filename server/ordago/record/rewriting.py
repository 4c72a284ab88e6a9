"""Verify a record by writing it again: a fast path for correct records.

Only the choices of a record, with their times and faults, and the forfeits are information; the rest follows from the
rules. So the record is written once more, entry by entry, and compared with the bytes of the file. If all are equal,
everything in the file is as the rules demand, and as Ordago writes it: no shuffle and no event need be read.

If a byte differs, this module decides nothing. ``verify`` reads such a record whatever it contains, and says what is
wrong with it, if anything. So every record that passes here passes there, too.
"""

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple, TypeAlias

from google.protobuf.message import DecodeError

from ordago import v1
from ordago.game import CHANCE, FINISHED, Event
from ordago.record.builder import outcome_message
from ordago.record.concessions import Concessions
from ordago.record.digest import DIGEST_BYTES, FORMAT_VERSION, digest_of_written
from ordago.record.opening import UnplayableError, clocks_of, opening
from ordago.record.replay import heading_problems
from ordago.record.verify import name_problems, proved_deals
from ordago.wire.codec import NoSuchActionError
from ordago.wire.entries import choice_head, shuffle_entry
from ordago.wire.fields import delimited, read_varint, tag, varint
from ordago.wire.known_entries import (
    CHOICE_HEAD_BYTES,
    KNOWN_RESTS,
    LONGEST_SHORT,
    EnteredChoice,
    KnownAction,
    KnownRest,
    OtherwiseError,
    known_entries,
    read_entry,
    read_rest,
)

Turn: TypeAlias = tuple[int, int, EnteredChoice | v1.Forfeit | None]
"""An entry other than an event: its number, its seat, and its content; for a shuffle no content, and seat 0."""

_RECORD: Final = tag(v1.RecordFile, "record")
_DIGEST: Final = delimited(tag(v1.RecordFile, "digest"), bytes(DIGEST_BYTES))[:-DIGEST_BYTES]
_ENTRIES: Final = v1.MatchRecord.ENTRIES_FIELD_NUMBER
_OUTCOME: Final = tag(v1.MatchRecord, "outcome")
_FORFEIT: Final = tag(v1.RecordEntry, "forfeit")[0]
_SEAT: Final = tag(v1.RecordedChoice, "seat")[0]
_SEAT_BYTES: Final = 2
"""The number of bytes for a seat other than the first."""
_HEAD_BYTES: Final = 2
"""The number of bytes before a short entry or a short action: the tag, and a length in one byte."""
_KIND_BITS: Final = 3
_KIND: Final = 7
_LENGTH_DELIMITED: Final = 2
"""A kind of field, as in the lowest bits of its tag: a length, then as many bytes."""


class Rewritten(NamedTuple):
    """A record that follows, byte for byte, from its choices."""

    record: v1.MatchRecord
    """The record, and of its entries only those by which faults, strikes and forfeits are counted."""
    digest: bytes
    turns: Sequence[Turn]
    """The entries that are no events, in order, without those at the beginning that ``audit`` does not need: shuffles,
    and plain choices within ``time_of_each_ms``."""


def rewritten(data: bytes, *, secret: bytes | None = None) -> Rewritten | None:
    """Write a record again; ``None`` where the bytes differ, or it cannot be written.

    Args:
        data: any bytes; a binary file of a record as Ordago writes it, if something is to come of it.
        secret: the secret of the event, once it is revealed. ``None``: the one in the record, if there is one.
    """
    try:
        return _Rewriting(data, secret).done()
    except (OtherwiseError, UnplayableError, NoSuchActionError, DecodeError):
        return None
    except IndexError:  # the file ends in the midst of something
        return None


def time_of_each_ms(record: v1.MatchRecord) -> int:
    """Return the time that may be charged for every decision of a match, whatever was charged before, in milliseconds.

    Where seats have times of their own, it is the shortest.

    Decisions within it need no clock. -1 where each decision changes the time left, however short it was.
    """
    return min((-1 if clock.increment_ms else clock.decision_ms for clock in clocks_of(record)), default=-1)


class _Rewriting:
    """Reads the bytes of a file beside a state that determines them."""

    def __init__(self, data: bytes, secret: bytes | None) -> None:
        self._data = data
        self._end = len(data) - len(_DIGEST) - DIGEST_BYTES
        """The position after the record."""
        self._begin = self._beginning()
        self._at = self._first_entry()
        self._before_entries = data[self._begin : self._at]
        self._record = v1.MatchRecord.FromString(self._before_entries)
        if self._record.format_version != FORMAT_VERSION:
            raise OtherwiseError
        begun = opening(self._record)
        problems, self._deals = proved_deals(self._record, secret)
        if [*problems, *name_problems(self._record), *heading_problems(self._record, begun)]:
            raise OtherwiseError
        self._state = begun.state
        # The field that allows conceding comes after the entries, so it is compared at the end.
        self._concessions = Concessions(begun.game, seats=len(self._record.seats), wanted=True)
        self._concedes = False
        """True if a choice conceded the match."""
        self._known = known_entries(begun.game.codec)
        self._choices = self._known.choices
        self._time_of_each_ms = time_of_each_ms(self._record)
        self._forfeited: set[int] = set()
        self._counting: list[bytes] = []
        self._entries = 0
        """The number of entries read."""
        self._turns: list[Turn] = []

    def done(self) -> Rewritten:
        """Play the match, and return the result."""
        self._play()
        self._read_outcome()
        found = digest_of_written(self._data[self._begin : self._end])
        if self._data[self._end :] != _DIGEST + found:
            raise OtherwiseError
        self._record.MergeFromString(b"".join(self._counting))
        return Rewritten(self._record, found, self._turns)

    def _beginning(self) -> int:
        """Return the position where the record begins, if the rest of the file is one record and its digest."""
        length, begin = read_varint(self._data, len(_RECORD))
        if begin + length != self._end or not self._data.startswith(_RECORD + varint(length)):
            raise OtherwiseError
        return begin

    def _first_entry(self) -> int:
        """Return the position of the first entry, if no field before it belongs after the entries."""
        at = self._begin
        while True:
            key, after_key = read_varint(self._data, at)
            if key >> _KIND_BITS >= _ENTRIES:
                return at
            number, at = read_varint(self._data, after_key)
            if key & _KIND == _LENGTH_DELIMITED:
                at += number

    def _play(self) -> None:
        """Play the match to its end."""
        data, state, public_events = self._data, self._state, self._known.public_events.parts
        self._pass_forfeits()
        while state.actor != FINISHED and self._concessions.side is None:
            events = self._shuffle() if state.actor == CHANCE else self._choice()
            at = self._at
            for event in events:
                entry = public_events.get(id(event)) or self._known.event(event)
                end = at + len(entry)
                if data[at:end] != entry:
                    raise OtherwiseError
                at = end
            self._at = at
            self._entries += len(events)
            if data[at + _HEAD_BYTES] == _FORFEIT:
                self._pass_forfeits()

    def _choice(self) -> Sequence[Event[Hashable]]:
        data, at, state = self._data, self._at, self._state
        length = data[at + 1]
        if length <= LONGEST_SHORT:
            fields = at + CHOICE_HEAD_BYTES
            action_at = fields + _SEAT_BYTES if data[fields] == _SEAT else fields
            middle, end = action_at + _HEAD_BYTES + data[action_at + 1], at + _HEAD_BYTES + length
            seat, action = self._choices[data[at:middle]]
            plain_ms, entered = KNOWN_RESTS[data[middle:end]]
        else:
            (seat, action), (plain_ms, entered), end = self._long_choice()
        if seat != state.actor or state.check(action) is not None:
            raise OtherwiseError
        if self._turns or plain_ms > self._time_of_each_ms:
            self._note(seat, action, entered, data[at:end])
        self._entries += 1
        self._at = end
        return state.apply(action)

    def _long_choice(self) -> tuple[KnownAction, KnownRest, int]:
        """Return the content of an entry whose length takes more than one byte, and the position after it.

        Such an entry names broken rules or many cards, and hardly ever recurs.
        """
        data = self._data
        length, at = read_varint(data, self._at + 1)
        size, begin = read_varint(data, at + 1)
        end = begin + size
        middle = self._after_action(begin)
        if end != at + length or middle > end or data[self._at : begin] != choice_head(length, size):
            raise OtherwiseError
        return self._known.read_action(data[begin:middle]), read_rest(data[middle:end]), end

    def _after_action(self, begin: int) -> int:
        """Return the position after the action of a long choice; meaningless if it has no action."""
        action = begin + _SEAT_BYTES if self._data[begin] == _SEAT else begin
        length, begin = read_varint(self._data, action + 1)
        return begin + length

    def _note(self, seat: int, action: Hashable, entered: EnteredChoice, entry: bytes) -> None:
        """Record a choice for the audit of times, strikes, faults and forfeits, and if it concedes the match."""
        if self._forfeited or entered.fault or entered.strikes or entered.broken_rules:
            self._check_fault(seat, action, entered)
            self._counting.append(entry)
        if entered.concede and entered.fault:
            raise OtherwiseError
        self._concedes = self._concedes or entered.concede
        self._concessions.note(seat, concedes=entered.concede)
        self._turns.append((self._entries, seat, entered))

    def _check_fault(self, seat: int, action: Hashable, entered: EnteredChoice) -> None:
        if entered.fault and action != self._state.default_action():
            raise OtherwiseError
        if seat in self._forfeited and not entered.fault:
            raise OtherwiseError
        if len(entered.broken_rules) != entered.strikes:
            raise OtherwiseError

    def _shuffle(self) -> Sequence[Event[Hashable]]:
        due = self._state.shuffle_due()
        if self._deals is not None:
            cards = self._deals.shuffled(due)
        else:
            cards = tuple(read_entry(self._next_entry()).shuffle.cards)
            if tuple(sorted(cards)) != due.cards:
                raise OtherwiseError
        entry = shuffle_entry(due, cards)
        if not self._data.startswith(entry, self._at):
            raise OtherwiseError
        if self._turns:
            self._turns.append((self._entries, 0, None))
        self._pass(entry)
        return self._state.supply(cards)

    def _pass_forfeits(self) -> None:
        """Take in the forfeits that stand here."""
        while self._data[self._at + _HEAD_BYTES] == _FORFEIT:
            entry = self._next_entry()
            forfeit = read_entry(entry).forfeit
            if forfeit.seat >= len(self._record.seats) or forfeit.seat in self._forfeited or not forfeit.fault:
                raise OtherwiseError
            self._forfeited.add(forfeit.seat)
            self._counting.append(entry)
            self._turns.append((self._entries, forfeit.seat, forfeit))
            self._pass(entry)

    def _next_entry(self) -> bytes:
        """Return the bytes of the next entry, valid or not."""
        at, length = self._at, self._data[self._at + 1]
        if length <= LONGEST_SHORT:
            return self._data[at : at + _HEAD_BYTES + length]
        length, begin = read_varint(self._data, at + 1)
        return self._data[at : begin + length]

    def _pass(self, entry: bytes) -> None:
        self._entries += 1
        self._at += len(entry)

    def _read_outcome(self) -> None:
        """Read the fields after the entries: first of all the outcome, as the rules determine it."""
        ended = self._concessions.outcome(self._state)
        assert ended is not None
        outcome = delimited(_OUTCOME, outcome_message(ended).SerializeToString())
        after_entries = self._data[self._at : self._end]
        self._record.MergeFromString(after_entries)
        self._record.DiscardUnknownFields()
        can_concede = self._record.conceding and self._concessions.allowed
        if can_concede != self._record.conceding or (self._concedes and not can_concede):
            raise OtherwiseError
        again = self._record.SerializeToString(deterministic=True)
        if self._record.entries or not after_entries.startswith(outcome):
            raise OtherwiseError
        if again != self._before_entries + after_entries:
            raise OtherwiseError
