"""What goes into the store and comes out of it. Everything is frozen."""

from dataclasses import dataclass, field
from typing import NamedTuple

from ordago import v1
from ordago.record import FaultCount, SeatForfeit, faults_of, forfeits_of, record_file


@dataclass(frozen=True, slots=True)
class EventRow:
    """The event that a database belongs to."""

    name: str
    settings: str
    """The event file, as text."""
    settings_digest: str
    """The digest of what determines the event: databases of other events are told apart by it."""
    commitment: bytes
    """The SHA-256 of the secret, 32 bytes."""
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


class IssuedMatch(NamedTuple):
    """A match of the plan that was issued to be played."""

    match_id: str
    row: int
    """The row of the plan, from 0."""
    game: str
    """The short name of the game."""
    set_key: str
    """The duplicate set that the match belongs to."""
    seating: int
    """The number of the seating within the set, from 0."""
    repetition: int
    """How many sets of the same entrants come before this one."""
    entrants: tuple[str, ...]
    """The entrant at each seat."""
    attempt: int = 0
    """How often the match was begun anew."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played, to be committed: what counts of it, and its record."""

    match_id: str
    scores: tuple[int, ...]
    """The score of each seat; higher is better."""
    placings: tuple[int, ...]
    """The placing of each seat's side."""
    faults: tuple[tuple[FaultCount, ...], ...]
    """The faults of each seat."""
    forfeits: tuple[SeatForfeit, ...]
    """The seats that forfeited, ascending."""
    record: bytes = field(repr=False)
    """The record as a binary file."""
    record_digest: bytes
    """The digest of the record, 32 bytes."""


def played_match(record: v1.MatchRecord) -> PlayedMatch:
    """Return what is committed of a match that was recorded so.

    All of it follows from the record, which is finished. It takes some milliseconds for a long one, and belongs into a
    worker thread.
    """
    file = record_file(record)
    return PlayedMatch(
        match_id=record.match_id,
        scores=tuple(record.outcome.scores),
        placings=tuple(record.outcome.placings),
        faults=faults_of(record),
        forfeits=forfeits_of(record),
        record=file.SerializeToString(deterministic=True),
        record_digest=file.digest,
    )


class Result(NamedTuple):
    """The committed result of a match."""

    match: IssuedMatch
    scores: tuple[int, ...]
    """The score of each seat; higher is better."""
    placings: tuple[int, ...]
    """The placing of each seat's side."""
    faults: tuple[tuple[FaultCount, ...], ...]
    """The faults of each seat."""
    forfeits: tuple[SeatForfeit, ...]
    """The seats that forfeited, ascending."""
    record_digest: bytes
    """The digest of the record, 32 bytes."""
