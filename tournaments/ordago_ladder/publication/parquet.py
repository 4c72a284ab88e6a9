"""Parquet files of an event's results and ladders, for statistics programs.

They are not part of the published and verified files, since every version of the library writes different bytes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from ordago.outputs import Output
from ordago.store import MatchResult
from ordago_ladder.publication.exports import ladder_rows
from ordago_ladder.rating.ladder import Ladder

FILES: Final = ("ladder.parquet", "results.parquet")
_MADE_BY: Final = {b"made by": b"ordago"}
"""The metadata that marks our tables, so that no other file is overwritten."""
_TEXT, _NUMBER, _REAL = pa.string(), pa.int64(), pa.float64()
_LADDER_TYPES: Final = {
    **dict.fromkeys(("ladder", "entrant", "version", "rating_note"), _TEXT),
    **dict.fromkeys(("elo", "low", "high", "above_next", "score", "mean_score"), _REAL),
    "suspended": pa.bool_(),
}
"""The types of columns of the ladder that are not whole numbers."""
_RESULT_SCHEMA: Final = pa.schema(
    [
        *[(name, _TEXT) for name in ("match_id", "game", "set_key")],
        *[(name, _NUMBER) for name in ("row", "attempt", "seating", "repetition", "seat")],
        ("entrant", _TEXT),
        *[(name, _NUMBER) for name in ("score", "placing", "faults", "strikes")],
        ("forfeit", _TEXT),
    ]
)


def outputs(folder: Path) -> list[Output]:
    """Return the files of both tables in a folder, which is created if missing.

    Raises:
        OSError: it cannot be created.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [Output(folder / name, "a table of an event", _is_table) for name in FILES]


def write_parquet(ladder: Ladder, folder: Path) -> None:
    """Write both tables into a folder, which is created if missing.

    Raises:
        OSError: it cannot be created.
        OccupiedError: a file cannot be written.
    """
    for output, table in zip(outputs(folder), (ladder_table(ladder), results_table(ladder)), strict=True):
        with output.opened() as part:
            pq.write_table(table.replace_schema_metadata(_MADE_BY), part)


def _is_table(content: bytes) -> bool:
    try:
        found = pq.read_schema(pa.BufferReader(content)).metadata or {}
    except pa.ArrowException:
        return False
    return _MADE_BY.items() <= found.items()


def ladder_table(ladder: Ladder) -> pa.Table:
    """Return the lines of all ladders, with the columns of ``ladder.csv``."""
    columns, rows = ladder_rows(ladder)
    schema = pa.schema([(column, _LADDER_TYPES.get(column, _NUMBER)) for column in columns])
    return pa.Table.from_pylist([_with_flags(row) for row in rows], schema=schema)


def _with_flags(row: Mapping[str, object]) -> dict[str, object]:
    return {**row, "suspended": bool(row["suspended"])}


def results_table(ladder: Ladder) -> pa.Table:
    """Return a row for each seat of each match, in the order of the schedule."""
    return pa.Table.from_pylist([seat for played in ladder.results for seat in _seats(played)], schema=_RESULT_SCHEMA)


def _seats(played: MatchResult) -> Iterator[dict[str, object]]:
    planned, result = played.planned, played.result
    forfeits = {forfeit.seat: forfeit.fault for forfeit in result.forfeits}
    for seat, entrant in enumerate(planned.entrants):
        yield {
            "match_id": played.match.match_id,
            "game": planned.game,
            "set_key": planned.set_key,
            "row": planned.row,
            "attempt": played.match.attempt,
            "seating": planned.seating,
            "repetition": planned.repetition,
            "seat": seat,
            "entrant": entrant,
            "score": result.scores[seat],
            "placing": result.placings[seat],
            "faults": sum(number for _, number in result.faults[seat]),
            "strikes": sum(number for _, number in result.strikes[seat]),
            "forfeit": forfeits.get(seat),
        }
