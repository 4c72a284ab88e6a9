"""The matches of a ladder in which two bots sat, newest first."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from ordago.store import ladder_tables as tables
from ordago.store.ladder_rows import LadderResult


def meetings_of(
    connection: Connection, first: Sequence[int], second: Sequence[int], *, epochs: tuple[int, int], most: int
) -> list[LadderResult]:
    """Return the newest results of matches, in epochs from one to another, in which both had a player."""
    mine, theirs = tables.seats.alias(), tables.seats.alias()
    together = (mine.c.game == theirs.c.game) & (mine.c.serial == theirs.c.serial)
    serials = (
        select(mine.c.serial)
        .distinct()
        .join_from(mine, theirs, together)
        .where(mine.c.player.in_(first), theirs.c.player.in_(second))
    )
    chosen = (
        select(*tables.WITH_RESULT)
        .join_from(tables.results, tables.matches)
        .where(tables.results.c.serial.in_(serials), tables.matches.c.epoch.between(*epochs))
        .order_by(tables.results.c.serial.desc())
        .limit(most)
    )
    return [tables.result_of(row) for row in connection.execute(chosen)]
