"""The tables of a standing ladder's database, and how their rows are read and written."""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    RowMapping,
    String,
    Table,
    Text,
)

from ordago.record import FaultCount, Result, SeatForfeit, StrikeCount
from ordago.record.epochs import LinkChain
from ordago.store.database import Schema
from ordago.store.ladder.rows import EpochRow, LadderResult, LadderRow, PlayerRow, SeatingRow

Values: TypeAlias = Mapping[str, Any]
"""The values of a row by column; what SQL can hold is not one type."""
AnyRow: TypeAlias = Row[*tuple[Any, ...]]
"""A row with whatever columns."""

ladder_metadata = MetaData()


def _serial() -> Column[int]:
    return Column("serial", Integer, ForeignKey("matches.serial"), primary_key=True, autoincrement=False)


ladder_version = Table(
    "ladder_version", ladder_metadata, Column("version", Integer, primary_key=True, autoincrement=False)
)

# All settings of past and present epochs, since epochs only have their digests.
settings = Table(
    "settings",
    ladder_metadata,
    Column("digest", String, primary_key=True),
    Column("settings", Text, nullable=False),
)

# Times are whole seconds since 1970, UTC.
ladder = Table(
    "ladder",
    ladder_metadata,
    Column("id", Integer, CheckConstraint("id = 1"), primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("settings_digest", String, ForeignKey(settings.c.digest), nullable=False),
    Column("last_link", LargeBinary, nullable=False),
    Column("links", Integer, nullable=False),
    Column("began", BigInteger, nullable=False),
    # The latest time that was written: later ones are never earlier than this.
    Column("latest", BigInteger, nullable=False),
    # Valid from the next epoch on, like the settings.
    Column("season", String, nullable=False),
)

players = Table(
    "players",
    ladder_metadata,
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("version", String, nullable=False),
    Column("build", String, nullable=False),
    Column("account", String, nullable=False),
    Column("house", Boolean, nullable=False),
    Column("first_seen", BigInteger, nullable=False),
    Column("predecessor", Integer, ForeignKey("players.player")),
    Column("sdk", String, nullable=False),
    Index("players_by_name", "name", "version", "account", unique=True),
    Index("players_by_account", "account", "player"),
)

epochs = Table(
    "epochs",
    ladder_metadata,
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("began", BigInteger, nullable=False),
    Column("settings_digest", String, ForeignKey(settings.c.digest), nullable=False),
    Column("first_serial", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("results", Integer, nullable=False),
    Column("voids", Integer, nullable=False),
    Column("record_bytes", BigInteger, nullable=False),
    Column("revealed", Boolean, nullable=False),
    Column("verified", Boolean, nullable=False),
    Column("pruned", Boolean, nullable=False),
    Column("season", String, nullable=False),
)

# The players that the ledger of an epoch has introduced.
entered = Table(
    "entered",
    ladder_metadata,
    Column("epoch", Integer, ForeignKey(epochs.c.epoch), primary_key=True, autoincrement=False),
    Column("player", Integer, ForeignKey(players.c.player), primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# Their serial numbers go on from epoch to epoch, in the order in which matches began.
matches = Table(
    "matches",
    ladder_metadata,
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("epoch", Integer, ForeignKey(epochs.c.epoch), nullable=False),
    Column("number", Integer, nullable=False),
    Column("match_id", String, nullable=False, unique=True),
    Column("game", String, nullable=False),
    Column("players", String, nullable=False),
    Column("nonces", LargeBinary, nullable=False),
    Column("begun", BigInteger, nullable=False),
    Column("unrated", Boolean, nullable=False),
    Index("matches_by_game", "game", "serial"),
)

# The order of the columns is that in which the matches of a player are listed.
seats = Table(
    "seats",
    ladder_metadata,
    Column("player", Integer, ForeignKey(players.c.player), primary_key=True, autoincrement=False),
    Column("game", String, primary_key=True),
    Column("serial", Integer, ForeignKey(matches.c.serial), primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# The servers of a ladder that has several. A holder rewrites its row.
lanes = Table(
    "lanes",
    ladder_metadata,
    Column("lane", Integer, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False, unique=True),
)

# The sessions of accounts at the servers of a ladder that has several, by the names of bots. Those of a lane that no
# server has mean nothing.
lane_sessions = Table(
    "lane_sessions",
    ladder_metadata,
    Column("lane", Integer, ForeignKey(lanes.c.lane), primary_key=True, autoincrement=False),
    Column("account", String, primary_key=True),
    Column("bot", String, primary_key=True),
    Column("sessions", Integer, nullable=False),
)

# The unrated matches, and the accounts that asked for them.
challenges = Table(
    "challenges",
    ladder_metadata,
    _serial(),
    Column("account", String, nullable=False),
    Index("challenges_by_account", "account", "serial"),
)

# Matches that have come to no end: few, whatever the age of the ladder. The lane is that of the server that plays it,
# and absent where that is the only one.
running = Table("running", ladder_metadata, _serial(), Column("lane", Integer))

results = Table(
    "results",
    ladder_metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("serial", Integer, ForeignKey(matches.c.serial), nullable=False, unique=True),
    Column("ended", BigInteger, nullable=False),
    Column("record_digest", LargeBinary, nullable=False),
    Column("outcome", Text, nullable=False),
)

voids = Table("voids", ladder_metadata, _serial(), Column("reason", Text, nullable=False))

# Compressed. They are large, and have a table of their own, so that nothing else is read through them.
records = Table("records", ladder_metadata, _serial(), Column("record", LargeBinary, nullable=False))

# The refused answers of matches that had any, which only the accounts of their bots may read. They go with the records.
refusals = Table("refusals", ladder_metadata, _serial(), Column("refusals", LargeBinary, nullable=False))

# Each line is written in the same transaction as the change it describes.
ledger = Table(
    "ledger",
    ladder_metadata,
    Column("epoch", Integer, ForeignKey(epochs.c.epoch), primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
)

WITH_RESULT: Final = (*matches.c, *(column for column in results.c if column.name != "serial"))
"""The columns of a match joined with its result."""

LADDER_SCHEMA: Final = Schema("a standing ladder", ladder_metadata, ladder_version)


def ladder_of(row: RowMapping) -> LadderRow:
    """Return the ladder in a row joined with its settings."""
    chain = LinkChain(bytes(row["last_link"]), row["links"])
    return LadderRow(row["name"], row["settings"], row["settings_digest"], chain, row["began"], row["season"])


def ladder_values(row: LadderRow) -> Values:
    """Return the row of the ladder, the only one of its table."""
    return {
        "id": 1,
        "name": row.name,
        "settings_digest": row.settings_digest,
        "last_link": row.chain.last,
        "links": row.chain.length,
        "began": row.began,
        "latest": row.began,
        "season": row.season,
    }


def player_of(row: AnyRow) -> PlayerRow:
    """Return the player of a row."""
    return PlayerRow._make(row)


def epoch_of(row: AnyRow) -> EpochRow:
    """Return the epoch of a row."""
    return EpochRow._make(row)


def seating_of(row: AnyRow) -> SeatingRow:
    """Return the seating of a row of a match."""
    seated = tuple(map(int, row.players.split()))
    nonces = _unjoined(row.nonces)
    return SeatingRow(row.epoch, row.number, row.match_id, row.game, seated, nonces, row.begun, row.unrated)


def seating_values(seating: SeatingRow, *, serial: int) -> Values:
    """Return the row of a match."""
    seats = {"players": " ".join(map(str, seating.players)), "nonces": _joined(seating.nonces)}
    return seating._asdict() | seats | {"serial": serial}


def result_of(row: AnyRow) -> LadderResult:
    """Return the result in a row joined with its match."""
    return LadderResult(row.position, seating_of(row), _outcome_of(row.outcome), row.ended, bytes(row.record_digest))


def outcome_text(result: Result) -> str:
    """Return the result of a match as stored text."""
    return json.dumps(result, separators=(",", ":"))


def _outcome_of(text: str) -> Result:
    scores, placings, faults, forfeits, strikes = json.loads(text)
    return Result(
        scores=tuple(scores),
        placings=tuple(placings),
        faults=tuple(tuple(FaultCount(*fault) for fault in seat) for seat in faults),
        forfeits=tuple(SeatForfeit(*forfeit) for forfeit in forfeits),
        strikes=tuple(tuple(StrikeCount(*strike) for strike in seat) for seat in strikes),
    )


def _joined(nonces: Sequence[bytes]) -> bytes:
    """Join nonces, each after a byte with its length."""
    return b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)


def _unjoined(data: bytes) -> tuple[bytes, ...]:
    nonces = []
    while data:
        nonces.append(bytes(data[1 : 1 + data[0]]))
        data = data[1 + data[0] :]
    return tuple(nonces)


_LEVEL: Final = 6


def packed(record: bytes) -> bytes:
    """Return a record as it is kept."""
    return zlib.compress(record, _LEVEL)


def unpacked(kept: bytes) -> bytes:
    """Return a record that was kept."""
    return zlib.decompress(kept)
