"""An organiser whose event goes on after its end, and what it could forge in the second part."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from support.organiser import EVENT, Organiser

from ordago.record import result_of
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import (
    ChangeEntry,
    CheckInEntry,
    EndEntry,
    Entry,
    Ledger,
    PartEntry,
    ResultEntry,
    SuspensionEntry,
    read_ledger,
)
from ordago.store import Entrant, PlannedMatch
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.due import schedule_of
from ordago_ladder.matches.parts import named, part_entry
from ordago_ladder.matches.stages import change_between
from ordago_ladder.schedule.conduct import Suspensions

SECOND: Final = bytes(range(32, 64))
MORE: Final = EVENT.replace("forfeit_after", "repetitions = 2\nforfeit_after")
NOW: Final = datetime(2027, 1, 31, 18, tzinfo=UTC)


@dataclass
class GoingOn(Organiser):
    """An event that is over, and goes on with another repetition. Dan is suspended in the first part."""

    second: bytes = SECOND
    """The secret that the second part is committed to."""
    dealt: bytes = SECOND
    """The secret that it is dealt by."""
    nonces: Mapping[str, bytes] = field(default_factory=dict)
    """The nonces that are brought to the second part by some."""

    def play(self) -> "GoingOn":
        """Play both parts."""
        super().play()
        self.go_on()
        return self

    def go_on(self) -> None:
        """Play a second part after the entries so far."""
        suspensions = Suspensions(suspend_after=self.settings.event.suspend_after)
        for match_id, planned in self.schedule.items():
            if match_id in self.records:
                suspensions.count(planned.entrants, result_of(self.records[match_id]))
        issued, first = len(self.schedule), (self.secret, self.entrants, self.void)
        change = change_between(self.settings, parse_event(MORE), issued=issued, time=NOW)
        self.text = MORE
        self.entrants = {name: self._again(one) for name, one in self.entrants.items() if name not in suspensions.names}
        here = (one.checked_in for one in self.entrants.values())
        self.entries += [
            part_entry(change, secret=self.second),
            CheckInEntry(entrants=tuple(one for one in here if one is not None)),
        ]
        self.secret, self.void = self.dealt, frozenset()
        for planned in self.known[issued:]:
            if suspensions.names.isdisjoint(planned.entrants):
                self.commit(self.match(planned), planned, suspensions)
        self.entries.append(EndEntry(secret=self.second.hex()))
        self.secret, self.entrants, self.void = first

    def _again(self, one: Entrant) -> Entrant:
        return one._replace(nonce=self.nonces.get(one.name, one.name.encode() * 9))

    @property
    def ledger(self) -> Ledger:
        """The ledger."""
        return read_ledger(chained(self.entries))

    @property
    def known(self) -> list[PlannedMatch]:
        """All matches, in the order of their rows."""
        schedule = schedule_of(self.settings, self.ledger)
        schedule.plan([])
        return list(schedule.known)

    @property
    def schedule(self) -> dict[str, PlannedMatch]:
        """The matches by their names."""
        return named(self.known, self.ledger, kept=self.dealt)


Change = Callable[[list[Entry]], Iterable[Entry]]


def _part(entries: list[Entry]) -> int:
    return next(at for at, entry in enumerate(entries) if isinstance(entry, PartEntry))


def _results(entries: list[Entry]) -> list[int]:
    """Return the places of results without a suspension after them."""
    both = zip(entries, [*entries[1:], None], strict=True)
    return [
        at
        for at, (entry, after) in enumerate(both)
        if isinstance(entry, ResultEntry) and not isinstance(after, SuspensionEntry)
    ]


def _moved(at: int, to: int) -> Change:
    """Return a change that moves a result, by its number among all, to before another entry."""

    def change(entries: list[Entry]) -> list[Entry]:
        places = _results(entries)
        moved = entries[places[at]]
        rest = [entry for entry in entries if entry is not moved]
        place = rest.index(entries[_part(entries) + to])
        return [*rest[:place], moved, *rest[place:]]

    return change


def _each_part(edit: Callable[[PartEntry], PartEntry]) -> Change:
    return lambda entries: [edit(entry) if isinstance(entry, PartEntry) else entry for entry in entries]


def _with_first_secret(entry: PartEntry) -> PartEntry:
    """The second part under the secret of the first, which is known."""
    return part_entry(_as_change(entry), secret=bytes(range(32)))


def _without_end(entries: list[Entry]) -> list[Entry]:
    at = _part(entries) - 1
    return [*entries[:at], *entries[at + 1 :]]


def _without_check_in(entries: list[Entry]) -> list[Entry]:
    at = _part(entries) + 1
    return [*entries[:at], *entries[at + 1 :]]


def _as_change(part: PartEntry) -> ChangeEntry:
    return ChangeEntry(**part.model_dump(exclude={"kind", "commitment", "secret_digest"}))


def _without_commitment(entries: list[Entry]) -> list[Entry]:
    """Go on after the end as if nothing was known: no other secret, and no other nonces."""
    at = _part(entries)
    part = entries[at]
    assert isinstance(part, PartEntry)
    return [*entries[:at], _as_change(part), *entries[at + 2 :]]


def _inserted(entries: list[Entry]) -> list[Entry]:
    """Insert a part in which nothing was played."""
    at = _part(entries)
    part, secret = entries[at], b"\7" * 32
    assert isinstance(part, PartEntry)
    more = part_entry(_as_change(part).model_copy(update={"keys": ()}), secret=secret)
    return [*entries[:at], more, EndEntry(secret=secret.hex()), *entries[at:]]


IN_ENTRIES: Final[Mapping[str, tuple[Change, str]]] = {
    "a commitment before the secret before it was revealed": (_without_end, "before the one before it was revealed"),
    "the secret of the first part once more": (_each_part(_with_first_secret), "that of an earlier part"),
    "another commitment": (
        _each_part(lambda entry: entry.model_copy(update={"commitment": "0" * 64})),
        "The commitment does not match",
    ),
    "nobody checks in again": (_without_check_in, "did not check in"),
    "no commitment after the end": (_without_commitment, "The event was over before"),
    "a part without matches, and another file": (_inserted, "The event file was another after the change"),
    "a result of the first part in the second": (_moved(0, 2), "to which it does not belong"),
    "a result of the second part in the first": (_moved(-1, -1), "More matches ended than were issued"),
    "fewer matches issued in the first part": (
        _each_part(lambda entry: entry.model_copy(update={"issued": entry.issued - 1})),
        "",
    ),
    "more matches issued in the first part": (
        _each_part(lambda entry: entry.model_copy(update={"issued": entry.issued + 1})),
        "",
    ),
    "another secret at the end of the first part": (
        lambda entries: [
            EndEntry(secret="ab" * 32) if at == _part(entries) - 1 else entry for at, entry in enumerate(entries)
        ],
        "not the one that was committed to",
    ),
}
"""Changes of the ledger, all of which follows anew, with what is found."""
