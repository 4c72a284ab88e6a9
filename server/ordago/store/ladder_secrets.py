"""The secrets of the epochs, as the chain of a ladder gives them."""

import hashlib
from functools import lru_cache
from typing import Final

from ordago.store.errors import StoreError
from ordago.store.ladder_rows import LadderRow

_LONGEST: Final = 1_000_000
"""So many secrets has a chain at most: an hour each, they last for a century."""


def secret_of(row: LadderRow, epoch: int) -> bytes:
    """Return the secret of an epoch, from 1.

    Raises:
        StoreError: the chain has no such secret, or the anchor is not its end.
    """
    chain = _chain(row.last_secret, row.anchor)
    if epoch >= len(chain):
        raise StoreError(f"The chain of secrets of the ladder ends with epoch {len(chain) - 1}.")
    return chain[-1 - epoch]


@lru_cache(maxsize=4)
def _chain(last: bytes, anchor: bytes) -> list[bytes]:
    """Return the secrets from the last back to the anchor."""
    chain = [last]
    while chain[-1] != anchor:
        chain.append(hashlib.sha256(chain[-1]).digest())
        if len(chain) > _LONGEST:
            raise StoreError("The anchor of the ladder is not the end of the chain that its secret begins.")
    return chain
