"""Several servers of one ladder, each with a lane of its own: a name that no other server has meanwhile.

All write into the same ledgers, one transaction after the other, so that ``ordago verify`` proves what they played
together. A running match belongs to the lane of its server. Only PostgreSQL can be written by several servers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, true, update

from ordago.record.head import Head
from ordago.record.ledgers.ladder import LadderVoidEntry
from ordago.store import postgresql
from ordago.store.errors import StoreError
from ordago.store.ladder import schema as tables
from ordago.store.ladder.lines import enter
from ordago.store.ladder.rows import SeatingRow
from ordago.store.ladder.schema import LADDER_SCHEMA, AnyRow
from ordago.store.sqlite import held_file
from ordago.store.versioned import Stored


class Lane(NamedTuple):
    """A lane that has running matches."""

    number: int | None
    """The number; ``None`` for a server that was the only one."""
    name: str


class StoredLanes(Stored):
    """The database of a ladder, held by its only server or by one of several."""

    _schema = LADDER_SCHEMA
    _lane: int | None = None

    @contextmanager
    def held(self, *, lane: str = "") -> Iterator[None]:
        """Keep other servers from the ladder, as long as this one works on it. Readers need no lock.

        Args:
            lane: the name of the lane that this server has, to keep only those from the ladder that have the same, or
                none; empty for the only server.

        Raises:
            StoreBusyError: another server works on it, or, at any write, did so while this one had lost its connection.
            StoreError: a file cannot have lanes.
        """
        if lane:
            self._lane = self._number_of(lane)
            with self._database.held(self._schema, lanes=tables.lanes, lane=self._lane):
                yield
            return
        file = self._database.file
        with super().held(), held_file(file, self._schema.this_content) if file else nullcontext():
            self._notify_lanes()
            yield

    def _notify_lanes(self) -> None:
        """Let servers with lanes that lost their connections find that this one had the ladder meanwhile."""
        if self._database.is_shared and self.version == self.newest_version:
            with self._database.writing() as connection:
                connection.execute(postgresql.rewritten(tables.lanes.c.lane))

    def check_free(self, *, lane: str = "") -> None:
        """Check that a server could work on the ladder. Nothing is changed.

        Args:
            lane: the name of its lane; empty for the only server.

        Raises:
            StoreBusyError: the lane, or, for the only server, any, is taken.
        """
        if lane:
            with self._database.reading() as connection:
                number = connection.scalar(select(tables.lanes.c.lane).where(tables.lanes.c.name == lane))
                if number is not None:
                    postgresql.check_free(connection, self._schema.this_content, lane=number)
            return
        super().check_free()
        if file := self._database.file:
            with held_file(file, self._schema.this_content):
                """It is free."""

    def _number_of(self, name: str) -> int:
        """Return the number of a lane, a new one for a new name."""
        if not self._database.is_shared:
            raise StoreError("A file has one server at a time: several lanes need a database of PostgreSQL.")
        table = tables.lanes
        with self._database.writing() as connection:
            known: int | None = connection.scalar(select(table.c.lane).where(table.c.name == name))
            if known is not None:
                return known
            number: int = (connection.scalar(select(func.max(table.c.lane))) or 0) + 1
            connection.execute(insert(table), {"lane": number, "name": name})
            return number

    def running(self) -> list[SeatingRow]:
        """Return the matches of this server that have come to no end, in the order in which they began.

        Those of the only server are all that there are.
        """
        mine = true() if self._lane is None else tables.running.c.lane == self._lane
        chosen = select(tables.matches).join(tables.running).where(mine).order_by(tables.matches.c.serial)
        with self._database.reading() as connection:
            return [tables.seating_of(row) for row in connection.execute(chosen)]

    def adopt(self, match_ids: Iterable[str]) -> None:
        """Note that running matches are played by this server, whichever lane they had when they began."""
        ids = list(match_ids)
        serials = select(tables.matches.c.serial).where(tables.matches.c.match_id.in_(ids))
        with self._database.writing() as connection:
            adopted = update(tables.running).where(tables.running.c.serial.in_(serials))
            connection.execute(adopted.values(lane=self._lane))

    def note_sessions(self, changed: Mapping[tuple[str, str], int], *, anew: bool = False) -> None:
        """Note how many sessions bots have at this server, which has a lane.

        Args:
            changed: the numbers that have changed, by account and name of the bot; 0 for one that has left.
            anew: True if an earlier server had the lane, whose sessions are forgotten.
        """
        table = tables.lane_sessions
        rows = [
            {"lane": self._lane, "account": account, "bot": bot, "sessions": sessions}
            for (account, bot), sessions in changed.items()
        ]
        before = delete(table).where(*(column == bindparam(column.name) for column in table.primary_key))
        with self._database.writing() as connection:
            if anew:
                connection.execute(delete(table).where(table.c.lane == self._lane))
            if rows:
                connection.execute(before, rows)
            if there := [row for row in rows if row["sessions"]]:
                connection.execute(insert(table), there)

    def sessions_elsewhere(self) -> dict[str, Counter[str]]:
        """Return the numbers of sessions at the other servers that are there, by account and name of the bot."""
        table, found = tables.lane_sessions, dict[str, Counter[str]]()
        with self._database.reading() as connection:
            others = set(postgresql.held_lanes(connection)) - {self._lane}
            for row in connection.execute(select(table).where(table.c.lane.in_(others))):
                found.setdefault(row.account, Counter())[row.bot] += row.sessions
        return found

    def other_lanes(self) -> list[Lane]:
        """Return the lanes of other servers that have running matches, whether these servers still work or not."""
        here = tables.running.outerjoin(tables.lanes, tables.lanes.c.lane == tables.running.c.lane)
        others = tables.running.c.lane.is_distinct_from(self._lane)
        chosen = select(tables.running.c.lane, tables.lanes.c.name).select_from(here).where(others).distinct()
        with self._database.reading() as connection:
            return [Lane(row.lane, row.name or "") for row in connection.execute(chosen)]

    def is_free(self, lane: Lane) -> bool:
        """Return True if no server has a lane at the moment."""
        with self._database.reading() as connection:
            return lane.number is None or lane.number not in postgresql.held_lanes(connection)

    def give_up(self, lane: Lane, *, reason: str) -> list[SeatingRow]:
        """Declare the matches of a lane void that no server has, for this reason, and return them.

        Nothing happens where a server has it. One that had it before, and has lost its connection, finds at its next
        write that this was done, and ends.
        """
        with self._database.writing() as connection:
            if not _is_free(connection, lane):
                return []
            connection.execute(postgresql.rewritten(tables.lanes.c.lane, tables.lanes.c.lane == lane.number))
            chosen = select(tables.matches).join(tables.running).order_by(tables.matches.c.serial)
            rows = connection.execute(chosen.where(_of(lane))).all()
            for row in rows:
                enter_void(connection, row, reason)
            return [tables.seating_of(row) for row in rows]


def _of(lane: Lane) -> ColumnElement[bool]:
    return tables.running.c.lane.is_not_distinct_from(lane.number)


def _is_free(connection: Connection, lane: Lane) -> bool:
    """Return True if no server has a lane, which has none until the end of the transaction either.

    The only server kept all others out: since this one works, it is gone.
    """
    return lane.number is None or postgresql.lane_is_free(connection, lane.number)


def end_match(connection: Connection, match: AnyRow) -> None:
    """Note that a match has come to its end."""
    connection.execute(delete(tables.running).where(tables.running.c.serial == match.serial))


def count_in(connection: Connection, epoch: int, **more: int) -> None:
    """Add to the counts of an epoch."""
    columns = tables.epochs.c
    counted = {name: columns[name] + count for name, count in more.items()}
    connection.execute(update(tables.epochs).where(columns.epoch == epoch).values(counted))


def enter_void(connection: Connection, match: AnyRow, reason: str) -> Head:
    """Enter a running match as void, and return the head of the ledger of its epoch."""
    end_match(connection, match)
    connection.execute(insert(tables.voids), {"serial": match.serial, "reason": reason})
    count_in(connection, match.epoch, voids=1)
    return enter(connection, match.epoch, LadderVoidEntry(match_id=match.match_id, reason=reason))
