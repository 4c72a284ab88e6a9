"""The ledger of an event: a chain of entries, none of which can be changed, dropped or put in later unnoticed.

Each entry is a line of JSON, in one way of writing only: keys ascending, no spaces, ASCII. Beside what it tells it has
its number, ``index`` from 0, and in ``before`` the SHA-256 of the line before it. The SHA-256 of the last line is the
**head**: whoever knows a head and its length knows that all lines up to there are as they were.

An entry is written together with what it tells, before anybody is told of it. Their order:

- ``begin``, once: the commitment, before any bot is started;
- ``check_in``: who came with which nonce, each entrant once;
- ``beacon``, once, in an event that names one: a value that nobody could know when secret and nonces were fixed, so
  after the nonces and before the first result;
- ``result`` and ``void``, as matches end; ``suspension`` directly after the result that brings it about;
- ``closing``, once, in an event that ends at a time;
- ``growth``, between them, in an event without a beacon: more entrants take part, who then check in;
- ``end``, once: the secret.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from ordago.record.head import NO_LINES, Head

Digest: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""
Octets: TypeAlias = Annotated[str, Field(pattern="^([0-9a-f]{2})*$")]
"""Bytes in hexadecimal."""
_Count: TypeAlias = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


class BeaconRound(_Part):
    """What value of a public beacon is mixed into the deals."""

    source: str
    """Which beacon it is."""
    round: _Count
    """Which of its values."""


class BeginEntry(_Part):
    """The event begins. What it is committed to is fixed from here on."""

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
    """What is still to be mixed into the deals; ``None`` for nothing."""


class CheckedIn(_Part):
    """What an entrant brought."""

    name: str
    nonce: Octets
    """What is mixed into the deals; empty of an entrant who did not come."""
    version: str
    build: str


class CheckInEntry(_Part):
    """Entrants have checked in, or failed to."""

    kind: Literal["check_in"] = "check_in"
    entrants: tuple[CheckedIn, ...]


class BeaconEntry(_Part):
    """The value of the beacon is known."""

    kind: Literal["beacon"] = "beacon"
    source: str
    round: _Count
    value: Octets


class GrowthEntry(_Part):
    """More entrants take part from here on. What was due before stays due."""

    kind: Literal["growth"] = "growth"
    settings_digest: Digest
    """The digest of the settings with the new entrants in them."""
    issued: _Count
    """How many matches were issued before, and stay due."""
    entrants: Annotated[tuple[str, ...], Field(min_length=1)]
    """The names of the new entrants, in the order of the event file, where they stand behind all others."""


class ClosingEntry(_Part):
    """Nothing more comes due: the time is over that the event file names."""

    kind: Literal["closing"] = "closing"
    issued: _Count
    """How many matches were issued, and stay due."""


class ResultEntry(_Part):
    """A match has a result."""

    kind: Literal["result"] = "result"
    match_id: str
    attempt: _Count
    record_digest: Digest


class VoidEntry(_Part):
    """An attempt at a match is void."""

    kind: Literal["void"] = "void"
    match_id: str
    attempt: _Count
    """The attempt that is void, from 0."""
    reason: str
    """Why, in one sentence."""


class SuspensionEntry(_Part):
    """An entrant is suspended by the result before."""

    kind: Literal["suspension"] = "suspension"
    entrant: str
    fault: str
    """The short name of the fault of his last forfeit."""
    sentence: str


class EndEntry(_Part):
    """The event is over."""

    kind: Literal["end"] = "end"
    secret: Digest
    """The secret, which is as long as a digest."""


Entry: TypeAlias = (
    BeginEntry
    | CheckInEntry
    | BeaconEntry
    | GrowthEntry
    | ClosingEntry
    | ResultEntry
    | VoidEntry
    | SuspensionEntry
    | EndEntry
)
"""Something that a ledger tells."""

_ENTRIES: Final[TypeAdapter[Entry]] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])


class LedgerError(ValueError):
    """A ledger that is none, or was changed. Whoever wrote it erred, or somebody after him."""


@dataclass(frozen=True)
class Ledger:
    """A ledger whose lines follow from one another. Whether what they tell fits together says ``order_problems``."""

    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    """What the lines tell, in order."""

    @property
    def head(self) -> Head:
        """How far it has come."""
        return self.head_at(len(self.lines))

    def head_at(self, length: int) -> Head:
        """Return its head when it had this many lines.

        Raises:
            IndexError: it never had.
        """
        if not 0 <= length <= len(self.lines):
            raise IndexError(f"the ledger has {len(self.lines)} lines, not {length}")
        return NO_LINES if length == 0 else head_after(self.lines[length - 1], length=length)

    @cached_property
    def begin(self) -> BeginEntry | None:
        """How the event began; ``None`` where the first line does not say it."""
        first = self.entries[0] if self.entries else None
        return first if isinstance(first, BeginEntry) else None

    @cached_property
    def end(self) -> EndEntry | None:
        """The end of the event; ``None`` where it is not over."""
        last = self.entries[-1] if self.entries else None
        return last if isinstance(last, EndEntry) else None

    @cached_property
    def growths(self) -> tuple[GrowthEntry, ...]:
        """How more entrants came to take part, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, GrowthEntry))

    @cached_property
    def closing(self) -> ClosingEntry | None:
        """Since when nothing more comes due; ``None`` where that follows from the results."""
        return next((entry for entry in self.entries if isinstance(entry, ClosingEntry)), None)

    @cached_property
    def fields(self) -> tuple[int, ...]:
        """How many entrants took part at first, and after each growth."""
        sizes = (len(self.begin.entrants) if self.begin else 0, *(len(entry.entrants) for entry in self.growths))
        return tuple(accumulate(sizes))

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The names of all who take part, in the order of the event file."""
        begun = self.begin.entrants if self.begin else ()
        return (*begun, *(name for entry in self.growths for name in entry.entrants))

    @cached_property
    def checked_in(self) -> tuple[CheckedIn, ...]:
        """What the entrants brought, in order."""
        return tuple(one for entry in self.entries if isinstance(entry, CheckInEntry) for one in entry.entrants)

    @cached_property
    def beacon(self) -> BeaconEntry | None:
        """The value of the beacon; ``None`` where none was entered."""
        return next((entry for entry in self.entries if isinstance(entry, BeaconEntry)), None)

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


def chained(entries: Iterable[Entry], head: Head = NO_LINES) -> list[str]:
    """Return the lines of some entries, as they go on from a head."""
    lines = []
    for entry in entries:
        chain = {"index": head.length, "before": head.digest.hex()}
        line = _written(entry.model_dump() | chain)
        lines.append(line)
        head = head_after(line, length=head.length + 1)
    return lines


def head_after(line: str, *, length: int) -> Head:
    """Return the head of a ledger of this length whose last line this is."""
    return Head(length, hashlib.sha256(line.encode("ascii")).digest())


def read_ledger(lines: Sequence[str]) -> Ledger:
    """Read the lines of a ledger, without line ends, from its first on.

    Raises:
        LedgerError: a line is no entry, or does not follow from the one before; the message names the first of them.
    """
    entries, before = [], NO_LINES
    for line in lines:
        try:
            entries.append(_entry(line, before))
        except (ValueError, RecursionError) as error:
            raise LedgerError(f"Line {before.length + 1} of the ledger {_reason(error)}.") from None
        before = head_after(line, length=before.length + 1)
    return Ledger(tuple(lines), tuple(entries))


def ledger_text(lines: Iterable[str]) -> str:
    """Return a ledger as the text of a file."""
    return "".join(f"{line}\n" for line in lines)


def parse_ledger(text: str) -> Ledger:
    """Read the text of a ledger file.

    Raises:
        LedgerError: it is no ledger, or was changed.
    """
    *lines, rest = text.split("\n")
    if rest:
        raise LedgerError("The ledger does not end with a line end: its last line is not whole.")
    return read_ledger(lines)


def _entry(line: str, before: Head) -> Entry:
    content = from_json(line)
    if not isinstance(content, dict) or _written(content) != line:
        raise LedgerError("is not written as a ledger writes it")
    told = cast(dict[str, object], content)
    if (told.pop("index", None), told.pop("before", None)) != (before.length, before.digest.hex()):
        raise LedgerError("does not follow from the one before it")
    entry = _ENTRIES.validate_json(json.dumps(told))
    # Numbers that equal others, and what may be left out, have one way of writing, too.
    if chained([entry], before) != [line]:
        raise LedgerError("is not written as a ledger writes it")
    return entry


def _reason(error: Exception) -> str:
    if isinstance(error, LedgerError):
        return str(error)
    if isinstance(error, ValidationError):
        where = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
        return f"is no entry of a ledger, by {where or 'its kind'}"
    return "is no JSON"


def _written(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
