"""The common part of all ledgers: a hash chain of lines, none of which can be changed, dropped or inserted unnoticed.

Each line is an entry in canonical JSON: keys ascending, no spaces, ASCII. Beside its content it has
its number, ``index`` from 0, and in ``before`` the SHA-256 of the line before it. The SHA-256 of the last line is the
**head**: a head and its length prove that all lines up to there are unchanged.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from ordago.record.head import NO_LINES, Head
from ordago.record.replay import Problem

Digest: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""
Octets: TypeAlias = Annotated[str, Field(pattern="^([0-9a-f]{2})*$")]
"""Bytes in hexadecimal."""
Count: TypeAlias = Annotated[int, Field(ge=0)]
"""A number from 0."""


_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


class Part(BaseModel):
    """An entry of a ledger, or a part of one: complete, checked and frozen."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)


AnyEntry = TypeVar("AnyEntry", bound=Part)
"""The type of the entries of a kind of ledger."""


class LedgerError(ValueError):
    """A ledger is malformed or was changed."""


@dataclass(frozen=True)
class Chain(Generic[AnyEntry]):
    """A ledger whose lines follow from one another."""

    lines: tuple[str, ...]
    entries: tuple[AnyEntry, ...]
    """The entries of the lines, in order."""

    @property
    def head(self) -> Head:
        """The length and head of the ledger."""
        return self.head_at(len(self.lines))

    def head_at(self, length: int) -> Head:
        """Return its head when it had this many lines.

        Raises:
            IndexError: it never had.
        """
        if not 0 <= length <= len(self.lines):
            raise IndexError(f"the ledger has {len(self.lines)} lines, not {length}")
        return NO_LINES if length == 0 else head_after(self.lines[length - 1], length=length)


def chained(entries: Iterable[Part], head: Head = NO_LINES) -> list[str]:
    """Return the lines of some entries, as they go on from a head."""
    lines = []
    for entry in entries:
        chain = {"index": head.length, "before": head.digest.hex()}
        line = written(entry.model_dump() | chain)
        lines.append(line)
        head = head_after(line, length=head.length + 1)
    return lines


def head_after(line: str, *, length: int) -> Head:
    """Return the head of a ledger of this length whose last line this is."""
    return Head(length, hashlib.sha256(line.encode("ascii")).digest())


def read_entries(lines: Sequence[str], kinds: TypeAdapter[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Read the lines of a ledger, without line ends, from the first on."""
    entries, before = list[AnyEntry](), NO_LINES
    for line in lines:
        try:
            entries.append(_entry(line, before, kinds))
        except (ValueError, RecursionError) as error:
            raise LedgerError(f"Line {before.length + 1} of the ledger {_reason(error)}.") from None
        before = head_after(line, length=before.length + 1)
    return tuple(entries)


def ledger_text(lines: Iterable[str]) -> str:
    """Return a ledger as the text of a file."""
    return "".join(f"{line}\n" for line in lines)


def lines_of(text: str) -> list[str]:
    """Return the lines of the text of a ledger file, without line ends.

    Raises:
        LedgerError: the last of them is not whole.
    """
    *lines, rest = text.split("\n")
    if rest:
        raise LedgerError("The last line of the ledger is incomplete: it has no line end.")
    return lines


def written(content: Mapping[str, object]) -> str:
    """Return JSON in the one way of writing that ledgers have."""
    return _ENCODER.encode(content)


def _entry(line: str, before: Head, kinds: TypeAdapter[AnyEntry]) -> AnyEntry:
    content = from_json(line)
    if not isinstance(content, dict) or written(content) != line:
        raise LedgerError("is not in the form that ledgers have")
    fields = cast(dict[str, object], content)
    if (fields.pop("index", None), fields.pop("before", None)) != (before.length, before.digest.hex()):
        raise LedgerError("does not follow from the one before it")
    entry = kinds.validate_json(_ENCODER.encode(fields))
    # Numbers that equal others, and what may be left out, have one way of writing, too.
    if chained([entry], before) != [line]:
        raise LedgerError("is not in the form that ledgers have")
    return entry


def _reason(error: Exception) -> str:
    if isinstance(error, LedgerError):
        return str(error)
    if isinstance(error, ValidationError):
        where = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
        return f"is not an entry of a ledger, by {where or 'its kind'}"
    return "is not JSON"


class EntryOrder(ABC, Generic[AnyEntry]):
    """The state of a ledger up to an entry."""

    _end: ClassVar[type[Part]]
    """The entry after which there is no other."""
    _after_the_end: ClassVar[str]
    """The problem with an entry after the end."""
    _goes_on_with: ClassVar[tuple[type[Part], ...]] = ()
    """The entries that may follow the end all the same."""
    _last: AnyEntry | None = None

    def problems(self, entries: Iterable[AnyEntry]) -> Iterator[Problem]:
        """Yield the problems of a ledger's entries. The number of a problem is the index of its entry."""
        for index, entry in enumerate(entries):
            if isinstance(self._last, self._end) and not isinstance(entry, self._goes_on_with):
                yield Problem(index, self._after_the_end)
            for sentence in self._problems_of(entry):
                yield Problem(index, sentence)
            self._last = entry

    @abstractmethod
    def _problems_of(self, entry: AnyEntry) -> Iterator[str]:
        """Yield the problems of the next entry, and add it to the state."""
