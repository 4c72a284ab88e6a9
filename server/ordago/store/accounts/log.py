"""The log of changes to accounts. Entries are added and read; none is removed, and only deleted accounts are renamed.

Each function works within the caller's transaction, so that an act and its entry are written together or not at
all.
"""

import os
import pwd
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, and_, func, insert, or_, select, update

from ordago.names import MAX_NAME_LENGTH, visible
from ordago.store.accounts.rows import Act, Actor, LogEntry
from ordago.store.accounts.schema import account_log

_LONGEST_DETAIL: Final = 200
"""Longer details are cut off, so that entries stay short."""


def add_entry(
    connection: Connection,
    act: Act,
    account: str,
    *,
    by: Actor | None,
    at: float,
    subject: str = "",
    detail: str = "",
    why: str = "",
) -> None:
    """Add an entry.

    Args:
        connection: the transaction.
        act: the act.
        account: to which account; empty where an invitation leaves its name open.
        by: the actor; ``None``: the operating-system user of this process.
        at: when, in seconds since 1970, UTC.
        subject: the id of the token, or the name of the event.
        detail: what the account has from then on.
        why: the reason given.
    """
    # Writers come one after the other, so no two find the same number.
    number = (connection.scalar(select(func.max(account_log.c.number))) or 0) + 1
    by = by or user_of_folder()
    entry = LogEntry(number, int(at), by.name, by.at_folder, act, account, subject, detail[:_LONGEST_DETAIL], why)
    connection.execute(insert(account_log), entry._asdict())


def read_log(connection: Connection, *, account: str, before: int | None, most: int) -> Sequence[LogEntry]:
    """Return the newest entries.

    Args:
        connection: the transaction.
        account: only changes to this account, or by it; empty for all.
        before: only entries with smaller numbers; ``None`` for all.
        most: the number of entries, at most.
    """
    wanted = select(account_log).order_by(account_log.c.number.desc()).limit(most)
    if account:
        by_it = and_(account_log.c.actor == account, account_log.c.at_folder.is_(False))
        wanted = wanted.where(or_(account_log.c.account == account, by_it))
    if before is not None:
        wanted = wanted.where(account_log.c.number < before)
    rows = connection.execute(wanted)
    return [LogEntry(**dict(row) | {"act": Act(row["act"])}) for row in rows.mappings()]


def rename_in_log(connection: Connection, account: str, pseudonym: str) -> None:
    """Replace the name of an account that is deleted by its pseudonym."""
    connection.execute(update(account_log).where(account_log.c.account == account).values(account=pseudonym))
    by_it = account_log.c.actor == account, account_log.c.at_folder.is_(False)
    connection.execute(update(account_log).where(*by_it).values(actor=pseudonym))


def user_of_folder() -> Actor:
    """Return the user of the operating system whose process this is, whatever its environment says."""
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        # In a container users often have a number alone.
        name = f"uid {number}"
    return Actor(visible(name)[:MAX_NAME_LENGTH], at_folder=True)
