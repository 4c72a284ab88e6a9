"""Conversion of accounts, tokens and log entries to messages of the contract, and paging."""

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from ordago import v1
from ordago.names import name_key
from ordago.store.accounts.rows import Account, Act, KnownBot, Limits, LogEntry, Scope, Token
from ordago.store.errors import StoreRefusedError, Why

if TYPE_CHECKING:
    from ordago.arena.bot import Bot

T = TypeVar("T")

MOST_ROWS: Final = 100
"""The most rows of a page."""
MOST_BUILDS_LISTED: Final = 16
"""The most builds listed for each bot, so that a page of bots stays below a megabyte whatever their names."""
_LONGEST_PAGE_TOKEN: Final = 400
"""Longer than any token: a name of 64 characters has at most 256 bytes in UTF-8, and 344 characters in Base64."""
ROLES: Final[Mapping[Scope, v1.Role]] = {
    Scope.PLAY: v1.ROLE_PLAY,
    Scope.OBSERVE: v1.ROLE_OBSERVE,
    Scope.ORGANISE: v1.ROLE_ORGANISE,
    Scope.ADMIN: v1.ROLE_ADMIN,
}
_ACTS: Final[Mapping[Act, v1.AccountAct]] = {
    Act.INVITE: v1.ACCOUNT_ACT_INVITE,
    Act.REGISTER: v1.ACCOUNT_ACT_REGISTER,
    Act.CREATE_TOKEN: v1.ACCOUNT_ACT_CREATE_TOKEN,
    Act.REVOKE_TOKEN: v1.ACCOUNT_ACT_REVOKE_TOKEN,
    Act.SET_ROLES: v1.ACCOUNT_ACT_SET_ROLES,
    Act.SET_LIMITS: v1.ACCOUNT_ACT_SET_LIMITS,
    Act.BAN: v1.ACCOUNT_ACT_BAN,
    Act.UNBAN: v1.ACCOUNT_ACT_UNBAN,
    Act.OPEN_EVENT: v1.ACCOUNT_ACT_OPEN_EVENT,
    Act.STOP_EVENT: v1.ACCOUNT_ACT_STOP_EVENT,
    Act.REMOVE_EVENT: v1.ACCOUNT_ACT_REMOVE_EVENT,
    Act.ANNOUNCE: v1.ACCOUNT_ACT_ANNOUNCE,
    Act.WITHDRAW_ANNOUNCEMENT: v1.ACCOUNT_ACT_WITHDRAW_ANNOUNCEMENT,
    Act.PAUSE_SEATING: v1.ACCOUNT_ACT_PAUSE_SEATING,
    Act.RESUME_SEATING: v1.ACCOUNT_ACT_RESUME_SEATING,
    Act.END_SESSION: v1.ACCOUNT_ACT_END_SESSION,
    Act.EXPORT: v1.ACCOUNT_ACT_EXPORT,
    Act.DELETE: v1.ACCOUNT_ACT_DELETE,
}
LONGEST_WHY: Final = 200
"""The most characters of a reason."""
_SCOPES: Final = {role: scope for scope, role in ROLES.items()}


class PageRequest(Protocol):
    """A request for a page."""

    page_size: int
    page_token: str


def role_messages(scopes: Iterable[Scope]) -> list[v1.Role]:
    """Return roles as messages, sorted."""
    return sorted(map(ROLES.__getitem__, scopes))


def scopes_of(roles: Iterable[v1.Role]) -> frozenset[Scope]:
    """Return the scopes for the roles of a message.

    Raises:
        StoreRefusedError: a role is unknown.
    """
    unknown = next((role for role in roles if role not in _SCOPES), None)
    if unknown is not None:
        raise StoreRefusedError(Why.UNFIT, f"There is no role with the number {unknown}.")
    return frozenset(map(_SCOPES.__getitem__, roles))


def account_message(account: Account) -> v1.Account:
    """Return an account as a message."""
    return v1.Account(
        name=account.name,
        roles=role_messages(account.roles),
        limits=limits_message(account.limits),
        created_at=account.created_at,
        banned_at=account.banned_at,
        ban_reason=account.ban_reason,
    )


def limits_message(limits: Limits) -> v1.AccountLimits:
    """Return limits as a message."""
    return v1.AccountLimits(bots=limits.bots, tokens=limits.tokens, sessions=limits.sessions, names=limits.names)


def token_message(token: Token) -> v1.AccountToken:
    """Return a token as a message, without its secret."""
    return v1.AccountToken(
        id=token.id,
        scopes=role_messages(token.scopes),
        bot=token.bot,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        revoked_at=token.revoked_at,
    )


def bot_messages(known: Iterable[KnownBot], *, most_builds: int = MOST_BUILDS_LISTED) -> list[v1.AccountBot]:
    """Return the bots of an account in the given order, each with its newest builds, the newest first."""
    found = groupby(known, key=lambda bot: bot.name)
    return [_bot_message(name, list(builds), most_builds) for name, builds in found]


def _bot_message(name: str, known: Sequence[KnownBot], most_builds: int) -> v1.AccountBot:
    builds = [
        v1.BotBuild(version=one.version, build=one.build, first_seen_at=one.first_seen_at)
        for one in known
        if one.first_seen_at is not None
    ]
    newest = builds[: -most_builds - 1 : -1]
    return v1.AccountBot(name=name, builds=newest, takes_challenges=known[0].takes_challenges)


def session_message(event: str, bot: "Bot") -> v1.BotSession:
    """Return the session of a bot as a message; ``event`` is empty at the standing tables. Any thread may call it."""
    identity, connection = bot.identity, bot.channel.connection
    return v1.BotSession(
        session_id=bot.session.id,
        account=identity.account,
        bot=identity.name,
        version=identity.version,
        games=sorted(identity.games),
        connected_at=None if connection is None else int(bot.channel.connected_at),
        matches=bot.matches,
        origin="" if connection is None else connection.origin,
        event=event,
    )


def entry_message(entry: LogEntry) -> v1.AccountLogEntry:
    """Return an entry of the log as a message."""
    return v1.AccountLogEntry(
        number=entry.number,
        at=entry.at,
        by=entry.actor,
        at_folder=entry.at_folder,
        act=_ACTS[entry.act],
        account=entry.account,
        subject=entry.subject,
        detail=entry.detail,
        why=entry.why,
    )


def checked_why(text: str) -> str:
    """Return the stripped reason for a change to an account; it may be empty.

    Raises:
        StoreRefusedError: it is too long, or contains unprintable characters.
    """
    why = text.strip()
    if len(why) > LONGEST_WHY or not why.isprintable():
        raise StoreRefusedError(Why.UNFIT, f"A reason takes 1 to {LONGEST_WHY} printable characters, or none at all.")
    return why


def by_key(name: str) -> tuple[str, str]:
    """Return the sort key of a bot's name."""
    return name_key(name), name


def page_of(
    rows: Iterable[T], request: PageRequest, *, position: Callable[[T], str], order: Callable[[str], Any] = str
) -> tuple[list[T], str]:
    """Return a page of rows, and the token of the next page; empty after the last.

    Args:
        rows: all rows.
        request: the size of the page, and the token from the page before.
        position: returns the position of a row, a unique text.
        order: returns the sort key of a position.

    Raises:
        StoreRefusedError: the page token is invalid.
    """
    ordered = sorted(rows, key=lambda row: order(position(row)))
    if request.page_token:
        after = order(read_page_token(request.page_token))
        ordered = [row for row in ordered if order(position(row)) > after]
    size = min(request.page_size or MOST_ROWS, MOST_ROWS)
    page = ordered[:size]
    return page, page_token(position(page[-1])) if len(ordered) > size else ""


def page_token(position: str) -> str:
    """Return the token of the page that begins after a position."""
    return urlsafe_b64encode(position.encode()).decode()


def read_page_token(token: str) -> str:
    """Return the position in a page token.

    Raises:
        StoreRefusedError: the page token is invalid.
    """
    try:
        return b64decode(token[:_LONGEST_PAGE_TOKEN].encode("ascii"), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise StoreRefusedError(Why.UNFIT, "The page token is unknown: begin with the first page.") from None
