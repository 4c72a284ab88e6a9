"""Receipts: statements of a server on its event, stored by a bot, to check the published event against later.

A file of receipts has a line of JSON for each, of three kinds:

- ``event``, the first of a connection: the commitments of the event, and the nonce of the bot
- ``match_start``: the length and the head of the event's ledger
- ``match_end``: the same, and the digest of the match's record

Docs: docs/proof.md.
"""

import errno
import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from ordago import v1

_KINDS: Final = ("event", "match_start", "match_end")
_MOST_BYTES: Final = 1 << 20
"""The bytes read to find the first line. The longest receipt, which names all entrants of an event, is shorter."""

Keep: TypeAlias = Callable[[Mapping[str, object]], None]
"""A function that stores a receipt."""


class ReceiptsFile:
    """A file of receipts, to which several processes may append at once."""

    def __init__(self, path: str | Path) -> None:
        """Open the file, or create it, readable by its owner only.

        Raises:
            OSError: the file cannot be written to, or contains anything but receipts.
        """
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # Only regular files can be spoilt; /dev/null for instance cannot.
        if stat.S_ISREG(os.fstat(self._file).st_mode) and not _is_receipts(os.pread(self._file, _MOST_BYTES, 0)):
            os.close(self._file)
            raise FileExistsError(errno.EEXIST, "it is there and holds no receipts", str(path))

    def keep(self, receipt: Mapping[str, object]) -> None:
        """Append a receipt with a single system call, so that lines of several processes never mix."""
        line = json.dumps(receipt, sort_keys=True, separators=(",", ":")) + "\n"
        os.write(self._file, line.encode())

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _is_receipts(content: bytes) -> bool:
    """Return True if a file that begins with this content is empty or contains receipts."""
    try:
        first = json.loads(content.partition(b"\n")[0]) if content else {"kind": "event"}
    except ValueError:
        return False
    return isinstance(first, dict) and first.get("kind") in _KINDS


class Receipts:
    """Receipts of one bot process, over all its connections."""

    def __init__(self, keep: Keep) -> None:
        """Begin with no event."""
        self._keep = keep
        self._event: dict[str, object] = {}

    def describe(self, described: v1.DescribeEventResponse, *, nonce: bytes) -> None:
        """Store the description of the event, before the server learns the bot's nonce; no event, no receipt."""
        self._event = {"event": described.event, "commitment": described.commitment.hex()} if described.event else {}
        if described.event:
            beacon = described.beacon if described.HasField("beacon") else None
            self._keep(
                self._event
                | {
                    "kind": "event",
                    "secret_digest": described.secret_digest.hex(),
                    "settings_digest": described.settings_digest.hex(),
                    "entrants": list(described.entrants),
                    "beacon": beacon and {"source": beacon.source, "round": beacon.round, "value": beacon.value.hex()},
                    "nonce": nonce.hex(),
                }
            )

    def begin(self, start: v1.MatchStart) -> None:
        """Store the length and head of the ledger at the start of a match, if it belongs to an event."""
        if start.ledger_length:
            content = {"kind": "match_start", "match_id": start.match_id, "name": start.players[start.seat].name}
            self._keep_head(content, start.ledger_length, start.ledger_head)

    def end(self, start: v1.MatchStart, end: v1.MatchEnd) -> None:
        """Store the ledger and the record's digest at the end of a match. The digest of a void match is empty."""
        if end.ledger_length:
            content = {"kind": "match_end", "match_id": start.match_id, "record_digest": end.record_digest.hex()}
            self._keep_head(content, end.ledger_length, end.ledger_head)

    def _keep_head(self, content: Mapping[str, object], length: int, head: bytes) -> None:
        self._keep({**self._event, **content, "length": length, "head": head.hex()})
