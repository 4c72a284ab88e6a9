"""Fingerprints of tokens, stored in their place, so that a reader of the store cannot sign in with them."""

import hashlib


def fingerprint(token: str) -> bytes:
    """Return the fingerprint of a token: its SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode()).digest()
