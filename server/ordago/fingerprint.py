"""Fingerprints of tokens. The store holds them instead of the tokens, so nobody can sign in with a stolen copy."""

import hashlib


def fingerprint(token: str) -> bytes:
    """Return the fingerprint of a token: its SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode()).digest()
