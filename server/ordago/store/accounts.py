"""The accounts of a server: who may come in, as whom, and for what.

An account is a name that tokens are made out to. A token is 32 random bytes. It is shown once, and what is kept of it
is its SHA-256, by which it is found: nobody can try 2**256 tokens, so a hash that is slow on purpose, as for passwords
that people think of, would add nothing but work at each entry. To look a fingerprint up takes no time that tells
anything about the token.

A bot's name belongs to the account that it was first bound to or seen with; its versions and builds are noted with it.
A name that nobody came in under for long is anybody's again, unless a token is bound to it.
"""

import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum, unique
from typing import Final, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update

from ordago.fingerprint import fingerprint
from ordago.store.account_tables import ACCOUNTS_SCHEMA, bots, builds, tokens, uses
from ordago.store.database import Stored
from ordago.store.errors import StoreError

TOKEN_PREFIX: Final = "ordago_"  # noqa: S105 - what all tokens begin with
"""What each token begins with, so that one that got into the wrong place is found by those who look for such."""
_TOKEN_BYTES: Final = 32
"""As many as a fingerprint has: more would not make a token harder to find."""
NAME_HELD_SECONDS: Final = 90 * 24 * 60 * 60
"""For so long a name belongs to an account after a bot came in under it last, or after it was claimed."""
_MOST_BUILDS: Final = 256
"""So many builds of a bot are noted: more than anybody makes, and few enough if somebody makes them up."""
_ID_BYTES: Final = 6
"""Short enough to be typed; two of a thousand tokens are alike by chance at one server in half a billion."""


@unique
class Scope(StrEnum):
    """What a token is good for."""

    PLAY = "play"
    """To come in as a bot."""
    ORGANISE = "organise"
    """To hold events."""
    OBSERVE = "observe"
    """To watch what is not open to everybody."""
    ADMIN = "admin"
    """To look after the server."""


@unique
class TokenState(StrEnum):
    """Whether a token is good."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token. Times are whole seconds since 1970, UTC."""

    id: str
    """What it is called where it is spoken of; it is no secret."""
    fingerprint: bytes = field(repr=False)
    account: str
    scopes: frozenset[Scope]
    bot: str
    """The only bot that may come in with it; empty for any of its account."""
    created_at: int
    expires_at: int | None = None
    last_used_at: int | None = None
    revoked_at: int | None = None

    def state(self, now: float) -> TokenState:
        """Say whether it is good at a time."""
        if self.revoked_at is not None:
            return TokenState.REVOKED
        expired = self.expires_at is not None and self.expires_at <= now
        return TokenState.EXPIRED if expired else TokenState.ACTIVE


class Sighting(NamedTuple):
    """A bot that came in with a token."""

    token_id: str
    account: str
    name: str
    version: str
    build: str
    at: int
    """In whole seconds since 1970, UTC."""


class KnownBot(NamedTuple):
    """A bot: a name, a version and a build that came in, and whose name it is."""

    name: str
    account: str
    version: str
    build: str
    first_seen_at: int | None
    """In whole seconds since 1970, UTC; ``None`` where only the name is bound."""


def name_key(name: str) -> str:
    """Return what a name has in common with all that look the same: case, width and spaces do not tell bots apart."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class Accounts(Stored):
    """The accounts' database.

    All methods are synchronous and may be called from any thread, several at once. Each is one transaction. Any of them
    raises ``StoreError`` where the database itself fails.
    """

    _schema = ACCOUNTS_SCHEMA

    def create_token(
        self, *, account: str, scopes: Iterable[Scope], now: float, bot: str = "", expires_at: int | None = None
    ) -> tuple[str, Token]:
        """Make a token out to an account, and return it with what is known of it. It cannot be shown again.

        Args:
            account: whom it belongs to.
            scopes: what it is good for.
            now: the time, in seconds since 1970, UTC.
            bot: the only bot that may come in with it, whose name then belongs to the account; empty for any.
            expires_at: when it ceases to be good, in whole seconds since 1970, UTC; ``None`` for never.

        Raises:
            StoreError: the bot's name belongs to another account.
        """
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
        with self._database.writing() as connection:
            if bot and _claim(connection, bot, account, int(now)) != account:
                raise StoreError(f"The bot name {bot!r} belongs to another account.")
            connection.execute(insert(tokens), _values(token))
        return secret, token

    def revoke(self, token_id: str, *, now: float) -> Token:
        """Make a token worthless for ever, and return it. One that was revoked before stays as it is.

        Raises:
            StoreError: there is no such token.
        """
        chosen = tokens.c.id == token_id
        with self._database.writing() as connection:
            connection.execute(update(tokens).where(chosen, tokens.c.revoked_at.is_(None)).values(revoked_at=int(now)))
            row = connection.execute(select(tokens).where(chosen)).mappings().first()
        if row is None:
            raise StoreError(f"There is no token {token_id!r}.")
        return _token(row)

    def tokens(self) -> Sequence[Token]:
        """Return all tokens, the oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(select(tokens).order_by(tokens.c.created_at, tokens.c.id)).mappings()
            return [_token(row) for row in rows]

    def find(self, wanted: bytes) -> Token | None:
        """Return the token of a fingerprint."""
        with self._database.reading() as connection:
            row = connection.execute(select(tokens).where(tokens.c.fingerprint == wanted)).mappings().first()
        return None if row is None else _token(row)

    def owners(self, *, now: float) -> Mapping[str, str]:
        """Return which account each bot's name belongs to at a time, by the key of the name: see ``name_key``."""
        with self._database.reading() as connection:
            return _owners(connection, now)

    def bots(self) -> Sequence[KnownBot]:
        """Return all bots, in order of their names, the oldest build first."""
        known = select(
            bots.c.key, bots.c.name, bots.c.account, builds.c.version, builds.c.build, builds.c.first_seen_at
        )
        joined = known.join_from(bots, builds, isouter=True)
        with self._database.reading() as connection:
            # Databases have orders of letters of their own.
            rows = sorted(connection.execute(joined), key=lambda row: (row.key, row.first_seen_at or 0))
        return [KnownBot(row.name, row.account, row.version or "", row.build or "", row.first_seen_at) for row in rows]

    def enter(self, sightings: Iterable[Sighting]) -> None:
        """Note which bots came in. A name that belongs to nobody belongs to the account of the first of them."""
        with self._database.writing() as connection:
            for sighting in sightings:
                used = update(tokens).where(tokens.c.id == sighting.token_id).values(last_used_at=sighting.at)
                connection.execute(used)
                if _claim(connection, sighting.name, sighting.account, sighting.at) == sighting.account:
                    _note_use(connection, sighting)
                    _note_build(connection, sighting)


def _claim(connection: Connection, name: str, account: str, at: int) -> str:
    """Bind a name that belongs to nobody, and return the account that it belongs to."""
    key = name_key(name)
    owner = _owners(connection, at, key=key).get(key)
    if owner is not None:
        return owner
    # What is known of a bot whose name was held for too long goes with it.
    for table in (uses, builds):
        connection.execute(delete(table).where(table.c.bot_key == key))
    connection.execute(delete(bots).where(bots.c.key == key))
    connection.execute(insert(bots), {"key": key, "name": name, "account": account, "claimed_at": at})
    return account


def _owners(connection: Connection, now: float, *, key: str | None = None) -> dict[str, str]:
    """Return which account each name belongs to, or one name."""
    bound = select(tokens.c.bot).where(tokens.c.bot != "", tokens.c.revoked_at.is_(None))
    kept = {name_key(bot) for bot in connection.scalars(bound)}
    known = select(bots.c.key, bots.c.account, bots.c.claimed_at, uses.c.last_seen_at)
    known = known.join_from(bots, uses, isouter=True)
    rows = connection.execute(known if key is None else known.where(bots.c.key == key))
    since = now - NAME_HELD_SECONDS
    return {
        row.key: row.account for row in rows if max(row.claimed_at, row.last_seen_at or 0) > since or row.key in kept
    }


def _note_use(connection: Connection, sighting: Sighting) -> None:
    key = name_key(sighting.name)
    seen = update(uses).where(uses.c.bot_key == key).values(last_seen_at=sighting.at)
    if not connection.execute(seen).rowcount:
        connection.execute(insert(uses), {"bot_key": key, "last_seen_at": sighting.at})


def _note_build(connection: Connection, sighting: Sighting) -> None:
    what = {"bot_key": name_key(sighting.name), "version": sighting.version, "build": sighting.build}
    of_bot = select(func.count()).select_from(builds).where(builds.c.bot_key == what["bot_key"])
    if (connection.scalar(of_bot) or 0) >= _MOST_BUILDS:
        return
    if connection.execute(select(builds).filter_by(**what)).first() is None:
        connection.execute(insert(builds), what | {"first_seen_at": sighting.at})


def _values(token: Token) -> dict[str, object]:
    values = {one.name: getattr(token, one.name) for one in fields(token)}
    return values | {"scopes": " ".join(sorted(token.scopes))}


def _token(row: RowMapping) -> Token:
    values = {one.name: row[one.name] for one in fields(Token)}
    return Token(**values | {"scopes": frozenset(map(Scope, row["scopes"].split()))})
