"""The verification of a record: the rules, the commitment and the secret all lead to its content."""

import re
from collections.abc import Iterator
from typing import Final

from ordago import v1
from ordago.chance import ALGORITHM, SECRET_BYTES, Deals, SecretDeals, commitment
from ordago.names import MAX_NAME_LENGTH, quoted
from ordago.record.replay import Problem, replay

_COMMITMENT_BYTES: Final = 32
_MATCH_ID: Final = re.compile(r"[0-9a-f]{32}")


def verify(record: v1.MatchRecord, *, secret: bytes | None = None) -> list[Problem]:
    """Return all problems of a record; none for the record of a match as it was played."""
    problems, deals = proved_deals(record, secret)
    return [*name_problems(record), *problems, *replay(record, deals=deals).problems]


def name_problems(record: v1.MatchRecord) -> Iterator[Problem]:
    """Yield the names in a record that no server gives, and that are unsafe as file names or on a screen."""
    if not _MATCH_ID.fullmatch(record.match_id):
        yield Problem(None, f"The name of a match is 32 hexadecimal digits, and not {quoted(record.match_id)}.")
    for seat, player in enumerate(record.seats):
        for text in (player.name, player.version, player.build):
            if len(text) > MAX_NAME_LENGTH or not text.isprintable():
                yield Problem(None, f"Seat {seat} has a name that no bot can have: {quoted(text)}.")


def proved_deals(record: v1.MatchRecord, secret: bytes | None) -> tuple[list[Problem], Deals | None]:
    """Return the problems of a record's claims about its deals, and the source of the deals, if it is known.

    Args:
        record: any record, with entries or without.
        secret: the secret of the event, once it is revealed. ``None``: the one in the record, if there is one.
    """
    if len(record.commitment) != _COMMITMENT_BYTES:
        return [Problem(None, f"A commitment has {_COMMITMENT_BYTES} bytes, not {len(record.commitment)}.")], None
    secrets = {known for known in (secret, record.secret or None) if known is not None}
    if not all(_fits(known, record) for known in secrets):
        return [Problem(None, "The secret is not the one that was committed to.")], None
    if not secrets:
        return [], None
    if record.deal_seed.split("|")[0] != ALGORITHM:
        return [Problem(None, f"The seed of the deals does not name the algorithm {ALGORITHM}.")], None
    return [], SecretDeals(secrets.pop(), record.deal_seed)


def _fits(secret: bytes, record: v1.MatchRecord) -> bool:
    return len(secret) == SECRET_BYTES and commitment(secret) == record.commitment
