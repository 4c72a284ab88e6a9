"""The owners of bot names. Each function works within the caller's transaction."""

from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from ordago.names import name_key
from ordago.store.accounts.rows import Sighting
from ordago.store.accounts.schema import bots, builds, tokens

NAME_HELD_SECONDS: Final = 90 * 24 * 60 * 60
"""The time for which a name belongs to an account after it was claimed, or last used by a bot."""
_MOST_BUILDS: Final = 256
"""The number of builds noted for a bot: more than anybody makes, and a bound on invented ones."""


def claim(connection: Connection, name: str, account: str, at: int) -> str:
    """Claim a name without an owner, and return the account that owns it now."""
    key = name_key(name)
    owner = owners(connection, at, key=key).get(key)
    if owner is not None:
        return owner
    # A name that was unused for too long has a new owner now: forget the bot that had it before.
    forget(connection, key)
    connection.execute(insert(bots), {"key": key, "name": name, "account": account, "claimed_at": at})
    return account


def forget(connection: Connection, key: str) -> None:
    """Release a name, and delete everything that is known of its bot."""
    connection.execute(delete(builds).where(builds.c.bot_key == key))
    connection.execute(delete(bots).where(bots.c.key == key))


def is_bound(connection: Connection, key: str) -> bool:
    """Return True if a token that was not revoked is bound to a name."""
    return key in _bound(connection)


def _bound(connection: Connection) -> set[str]:
    bound = select(tokens.c.bot).where(tokens.c.bot != "", tokens.c.revoked_at.is_(None))
    return {name_key(bot) for bot in connection.scalars(bound)}


def owners(connection: Connection, now: float, *, key: str | None = None) -> dict[str, str]:
    """Return the account that owns each name, or one name, by the keys of the names."""
    kept = _bound(connection)
    known = select(bots.c.key, bots.c.account, bots.c.claimed_at, bots.c.last_seen_at)
    rows = connection.execute(known if key is None else known.where(bots.c.key == key))
    since = now - NAME_HELD_SECONDS
    return {
        row.key: row.account for row in rows if max(row.claimed_at, row.last_seen_at or 0) > since or row.key in kept
    }


def note_use(connection: Connection, sighting: Sighting) -> None:
    """Note the time when a bot connected under its name."""
    seen = update(bots).where(bots.c.key == name_key(sighting.name)).values(last_seen_at=sighting.at)
    connection.execute(seen)


def note_build(connection: Connection, sighting: Sighting) -> None:
    """Note the build of a bot that connected, if there is room for more."""
    what = {"bot_key": name_key(sighting.name), "version": sighting.version, "build": sighting.build}
    of_bot = select(func.count()).select_from(builds).where(builds.c.bot_key == what["bot_key"])
    if (connection.scalar(of_bot) or 0) >= _MOST_BUILDS:
        return
    if connection.execute(select(builds).filter_by(**what)).first() is None:
        connection.execute(insert(builds), what | {"first_seen_at": sighting.at})
