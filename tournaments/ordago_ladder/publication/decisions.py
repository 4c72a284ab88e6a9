"""Decisions of published matches as a Parquet file: observations, masks and what was chosen, a row for each id."""

from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ordago_gym.arrays import mask_of, observation_of
from ordago_gym.recorded import RecordedMatch, RecordedStep

VERSION: Final = 0
"""The version of the columns. It is raised when one changes its meaning."""
_METADATA: Final = {b"made by": b"ordago", b"ordago.decisions": str(VERSION).encode()}
_ROWS: Final = 4_096
"""The rows of a group. Those of Mitigati, the longest, have 20 megabytes of floats."""
SCHEMA: Final = pa.schema(
    [
        *[(name, pa.string()) for name in ("match", "game", "encoding", "entrant", "version")],
        *[(name, pa.int32()) for name in ("seats", "seat", "deal", "decision", "action")],
        ("own", pa.bool_()),
        *[(name, pa.float32()) for name in ("deal_reward", "match_reward")],
        ("observation", pa.list_(pa.float32())),
        ("mask", pa.list_(pa.int8())),
    ],
    metadata=_METADATA,
)
"""The columns; docs/decisions.md describes them."""


def is_decisions(path: Path) -> bool:
    """Return True for a file of decisions of any version."""
    try:
        found = pq.read_schema(path).metadata or {}
    except (pa.ArrowException, OSError):
        return False
    return b"ordago.decisions" in found


class DecisionFile:
    """A file of decisions that is being written, a group of rows at a time."""

    def __init__(self, path: Path) -> None:
        """Begin a file, which is replaced if it exists.

        Raises:
            OSError: it cannot be written.
        """
        # Most floats are 0 or 1: a file has a thirtieth of the size of its observations.
        self._writer: Final = pq.ParquetWriter(path, SCHEMA, compression="zstd")
        self._waiting: Final[list[tuple[Any, ...]]] = []
        self.rows = 0
        """The rows so far."""

    def add(self, match: RecordedMatch) -> None:
        """Add the decisions of a match.

        Raises:
            OSError: they cannot be written.
        """
        for step in match.steps():
            self._waiting.append(_row(match, step))
            self.rows += 1
            if len(self._waiting) == _ROWS:
                self._write()

    def close(self) -> None:
        """Write the rows that wait, and end the file.

        Raises:
            OSError: they cannot be written.
        """
        if self._waiting:
            self._write()
        self._writer.close()

    def _write(self) -> None:
        columns = zip(zip(*self._waiting, strict=True), SCHEMA, strict=True)
        self._writer.write_table(pa.table([pa.array(column, field.type) for column, field in columns], schema=SCHEMA))
        self._waiting.clear()


def _row(match: RecordedMatch, step: RecordedStep) -> tuple[Any, ...]:
    record, encoding, deals, seat = match.record, match.encoding, match.deal_rewards, step.seat
    return (
        *(record.match_id, record.game, encoding.id, record.seats[seat].name, record.seats[seat].version),
        *(encoding.seats, seat, step.deal, step.number, step.action, step.own),
        *(deals[step.deal][seat] if step.deal < len(deals) else None, match.match_rewards[seat]),
        *(observation_of(encoding, step.decision), mask_of(encoding, step.decision)),
    )
