"""How ledgers of events begin, for stores and chains that tests write."""

from collections.abc import Sequence

from ordago.chance import commitment, event_commitment
from ordago.record.ledgers.event import BeaconRound, BeginEntry


def beginning(
    *, secret: bytes, entrants: Sequence[str], event: str = "trial", beacon: BeaconRound | None = None
) -> BeginEntry:
    """Return what the ledger of an event begins with, whose settings have a digest of zeros."""
    digests = commitment(secret), bytes(32)
    return BeginEntry(
        event=event,
        commitment=event_commitment(*digests).hex(),
        secret_digest=digests[0].hex(),
        settings_digest=digests[1].hex(),
        entrants=tuple(entrants),
        beacon=beacon,
    )
