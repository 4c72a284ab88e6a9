"""Accounts, tokens and invitations as values. Times are whole seconds since 1970, UTC."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum, unique
from functools import cache
from typing import Any, Final, NamedTuple

MAX_LIMIT: Final = 1_000_000
"""The highest value of any limit of an account."""


@unique
class Scope(StrEnum):
    """A permission of a token. The scopes that an account's tokens may have are its **roles**."""

    PLAY = "play"
    """To connect as a bot."""
    ORGANISE = "organise"
    """To hold events."""
    OBSERVE = "observe"
    """To watch matches that are not public."""
    ADMIN = "admin"
    """To look after the server."""


@unique
class TokenState(StrEnum):
    """The validity of a token."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"
    BANNED = "banned"
    """Its account is banned."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on what an account has at once; each from 0 to ``MAX_LIMIT``."""

    bots: int = 64
    """Bots that are here or may come back, by their names: a bot counts once, however many processes it has."""
    tokens: int = 64
    """Valid tokens. The organiser may make more; those count too."""
    sessions: int = 2048
    """Sessions, of bots that are here and of those that may come back."""
    names: int = 64
    """Bot names of the account. The organiser may bind more to tokens; those count too."""


@dataclass(frozen=True, slots=True)
class Account:
    """An identity that may sign in: an author, an organiser, an operator of the server."""

    name: str
    roles: frozenset[Scope]
    limits: Limits
    created_at: int
    banned_at: int | None = None
    """Since when it is banned; ``None`` where it is not."""
    ban_reason: str = ""
    """The reason for its ban, as shown to its author."""
    pseudonym: str = ""
    """The text that is shown in place of its name since it was deleted; empty if it was not."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    id: str
    """The identifier of the token; it is no secret."""
    fingerprint: bytes = field(repr=False)
    account: str
    scopes: frozenset[Scope]
    bot: str
    """The only bot that may connect with it; empty for any of its account."""
    created_at: int
    expires_at: int | None = None
    last_used_at: int | None = None
    revoked_at: int | None = None

    def state(self, now: float) -> TokenState:
        """Return the validity of the token itself at a time."""
        if self.revoked_at is not None:
            return TokenState.REVOKED
        expired = self.expires_at is not None and self.expires_at <= now
        return TokenState.EXPIRED if expired else TokenState.ACTIVE


class Holder(NamedTuple):
    """A token, and the account that it is made out to."""

    token: Token
    account: Account

    @property
    def scopes(self) -> frozenset[Scope]:
        """The scopes of the token, as far as its account still has the role."""
        return self.token.scopes & self.account.roles

    def state(self, now: float) -> TokenState:
        """Return the validity of the token at a time."""
        state = self.token.state(now)
        banned = state is TokenState.ACTIVE and self.account.banned_at is not None
        return TokenState.BANNED if banned else state


@dataclass(frozen=True, slots=True)
class Invitation:
    """Leave to open an account, once."""

    digest: bytes = field(repr=False)
    """The SHA-256 of its code."""
    roles: frozenset[Scope]
    account: str
    """The name that the account will have; empty for one that the author chooses."""
    created_at: int
    expires_at: int
    used_at: int | None = None


@unique
class Act(StrEnum):
    """An act on an account, as its log names it."""

    INVITE = "invite"
    """An invitation was made."""
    REGISTER = "register"
    """The account was opened by an invitation."""
    CREATE_TOKEN = "create-token"  # noqa: S105 - what was done
    """A token was made at the folder, and the account with it, if there was none."""
    REVOKE_TOKEN = "revoke-token"  # noqa: S105 - what was done
    """A token was revoked."""
    SET_ROLES = "set-roles"
    """The account got other roles."""
    SET_LIMITS = "set-limits"
    """The account got other limits."""
    BAN = "ban"
    """The account was banned."""
    UNBAN = "unban"
    """The ban of the account ended."""
    OPEN_EVENT = "open-event"
    """An event of the account was opened again by an admin."""
    STOP_EVENT = "stop-event"
    """An event of the account was stopped by an admin."""
    REMOVE_EVENT = "remove-event"
    """An event of the account was removed, by the account or by an admin."""
    ANNOUNCE = "announce"
    """An announcement was made."""
    WITHDRAW_ANNOUNCEMENT = "withdraw-announcement"
    """An announcement was withdrawn."""
    PAUSE_SEATING = "pause-seating"
    """Seating was paused, by an announcement."""
    RESUME_SEATING = "resume-seating"
    """A pause of seating was ended."""
    END_SESSION = "end-session"
    """A session of the account was ended."""
    EXPORT = "export"
    """The data kept of the account was given to somebody else."""
    DELETE = "delete"
    """The account was deleted."""


class Actor(NamedTuple):
    """The author of an act on an account."""

    name: str
    """An account; at the folder, a user of the operating system."""
    at_folder: bool = False


class LogEntry(NamedTuple):
    """An entry of the log of changes to accounts, with the columns of its row. Nothing in it is secret."""

    number: int
    """From 1; later entries have greater numbers."""
    at: int
    """The time of the act."""
    actor: str
    """The author of the act: see ``Actor``."""
    at_folder: bool
    act: Act
    account: str
    """The account concerned; empty where an invitation leaves the name open, and for the whole server."""
    subject: str
    """The id of the token or session, the name of the event, or the number of the announcement; empty where it was done
    to the account itself."""
    detail: str
    """The new values: roles, changed limits, the scopes of a token, the sentence announced, the bot of a session."""
    why: str
    """The reason given."""


class Announcement(NamedTuple):
    """A sentence of the operator for everybody, with the columns of its row and the fields of its message."""

    number: int
    """From 1; later announcements have greater numbers."""
    sentence: str
    made_at: int
    ends_at: int | None
    """When it ceases to stand; ``None``: when it is withdrawn."""
    pauses_seating: bool
    """True if no match begins at standing tables while it stands."""


class Sighting(NamedTuple):
    """A bot that connected with a token."""

    token_id: str
    account: str
    name: str
    version: str
    build: str
    at: int


class KnownBot(NamedTuple):
    """A bot that connected: its name, version and build, and the owner of its name."""

    name: str
    account: str
    version: str
    build: str
    first_seen_at: int | None
    """``None`` where only the name is bound."""
    takes_challenges: bool = False
    """True if bots of other accounts may challenge it."""


class BotOwner(NamedTuple):
    """The owner of a bot's name."""

    account: str
    takes_challenges: bool
    """True if bots of other accounts may challenge its bot; False while the owner is banned."""


def token_values(token: Token) -> dict[str, object]:
    """Return the row of a token."""
    values = {one.name: getattr(token, one.name) for one in fields(token)}
    return values | {"scopes": scopes_text(token.scopes)}


def token_of(row: Sequence[Any]) -> Token:
    """Return the token of a row, whose columns stand as the fields of a token do."""
    token_id, fingerprint, account, scopes, *rest = row
    return Token(token_id, fingerprint, account, scopes_of(scopes), *rest)


def limit_values(limits: Limits) -> dict[str, int]:
    """Return the columns of limits."""
    return {f"most_{name}": number for name, number in asdict(limits).items()}


def account_of(row: Sequence[Any]) -> Account:
    """Return the account of a row of all its columns."""
    name, _key, roles, *limits, created_at, banned_at, ban_reason, pseudonym = row
    return Account(name, scopes_of(roles), Limits(*limits), created_at, banned_at, ban_reason, pseudonym)


def invitation_of(row: Sequence[Any]) -> Invitation:
    """Return the invitation of a row, whose columns stand as the fields of an invitation do."""
    digest, roles, *rest = row
    return Invitation(digest, scopes_of(roles), *rest)


def scopes_text(scopes: Iterable[Scope]) -> str:
    """Return scopes as a column has them."""
    return " ".join(sorted(scopes))


def roles_text(roles: Iterable[Scope]) -> str:
    """Return roles as the log has them."""
    return scopes_text(roles) or "no roles"


@cache  # all tokens are read every other second, and there are sixteen such texts
def scopes_of(text: str) -> frozenset[Scope]:
    """Return the scopes of a column."""
    return frozenset(map(Scope, text.split()))
