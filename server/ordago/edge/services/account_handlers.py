"""Handlers of the calls of ``AccountService``, over the wire or directly at the folder of the accounts.

They do not depend on grpc. Each takes a request and returns a response, or raises ``StoreRefusedError``. They check the
values of fields; scopes are in ``CALLS``, and the caller checks them.
"""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.account_messages import (
    LONGEST_WHY,
    MOST_ROWS,
    account_message,
    bot_messages,
    by_key,
    checked_why,
    entry_message,
    page_of,
    page_token,
    read_page_token,
    role_messages,
    scopes_of,
    session_message,
    token_message,
)
from ordago.names import MAX_NAME_LENGTH, is_shown_name, quoted
from ordago.store.accounts.accounts import INVITATION_PREFIX, Accounts
from ordago.store.accounts.bot_names import MOST_BUILDS
from ordago.store.accounts.log import user_of_folder
from ordago.store.accounts.rows import MAX_LIMIT, Account, Act, Actor, Holder, Scope, Token
from ordago.store.errors import StoreRefusedError, Why

if TYPE_CHECKING:
    from ordago.arena.live_sessions import LiveSessions

INVITED_SECONDS: Final = 7 * 24 * 60 * 60
"""The validity of an invitation without an explicit end."""
_LONGEST_CODE: Final = 100
"""Twice the length of a code: its prefix and 24 bytes in Base64 have 50 characters."""
_LAST_NUMBER: Final = 2**31 - 1
"""The greatest number that the log's column can store."""


class Call(NamedTuple):
    """A call of the service."""

    request: type[Message]
    answer: Callable[..., Any]
    """The handler, called with the handlers, the request, and the token's holder unless ``by_anybody``."""
    needs: Scope | None = None
    """The scope that the token needs; ``None`` if any token will do."""
    changes: bool = True
    """True if it writes to the database."""
    by_anybody: bool = False
    """True if it needs no token."""


class AccountHandlers:
    """Handlers on the accounts of a database. They block, and are called in one thread, one after the other."""

    def __init__(
        self, accounts: Accounts, *, sessions: "LiveSessions | None" = None, now: Callable[[], float] = time.time
    ) -> None:
        """Use a database, and the sessions of its server, if it runs; ``now`` returns seconds since 1970, UTC."""
        self.accounts = accounts
        self.now = now
        self._sessions = sessions

    # Invited people

    def register(self, request: v1.RegisterRequest) -> v1.RegisterResponse:
        """Open an account with an invitation."""
        code = request.invitation
        if not (code.startswith(INVITATION_PREFIX) and len(code) <= _LONGEST_CODE):
            raise StoreRefusedError(Why.NOT_PERMITTED, f"The code of an invitation begins with {INVITATION_PREFIX}.")
        secret, holder = self.accounts.register(code, name=request.account, now=self.now())
        return v1.RegisterResponse(
            token=secret, token_info=token_message(holder.token), account=account_message(holder.account)
        )

    # Every account

    def who_am_i(self, _request: v1.WhoAmIRequest, by: Holder) -> v1.WhoAmIResponse:
        """Return the account, token and roles of the caller."""
        return v1.WhoAmIResponse(
            account=account_message(by.account), token_info=token_message(by.token), roles=role_messages(by.scopes)
        )

    def list_tokens(self, request: v1.ListTokensRequest, by: Holder) -> v1.ListTokensResponse:
        """List the tokens of an account."""
        known = self.accounts.tokens(account=by.account.name)
        page, after = page_of(known, request, position=_token_position)
        return v1.ListTokensResponse(tokens=map(token_message, page), next_page_token=after)

    def create_token(self, request: v1.CreateTokenRequest, by: Holder) -> v1.CreateTokenResponse:
        """Make a token that can do no more than the caller's."""
        now = self.now()
        expires_at = request.expires_at if request.HasField("expires_at") else None
        secret, token = self.accounts.create_own_token(
            by,
            scopes=scopes_of(request.scopes) or {Scope.PLAY},
            now=now,
            bot=_bot_name(request.bot) if request.bot else "",
            expires_at=expires_at if expires_at is None else _end(expires_at, now),
        )
        return v1.CreateTokenResponse(token=secret, token_info=token_message(token))

    def revoke_token(self, request: v1.RevokeTokenRequest, by: Holder) -> v1.RevokeTokenResponse:
        """Revoke a token of the account."""
        why = checked_why(request.why)
        token = self.accounts.revoke_own(by, _looked_up(request.id, "token"), now=self.now(), why=why)
        return v1.RevokeTokenResponse(token_info=token_message(token))

    def list_bots(self, request: v1.ListBotsRequest, by: Holder) -> v1.ListBotsResponse:
        """List the bots of the account."""
        known = bot_messages(self.accounts.bots(account=by.account.name))
        page, after = page_of(known, request, position=lambda bot: bot.name, order=by_key)
        return v1.ListBotsResponse(bots=page, next_page_token=after)

    def name_bot(self, request: v1.NameBotRequest, by: Holder) -> v1.NameBotResponse:
        """Reserve a bot's name for the account."""
        _check_bound(by.token, request.bot)
        self.accounts.name_bot(by.account, _bot_name(request.bot), now=self.now())
        return v1.NameBotResponse()

    def release_bot_name(self, request: v1.ReleaseBotNameRequest, by: Holder) -> v1.ReleaseBotNameResponse:
        """Give up a bot's name, so that any account may take it."""
        _check_bound(by.token, request.bot)
        self.accounts.release_bot(by.account.name, _bot_name(request.bot), now=self.now())
        return v1.ReleaseBotNameResponse()

    def set_bot_challenges(self, request: v1.SetBotChallengesRequest, by: Holder) -> v1.SetBotChallengesResponse:
        """Set whether other accounts may challenge a bot of the account."""
        _check_bound(by.token, request.bot)
        name, allowed = _bot_name(request.bot), request.takes_challenges
        self.accounts.let_challenge(by.account.name, name, allowed=allowed, now=self.now())
        return v1.SetBotChallengesResponse()

    def export_account(self, request: v1.ExportAccountRequest, by: Holder | None = None) -> v1.ExportAccountResponse:
        """Give out what is kept of an account."""
        account = self._own_or(request.account, by)
        entries, after = self._entries(account.name, request.page_token, size=MOST_ROWS)
        for entry in entries:
            # Its author learns what was done, and not by which admin.
            entry.by = entry.by if entry.by == account.name and not entry.at_folder else ""
        if request.page_token:
            return v1.ExportAccountResponse(account=account_message(account), entries=entries, next_page_token=after)
        if by is None or by.account.name != account.name:
            self.accounts.note(Act.EXPORT, account.name, by=_actor(by) or user_of_folder(), now=self.now())
        return v1.ExportAccountResponse(
            account=account_message(account),
            tokens=map(token_message, self.accounts.tokens(account=account.name)),
            bots=bot_messages(self.accounts.bots(account=account.name), most_builds=MOST_BUILDS),
            entries=entries,
            next_page_token=after,
        )

    def delete_account(self, request: v1.DeleteAccountRequest, by: Holder | None = None) -> v1.DeleteAccountResponse:
        """Delete an account for good."""
        why, now = checked_why(request.why), self.now()
        account = self._own_or(_looked_up(request.account, "account"), by)
        if by is not None and account == by.account:
            if Scope.ADMIN in by.account.roles:
                raise StoreRefusedError(Why.STATE, "You are an admin, and cannot delete yourself: let another do it.")
            self.accounts.check_may_delete(by, now=now)
        elif not why:
            raise StoreRefusedError(Why.UNFIT, "Deleting the account of somebody else needs a reason, for the log.")
        return v1.DeleteAccountResponse(pseudonym=self.accounts.delete(account.name, now=now, by=_actor(by), why=why))

    def _own_or(self, name: str, by: Holder | None) -> Account:
        """Return the caller's own account, also for an empty name, or another one for an admin or at the folder.

        Raises:
            StoreRefusedError: there is none, or the caller may not.
        """
        if by is not None and name in ("", by.account.name):
            return by.account
        if by is not None and Scope.ADMIN not in by.scopes:
            raise StoreRefusedError(Why.NOT_PERMITTED, f"Your account is {by.account.name!r}, not {quoted(name)}.")
        return self.accounts.account(_looked_up(name, "account"))

    # Admins

    def invite(self, request: v1.InviteRequest, by: Holder | None = None) -> v1.InviteResponse:
        """Make an invitation."""
        now = self.now()
        expires_at = request.expires_at if request.HasField("expires_at") else int(now) + INVITED_SECONDS
        roles = scopes_of(request.roles) or {Scope.PLAY}
        code, made = self.accounts.invite(
            roles=roles,
            now=now,
            expires_at=_end(expires_at, now),
            account=request.account,
            by=_actor(by),
            why=checked_why(request.why),
        )
        return v1.InviteResponse(invitation=code, expires_at=made.expires_at)

    def list_accounts(self, request: v1.ListAccountsRequest, _by: Holder | None = None) -> v1.ListAccountsResponse:
        """List all accounts."""
        page, after = page_of(self.accounts.accounts(), request, position=lambda account: account.name)
        return v1.ListAccountsResponse(accounts=map(account_message, page), next_page_token=after)

    def set_roles(self, request: v1.SetRolesRequest, by: Holder | None = None) -> v1.SetRolesResponse:
        """Replace the roles of an account."""
        roles = scopes_of(request.roles)
        if by is not None and request.account == by.account.name and Scope.ADMIN not in roles:
            raise StoreRefusedError(Why.STATE, "You cannot remove your own role admin: let another admin do it.")
        name, why = _looked_up(request.account, "account"), checked_why(request.why)
        account = self.accounts.set_roles(name, roles, now=self.now(), by=_actor(by), why=why)
        return v1.SetRolesResponse(account=account_message(account))

    def set_limits(self, request: v1.SetLimitsRequest, by: Holder | None = None) -> v1.SetLimitsResponse:
        """Set limits of an account."""
        limits: dict[str, int] = {one.name: number for one, number in request.limits.ListFields()}
        too_large = next((name for name, number in limits.items() if number > MAX_LIMIT), None)
        if too_large is not None:
            raise StoreRefusedError(Why.UNFIT, f"The limit of {too_large} is at most {MAX_LIMIT:,}.")
        name, why = _looked_up(request.account, "account"), checked_why(request.why)
        account = self.accounts.set_limits(name, now=self.now(), by=_actor(by), why=why, **limits)
        return v1.SetLimitsResponse(account=account_message(account))

    def ban(self, request: v1.BanRequest, by: Holder | None = None) -> v1.BanResponse:
        """Ban an account."""
        reason = checked_why(request.reason)
        if not reason:
            sentence = f"A ban needs a reason, which its author can read: 1 to {LONGEST_WHY} printable characters."
            raise StoreRefusedError(Why.UNFIT, sentence)
        if by is not None and request.account == by.account.name:
            raise StoreRefusedError(Why.STATE, "You cannot ban yourself: let another admin do it.")
        name = _looked_up(request.account, "account")
        account = self.accounts.ban(name, reason, now=self.now(), by=_actor(by))
        return v1.BanResponse(account=account_message(account))

    def unban(self, request: v1.UnbanRequest, by: Holder | None = None) -> v1.UnbanResponse:
        """End the ban of an account."""
        name, why = _looked_up(request.account, "account"), checked_why(request.why)
        account = self.accounts.unban(name, now=self.now(), by=_actor(by), why=why)
        return v1.UnbanResponse(account=account_message(account))

    def list_account_log(
        self, request: v1.ListAccountLogRequest, _by: Holder | None = None
    ) -> v1.ListAccountLogResponse:
        """List what was done to accounts, the newest first."""
        account = _looked_up(request.account, "account") if request.account else ""
        size = min(request.page_size or MOST_ROWS, MOST_ROWS)
        entries, after = self._entries(account, request.page_token, size=size)
        return v1.ListAccountLogResponse(entries=entries, next_page_token=after)

    def _entries(self, account: str, token: str, *, size: int) -> tuple[list[v1.AccountLogEntry], str]:
        """Return a page of the log, and the token of the next one."""
        entries = self.accounts.log(account=account, before=_number(token), most=size + 1)
        page = entries[:size]
        return list(map(entry_message, page)), page_token(str(page[-1].number)) if len(entries) > size else ""

    # The whole server

    def announce(self, request: v1.AnnounceRequest, by: Holder | None = None) -> v1.AnnounceResponse:
        """Make an announcement."""
        now, sentence, why = self.now(), checked_why(request.sentence), checked_why(request.why)
        if not sentence:
            raise StoreRefusedError(Why.UNFIT, f"An announcement takes 1 to {LONGEST_WHY} printable characters.")
        made = self.accounts.announce(
            sentence,
            now=now,
            ends_at=_end(request.ends_at, now) if request.HasField("ends_at") else None,
            pauses_seating=request.pauses_seating,
            by=_actor(by),
            why=why,
        )
        return v1.AnnounceResponse(announcement=v1.Announcement(**made._asdict()))

    def withdraw_announcement(
        self, request: v1.WithdrawAnnouncementRequest, by: Holder | None = None
    ) -> v1.WithdrawAnnouncementResponse:
        """End an announcement."""
        number, why = min(request.number, _LAST_NUMBER), checked_why(request.why)
        withdrawn = self.accounts.withdraw(number, now=self.now(), by=_actor(by), why=why)
        return v1.WithdrawAnnouncementResponse(announcement=v1.Announcement(**withdrawn._asdict()))

    def list_announcements(
        self, _request: v1.ListAnnouncementsRequest, _by: Holder | None = None
    ) -> v1.ListAnnouncementsResponse:
        """List the announcements that stand."""
        standing = self.accounts.announcements(now=self.now())
        return v1.ListAnnouncementsResponse(announcements=[v1.Announcement(**one._asdict()) for one in standing])

    def list_sessions(self, request: v1.ListSessionsRequest, _by: Holder | None = None) -> v1.ListSessionsResponse:
        """List the sessions of bots from outside."""
        bots = [one for one in self._live().bots() if request.account in ("", one[1].identity.account)]
        page, after = page_of(bots, request, position=lambda one: one[1].session.id)
        return v1.ListSessionsResponse(sessions=[session_message(*one) for one in page], next_page_token=after)

    def end_session(self, request: v1.EndSessionRequest, by: Holder | None = None) -> v1.EndSessionResponse:
        """End a session. The act is logged first, so that none is done that the log lacks."""
        reason, live = checked_why(request.reason), self._live()
        if not reason:
            sentence = f"The end of a session needs a reason, which its author can read: 1 to {LONGEST_WHY} characters."
            raise StoreRefusedError(Why.UNFIT, sentence)
        found = next((one for one in live.bots() if one[1].session.id == request.session_id), None)
        if found is None:
            raise StoreRefusedError(Why.UNKNOWN, f"There is no session {quoted(request.session_id)}.")
        session = session_message(*found)
        account, bot, at = session.account, session.bot, self.now()
        self.accounts.note(
            Act.END_SESSION, account, by=_actor(by), now=at, subject=session.session_id, detail=bot, why=reason
        )
        live.end(session.session_id, f"the operator ended the session: {reason}")
        return v1.EndSessionResponse(session=session)

    def _live(self) -> "LiveSessions":
        if self._sessions is None:
            raise StoreRefusedError(Why.STATE, "Only a running server has sessions: give its address by --server.")
        return self._sessions


CALLS: Final[Mapping[str, Call]] = {
    "Register": Call(v1.RegisterRequest, AccountHandlers.register, by_anybody=True),
    "WhoAmI": Call(v1.WhoAmIRequest, AccountHandlers.who_am_i, changes=False),
    "ListTokens": Call(v1.ListTokensRequest, AccountHandlers.list_tokens, changes=False),
    "CreateToken": Call(v1.CreateTokenRequest, AccountHandlers.create_token),
    "RevokeToken": Call(v1.RevokeTokenRequest, AccountHandlers.revoke_token),
    "ListBots": Call(v1.ListBotsRequest, AccountHandlers.list_bots, changes=False),
    "NameBot": Call(v1.NameBotRequest, AccountHandlers.name_bot, Scope.PLAY),
    "ReleaseBotName": Call(v1.ReleaseBotNameRequest, AccountHandlers.release_bot_name, Scope.PLAY),
    "SetBotChallenges": Call(v1.SetBotChallengesRequest, AccountHandlers.set_bot_challenges, Scope.PLAY),
    "ExportAccount": Call(v1.ExportAccountRequest, AccountHandlers.export_account),
    "DeleteAccount": Call(v1.DeleteAccountRequest, AccountHandlers.delete_account),
    "Invite": Call(v1.InviteRequest, AccountHandlers.invite, Scope.ADMIN),
    "ListAccounts": Call(v1.ListAccountsRequest, AccountHandlers.list_accounts, Scope.ADMIN, changes=False),
    "SetRoles": Call(v1.SetRolesRequest, AccountHandlers.set_roles, Scope.ADMIN),
    "SetLimits": Call(v1.SetLimitsRequest, AccountHandlers.set_limits, Scope.ADMIN),
    "Ban": Call(v1.BanRequest, AccountHandlers.ban, Scope.ADMIN),
    "Unban": Call(v1.UnbanRequest, AccountHandlers.unban, Scope.ADMIN),
    "ListAccountLog": Call(v1.ListAccountLogRequest, AccountHandlers.list_account_log, Scope.ADMIN, changes=False),
    "Announce": Call(v1.AnnounceRequest, AccountHandlers.announce, Scope.ADMIN),
    "WithdrawAnnouncement": Call(v1.WithdrawAnnouncementRequest, AccountHandlers.withdraw_announcement, Scope.ADMIN),
    "ListAnnouncements": Call(v1.ListAnnouncementsRequest, AccountHandlers.list_announcements, changes=False),
    "ListSessions": Call(v1.ListSessionsRequest, AccountHandlers.list_sessions, Scope.ADMIN, changes=False),
    "EndSession": Call(v1.EndSessionRequest, AccountHandlers.end_session, Scope.ADMIN),
}
"""The calls of ``AccountService``, by their names."""


def _actor(by: Holder | None) -> Actor | None:
    """Return the actor of a change; ``None`` at the folder, where it is the user of the operating system."""
    return None if by is None else Actor(by.account.name)


def _number(token: str) -> int | None:
    """Return the number of the last entry on the page before; ``None`` for the first page.

    Raises:
        StoreRefusedError: the page token is invalid.
    """
    if not token:
        return None
    position = read_page_token(token)
    if not (position.isascii() and position.isdigit() and int(position) <= _LAST_NUMBER):
        raise StoreRefusedError(Why.UNFIT, "The page token is unknown: begin with the first page.")
    return int(position)


def _token_position(token: Token) -> str:
    return f"{token.created_at:011d} {token.id}"


def _end(expires_at: int, now: float) -> int:
    if expires_at <= now:
        raise StoreRefusedError(Why.UNFIT, "The expiry is in the past: give a later one.")
    return expires_at


def _bot_name(name: str) -> str:
    if not is_shown_name(name):
        sentence = f"The name of a bot takes 1 to {MAX_NAME_LENGTH} printable characters, not {quoted(name)}."
        raise StoreRefusedError(Why.UNFIT, sentence)
    return name


def _looked_up(name: str, kind: str) -> str:
    """Return the name or id of something in the store, if it can exist.

    Raises:
        StoreRefusedError: nothing can have this name.
    """
    if not is_shown_name(name):
        raise StoreRefusedError(Why.UNKNOWN, f"There is no {kind} {quoted(name)}.")
    return name


def _check_bound(token: Token, bot: str) -> None:
    if token.bot not in ("", bot):
        sentence = f"The token is bound to the bot {token.bot!r}, and cannot manage another."
        raise StoreRefusedError(Why.NOT_PERMITTED, sentence)
