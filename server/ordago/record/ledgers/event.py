"""The ledger of an event: what becomes of it, from beginning to end, as a chain of lines (see ``chain``).

An entry is stored together with the change it describes, before anybody is notified. Their order:

- ``begin``, once: the commitment, before any bot is started;
- ``check_in``: the entrants with their nonces, each once; ``fewer_processes`` directly after it, where some of them
  came with fewer processes than the event file says;
- ``beacon``, once, in an event that names one: a value that nobody could know when secret and nonces were fixed, so
  after the nonces and before the first result;
- ``result`` and ``void``, as matches end; ``suspension`` directly after the result that brings it about;
- ``restoration``, between the results: the store came from a backup, and all deals from here on are new;
- ``closing``, in an event that ends at a time: no more matches come due;
- ``change``, between the results: the event file asks for more matches, entrants leave, others join and then check in;
- ``end``, once in each part: the secret;
- ``part``, directly after an ``end``: a change after which the event goes on, with the commitment to a secret of its
  own. All entrants check in again, and the rest follows as after ``begin``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field, TypeAdapter

from ordago.record.ledgers.chain import Chain, Count, Digest, Octets, Part, lines_of, read_entries


class BeaconRound(Part):
    """The value of a public beacon that is mixed into the deals."""

    source: str
    """The name of the beacon."""
    round: Count
    """The number of its value."""


class BeginEntry(Part):
    """The event begins: secret and settings are fixed from here on."""

    kind: Literal["begin"] = "begin"
    event: str
    """The name of the event."""
    commitment: Digest
    """The commitment to secret and settings; see ``chance.event_commitment``."""
    secret_digest: Digest
    """The SHA-256 of the secret."""
    settings_digest: Digest
    """The digest of the settings: games, terms, entrants."""
    entrants: tuple[str, ...]
    """The names of the entrants, in the order of the event file."""
    beacon: BeaconRound | None = None
    """The value that is still to be mixed into the deals; ``None`` for none."""


class CheckedIn(Part):
    """The nonce, version and build of an entrant at its check-in."""

    name: str
    nonce: Octets
    """The nonce that is mixed into the deals; empty if the entrant did not come."""
    version: str
    build: str


class CheckInEntry(Part):
    """Entrants have checked in, or failed to."""

    kind: Literal["check_in"] = "check_in"
    entrants: tuple[CheckedIn, ...]


class Processes(Part):
    """The number of processes of an entrant that were connected when it checked in."""

    name: str
    processes: Annotated[int, Field(ge=1)]


class FewerProcessesEntry(Part):
    """Entrants have just checked in with fewer processes than the event file says; they play with these."""

    kind: Literal["fewer_processes"] = "fewer_processes"
    entrants: Annotated[tuple[Processes, ...], Field(min_length=1)]


class BeaconEntry(Part):
    """The value of the beacon is known."""

    kind: Literal["beacon"] = "beacon"
    source: str
    round: Count
    value: Octets


class RestorationEntry(Part):
    """The event goes on from a backup. Results after that backup are lost, and no deal of theirs is dealt again."""

    kind: Literal["restoration"] = "restoration"
    time: str
    """The time by the organiser's clock, in UTC, as ``2027-01-31T18:00:00Z``."""
    value: Annotated[str, Field(pattern="^([0-9a-f]{2}){16,64}$")]
    """A random value that is mixed into all later deals: 16 to 64 bytes in hexadecimal, like a nonce."""


class ChangedKey(Part):
    """A key of the event file with another value than before; ``None`` where the file does not have it."""

    section: str
    """``event``, or the name of a game."""
    key: str
    was: int | float | str | None
    now: int | float | str | None


class ChangeEntry(Part):
    """The event goes on with another event file. Matches that were due stay due, but for those of who withdrew."""

    kind: Literal["change"] = "change"
    time: str
    """The time by the organiser's clock, in UTC, as ``2027-01-31T18:00:00Z``."""
    settings_digest: Digest
    """The digest of the settings with the change."""
    issued: Count
    """The number of matches that were issued before."""
    joined: tuple[str, ...] = ()
    """The names of the new entrants."""
    withdrawn: tuple[str, ...] = ()
    """The names of the entrants that withdrew. Their matches without a result are not played."""
    keys: tuple[ChangedKey, ...] = ()
    """The keys that ask for more matches than before."""


class PartEntry(ChangeEntry):
    """The event goes on after its end: a change with which another part begins, with another secret."""

    kind: Literal["part"] = "part"  # type: ignore[assignment]  # every kind of entry has a name of its own
    commitment: Digest
    """The commitment to the secret of this part and the settings; see ``chance.event_commitment``."""
    secret_digest: Digest
    """The SHA-256 of the secret of this part."""


class ClosingEntry(Part):
    """No more matches come due: the time that the event file names is over."""

    kind: Literal["closing"] = "closing"
    issued: Count
    """The number of matches that were issued and stay due."""


class ResultEntry(Part):
    """A match has a result."""

    kind: Literal["result"] = "result"
    match_id: str
    attempt: Count
    record_digest: Digest


class VoidEntry(Part):
    """An attempt at a match is void."""

    kind: Literal["void"] = "void"
    match_id: str
    attempt: Count
    """The attempt that is void, from 0."""
    reason: str
    """The reason, in one sentence."""


class SuspensionEntry(Part):
    """An entrant is suspended by the result before."""

    kind: Literal["suspension"] = "suspension"
    entrant: str
    fault: str
    """The short name of the fault of the entrant's last forfeit."""
    sentence: str


class EndEntry(Part):
    """The event, or a part of it, is over."""

    kind: Literal["end"] = "end"
    secret: Digest
    """The secret of the part, which is as long as a digest."""


Entry: TypeAlias = (
    BeginEntry
    | CheckInEntry
    | FewerProcessesEntry
    | BeaconEntry
    | RestorationEntry
    | ChangeEntry
    | PartEntry
    | ClosingEntry
    | ResultEntry
    | VoidEntry
    | SuspensionEntry
    | EndEntry
)
"""An entry of a ledger."""

_ENTRIES: Final[TypeAdapter[Entry]] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])


class EventPart(NamedTuple):
    """A part of an event: the matches whose deals come from one secret, and the nonces that are mixed in."""

    begin: BeginEntry | PartEntry
    """The entry with the commitment."""
    first: int
    """The index of this entry."""
    entries: tuple[Entry, ...]
    """The entries from there to the beginning of the next part."""

    @property
    def issued(self) -> int:
        """The number of matches that were issued before."""
        return self.begin.issued if isinstance(self.begin, PartEntry) else 0

    @property
    def end(self) -> EndEntry | None:
        """The entry that reveals the secret; ``None`` where the part is not over."""
        last = self.entries[-1]
        return last if isinstance(last, EndEntry) else None

    @property
    def checked_in(self) -> tuple[CheckedIn, ...]:
        """The check-ins of its entrants, in order."""
        return tuple(one for entry in self.entries if isinstance(entry, CheckInEntry) for one in entry.entrants)


@dataclass(frozen=True)
class Ledger(Chain[Entry]):
    """The ledger of an event. ``order_problems`` checks whether its entries fit together."""

    @cached_property
    def begin(self) -> BeginEntry | None:
        """The beginning of the event; ``None`` if the first line is another entry."""
        first = self.entries[0] if self.entries else None
        return first if isinstance(first, BeginEntry) else None

    @cached_property
    def end(self) -> EndEntry | None:
        """The end of the event; ``None`` where it is not over."""
        last = self.entries[-1] if self.entries else None
        return last if isinstance(last, EndEntry) else None

    @cached_property
    def parts(self) -> tuple[EventPart, ...]:
        """The parts of the event, in order."""
        begun = [(at, entry) for at, entry in enumerate(self.entries) if isinstance(entry, BeginEntry | PartEntry)]
        after = [*(at for at, _ in begun[1:]), len(self.entries)]
        return tuple(
            EventPart(begin, first, self.entries[first:end]) for (first, begin), end in zip(begun, after, strict=False)
        )

    @cached_property
    def changes(self) -> tuple[ChangeEntry, ...]:
        """The changes of the event file, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, ChangeEntry))

    @cached_property
    def closing(self) -> ClosingEntry | None:
        """The entry after which no more matches come due; ``None`` where there is none, or a change came later."""
        last = next((one for one in reversed(self.entries) if isinstance(one, ClosingEntry | ChangeEntry)), None)
        return last if isinstance(last, ClosingEntry) else None

    @cached_property
    def fields(self) -> tuple[int, ...]:
        """The number of entrants at first, and after each change."""
        sizes = (len(self.begin.entrants) if self.begin else 0, *(len(entry.joined) for entry in self.changes))
        return tuple(accumulate(sizes))

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The names of all entrants: at first in the order of the event file, then as they joined."""
        begun = self.begin.entrants if self.begin else ()
        return (*begun, *(name for entry in self.changes for name in entry.joined))

    @cached_property
    def gone(self) -> frozenset[str]:
        """The names of the entrants that were suspended or withdrew: their matches without a result are not played."""
        withdrawn = (name for entry in self.changes for name in entry.withdrawn)
        return frozenset((*withdrawn, *(entry.entrant for entry in self.suspensions)))

    @cached_property
    def checked_in(self) -> tuple[CheckedIn, ...]:
        """The check-ins of the entrants in all parts, in order."""
        return tuple(one for part in self.parts for one in part.checked_in)

    @cached_property
    def came(self) -> frozenset[str]:
        """The names of the entrants that came to the check-in of any part."""
        return frozenset(one.name for one in self.checked_in if one.nonce)

    @cached_property
    def fewer_processes(self) -> Mapping[str, int]:
        """The number of processes of each entrant that came with fewer than the event file says, by name."""
        entries = (entry for entry in self.entries if isinstance(entry, FewerProcessesEntry))
        return MappingProxyType({one.name: one.processes for entry in entries for one in entry.entrants})

    @cached_property
    def beacon(self) -> BeaconEntry | None:
        """The value of the beacon; ``None`` where none was entered."""
        return next((entry for entry in self.entries if isinstance(entry, BeaconEntry)), None)

    @cached_property
    def restorations(self) -> tuple[RestorationEntry, ...]:
        """The restorations from backups, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, RestorationEntry))

    @cached_property
    def mixed_in(self) -> tuple[bytes, ...]:
        """The bytes that are mixed into the deals of all tables before each entry, and after the last.

        They are the value of the beacon, then those of the restorations so far.
        """
        values = (
            bytes.fromhex(entry.value) if isinstance(entry, BeaconEntry | RestorationEntry) else b""
            for entry in self.entries
        )
        return tuple(accumulate(values, initial=b""))

    @cached_property
    def results(self) -> tuple[ResultEntry, ...]:
        """The results, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, ResultEntry))

    @cached_property
    def voids(self) -> tuple[VoidEntry, ...]:
        """The void attempts, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, VoidEntry))

    @cached_property
    def suspensions(self) -> tuple[SuspensionEntry, ...]:
        """The suspensions, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, SuspensionEntry))


def read_ledger(lines: Sequence[str]) -> Ledger:
    """Read the lines of a ledger, without line ends, from the first on."""
    return Ledger(tuple(lines), read_entries(lines, _ENTRIES))


def parse_ledger(text: str) -> Ledger:
    """Read the text of a ledger file.

    Raises:
        LedgerError: it is no ledger, or was changed.
    """
    return read_ledger(lines_of(text))
