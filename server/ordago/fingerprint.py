"""What is kept of a token in its place, so that whoever reads what is kept cannot come in with it."""

import hashlib


def fingerprint(token: str) -> bytes:
    """Return the fingerprint of a token: its SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode()).digest()
