"""Checks of what only the database knows of accounts. Each function works within a transaction of whoever calls."""

from typing import Final

from sqlalchemy import Connection

from ordago.names import misleads, name_key, quoted
from ordago.store import account_entries as entries
from ordago.store import bot_names
from ordago.store.account_rows import Account, Holder, Token, TokenState
from ordago.store.errors import StoreRefusedError, Why

_MISLEADING: Final = "The bot name mixes letters that look alike, or holds some that nobody sees"


def check_no_more(holder: Holder, token: Token) -> None:
    """Check that a token can do no more than the one by which it is made.

    Raises:
        StoreRefusedError: it can.
    """
    own = holder.token
    if not token.scopes <= holder.scopes:
        lacking = ", ".join(sorted(token.scopes - holder.scopes))
        sentence = f"A token makes none that can do more than itself, and this one is not good for: {lacking}."
    elif own.bot not in ("", token.bot):
        sentence = f"The token is bound to the bot {own.bot!r}: what it makes is bound to that too."
    elif own.expires_at is not None and (token.expires_at is None or token.expires_at > own.expires_at):
        sentence = "The token expires, and makes none that is good for longer: give the new one an earlier end."
    else:
        return
    raise StoreRefusedError(Why.NO_LEAVE, sentence)


def check_still_good(connection: Connection, holder: Holder, *, now: float) -> None:
    """Check that nobody has revoked a token since it was looked at, so that what is revoked makes nothing new."""
    known = entries.read_token(connection, holder.token.id)
    if known.state(now) is not TokenState.ACTIVE:
        raise StoreRefusedError(Why.NO_LEAVE, "The token by which this is asked is not good any more.")


def claim_for(connection: Connection, name: str, account: str, *, now: float) -> None:
    """Let a name belong to an account that may have it."""
    if name_key(name) not in bot_names.owners(connection, now, key=name_key(name)) and misleads(name):
        raise StoreRefusedError(Why.UNFIT, f"{_MISLEADING}: {quoted(name)}.")
    if bot_names.claim(connection, name, account, int(now)) != account:
        raise StoreRefusedError(Why.TAKEN, f"The bot name {name!r} belongs to another account.")


def claim_within(connection: Connection, name: str, account: Account, *, now: float) -> None:
    """Do the same, if the account has room for one more name or has this one."""
    owners = bot_names.owners(connection, now)
    owned = sum(owner == account.name for owner in owners.values())
    if name_key(name) not in owners and owned >= account.limits.names:
        raise too_many(f"The account has {owned} names of bots", "release one first")
    claim_for(connection, name, account.name, now=now)


def too_many(many: str, sentence: str) -> StoreRefusedError:
    """Return what is raised where an account has as many of something as it may."""
    return StoreRefusedError(Why.LIMIT, f"{many}, as many as it may: {sentence}.")
