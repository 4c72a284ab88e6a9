"""Making and revoking of tokens. Each function but the first works within the caller's transaction."""

import secrets
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, update

from ordago.fingerprint import fingerprint
from ordago.store.accounts import entries
from ordago.store.accounts.log import add_entry
from ordago.store.accounts.rows import Act, Actor, Scope, Token, scopes_text
from ordago.store.accounts.schema import tokens

TOKEN_PREFIX: Final = "ordago_"  # noqa: S105 - what all tokens begin with
"""The prefix of every token, so that secret scanners find one that leaked."""
_TOKEN_BYTES: Final = 32
"""As many as a fingerprint has: more would not make a token harder to guess."""
_ID_BYTES: Final = 6
"""Short enough to type; two of a thousand tokens collide by chance at one server in half a billion."""


def new_token(
    account: str, scopes: Iterable[Scope], *, now: float, bot: str = "", expires_at: int | None = None
) -> tuple[str, Token]:
    """Return a new token of an account, with its row."""
    secret = TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    token = Token(
        id=secrets.token_hex(_ID_BYTES),
        fingerprint=fingerprint(secret),
        account=account,
        scopes=frozenset(scopes),
        bot=bot,
        created_at=int(now),
        expires_at=expires_at,
    )
    return secret, token


def grant(connection: Connection, name: str, roles: frozenset[Scope], *, now: float) -> None:
    """Add roles to an account. If it does not exist, it is opened."""
    if not entries.has_account(connection, name):
        entries.check_free(connection, name, now=now)
        entries.add_account(connection, name, roles, now=now)
        return
    before = entries.read_account(connection, name).roles
    if not roles <= before:
        entries.change_account(connection, name, roles=scopes_text(before | roles))


def revoke(connection: Connection, token_id: str, *, by: Actor | None, now: float, why: str) -> Token:
    """Revoke a token, and return it. An earlier revocation stays as it is."""
    chosen = tokens.c.id == token_id, tokens.c.revoked_at.is_(None)
    changed = connection.execute(update(tokens).where(*chosen).values(revoked_at=int(now))).rowcount
    token = entries.read_token(connection, token_id)
    if changed:
        # Nobody fills the log by revoking the same again and again.
        add_entry(connection, Act.REVOKE_TOKEN, token.account, by=by, at=now, subject=token.id, why=why)
    return token
