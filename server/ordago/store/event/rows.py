"""What goes into the store and comes out of it. Everything is frozen."""

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
    """The digest of what determines the event: databases of other events are told apart by it."""
    secret: bytes = field(repr=False)
    """The secret that all deals of the event come from, 32 bytes."""
    finished: bool = False
    """Whether the event is over and its secret may be revealed."""


class Entrant(NamedTuple):
    """Somebody who takes part in the event."""

    name: str
    nonce: bytes | None = None
    """What the entrant's bot brought for the deals; ``None`` until it has checked in."""
    version: str = ""
    """The version that the bot gave."""
    build: str = ""
    """The build that the bot gave."""

    @property
    def checked_in(self) -> CheckedIn | None:
        """What the ledger tells of it; ``None`` until the entrant has checked in."""
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
    """How many sets of the same entrants come before this one."""
    entrants: tuple[str, ...]
    """The entrant of each seat."""


class IssuedMatch(NamedTuple):
    """A match of the schedule that was issued to be played."""

    planned: PlannedMatch
    match_id: str
    """The name of the match for ever, in hexadecimal."""
    attempt: int = 0
    """How often the match was begun anew, since the server failed in it."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played, to be committed: what counts of it, and its record."""

    match_id: str
    result: Result
    record: bytes = field(repr=False)
    """The record as a binary file."""
    record_digest: bytes
    """The digest of the record, 32 bytes."""
    attempt: int = 0
    """How often the match was begun anew."""
    suspensions: tuple[SuspensionEntry, ...] = ()
    """Who is suspended by this result."""

    @property
    def entries(self) -> tuple[ResultEntry | SuspensionEntry, ...]:
        """What the ledger tells of it."""
        digest = self.record_digest.hex()
        return ResultEntry(match_id=self.match_id, attempt=self.attempt, record_digest=digest), *self.suspensions


def played_match(record: FinishedRecord) -> PlayedMatch:
    """Return what is committed of a match that was recorded so.

    All of it follows from the record. It takes some milliseconds for a long one, and belongs into a worker thread.
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
        """Return the fault that an entrant forfeited the match for, with any of his seats; ``None`` if he did not.

        A partner of another entrant does not forfeit with him.
        """
        return self.result.forfeiters(self.planned.entrants).get(entrant)


class EventState(NamedTuple):
    """All that a store holds but the records, as it was at one moment."""

    event: EventRow
    entrants: list[Entrant]
    """In the order in which the event names them."""
    matches: list[IssuedMatch]
    """All matches that were issued, in the order of the plan."""
    results: list[MatchResult]
    """All results in the order of the plan, whatever the order in which they were committed."""
    lines: list[str]
    """The ledger."""
