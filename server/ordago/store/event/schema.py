"""The tables of an event's database, and how their rows are read and written."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
)

from ordago.record import FaultCount, Result, SeatForfeit, StrikeCount
from ordago.store.database import Schema
from ordago.store.event.rows import Entrant, EventRow, IssuedMatch, MatchResult, PlannedMatch, PlayedMatch

Values: TypeAlias = Mapping[str, Any]
"""The values of a row by column; what SQL can hold is not one type."""

metadata = MetaData()

schema_version = Table("schema_version", metadata, Column("version", Integer, primary_key=True, autoincrement=False))

event = Table(
    "event",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1"), primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("settings", Text, nullable=False),
    Column("identity", String, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("finished", Boolean, nullable=False),
)

entrants = Table(
    "entrants",
    metadata,
    Column("name", String, primary_key=True),
    Column("position", Integer, nullable=False, unique=True),
    Column("nonce", LargeBinary),
    Column("version", String, nullable=False),
    Column("build", String, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("match_id", String, primary_key=True),
    Column("row", Integer, nullable=False, unique=True),
    Column("game", String, nullable=False),
    Column("set_key", String, nullable=False),
    Column("seating", Integer, nullable=False),
    Column("repetition", Integer, nullable=False),
    Column("entrants", JSON, nullable=False),
    Column("attempt", Integer, nullable=False),
)

# The record stands last, so that SQLite reads the other columns without it.
results = Table(
    "results",
    metadata,
    Column("match_id", String, ForeignKey(matches.c.match_id), primary_key=True),
    *(Column(name, JSON, nullable=False) for name in Result._fields),
    Column("record_digest", LargeBinary, nullable=False),
    Column("record", LargeBinary, nullable=False),
)

# Each line is written in the same transaction as the change it describes.
ledger = Table(
    "ledger",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
)

EVENT_SCHEMA: Final = Schema("an event", metadata, schema_version)


def event_of(row: RowMapping) -> EventRow:
    """Return the event of a row."""
    return EventRow(**{field.name: row[field.name] for field in fields(EventRow)})


def event_values(row: EventRow) -> Values:
    """Return the row of the event, the only one of its table."""
    return asdict(row) | {"id": 1}


def entrant_of(row: RowMapping) -> Entrant:
    """Return the entrant of a row."""
    return Entrant(row["name"], row["nonce"], row["version"], row["build"])


def match_of(row: RowMapping) -> IssuedMatch:
    """Return the match of a row."""
    values = {name: row[name] for name in PlannedMatch._fields}
    return IssuedMatch(
        PlannedMatch(**values | {"entrants": tuple(row["entrants"])}), match_id=row["match_id"], attempt=row["attempt"]
    )


def match_values(match: IssuedMatch) -> Values:
    """Return the row of a match."""
    return match.planned._asdict() | {"match_id": match.match_id, "attempt": match.attempt}


def match_result_of(row: RowMapping) -> MatchResult:
    """Return the result in a row joined with its match."""
    result = Result(
        scores=tuple(row["scores"]),
        placings=tuple(row["placings"]),
        faults=tuple(tuple(FaultCount(*fault) for fault in seat) for seat in row["faults"]),
        forfeits=tuple(SeatForfeit(*forfeit) for forfeit in row["forfeits"]),
        strikes=tuple(tuple(StrikeCount(*strike) for strike in seat) for seat in row["strikes"]),
    )
    return MatchResult(match_of(row), result)


def result_values(played: PlayedMatch) -> Values:
    """Return the row of a match that was played."""
    played_as = {"match_id": played.match_id, "record_digest": played.record_digest, "record": played.record}
    return played.result._asdict() | played_as
