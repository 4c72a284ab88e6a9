"""Deletion of an account. What others rely on stays, under a pseudonym.

The row of the account stays, with its name and its ban: nobody takes a name that ledgers and standings have, inherits
its results, or escapes a ban. The rest goes. Ledgers are chains of digests in the hands of strangers and cannot change,
so whatever shows the name replaces it, by ``pseudonyms``.
"""

import secrets
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, delete, select, update

from ordago.store.accounts import bot_names, entries
from ordago.store.accounts.log import add_entry, rename_in_log
from ordago.store.accounts.rows import Act, Actor, Holder, TokenState
from ordago.store.accounts.schema import accounts, invitations, tokens
from ordago.store.errors import StoreRefusedError, Why

_PSEUDONYM_BYTES: Final = 6
"""As many as ids of tokens have: two of a thousand deleted accounts collide once in half a billion servers."""


def check_may_delete(connection: Connection, holder: Holder, *, now: float) -> None:
    """Check that no valid token of an account can do more than the one that deletes the account.

    Raises:
        StoreRefusedError: one can, as where a thief has the token of a single bot.
    """
    own = entries.read_tokens(connection, holder.account.name)
    good = [token for token in own if token.state(now) is TokenState.ACTIVE]
    if holder.token.bot or any(not token.scopes <= holder.token.scopes for token in good):
        sentence = (
            "This token cannot delete the account: use one that is bound to no bot and can do all that others can."
        )
        raise StoreRefusedError(Why.NOT_PERMITTED, sentence)


def delete_account(connection: Connection, name: str, *, by: Actor | None, now: float, why: str) -> str:
    """Delete an account and return its pseudonym, which no account can have as a name.

    Raises:
        StoreRefusedError: there is no such account.
    """
    pseudonym = f"(deleted account {secrets.token_hex(_PSEUDONYM_BYTES)})"
    entries.read_account(connection, name)
    connection.execute(update(accounts).where(accounts.c.name == name).values(pseudonym=pseudonym, roles=""))
    connection.execute(delete(tokens).where(tokens.c.account == name))
    connection.execute(delete(invitations).where(invitations.c.account == name))
    bot_names.leave_behind(connection, name)
    rename_in_log(connection, name, pseudonym)
    actor = Actor(pseudonym) if by == Actor(name) else by
    add_entry(connection, Act.DELETE, pseudonym, by=actor, at=now, why=why)
    return pseudonym


def pseudonyms(connection: Connection) -> Mapping[str, str]:
    """Return the pseudonym of each deleted account, by its name."""
    deleted = select(accounts.c.name, accounts.c.pseudonym).where(accounts.c.pseudonym != "")
    return {row.name: row.pseudonym for row in connection.execute(deleted)}
