"""The secrets of the epochs of a standing ladder: a chain that is published backwards, and checked forwards.

A chain has **links** of 32 bytes, numbered from 0. Each is the SHA-256 of the next, so a link reveals all links before
it, but not the next. Link 0, the **anchor**, is published before the first match. The organiser keeps the last link
and can compute all others from it; another chain with the same anchor cannot be found.

The **secret of an epoch**, from which its deals come, is the SHA-256 of ``ordago-epoch-1|LINK``, with the link of its
number in hexadecimal. Its own SHA-256 is published when the epoch begins. The link is not: its SHA-256 is the link of
the epoch before, in which matches may still run. It is published after the last match of its epoch, and those of all
epochs before have to be published by then.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from ordago.chance import SECRET_BYTES, commitment

LENGTH: Final = 10_000
"""The number of epochs in a chain, by default: 27 years of days."""


def link_before(link: bytes, *, steps: int = 1) -> bytes:
    """Return the link that is a number of steps before another one."""
    for _ in range(steps):
        link = hashlib.sha256(link).digest()
    return link


def leads_back(link: bytes, *, epoch: int, to: bytes, of: int = 0) -> bool:
    """Return True if the link of an epoch is in the chain of an earlier link.

    Args:
        link: the link to check, of any length.
        epoch: the number of the epoch.
        to: the earlier link, for instance the anchor.
        of: the number of its epoch; 0: it is the anchor.
    """
    return len(link) == SECRET_BYTES and epoch >= of and link_before(link, steps=epoch - of) == to


def secret_of(link: bytes) -> bytes:
    """Return the secret of the epoch whose link this is, 32 bytes."""
    return hashlib.sha256(f"ordago-epoch-1|{link.hex()}".encode()).digest()


@dataclass(frozen=True, slots=True)
class LinkChain:
    """All links of a standing ladder. They determine all future deals."""

    last: bytes = field(repr=False)
    """The last link, 32 bytes by chance."""
    length: int = LENGTH
    """The number of links: the most epochs there can be."""

    @property
    def anchor(self) -> bytes:
        """The link that is published before the first match."""
        return link_before(self.last, steps=self.length)

    def link(self, epoch: int) -> bytes:
        """Return the link of an epoch, which ends its ledger. No earlier epoch may have matches that run by then.

        Raises:
            ValueError: the chain has no link for it.
        """
        if not 1 <= epoch <= self.length:
            raise ValueError(f"the chain of this ladder has secrets for epochs 1 to {self.length}, not for {epoch}")
        return link_before(self.last, steps=self.length - epoch)

    def secret(self, epoch: int) -> bytes:
        """Return the secret of an epoch.

        Raises:
            ValueError: the chain has no link for it.
        """
        return secret_of(self.link(epoch))

    def secret_digest(self, epoch: int) -> bytes:
        """Return the digest of an epoch's secret, which is published when the epoch begins.

        Raises:
            ValueError: the chain has no link for it.
        """
        return commitment(self.secret(epoch))
