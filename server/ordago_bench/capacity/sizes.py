"""Sizes of a ladder, computed from the costs of a bot, a session, a decision and a match."""

from collections.abc import Iterator
from typing import Final, NamedTuple

BOTS: Final = (100, 1_000, 10_000)
THINK_MS: Final = (10, 1_000, 10_000)
_SECONDS_A_DAY: Final = 86_400
_US_A_SECOND: Final = 1_000_000


class Costs(NamedTuple):
    """The costs of a server, as measured. Those of the process that rates and publishes are its own."""

    server_mib: float
    """Memory of the server without bots, once it has played."""
    publisher_mib: float
    """Memory of the process that rates and publishes, at the end; it grows with the ladder."""
    bot_kib: float
    """Memory for each connected bot, with its share of a match."""
    bot_descriptors: float
    """Open files for each connected bot."""
    waiting_us_per_s: float
    """Processor time for a bot that is connected and thinks, in microseconds a second."""
    session_us: float
    """Processor time to open a session, in microseconds, from the connection to the first match."""
    session_kib: float
    """Memory that stays with the server for each session whose connection is lost, until it is given up."""
    decision_us: float
    """Processor time for a decision, in microseconds, the beginnings and ends of matches included."""
    publisher_us: float
    """Processor time for a match in the process that rates and publishes, in microseconds."""
    deciding: float
    """The share of bots that think at a time; the others wait for theirs, or for a match."""
    match_decisions: float
    """Decisions of a match."""
    journal_bytes: float
    """Bytes of the journal for a decision; it is compacted when matches are over."""
    database_bytes: float
    """Bytes of the database for a match, its record included."""
    ledger_bytes: float
    """Bytes of the published ledger for a match."""
    record_bytes: float
    """Bytes of the published record of a match."""


class Size(NamedTuple):
    """The needs of a ladder of so many bots that think for so long."""

    bots: int
    think_ms: int
    decisions_per_s: float
    cores: float
    """Processors that the server would keep busy. More than 1 is more than one process can do."""
    mib: float
    descriptors: int
    database_gb_a_day: float
    archive_gb_a_day: float


def size_of(costs: Costs, *, bots: int, think_ms: int) -> Size:
    """Return the needs of a ladder in which each bot plays one match at a time."""
    decisions = bots * costs.deciding * 1_000 / think_ms
    matches_a_day = decisions / costs.match_decisions * _SECONDS_A_DAY
    return Size(
        bots,
        think_ms,
        decisions,
        (bots * costs.waiting_us_per_s + decisions * costs.decision_us) / _US_A_SECOND,
        costs.server_mib + costs.publisher_mib + bots * costs.bot_kib / 1024,
        round(bots * costs.bot_descriptors),
        matches_a_day * costs.database_bytes / 1e9,
        matches_a_day * (costs.ledger_bytes + costs.record_bytes) / 1e9,
    )


def all_sizes(costs: Costs) -> Iterator[Size]:
    """Yield the rows of the table: few bots and many, fast ones and slow ones."""
    for bots in BOTS:
        for think_ms in THINK_MS:
            yield size_of(costs, bots=bots, think_ms=think_ms)
