"""Check that the entries of an event's ledger are consistent, whatever was played."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from ordago.chance import SECRET_BYTES, commitment, event_commitment
from ordago.record.ledgers.chain import EntryOrder
from ordago.record.ledgers.event import (
    BeaconEntry,
    BeaconRound,
    BeginEntry,
    ChangeEntry,
    CheckInEntry,
    ClosingEntry,
    EndEntry,
    Entry,
    FewerProcessesEntry,
    Ledger,
    PartEntry,
    RestorationEntry,
    ResultEntry,
    SuspensionEntry,
    VoidEntry,
)
from ordago.record.replay import Problem


def order_problems(ledger: Ledger) -> Iterator[Problem]:
    """Yield the problems in the order of a ledger's entries, and the contradictions between them.

    The number of a problem is the index of its entry.
    """
    if ledger.begin is None:
        yield Problem(0, "The ledger does not begin with the beginning of an event.")
        return
    yield from _Course(ledger.begin).problems(ledger.entries)


class _Course(EntryOrder[Entry]):
    _end = EndEntry
    _after_the_end = "The event was over before this entry."
    _goes_on_with = (PartEntry,)

    def __init__(self, begin: BeginEntry) -> None:
        self._begin = begin
        self._secrets = [begin.secret_digest]
        """The digests of the secrets of the parts, in order."""
        self._entrants = list(begin.entrants)
        self._checked_in: set[str] = set()
        self._earlier: set[str] = set()
        """The entrants that checked in to an earlier part."""
        self._late: set[str] = set()
        """The entrants added since the last match that ended."""
        self._suspended: set[str] = set()
        self._withdrawn: set[str] = set()
        self._has_beacon = False
        self._has_matches = False
        """True once a match of this part ended."""
        self._closed = False
        self._restored: set[str] = set()
        """The values of the restorations."""
        self._voids = Counter[str]()
        self._results: set[str] = set()

    def _problems_of(self, entry: Entry) -> Iterator[str]:
        yield from _PROBLEMS[type(entry)](self, entry)

    def begun(self, entry: BeginEntry) -> Iterator[str]:
        if self._last is not None:
            yield "The event begins a second time."
        if len(set(entry.entrants)) < len(entry.entrants):
            yield "An entrant is named twice."
        yield from self._committed(entry)

    def checked_in(self, entry: CheckInEntry) -> Iterator[str]:
        names = [entrant.name for entrant in entry.entrants]
        if (self._has_beacon or self._has_matches) and not self._late.issuperset(names):
            yield "An entrant checked in after the nonces were fixed."
        for name in names:
            if name not in self._entrants:
                yield f"There is no entrant {name!r} in this event."
            if name in self._checked_in:
                yield f"Entrant {name!r} checked in twice."
            self._checked_in.add(name)

    def came_with_fewer(self, entry: FewerProcessesEntry) -> Iterator[str]:
        brought = {one.name for one in self._last.entrants if one.nonce} if isinstance(self._last, CheckInEntry) else ()
        names = [one.name for one in entry.entrants]
        for name in names:
            if name not in brought or names.count(name) > 1:
                yield (
                    f"The ledger names fewer processes of {name!r} than the event file, but not right after its "
                    "check-in."
                )
            if name in self._earlier:
                yield f"The schedule of earlier parts depends on the processes of {name!r}, which became fewer."

    def beacon_came(self, entry: BeaconEntry) -> Iterator[str]:
        if BeaconRound(source=entry.source, round=entry.round) != self._begin.beacon:
            yield "The event did not name this beacon and round when it began."
        if self._has_beacon or self._has_matches:
            yield "The value of the beacon came after it was fixed, or after deals depended on it."
        yield from self._missing_nonces()
        self._has_beacon = True

    def restored(self, entry: RestorationEntry) -> Iterator[str]:
        if entry.value in self._restored:
            yield "A restoration has the value of an earlier one, so that deals may have been known."
        self._restored.add(entry.value)

    def changed(self, entry: ChangeEntry) -> Iterator[str]:
        if entry.joined and self._begin.beacon is not None:
            yield (
                "Entrants joined late in an event with a beacon, whose value they may have known before they chose a "
                "nonce."
            )
        if entry.issued < len(self._results | self._voids.keys()):
            yield "More matches ended than were issued."
        for name in entry.joined:
            if name in self._entrants:
                yield f"Entrant {name!r} takes part already."
            self._entrants.append(name)
        for name in entry.withdrawn:
            if name not in self._entrants or name in self._withdrawn:
                yield f"{name!r} withdrew, but did not take part any more."
        self._late.update(entry.joined)
        self._withdrawn.update(entry.withdrawn)
        self._closed = False

    def went_on(self, entry: PartEntry) -> Iterator[str]:
        if not isinstance(self._last, EndEntry):
            yield "Another secret was committed to before the one before it was revealed."
        if self._begin.beacon is not None:
            yield "The event went on, although the value of its beacon was known before the nonces."
        if entry.secret_digest in self._secrets:
            yield "The secret is that of an earlier part."
        yield from self._committed(entry)
        yield from self.changed(entry)
        self._secrets.append(entry.secret_digest)
        self._earlier |= self._checked_in
        self._checked_in.clear()
        self._has_matches = False

    def _committed(self, entry: BeginEntry | PartEntry) -> Iterator[str]:
        digests = bytes.fromhex(entry.secret_digest), bytes.fromhex(entry.settings_digest)
        if entry.commitment != event_commitment(*digests).hex():
            yield "The commitment does not match its digests of secret and settings."

    def closed(self, entry: ClosingEntry) -> Iterator[str]:
        if self._closed:
            yield "The event was closed a second time."
        if entry.issued < len(self._results):
            yield "More matches ended than were issued."
        self._closed = True

    def ended_in_result(self, entry: ResultEntry) -> Iterator[str]:
        yield from self._premature()
        if self._closed:
            yield "The event was closed within a round: not all issued matches had results."
        if entry.match_id in self._results:
            yield f"Match {entry.match_id} has a second result."
        if entry.attempt != self._voids[entry.match_id]:
            yield f"Match {entry.match_id} has a result of attempt {entry.attempt}, {self._tried(entry.match_id)}."
        self._results.add(entry.match_id)

    def was_void(self, entry: VoidEntry) -> Iterator[str]:
        yield from self._premature()
        if entry.match_id in self._results:
            yield f"Match {entry.match_id} is void though it has a result."
        if entry.attempt != self._voids[entry.match_id]:
            yield f"Attempt {entry.attempt} at match {entry.match_id} is void, {self._tried(entry.match_id)}."
        self._voids[entry.match_id] += 1

    def suspended(self, entry: SuspensionEntry) -> Iterator[str]:
        if not isinstance(self._last, ResultEntry | SuspensionEntry):
            yield "A suspension does not directly follow the result that causes it."
        if entry.entrant not in self._entrants:
            yield f"There is no entrant {entry.entrant!r} in this event."
        if entry.entrant in self._suspended:
            yield f"Entrant {entry.entrant!r} is suspended twice."
        self._suspended.add(entry.entrant)

    def ended(self, entry: EndEntry) -> Iterator[str]:
        secret = bytes.fromhex(entry.secret)
        if len(secret) != SECRET_BYTES or commitment(secret).hex() != self._secrets[-1]:
            yield "The secret is not the one that was committed to."

    def _premature(self) -> Iterator[str]:
        if self._late or not self._has_matches:
            yield from self._missing_nonces()
            if self._begin.beacon is not None and not self._has_beacon:
                yield "A match ended before the value of the beacon was known."
        self._late.clear()
        self._has_matches = True

    def _missing_nonces(self) -> Iterator[str]:
        here = self._checked_in | self._withdrawn | self._suspended
        missing = [name for name in self._entrants if name not in here]
        if missing:
            yield f"The nonces have to be fixed before this entry, and {', '.join(missing)} did not check in."

    def _tried(self, match_id: str) -> str:
        return f"and {self._voids[match_id]} of its attempts were void before"


_PROBLEMS: Final[dict[type[Entry], Callable[..., Iterator[str]]]] = {
    BeginEntry: _Course.begun,
    CheckInEntry: _Course.checked_in,
    FewerProcessesEntry: _Course.came_with_fewer,
    BeaconEntry: _Course.beacon_came,
    RestorationEntry: _Course.restored,
    ChangeEntry: _Course.changed,
    PartEntry: _Course.went_on,
    ClosingEntry: _Course.closed,
    ResultEntry: _Course.ended_in_result,
    VoidEntry: _Course.was_void,
    SuspensionEntry: _Course.suspended,
    EndEntry: _Course.ended,
}
