"""The values that the store of an event takes and returns. All are frozen."""

from dataclasses import dataclass, field
from typing import NamedTuple

from ordago.record import FinishedRecord, Result, finished_file, result_of
from ordago.record.ledgers.event import CheckedIn, ResultEntry, SuspensionEntry


@dataclass(frozen=True, slots=True)
class EventRow:
    """The event that a database belongs to."""

    name: str
    settings: str
    """The event file, as text."""
    identity: str
    """The digest of the settings that determine the event, which tells databases of different events apart."""
    secret: bytes = field(repr=False)
    """The secret that all deals of the event come from, 32 bytes."""
    finished: bool = False
    """True if the event is over and its secret may be revealed."""


class Entrant(NamedTuple):
    """A participant of the event."""

    name: str
    nonce: bytes | None = None
    """The nonce of the entrant's bot for the deals; ``None`` until it has checked in."""
    version: str = ""
    """The version that the bot gave."""
    build: str = ""
    """The build that the bot gave."""

    @property
    def checked_in(self) -> CheckedIn | None:
        """The check-in as it stands in the ledger; ``None`` until the entrant has checked in."""
        if self.nonce is None:
            return None
        return CheckedIn(name=self.name, nonce=self.nonce.hex(), version=self.version, build=self.build)


class PlannedMatch(NamedTuple):
    """A match of the schedule."""

    row: int
    """The place in the schedule, from 0."""
    game: str
    """The short name of the game."""
    set_key: str
    """The name of the duplicate set: game, entrants and repetition. One entrant more or less in the event does not
    change it for the others."""
    seating: int
    """The number of the seating among those of the set, from 0."""
    repetition: int
    """The number of earlier sets of the same entrants."""
    entrants: tuple[str, ...]
    """The entrant of each seat."""


class IssuedMatch(NamedTuple):
    """A match of the schedule that was issued to be played."""

    planned: PlannedMatch
    match_id: str
    """The name of the match for ever, in hexadecimal."""
    attempt: int = 0
    """The number of earlier attempts at the match, in which the server failed."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played, to be committed: its result and its record."""

    match_id: str
    result: Result
    record: bytes = field(repr=False)
    """The record as a binary file."""
    record_digest: bytes
    """The digest of the record, 32 bytes."""
    attempt: int = 0
    """The number of earlier attempts at the match."""
    suspensions: tuple[SuspensionEntry, ...] = ()
    """The suspensions that follow from this result."""

    @property
    def entries(self) -> tuple[ResultEntry | SuspensionEntry, ...]:
        """The entries of the ledger for it."""
        digest = self.record_digest.hex()
        return ResultEntry(match_id=self.match_id, attempt=self.attempt, record_digest=digest), *self.suspensions


def played_match(record: FinishedRecord) -> PlayedMatch:
    """Return the result of a recorded match, to be committed.

    All of it is derived from the record. It takes some milliseconds for a long one, so call it in a worker thread.
    """
    contents, result = finished_file(record), result_of(record.message)
    return PlayedMatch(record.match_id, result, contents, record.digest, record.message.attempt)


class MatchResult(NamedTuple):
    """A match of the schedule whose result counts."""

    match: IssuedMatch
    result: Result

    @property
    def planned(self) -> PlannedMatch:
        """The match as it stands in the schedule."""
        return self.match.planned

    @property
    def sides(self) -> tuple[str, ...]:
        """The entrants at the table, each once, in the order of their first seats."""
        return tuple(dict.fromkeys(self.planned.entrants))

    def placing(self, entrant: str) -> int:
        """Return the placing of an entrant."""
        return self.result.placings[self.planned.entrants.index(entrant)]

    def score(self, entrant: str) -> int:
        """Return the score of an entrant."""
        return self.result.scores[self.planned.entrants.index(entrant)]

    def forfeit_of(self, entrant: str) -> str | None:
        """Return the fault that an entrant forfeited the match for, at any of its seats; ``None`` if it did not.

        A partner from another entrant does not forfeit with it.
        """
        return self.result.forfeiters(self.planned.entrants).get(entrant)


class EventState(NamedTuple):
    """The contents of a store without the records, as a snapshot of one moment."""

    event: EventRow
    entrants: list[Entrant]
    """In the order in which the event names them."""
    matches: list[IssuedMatch]
    """All matches that were issued, in the order of the plan."""
    results: list[MatchResult]
    """All results in the order of the plan, whatever the order in which they were committed."""
    lines: list[str]
    """The ledger."""
