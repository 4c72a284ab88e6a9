"""Check that the store of a ladder agrees with its ledgers, for instance after a restoration."""

from sqlalchemy import Connection, func, select

from ordago.record.ledgers.chain import LedgerError
from ordago.record.ledgers.ladder import EpochLedger, read_epoch
from ordago.record.ledgers.ladder_order import epoch_problems
from ordago.store.errors import NotFoundError, StoreError
from ordago.store.ladder import schema as tables
from ordago.store.ladder.lines import ladder
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow


class LadderInspection(LadderQueries):
    """The database of one standing ladder, opened for checks."""

    def is_begun(self) -> bool:
        """Return True if a ladder was begun in it."""
        with self._database.reading() as connection:
            return ladder(connection) is not None

    def name(self) -> str:
        """Return the short name of the ladder, whichever Ordago made the tables.

        Raises:
            NotFoundError: none was begun in it.
        """
        with self._database.reading() as connection:
            name: str | None = connection.scalar(select(tables.ladder.c.name))
        if name is None:
            raise NotFoundError("The database contains no ladder: no server has begun one.")
        return name

    def check(self) -> list[EpochRow]:
        """Check the store against its ledgers, and return its epochs. Nobody may write meanwhile."""
        before: EpochLedger | None = None
        epochs = self.epochs()
        for epoch in epochs:
            ledger = _whole(list(self.ledger(epoch.epoch)), epoch.epoch)
            _check_succession(before, ledger, epoch.epoch)
            with self._database.reading() as connection:
                _check_epoch(connection, epoch, ledger)
            before = ledger
        return epochs


def _whole(lines: list[str], epoch: int) -> EpochLedger:
    try:
        ledger = read_epoch(lines)
    except LedgerError as error:
        raise StoreError(f"The ledger of epoch {epoch} is damaged: {error}") from None
    for problem in epoch_problems(ledger):
        raise StoreError(f"The ledger of epoch {epoch} is damaged: {problem.sentence}")
    return ledger


def _check_succession(before: EpochLedger | None, ledger: EpochLedger, epoch: int) -> None:
    previous = ledger.begin.previous if ledger.begin else None
    if before is not None and previous is not None:
        stated = (previous.length, bytes.fromhex(previous.head))
        if previous.length > len(before.lines) or tuple(before.head_at(previous.length)) != stated:
            raise StoreError(f"The ledger of epoch {epoch} does not follow from the one before.")


def _check_epoch(connection: Connection, epoch: EpochRow, ledger: EpochLedger) -> None:
    here = tables.matches.c.epoch == epoch.epoch
    digests = select(tables.matches.c.match_id, tables.results.c.record_digest).join(tables.results).where(here)
    kept = {row.match_id: bytes(row.record_digest).hex() for row in connection.execute(digests)}
    counted = {
        name: connection.scalar(select(func.count()).select_from(tables.matches).join(table).where(here))
        for name, table in (("voids", tables.voids), ("records", tables.records), ("running", tables.running))
    }
    matches = connection.scalar(select(func.count()).select_from(tables.matches).where(here))
    unrated = select(tables.matches.c.match_id).where(here, tables.matches.c.unrated)
    agreements = {
        "matches": matches == epoch.matches == len(ledger.seatings),
        "unrated matches": set(connection.scalars(unrated))
        == {one.match_id for one in ledger.seatings.values() if one.unrated},
        "results": kept == {entry.match_id: entry.record_digest for entry in ledger.results},
        "counts": epoch.results == len(ledger.results) and epoch.voids == counted["voids"] == len(ledger.voids),
        "running matches": counted["running"] == epoch.matches - epoch.results - epoch.voids,
        "records": epoch.pruned or counted["records"] == epoch.results,
        "end": epoch.revealed == (ledger.end is not None),
        "season": ledger.begin is not None and epoch.season == ledger.begin.season,
    }
    for what, agrees in agreements.items():
        if not agrees:
            raise StoreError(f"The {what} of epoch {epoch.epoch} differ from its ledger.")
