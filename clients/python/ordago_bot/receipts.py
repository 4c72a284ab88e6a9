"""Receipts: what a server said of its event, kept by a bot, so that it can be held to it later.

A file of receipts has a line of JSON for each. The first of a connection, ``event``, says what the event is committed
to and which nonce the bot brings; ``match_start`` and ``match_end`` say how long the ledger of the event was and what
its head was, and the latter the digest of the match's record. Docs: docs/proof.md.
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
"""More than the longest receipt has, which names all entrants of an event."""

Keep: TypeAlias = Callable[[Mapping[str, object]], None]
"""Keeps a receipt."""


class ReceiptsFile:
    """A file of receipts, to which several processes may append at once."""

    def __init__(self, path: str | Path) -> None:
        """Open the file, or make it.

        Raises:
            OSError: it cannot be written to, or it holds something else than receipts.
        """
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # Elsewhere, in /dev/null for instance, nothing can be spoilt.
        if stat.S_ISREG(os.fstat(self._file).st_mode) and not _is_receipts(os.pread(self._file, _MOST_BYTES, 0)):
            os.close(self._file)
            raise FileExistsError(errno.EEXIST, "it is there and holds no receipts", str(path))

    def keep(self, receipt: Mapping[str, object]) -> None:
        """Append a receipt, by a single call of the system: lines of several processes never mix."""
        line = json.dumps(receipt, sort_keys=True, separators=(",", ":")) + "\n"
        os.write(self._file, line.encode())

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def _is_receipts(content: bytes) -> bool:
    """Say whether a file that begins so holds receipts, or nothing."""
    try:
        first = json.loads(content.partition(b"\n")[0]) if content else {"kind": "event"}
    except ValueError:
        return False
    return isinstance(first, dict) and first.get("kind") in _KINDS


class Receipts:
    """Makes receipts of what a server says on one connection after the other."""

    def __init__(self, keep: Keep) -> None:
        """Begin with no event."""
        self._keep = keep
        self._event: dict[str, object] = {}

    def describe(self, described: v1.DescribeEventResponse, *, nonce: bytes) -> None:
        """Keep what the server says of its event, before it is told the nonce of the bot. It may play none."""
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
        """Keep what a match begins with, if it belongs to an event."""
        if start.ledger_length:
            told = {"kind": "match_start", "match_id": start.match_id, "name": start.players[start.seat].name}
            self._keep_head(told, start.ledger_length, start.ledger_head)

    def end(self, start: v1.MatchStart, end: v1.MatchEnd) -> None:
        """Keep how a match ended that began so. The digest of a void one is empty."""
        if end.ledger_length:
            told = {"kind": "match_end", "match_id": start.match_id, "record_digest": end.record_digest.hex()}
            self._keep_head(told, end.ledger_length, end.ledger_head)

    def _keep_head(self, told: Mapping[str, object], length: int, head: bytes) -> None:
        self._keep({**self._event, **told, "length": length, "head": head.hex()})
