"""Epochs of a standing ladder, as their ledgers tell them, for chains and stores that tests write."""

from collections.abc import Sequence

from ordago.record.epochs import LinkChain
from ordago.record.ledgers.ladder import (
    EpochBegin,
    PlayerEntry,
    PreviousLedger,
    SeatEntry,
    SeatingEntry,
    ladder_match_id,
    read_epoch,
)

LAST = bytes(range(32))
CHAIN = LinkChain(LAST, length=5)


def epoch_begin(epoch: int, *, before: Sequence[str] = (), chain: LinkChain = CHAIN, began: int = 1_000) -> EpochBegin:
    """Return how an epoch begins whose settings have a digest of zeros.

    Args:
        epoch: its number.
        before: the lines of the ledger before, as far as it had come.
        chain: the chain of secrets.
        began: when it begins.
    """
    head = read_epoch(before).head
    return EpochBegin(
        ladder="demo",
        epoch=epoch,
        anchor=chain.anchor.hex(),
        secret_digest=chain.secret_digest(epoch).hex(),
        settings_digest="0" * 64,
        began=began,
        previous=PreviousLedger(length=head.length, head=head.digest.hex()) if before else None,
        season="",
    )


def player_entry(player: int, name: str, *, account: str | None = None, version: str = "1") -> PlayerEntry:
    """Return that a player comes in, who has the account of his name if nothing is said."""
    owner = name if account is None else account
    return PlayerEntry(player=player, name=name, version=version, build="", account=owner, house=not owner)


def seating_entry(number: int, *players: int, epoch: int = 1, chain: LinkChain = CHAIN) -> SeatingEntry:
    """Return that a match of Mitaines begins."""
    return SeatingEntry(
        number=number,
        match_id=ladder_match_id(number, secret=chain.secret(epoch)),
        game="mitaines",
        seats=tuple(SeatEntry(player=player, nonce=f"{player:02x}" * 16) for player in players),
    )
