"""The parts of an event that went on after its end: the secret of each, and the matches that belong to it.

An event that is over has revealed its secret. With the change of its file that asks for more begins another part: the
same entry of the ledger commits to another secret, and all entrants check in again, with nonces that nobody could know
before. Matches issued from then on have names, seeds and deals by these. A match belongs to the last part that began
before it was issued.
"""

from collections.abc import Iterable
from typing import TypeVar

from ordago.chance import SECRET_BYTES, commitment, event_commitment, keyed_name
from ordago.record.ledgers.event import ChangeEntry, EventPart, Ledger, PartEntry
from ordago.store import PlannedMatch
from ordago_ladder.matches.terms import match_id_of
from ordago_ladder.settings.settings import Settings

Kept = TypeVar("Kept", bytes, None, bytes | None)


def part_entry(change: ChangeEntry, *, secret: bytes) -> PartEntry:
    """Return the entry for a change that begins another part, with its secret."""
    digests = commitment(secret), bytes.fromhex(change.settings_digest)
    content = change.model_dump(exclude={"kind"})
    return PartEntry(**content, commitment=event_commitment(*digests).hex(), secret_digest=digests[0].hex())


def fixed_secret(settings: Settings, *, part: int) -> bytes | None:
    """Return the secret of a part by the event file; ``None`` if the file gives none.

    Args:
        settings: the event.
        part: the number of the part, from 1.
    """
    given = settings.event.secret
    if given is None or part == 1:
        return given
    return keyed_name(given, "part", part, size=SECRET_BYTES)


def part_of(planned: PlannedMatch, ledger: Ledger) -> EventPart:
    """Return the part that a match belongs to."""
    return next(part for part in reversed(ledger.parts) if planned.row >= part.issued)


def secret_of(planned: PlannedMatch, ledger: Ledger, *, kept: Kept) -> bytes | Kept:
    """Return the secret of a match.

    Args:
        planned: the match.
        ledger: the ledger, with the secrets of all parts that are over.
        kept: the secret of a part that is not over; ``None`` if it is unknown.
    """
    end = part_of(planned, ledger).end
    return bytes.fromhex(end.secret) if end is not None else kept


def named(matches: Iterable[PlannedMatch], ledger: Ledger, *, kept: bytes | None = None) -> dict[str, PlannedMatch]:
    """Return matches by their permanent IDs, without those of a part whose secret is unknown; see ``secret_of``."""
    secrets = ((planned, secret_of(planned, ledger, kept=kept)) for planned in matches)
    return {match_id_of(planned, secret=secret): planned for planned, secret in secrets if secret is not None}
