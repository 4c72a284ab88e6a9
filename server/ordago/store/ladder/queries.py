"""Read-only queries on a standing ladder, on connections of their own.

No query delays a match: each sees one state of the store, and writers do not wait for it. Long results come
in parts, each from a query of its own; all are in an order to which later entries are only added.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import func, select

from ordago.record.head import Head
from ordago.store.errors import NotFoundError, NotOpenError
from ordago.store.ladder import pruning
from ordago.store.ladder import schema as tables
from ordago.store.ladder.lines import begun_ladder, head_of
from ordago.store.ladder.listing import (
    latest_results,
    listed,
    matches_of,
    meetings_of,
    newest_ended,
    page_token,
    token_serial,
)
from ordago.store.ladder.rows import (
    EpochRow,
    LadderMatch,
    LadderResult,
    LadderRow,
    MatchFilter,
    MatchPage,
    PlayerRow,
)
from ordago.store.ladder.schema import LADDER_SCHEMA, unpacked
from ordago.store.versioned import Stored

_A_PART: Final = 1000
"""The number of rows read at once of a long result."""
MOST_MATCHES: Final = 500
"""The most matches on a page."""
_ALL: Final = MatchFilter()


class LadderQueries(Stored):
    """The database of one standing ladder, for readers.

    All methods are synchronous and may be called from any thread, several at once. Any of them raises ``StoreError``
    where the database itself fails, or no ladder was begun in it.
    """

    _schema = LADDER_SCHEMA

    def ladder(self) -> LadderRow:
        """Return the ladder."""
        with self._database.reading() as connection:
            return begun_ladder(connection)

    def challenges_begun(self, account: str, *, since: float) -> int:
        """Return the number of matches that an account asked for, and that began since a time."""
        here = tables.challenges.join(tables.matches)
        mine = tables.challenges.c.account == account, tables.matches.c.begun > since
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(here).where(*mine)) or 0

    def settings(self, digest: str) -> str:
        """Return the settings of a digest, the ladder file as text: an epoch tells the digest of those that hold in it.

        Raises:
            NotFoundError: they never held.
        """
        table = tables.settings
        with self._database.reading() as connection:
            found: str | None = connection.scalar(select(table.c.settings).where(table.c.digest == digest))
        if found is None:
            raise NotFoundError(f"No settings of this ladder have the digest {digest}.")
        return found

    def players(self, *, bot: str | None = None, account: str | None = None, after: int = 0) -> list[PlayerRow]:
        """Return the players after a number, in the order of these: all, or those of a bot's name or an account."""
        chosen = select(tables.players).where(tables.players.c.player > after).order_by(tables.players.c.player)
        if bot is not None:
            chosen = chosen.where(tables.players.c.name == bot)
        if account is not None:
            chosen = chosen.where(tables.players.c.account == account)
        with self._database.reading() as connection:
            return [tables.player_of(row) for row in connection.execute(chosen)]

    def epochs(self) -> list[EpochRow]:
        """Return the epochs that have begun, in order."""
        with self._database.reading() as connection:
            rows = connection.execute(select(tables.epochs).order_by(tables.epochs.c.epoch))
            return [tables.epoch_of(row) for row in rows]

    def long_pruned(self, *, days: float) -> list[int]:
        """Return the epochs that ended so many days ago and whose records were deleted, in order."""
        with self._database.reading() as connection:
            return pruning.long_pruned(connection, days=days)

    def results_since(self, position: int = 0) -> Iterator[LadderResult]:
        """Return the results after a position in the order of their commits; 0 for all.

        That order never changes: a reader that continues from the last position misses none and repeats none.
        """
        joined = tables.results.join(tables.matches)
        chosen = select(*tables.WITH_RESULT).select_from(joined).order_by(tables.results.c.position).limit(_A_PART)
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(chosen.where(tables.results.c.position > position)).all()
            yield from map(tables.result_of, rows)
            if len(rows) < _A_PART:
                return
            position = rows[-1].position

    def matches(self, wanted: MatchFilter = _ALL, *, token: str = "", size: int = 50) -> MatchPage:
        """Return a page of matches, the one that began last first.

        Args:
            wanted: which matches.
            token: the ``next_token`` of the page before; empty for the first page. Matches that begin meanwhile stand
                before the first page, and shift nothing.
            size: the number of matches, from 1 to 500; other values are clamped.

        Raises:
            PageTokenError: no page gave this token.
        """
        size = min(max(size, 1), MOST_MATCHES)
        with self._database.reading() as connection:
            serials = listed(connection, wanted, below=token_serial(token), size=size + 1)
            found = tuple(matches_of(connection, serials[:size]))
        return MatchPage(found, page_token(serials[size - 1]) if len(serials) > size else "")

    def latest(self, *, size: int) -> list[LadderMatch]:
        """Return the matches that ended last, with their results, the last first, up to a size."""
        with self._database.reading() as connection:
            return matches_of(connection, latest_results(connection, size=size))

    def match(self, match_id: str) -> LadderMatch:
        """Return a match.

        Raises:
            NotFoundError: there is none of this name.
        """
        with self._database.reading() as connection:
            serial = connection.scalar(select(tables.matches.c.serial).where(tables.matches.c.match_id == match_id))
            if serial is None:
                raise _no_match(match_id)
            return matches_of(connection, [serial])[0]

    def meetings(
        self, first: Sequence[int], second: Sequence[int], *, epochs: tuple[int, int], most: int
    ) -> list[LadderResult]:
        """Return the newest results of rated matches in which one of the first players sat, and one of the second.

        Args:
            first: the first players.
            second: the second ones.
            epochs: the first and the last of the epochs in which the matches began.
            most: the number of results, at most.
        """
        with self._database.reading() as connection:
            return meetings_of(connection, first, second, epochs=epochs, most=most)

    def newest(self, players: Sequence[int], *, epochs: tuple[int, int], most: int) -> list[LadderResult]:
        """Return the newest results of matches in which one of some players sat.

        Args:
            players: the players.
            epochs: the first and the last of the epochs in which the matches began.
            most: the number of matches to look at, at most.
        """
        with self._database.reading() as connection:
            found = newest_ended(connection, players, epochs=epochs, size=most)
        return [match.outcome for match in found if match.outcome is not None]

    def record(self, match_id: str, *, ended_by: int = 0) -> bytes:
        """Return the record of a match as a binary file.

        Args:
            match_id: the match.
            ended_by: a time, in seconds since 1970. The record of a match that had ended by then is returned even if
                its epoch is not revealed: its hidden cards must not leave the server.

        Raises:
            NotFoundError: there is no such match, or it has no result, or its record was given up to make room.
            NotOpenError: its epoch is not revealed, and it had not ended by ``ended_by``.
        """
        with self._database.reading() as connection:
            joined = tables.matches.join(tables.epochs).outerjoin(tables.results)
            where = select(tables.matches.c.serial, tables.results.c.ended, tables.epochs).select_from(joined)
            row = connection.execute(where.where(tables.matches.c.match_id == match_id)).first()
            if row is None:
                raise _no_match(match_id)
            if not row.revealed and (row.ended is None or row.ended > ended_by):
                raise NotOpenError(f"The record of match {match_id} opens when epoch {row.epoch} is revealed.")
            if row.pruned:
                raise NotFoundError(f"The record of match {match_id} was deleted to free space.")
            kept = connection.scalar(select(tables.records.c.record).where(tables.records.c.serial == row.serial))
        if kept is None:
            raise NotFoundError(f"Match {match_id} has no record, since it has no result.")
        return unpacked(kept)

    def refusals(self, match_id: str) -> bytes:
        """Return the refused answers of a match, as ``FinishedRecord`` has them, for the accounts of its bots."""
        joined = tables.refusals.join(tables.matches)
        chosen = select(tables.refusals.c.refusals).select_from(joined).where(tables.matches.c.match_id == match_id)
        with self._database.reading() as connection:
            kept = connection.scalar(chosen)
        return b"" if kept is None else unpacked(kept)

    def head(self, epoch: int) -> Head:
        """Return the length and head of the ledger of an epoch."""
        with self._database.reading() as connection:
            return head_of(connection, epoch)

    def ledger(self, epoch: int, *, since: int = 0) -> Iterator[str]:
        """Return the lines of an epoch's ledger after the first ``since``."""
        table = tables.ledger
        chosen = select(table.c.line).where(table.c.epoch == epoch).order_by(table.c.position).limit(_A_PART)
        while True:
            with self._database.reading() as connection:
                lines = connection.scalars(chosen.where(table.c.position >= since)).all()
            yield from lines
            if len(lines) < _A_PART:
                return
            since += len(lines)

    def ledger_size(self, epoch: int, *, since: int = 0) -> tuple[int, int]:
        """Return the number of lines of an epoch's ledger after the first ``since``, and their size in bytes.

        The size includes the line ends, which a file has.
        """
        table = tables.ledger
        chosen = select(func.count(), func.coalesce(func.sum(func.length(table.c.line) + 1), 0))
        with self._database.reading() as connection:
            row = connection.execute(chosen.where(table.c.epoch == epoch, table.c.position >= since)).one()
        return int(row[0]), int(row[1])


def _no_match(match_id: str) -> NotFoundError:
    return NotFoundError(f"There is no match {match_id} on this ladder.")
