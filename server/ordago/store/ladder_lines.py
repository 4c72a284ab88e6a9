"""What the ledger of an epoch tells, line by line, and how lines are added to it in the store."""

import json
from typing import Any, TypeAlias

from sqlalchemy import Connection, insert, select

from ordago.chance import commitment
from ordago.record.head import NO_LINES, Head
from ordago.record.ledger import head_after
from ordago.store import ladder_tables as tables
from ordago.store.ladder_rows import FinishedMatch, LadderRow, PlayerRow, SeatingRow

Told: TypeAlias = dict[str, Any]
"""What a line tells beside its place in the chain, as JSON has it."""


def begin_line(row: LadderRow, epoch: int, *, began: int, secret: bytes, previous: Head | None) -> Told:
    """Tell that an epoch begins."""
    before = previous and {"length": previous.length, "head": previous.digest.hex()}
    return {
        "kind": "begin",
        "ladder": row.name,
        "epoch": epoch,
        "anchor": row.anchor.hex(),
        "secret_digest": commitment(secret).hex(),
        "settings_digest": row.settings_digest,
        "began": began,
        "previous": before,
    }


def player_line(player: PlayerRow) -> Told:
    """Tell of a player who sits down for the first time in the epoch."""
    told = ("player", "name", "version", "build", "account", "house")
    return {"kind": "player"} | {name: getattr(player, name) for name in told}


def seating_line(seating: SeatingRow) -> Told:
    """Tell of a match that begins."""
    seats = zip(seating.players, seating.nonces, strict=True)
    return {
        "kind": "seating",
        "number": seating.number,
        "match_id": seating.match_id,
        "game": seating.game,
        "seats": [{"player": player, "nonce": nonce.hex()} for player, nonce in seats],
    }


def result_line(match: FinishedMatch, *, ended: int) -> Told:
    """Tell of a result."""
    return {
        "kind": "result",
        "match_id": match.match_id,
        "record_digest": match.record_digest.hex(),
        "ended": ended,
    }


def void_line(match_id: str, reason: str) -> Told:
    """Tell of a match that is void."""
    return {"kind": "void", "match_id": match_id, "reason": reason}


def end_line(secret: bytes) -> Told:
    """Tell the secret of an epoch that is over."""
    return {"kind": "end", "secret": secret.hex()}


def head_of(connection: Connection, epoch: int) -> Head:
    """Return how far the ledger of an epoch has come."""
    table = tables.ledger
    last = select(table).where(table.c.epoch == epoch).order_by(table.c.position.desc()).limit(1)
    row = connection.execute(last).first()
    return NO_LINES if row is None else head_after(row.line, length=row.position + 1)


def enter(connection: Connection, epoch: int, *told: Told) -> Head:
    """Add lines to the ledger of an epoch, and return its head with them."""
    head, rows = head_of(connection, epoch), []
    for one in told:
        chain = {"index": head.length, "before": head.digest.hex()}
        line = json.dumps(one | chain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        rows.append({"epoch": epoch, "position": head.length, "line": line})
        head = head_after(line, length=head.length + 1)
    connection.execute(insert(tables.ledger), rows)
    return head
