"""The rows of accounts, tokens and invitations. Each function works within the caller's transaction."""

import itertools
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from ordago.names import (
    PLAIN_NAME,
    composed,
    is_plain_name,
    looks_like_one_of,
    misleads,
    mixed_alphabets,
    name_key,
    quoted,
)
from ordago.store.accounts import bot_names
from ordago.store.accounts.rows import (
    Account,
    Holder,
    Invitation,
    Limits,
    Scope,
    Token,
    TokenState,
    account_of,
    invitation_of,
    limit_values,
    scopes_text,
    token_of,
    token_values,
)
from ordago.store.accounts.schema import accounts, invitations, tokens
from ordago.store.errors import StoreRefusedError, Why

_KEPT_SECONDS: Final = 30 * 24 * 60 * 60
"""The time for which a used or expired invitation is remembered."""
_IS_THERE: Final = accounts.c.pseudonym == ""
"""The condition that an account was not deleted."""


def read_account(connection: Connection, name: str) -> Account:
    """Return the account of a name.

    Raises:
        StoreRefusedError: there is none.
    """
    row = connection.execute(select(accounts).where(accounts.c.name == name, _IS_THERE)).first()
    if row is None:
        raise StoreRefusedError(Why.UNKNOWN, f"There is no account {quoted(name)}.")
    return account_of(row)


def read_accounts(connection: Connection) -> list[Account]:
    """Return all accounts, by their names, without those that were deleted."""
    rows = connection.execute(select(accounts).where(_IS_THERE))
    # Databases have orders of letters of their own.
    return sorted(map(account_of, rows), key=lambda account: account.name)


def change_account(connection: Connection, name: str, **values: object) -> Account:
    """Change columns of an account, and return it as it is then.

    Raises:
        StoreRefusedError: there is none.
    """
    connection.execute(update(accounts).where(accounts.c.name == name).values(**values))
    return read_account(connection, name)


def add_account(connection: Connection, name: str, roles: frozenset[Scope], *, now: float) -> Account:
    """Enter a new account, whose name is free."""
    account = Account(name, roles, Limits(), created_at=int(now))
    row = {"name": name, "key": name_key(name), "roles": scopes_text(roles), "created_at": int(now)}
    unset = {"ban_reason": "", "pseudonym": ""}
    connection.execute(insert(accounts), row | unset | limit_values(account.limits))
    return account


def check_free(connection: Connection, name: str, *, now: float, to: bytes = b"") -> None:
    """Check that a new account can have a name, by the invitation of a digest, if it is by one.

    The names of deleted accounts stay taken: the ledgers of ladders have them, with results that nobody may inherit.

    Raises:
        StoreRefusedError: it cannot be the name of an account, looks like that of another one, or is promised.
    """
    _check_account_name(name)
    if looks_like_one_of(name, connection.scalars(select(accounts.c.name))):
        raise StoreRefusedError(Why.TAKEN, f"The account name {quoted(name)} is taken, or looks like a taken one.")
    good = invitations.c.used_at.is_(None), invitations.c.expires_at > int(now), invitations.c.account != ""
    promised = connection.scalars(select(invitations.c.account).where(invitations.c.digest != to, *good))
    if looks_like_one_of(name, promised):
        raise StoreRefusedError(Why.TAKEN, f"The account name {quoted(name)} is reserved by an invitation.")


def _check_account_name(name: str) -> None:
    if name != composed(name) or not is_plain_name(name):
        sentence = f"The name of an account takes {PLAIN_NAME}, beginning with a letter or a digit, not {quoted(name)}."
        raise StoreRefusedError(Why.UNFIT, sentence)
    mixed = " and ".join(mixed_alphabets(name))
    if mixed:
        sentence = f"The account name {quoted(name)} mixes {mixed} letters, which look alike: use a single alphabet."
        raise StoreRefusedError(Why.UNFIT, sentence)


def has_account(connection: Connection, name: str) -> bool:
    """Return True if there is an account of a name, which was not deleted."""
    return connection.execute(select(accounts.c.name).where(accounts.c.name == name, _IS_THERE)).first() is not None


def read_tokens(connection: Connection, account: str | None) -> list[Token]:
    """Return the tokens of an account, or all, the oldest first."""
    wanted = select(tokens).order_by(tokens.c.created_at, tokens.c.id)
    rows = connection.execute(wanted if account is None else wanted.where(tokens.c.account == account))
    return [token_of(row) for row in rows]


def read_token(connection: Connection, token_id: str) -> Token:
    """Return the token of an id.

    Raises:
        StoreRefusedError: there is none.
    """
    row = connection.execute(select(tokens).where(tokens.c.id == token_id)).first()
    if row is None:
        raise no_token(token_id)
    return token_of(row)


def no_token(token_id: str) -> StoreRefusedError:
    """Return the error for an unknown token id."""
    return StoreRefusedError(Why.UNKNOWN, f"There is no token {quoted(token_id)}.")


def add_token(connection: Connection, token: Token) -> None:
    """Enter a token."""
    connection.execute(insert(tokens), token_values(token))


def drop_tokens(connection: Connection, dropped: Sequence[Token]) -> None:
    """Delete tokens that are no longer valid."""
    connection.execute(delete(tokens).where(tokens.c.id.in_([token.id for token in dropped])))


def read_holders(connection: Connection) -> list[Holder]:
    """Return all tokens with their accounts, the oldest first."""
    of_name = {account.name: account for account in read_accounts(connection)}
    return [Holder(token, of_name[token.account]) for token in read_tokens(connection, None)]


def read_holder(connection: Connection, wanted: bytes) -> Holder | None:
    """Return the token of a fingerprint, with its account."""
    row = connection.execute(select(tokens).where(tokens.c.fingerprint == wanted)).first()
    if row is None:
        return None
    token = token_of(row)
    return Holder(token, read_account(connection, token.account))


def add_invitation(connection: Connection, invitation: Invitation) -> None:
    """Enter an invitation, and delete those that have long been invalid."""
    old = invitations.c.expires_at < invitation.created_at - _KEPT_SECONDS
    connection.execute(delete(invitations).where(old))
    values = {name: getattr(invitation, name) for name in ("digest", "account", "created_at", "expires_at")}
    connection.execute(insert(invitations), values | {"roles": scopes_text(invitation.roles)})


def good_invitation(connection: Connection, digest: bytes, *, now: float) -> Invitation:
    """Return the invitation of a code that is good.

    Raises:
        StoreRefusedError: there is none, it was used, or it has expired.
    """
    row = connection.execute(select(invitations).where(invitations.c.digest == digest)).first()
    if row is None:
        raise StoreRefusedError(Why.NOT_PERMITTED, "The invitation is unknown: check that its code was copied in full.")
    invitation = invitation_of(row)
    if invitation.used_at is not None:
        raise StoreRefusedError(Why.NOT_PERMITTED, "The invitation was used, and each works once: ask for a new one.")
    if invitation.expires_at <= now:
        raise StoreRefusedError(Why.NOT_PERMITTED, "The invitation has expired: ask for a new one.")
    return invitation


def use_invitation(connection: Connection, invitation: Invitation, *, now: float) -> None:
    """Note that an invitation was used."""
    chosen = invitations.c.digest == invitation.digest
    connection.execute(update(invitations).where(chosen).values(used_at=int(now)))


_MISLEADING: Final = "The bot name mixes letters that look alike, or contains invisible ones"


def check_no_more(holder: Holder, token: Token) -> None:
    """Check that a token has no more permissions than the one that it is made with.

    Raises:
        StoreRefusedError: it can.
    """
    own = holder.token
    if not token.scopes <= holder.scopes:
        lacking = ", ".join(sorted(token.scopes - holder.scopes))
        sentence = f"A token cannot create one that can do more than itself, and this one lacks: {lacking}."
    elif own.bot not in ("", token.bot):
        sentence = f"The token is bound to the bot {own.bot!r}, so its new tokens have to be bound to that bot, too."
    elif own.expires_at is not None and (token.expires_at is None or token.expires_at > own.expires_at):
        sentence = "The new token would outlive the one that creates it: let it expire earlier."
    else:
        return
    raise StoreRefusedError(Why.NOT_PERMITTED, sentence)


def check_still_good(connection: Connection, holder: Holder, *, now: float) -> None:
    """Check that a token has not been revoked since it was read, so that a revoked token creates nothing new."""
    known = read_token(connection, holder.token.id)
    if known.state(now) is not TokenState.ACTIVE:
        raise StoreRefusedError(Why.NOT_PERMITTED, "The token of this request is no longer valid.")


def claim_for(connection: Connection, name: str, account: str, *, now: float) -> None:
    """Assign a name to an account that may have it."""
    owners = bot_names.owners(connection, now)
    if name_key(name) not in owners:
        if misleads(name):
            raise StoreRefusedError(Why.UNFIT, f"{_MISLEADING}: {quoted(name)}.")
        # An author may have several names that look alike: they mislead nobody about the owner.
        if looks_like_one_of(name, (key for key, owner in owners.items() if owner != account)):
            sentence = f"The bot name {name!r} looks like one that belongs to another account."
            raise StoreRefusedError(Why.TAKEN, sentence)
    if bot_names.claim(connection, name, account, int(now)) != account:
        raise StoreRefusedError(Why.TAKEN, f"The bot name {name!r} belongs to another account.")


def check_foreign_name(connection: Connection, name: str, account: str, *, now: float) -> None:
    """Check that a name does not look like another account, or one of its bots."""
    bots = (key for key, owner in bot_names.owners(connection, now).items() if owner != account)
    others = connection.scalars(select(accounts.c.name).where(accounts.c.name != account))
    if looks_like_one_of(name, itertools.chain(bots, others)):
        sentence = f"The name {quoted(name)} is, or looks like, that of another account or its bot: choose another one."
        raise StoreRefusedError(Why.TAKEN, sentence)


def claim_within(connection: Connection, name: str, account: Account, *, now: float) -> None:
    """Claim a name, if the account has room for one more name or owns this one."""
    owners = bot_names.owners(connection, now)
    owned = sum(owner == account.name for owner in owners.values())
    if name_key(name) not in owners and owned >= account.limits.names:
        raise too_many(f"The account has {owned} bot names", "release one first")
    claim_for(connection, name, account.name, now=now)


def too_many(many: str, sentence: str) -> StoreRefusedError:
    """Return the error for an account that has reached a limit."""
    return StoreRefusedError(Why.LIMIT, f"{many}, its maximum: {sentence}.")
