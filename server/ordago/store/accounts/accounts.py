"""The accounts of a server: the identities that may sign in, and their permissions.

An account belongs to somebody who signs in by tokens made out to it. A token is 32 random bytes. It is shown once,
and only its SHA-256 is stored, by which it is found. Nobody can try 2**256 tokens, so a deliberately slow hash, as for
passwords that people choose, would only add work at each sign-in. The time to look up a fingerprint reveals nothing
about the token. The code of an invitation is stored in the same way.

A bot's name belongs to the account that it was first bound to or seen with; its versions and builds are noted with it.
A name that nobody has used for long becomes free again, unless a token is bound to it.

Authentication and permissions are checked by the callers; this module checks what only the database knows.

Every change to an account from outside is logged in the same transaction: who made it, when and why. Where no actor
is named, it is the operating-system user that runs this program.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import update

from ordago.fingerprint import fingerprint
from ordago.names import quoted
from ordago.store.accounts import bot_names, deletion, issuing
from ordago.store.accounts import entries as entries
from ordago.store.accounts.announcements import StoredAnnouncements
from ordago.store.accounts.entries import (
    check_foreign_name,
    check_no_more,
    check_still_good,
    claim_for,
    claim_within,
    too_many,
)
from ordago.store.accounts.log import add_entry, read_log
from ordago.store.accounts.rows import (
    Account,
    Act,
    Actor,
    BotOwner,
    Holder,
    Invitation,
    KnownBot,
    LogEntry,
    Scope,
    Sighting,
    Token,
    TokenState,
    limit_values,
    roles_text,
    scopes_text,
)
from ordago.store.accounts.schema import tokens
from ordago.store.errors import StoreRefusedError, Why

INVITATION_PREFIX: Final = "ordago_invitation_"
"""The prefix of every invitation code."""
_CODE_BYTES: Final = 24
"""192 bits: no number of tries guesses it, and it is short enough for a letter."""


class Accounts(StoredAnnouncements):
    """The accounts' database.

    All methods are synchronous and may be called from any thread, several at once. Each is one transaction. Any of them
    raises ``StoreError`` where the database itself fails.
    """

    # Tokens

    def create_token(
        self, *, account: str, scopes: Iterable[Scope], now: float, bot: str = "", expires_at: int | None = None
    ) -> tuple[str, Token]:
        """Make a token out to an account, on behalf of the organiser, and return it with its row.

        It cannot be shown again. The account is opened where there is none, and has the roles that the token is for.

        Args:
            account: whom it belongs to.
            scopes: its permissions.
            now: the time, in seconds since 1970, UTC.
            bot: the only bot that may connect with it, whose name then belongs to the account; empty for any.
            expires_at: when it ceases to be good, in whole seconds since 1970, UTC; ``None`` for never.

        Raises:
            StoreRefusedError: the bot's name belongs to another account, or there can be no such account.
        """
        secret, token = issuing.new_token(account, scopes, now=now, bot=bot, expires_at=expires_at)
        with self._database.writing() as connection:
            issuing.grant(connection, account, token.scopes, now=now)
            if bot:
                claim_for(connection, bot, account, now=now)
            entries.add_token(connection, token)
            good_for = f"{scopes_text(token.scopes)}{f' as the bot {bot}' if bot else ''}"
            add_entry(connection, Act.CREATE_TOKEN, account, by=None, at=now, subject=token.id, detail=good_for)
        return secret, token

    def create_own_token(
        self, holder: Holder, *, scopes: Iterable[Scope], now: float, bot: str = "", expires_at: int | None = None
    ) -> tuple[str, Token]:
        """Make another token out to the account of a token, with at most its permissions; see ``create_token``.

        As many invalid tokens are kept as there may be valid ones.

        Raises:
            StoreRefusedError: it could do more, the account has as many tokens or names as it may, the bot's name
                belongs to another account, or the token by which it is asked is not good any more.
        """
        account = holder.account
        secret, token = issuing.new_token(account.name, scopes, now=now, bot=bot, expires_at=expires_at)
        check_no_more(holder, token)
        with self._database.writing() as connection:
            check_still_good(connection, holder, now=now)
            known = entries.read_tokens(connection, account.name)
            good = [one for one in known if one.state(now) is TokenState.ACTIVE]
            if len(good) >= account.limits.tokens:
                raise too_many(f"The account has {len(good)} valid tokens", "revoke one first")
            entries.drop_tokens(connection, [one for one in known if one not in good][: -account.limits.tokens])
            if bot:
                claim_within(connection, bot, account, now=now)
            entries.add_token(connection, token)
        return secret, token

    def revoke(self, token_id: str, *, now: float, why: str = "") -> Token:
        """Revoke a token for good, on behalf of the organiser, and return it. An earlier revocation stays as it is."""
        with self._database.writing() as connection:
            return issuing.revoke(connection, token_id, by=None, now=now, why=why)

    def revoke_own(self, holder: Holder, token_id: str, *, now: float, why: str = "") -> Token:
        """Revoke a token of the same account, which must not exceed the permissions of the token in use.

        Raises:
            StoreRefusedError: the account has no such token, or it can do more.
        """
        with self._database.writing() as connection:
            token = entries.read_token(connection, token_id)
            if token.account != holder.account.name:
                # As if there were none: nobody learns of the tokens of others.
                raise entries.no_token(token_id)
            if not token.scopes <= holder.token.scopes or holder.token.bot not in ("", token.bot):
                sentence = f"The token {token_id!r} can do more than yours: revoke it with one that can do as much."
                raise StoreRefusedError(Why.NOT_PERMITTED, sentence)
            return issuing.revoke(connection, token_id, by=Actor(holder.account.name), now=now, why=why)

    def tokens(self, *, account: str | None = None) -> Sequence[Token]:
        """Return all tokens, or those of an account, the oldest first."""
        with self._database.reading() as connection:
            return entries.read_tokens(connection, account)

    def holder(self, wanted: bytes) -> Holder | None:
        """Return the token of a fingerprint, with its account."""
        with self._database.reading() as connection:
            return entries.read_holder(connection, wanted)

    def holders(self) -> Sequence[Holder]:
        """Return all tokens with their accounts, the oldest first."""
        with self._database.reading() as connection:
            return entries.read_holders(connection)

    # Accounts and invitations

    def accounts(self) -> Sequence[Account]:
        """Return all accounts, by their names."""
        with self._database.reading() as connection:
            return entries.read_accounts(connection)

    def invite(
        self,
        *,
        roles: Iterable[Scope],
        now: float,
        expires_at: int,
        account: str = "",
        by: Actor | None = None,
        why: str = "",
    ) -> tuple[str, Invitation]:
        """Create an invitation, and return its code, which cannot be shown again, with its row.

        Args:
            roles: what the account may do that is opened by it.
            now: the time, in seconds since 1970, UTC.
            expires_at: when it ceases to be good, in whole seconds since 1970, UTC.
            account: the name of the account, which is kept for it until then; empty for one that the author chooses.
            by: the account that invites.
            why: for what reason, if one is said.

        Raises:
            StoreRefusedError: there can be no account of that name, there is one, or the name is promised already.
        """
        code = INVITATION_PREFIX + secrets.token_urlsafe(_CODE_BYTES)
        made = Invitation(fingerprint(code), frozenset(roles), account, created_at=int(now), expires_at=expires_at)
        with self._database.writing() as connection:
            if account:
                entries.check_free(connection, account, to=made.digest, now=now)
            entries.add_invitation(connection, made)
            add_entry(connection, Act.INVITE, account, by=by, at=now, detail=roles_text(made.roles), why=why)
        return code, made

    def register(self, code: str, *, name: str, now: float) -> tuple[str, Holder]:
        """Open an account by the code of an invitation, and return its first token, which cannot be shown again.

        Raises:
            StoreRefusedError: the code is not good, or there can be no such account, or there is one.
        """
        digest = fingerprint(code)
        with self._database.reading() as connection:
            # A client that guesses never holds up writers.
            entries.good_invitation(connection, digest, now=now)
        with self._database.writing() as connection:
            # Another client may have used it since.
            invitation = entries.good_invitation(connection, digest, now=now)
            if name and invitation.account and name != invitation.account:
                sentence = f"The invitation is for the account {invitation.account!r}: join under that name."
                raise StoreRefusedError(Why.STATE, sentence)
            entries.use_invitation(connection, invitation, now=now)
            name = name or invitation.account
            entries.check_free(connection, name, to=digest, now=now)
            account = entries.add_account(connection, name, invitation.roles, now=now)
            secret, token = issuing.new_token(name, invitation.roles, now=now)
            entries.add_token(connection, token)
            add_entry(connection, Act.REGISTER, name, by=Actor(name), at=now, detail=roles_text(invitation.roles))
        return secret, Holder(token, account)

    def set_roles(
        self, name: str, roles: Iterable[Scope], *, now: float, by: Actor | None = None, why: str = ""
    ) -> Account:
        """Set the roles of an account. Its tokens are valid for them alone.

        Raises:
            StoreRefusedError: there is no such account.
        """
        wanted = frozenset(roles)
        with self._database.writing() as connection:
            changed = entries.change_account(connection, name, roles=scopes_text(wanted))
            add_entry(connection, Act.SET_ROLES, name, by=by, at=now, detail=roles_text(wanted), why=why)
            return changed

    def set_limits(self, name: str, *, now: float, by: Actor | None = None, why: str = "", **limits: int) -> Account:
        """Set some limits of an account, by the names of ``Limits``; the others stay, and so do connected bots.

        Raises:
            StoreRefusedError: there is no such account.
        """
        with self._database.writing() as connection:
            before = entries.read_account(connection, name).limits
            after = replace(before, **limits)
            changed = entries.change_account(connection, name, **limit_values(after))
            detail = ", ".join(f"{limit} {number}" for limit, number in limits.items())
            add_entry(connection, Act.SET_LIMITS, name, by=by, at=now, detail=detail, why=why)
            return changed

    def ban(self, name: str, reason: str, *, now: float, by: Actor | None = None) -> Account:
        """Ban an account: nobody may sign in to it or stay. If it is banned already, only the reason changes.

        Raises:
            StoreRefusedError: there is no such account.
        """
        with self._database.writing() as connection:
            since = entries.read_account(connection, name).banned_at
            at = int(now) if since is None else since
            banned = entries.change_account(connection, name, banned_at=at, ban_reason=reason)
            add_entry(connection, Act.BAN, name, by=by, at=now, why=reason)
            return banned

    def unban(self, name: str, *, now: float, by: Actor | None = None, why: str = "") -> Account:
        """Lift the ban of an account. Its tokens are valid as before.

        Raises:
            StoreRefusedError: there is no such account.
        """
        with self._database.writing() as connection:
            account = entries.change_account(connection, name, banned_at=None, ban_reason="")
            add_entry(connection, Act.UNBAN, name, by=by, at=now, why=why)
            return account

    def check_may_delete(self, holder: Holder, *, now: float) -> None:
        """Check that no valid token of an account can do more than the one that is to delete it.

        Raises:
            StoreRefusedError: one can.
        """
        with self._database.reading() as connection:
            deletion.check_may_delete(connection, holder, now=now)

    def delete(self, name: str, *, now: float, by: Actor | None = None, why: str = "") -> str:
        """Delete an account for good, and return its pseudonym.

        Raises:
            StoreRefusedError: there is no such account.
        """
        with self._database.writing() as connection:
            return deletion.delete_account(connection, name, by=by, now=now, why=why)

    def pseudonyms(self) -> Mapping[str, str]:
        """Return the pseudonym of each deleted account, by its name."""
        with self._database.reading() as connection:
            return deletion.pseudonyms(connection)

    def account(self, name: str) -> Account:
        """Return the account of a name.

        Raises:
            StoreRefusedError: there is none.
        """
        with self._database.reading() as connection:
            return entries.read_account(connection, name)

    def note(
        self,
        act: Act,
        account: str,
        *,
        by: Actor | None,
        now: float,
        subject: str = "",
        detail: str = "",
        why: str = "",
    ) -> None:
        """Log an act that changes no row of an account: on its event or session, or an export."""
        with self._database.writing() as connection:
            add_entry(connection, act, account, by=by, at=now, subject=subject, detail=detail, why=why)

    def log(self, *, account: str = "", before: int | None = None, most: int) -> Sequence[LogEntry]:
        """Return the log of changes to accounts, the newest first.

        Args:
            account: only changes to this account, or by it; empty for all.
            before: only entries with smaller numbers; ``None`` for all.
            most: the number of entries, at most.
        """
        with self._database.reading() as connection:
            return read_log(connection, account=account, before=before, most=most)

    # Bots

    def owners(self, *, now: float) -> Mapping[str, str]:
        """Return the account that owns each bot name at a time, by the key of the name: see ``name_key``."""
        with self._database.reading() as connection:
            return bot_names.owners(connection, now)

    def check_name(self, name: str, account: str, *, now: float) -> None:
        """Check that a name of an account's entrant does not look like another account, or one of its bots.

        Raises:
            StoreRefusedError: it does.
        """
        with self._database.reading() as connection:
            check_foreign_name(connection, name, account, now=now)

    def bots(self, *, account: str | None = None) -> Sequence[KnownBot]:
        """Return all bots, or those of an account, in order of their names, the oldest build first."""
        with self._database.reading() as connection:
            return bot_names.known(connection, account)

    def bot_owner(self, name: str, *, now: float) -> BotOwner | None:
        """Return the owner of a bot's name at a time; ``None`` if the name is free."""
        with self._database.reading() as connection:
            return bot_names.owner(connection, name, now)

    def let_challenge(self, account: str, name: str, *, allowed: bool, now: float) -> None:
        """Set whether bots of other accounts may challenge a bot, which has to be the account's."""
        with self._database.writing() as connection:
            bot_names.let_challenge(connection, account, name, allowed=allowed, now=now)

    def name_bot(self, account: Account, name: str, *, now: float) -> None:
        """Assign a bot name to an account, as if a bot had connected under it. The account may own it already.

        Raises:
            StoreRefusedError: it is another account's, it misleads, or the account has as many as it may.
        """
        with self._database.writing() as connection:
            claim_within(connection, name, account, now=now)

    def release_bot(self, account: str, name: str, *, now: float) -> None:
        """Release the name of an account's bot for anybody, and forget the bot.

        Raises:
            StoreRefusedError: it is not the account's, or a token is bound to it.
        """
        with self._database.writing() as connection:
            key = bot_names.own_key(connection, account, name, now)
            if bot_names.is_bound(connection, key):
                sentence = f"A token is bound to the bot name {quoted(name)}: revoke it first."
                raise StoreRefusedError(Why.STATE, sentence)
            bot_names.forget(connection, key)

    def enter(self, sightings: Iterable[Sighting]) -> None:
        """Note the bots that connected. A name without an owner becomes the property of the first one's account."""
        with self._database.writing() as connection:
            for sighting in sightings:
                used = update(tokens).where(tokens.c.id == sighting.token_id).values(last_used_at=sighting.at)
                if not connection.execute(used).rowcount:
                    # The account was deleted meanwhile, and is to leave nothing new.
                    continue
                if bot_names.claim(connection, sighting.name, sighting.account, sighting.at) == sighting.account:
                    bot_names.note_use(connection, sighting)
                    bot_names.note_build(connection, sighting)
