"""The ledgers of the epochs in the store of a standing ladder: their entries, and appending to them."""

from sqlalchemy import Connection, insert, select

from ordago.chance import commitment
from ordago.record.head import NO_LINES, Head
from ordago.record.ledgers.chain import chained, head_after
from ordago.record.ledgers.ladder import (
    EpochBegin,
    LadderEntry,
    LadderResultEntry,
    PlayerEntry,
    PreviousLedger,
    SeatEntry,
    SeatingEntry,
)
from ordago.store.errors import StoreError
from ordago.store.ladder import schema as tables
from ordago.store.ladder.rows import FinishedMatch, LadderRow, PlayerRow, SeatingRow


def begin_entry(row: LadderRow, epoch: int, *, began: int, secret: bytes, previous: Head | None) -> EpochBegin:
    """Return the entry for the beginning of an epoch."""
    return EpochBegin(
        ladder=row.name,
        epoch=epoch,
        anchor=row.anchor.hex(),
        secret_digest=commitment(secret).hex(),
        settings_digest=row.settings_digest,
        began=began,
        previous=previous and PreviousLedger(length=previous.length, head=previous.digest.hex()),
        season=row.season,
    )


def player_entry(player: PlayerRow) -> PlayerEntry:
    """Return the entry for a player who is seated for the first time in the epoch."""
    return PlayerEntry(
        player=player.player,
        name=player.name,
        version=player.version,
        build=player.build,
        account=player.account,
        house=player.house,
    )


def seating_entry(seating: SeatingRow) -> SeatingEntry:
    """Return the entry for a match that begins."""
    seats = zip(seating.players, seating.nonces, strict=True)
    return SeatingEntry(
        kind="unrated" if seating.unrated else "seating",
        number=seating.number,
        match_id=seating.match_id,
        game=seating.game,
        seats=tuple(SeatEntry(player=player, nonce=nonce.hex()) for player, nonce in seats),
    )


def result_entry(match: FinishedMatch, *, ended: int) -> LadderResultEntry:
    """Return the entry for a result."""
    return LadderResultEntry(match_id=match.match_id, record_digest=match.record_digest.hex(), ended=ended)


def ladder(connection: Connection) -> LadderRow | None:
    """Return the ladder, with the settings of the next epoch; ``None`` if no ladder was begun."""
    chosen = select(tables.ladder, tables.settings.c.settings).join(tables.settings)
    row = connection.execute(chosen).mappings().first()
    return None if row is None else tables.ladder_of(row)


def begun_ladder(connection: Connection) -> LadderRow:
    """Return the ladder.

    Raises:
        StoreError: none was begun.
    """
    row = ladder(connection)
    if row is None:
        raise StoreError("The ladder in this database has not begun yet.")
    return row


def head_of(connection: Connection, epoch: int) -> Head:
    """Return the length and head of the ledger of an epoch."""
    table = tables.ledger
    last = select(table).where(table.c.epoch == epoch).order_by(table.c.position.desc()).limit(1)
    row = connection.execute(last).first()
    return NO_LINES if row is None else head_after(row.line, length=row.position + 1)


def enter(connection: Connection, epoch: int, *entries: LadderEntry) -> Head:
    """Add entries to the ledger of an epoch, and return its head with them."""
    head = head_of(connection, epoch)
    lines = chained(entries, head)
    rows = [{"epoch": epoch, "position": head.length + number, "line": line} for number, line in enumerate(lines)]
    connection.execute(insert(tables.ledger), rows)
    return head_after(lines[-1], length=head.length + len(lines))
