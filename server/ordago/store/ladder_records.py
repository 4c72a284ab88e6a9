"""How records lie in the store: compressed."""

import zlib
from typing import Final

_LEVEL: Final = 6


def packed(record: bytes) -> bytes:
    """Return a record as it is kept."""
    return zlib.compress(record, _LEVEL)


def unpacked(kept: bytes) -> bytes:
    """Return a record that was kept."""
    return zlib.decompress(kept)
