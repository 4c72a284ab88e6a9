"""The owners of bot names. Each function works within the caller's transaction."""

from typing import Final

from sqlalchemy import Connection, delete, exists, func, insert, select, update

from ordago.names import name_key, quoted
from ordago.store.accounts.rows import BotOwner, KnownBot, Sighting
from ordago.store.accounts.schema import accounts, bots, builds, tokens
from ordago.store.errors import StoreRefusedError, Why

NAME_HELD_SECONDS: Final = 90 * 24 * 60 * 60
"""The time for which a name belongs to an account after it was claimed, or last used by a bot."""
MOST_BUILDS: Final = 256
"""The number of builds noted for a bot: more than anybody makes, and a bound on invented ones."""
_OWNED: Final = bots.c.account == accounts.c.name


def claim(connection: Connection, name: str, account: str, at: int) -> str:
    """Claim a name without an owner, and return the account that owns it now."""
    key = name_key(name)
    owner = owners(connection, at, key=key).get(key)
    if owner is not None:
        return owner
    # A name that was unused for too long has a new owner now: forget the bot that had it before.
    forget(connection, key)
    row = {"key": key, "name": name, "account": account, "claimed_at": at, "takes_challenges": False}
    connection.execute(insert(bots), row)
    return account


def forget(connection: Connection, key: str) -> None:
    """Release a name, and delete everything that is known of its bot."""
    connection.execute(delete(builds).where(builds.c.bot_key == key))
    connection.execute(delete(bots).where(bots.c.key == key))


def leave_behind(connection: Connection, account: str) -> None:
    """Forget the bots of an account but for the names under which some came in, which stay its own."""
    own = bots.c.account == account
    connection.execute(delete(builds).where(builds.c.bot_key.in_(select(bots.c.key).where(own))))
    connection.execute(delete(bots).where(own, bots.c.last_seen_at.is_(None)))
    connection.execute(update(bots).where(own).values(takes_challenges=False))


def is_bound(connection: Connection, key: str) -> bool:
    """Return True if a token that was not revoked is bound to a name."""
    return key in _bound(connection)


def _bound(connection: Connection) -> set[str]:
    bound = select(tokens.c.bot).where(tokens.c.bot != "", tokens.c.revoked_at.is_(None))
    return {name_key(bot) for bot in connection.scalars(bound)}


def _left_behind(connection: Connection) -> set[str]:
    """Return the keys of the names of deleted accounts, which stay taken: standings and records have them."""
    return set(connection.scalars(select(bots.c.key).join(accounts, _OWNED).where(accounts.c.pseudonym != "")))


def owners(connection: Connection, now: float, *, key: str | None = None) -> dict[str, str]:
    """Return the account that owns each name, or one name, by the keys of the names."""
    kept = _bound(connection) | _left_behind(connection)
    known = select(bots.c.key, bots.c.account, bots.c.claimed_at, bots.c.last_seen_at)
    rows = connection.execute(known if key is None else known.where(bots.c.key == key))
    since = now - NAME_HELD_SECONDS
    return {
        row.key: row.account for row in rows if max(row.claimed_at, row.last_seen_at or 0) > since or row.key in kept
    }


def own_key(connection: Connection, account: str, name: str, now: float) -> str:
    """Return the key of the name of an account's bot.

    Raises:
        StoreRefusedError: the name is not the account's.
    """
    key = name_key(name)
    if owners(connection, now, key=key).get(key) != account:
        raise StoreRefusedError(Why.UNKNOWN, f"The account has no bot {quoted(name)}.")
    return key


def owner(connection: Connection, name: str, now: float) -> BotOwner | None:
    """Return the owner of a name; ``None`` if it is free."""
    key = name_key(name)
    account = owners(connection, now, key=key).get(key)
    if account is None:
        return None
    in_good_standing = exists().where(accounts.c.name == account, accounts.c.banned_at.is_(None))
    chosen = select(bots.c.key).where(bots.c.key == key, bots.c.takes_challenges, in_good_standing)
    return BotOwner(account, takes_challenges=connection.execute(chosen).first() is not None)


def let_challenge(connection: Connection, account: str, name: str, *, allowed: bool, now: float) -> None:
    """Set whether bots of other accounts may challenge an account's bot.

    Raises:
        StoreRefusedError: the name is not the account's.
    """
    here = bots.c.key == own_key(connection, account, name, now)
    connection.execute(update(bots).where(here).values(takes_challenges=allowed))


def known(connection: Connection, account: str | None) -> list[KnownBot]:
    """Return all bots, or those of an account, in order of their names, the oldest build first."""
    columns = bots.c.key, bots.c.name, bots.c.account, bots.c.takes_challenges
    chosen = select(*columns, builds.c.version, builds.c.build, builds.c.first_seen_at)
    joined = chosen.join_from(bots, builds, isouter=True)
    rows = connection.execute(joined if account is None else joined.where(bots.c.account == account))
    # Databases have orders of letters of their own.
    found = sorted(rows, key=lambda row: (row.key, row.first_seen_at or 0))
    return [
        KnownBot(row.name, row.account, row.version or "", row.build or "", row.first_seen_at, row.takes_challenges)
        for row in found
    ]


def note_use(connection: Connection, sighting: Sighting) -> None:
    """Note the time when a bot connected under its name."""
    seen = update(bots).where(bots.c.key == name_key(sighting.name)).values(last_seen_at=sighting.at)
    connection.execute(seen)


def note_build(connection: Connection, sighting: Sighting) -> None:
    """Note the build of a bot that connected, if there is room for more."""
    what = {"bot_key": name_key(sighting.name), "version": sighting.version, "build": sighting.build}
    of_bot = select(func.count()).select_from(builds).where(builds.c.bot_key == what["bot_key"])
    if (connection.scalar(of_bot) or 0) >= MOST_BUILDS:
        return
    if connection.execute(select(builds).filter_by(**what)).first() is None:
        connection.execute(insert(builds), what | {"first_seen_at": sighting.at})
