"""Announcements of a server's operator, which stand until they end or are withdrawn, over restarts too.

One of them may pause seating: so a pause has a sentence that bots and visitors read, and an end if it is given one.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from ordago.store.accounts.log import add_entry
from ordago.store.accounts.rows import Act, Actor, Announcement
from ordago.store.accounts.schema import ACCOUNTS_SCHEMA, announcements
from ordago.store.errors import StoreRefusedError, Why
from ordago.store.versioned import Stored

MOST_STANDING: Final = 5
"""The most announcements at once: each page of the site shows all of them, and each bot is sent all of them."""


class StoredAnnouncements(Stored):
    """The announcements in the accounts' database. Each change is logged in the same transaction."""

    _schema = ACCOUNTS_SCHEMA

    def announcements(self, *, now: float) -> Sequence[Announcement]:
        """Return the announcements that stand at a time, the oldest first."""
        with self._database.reading() as connection:
            return _read(connection, _stands(now))

    def announce(
        self,
        sentence: str,
        *,
        now: float,
        ends_at: int | None = None,
        pauses_seating: bool = False,
        by: Actor | None = None,
        why: str = "",
    ) -> Announcement:
        """Make an announcement of a checked text, and return it; times are seconds since 1970, UTC.

        Raises:
            StoreRefusedError: as many stand as may, or seating is paused already.
        """
        with self._database.writing() as connection:
            _check_room(_read(connection, _stands(now)), pauses_seating=pauses_seating)
            number = (connection.scalar(select(func.max(announcements.c.number))) or 0) + 1
            connection.execute(delete(announcements).where(~_stands(now)))
            made = Announcement(number, sentence, int(now), ends_at, pauses_seating)
            connection.execute(insert(announcements), made._asdict())
            act = Act.PAUSE_SEATING if pauses_seating else Act.ANNOUNCE
            add_entry(connection, act, "", by=by, at=now, subject=str(number), detail=sentence, why=why)
        return made

    def withdraw(self, number: int, *, now: float, by: Actor | None = None, why: str = "") -> Announcement:
        """End an announcement, and return it as it stood.

        Raises:
            StoreRefusedError: none of this number stands.
        """
        with self._database.writing() as connection:
            found = _read(connection, _stands(now) & (announcements.c.number == number))
            if not found:
                raise StoreRefusedError(Why.UNKNOWN, f"No announcement has the number {number} now.")
            ended = update(announcements).where(announcements.c.number == number).values(ends_at=int(now))
            connection.execute(ended)
            act = Act.RESUME_SEATING if found[0].pauses_seating else Act.WITHDRAW_ANNOUNCEMENT
            add_entry(connection, act, "", by=by, at=now, subject=str(number), detail=found[0].sentence, why=why)
        return found[0]


def _stands(now: float) -> ColumnElement[bool]:
    return or_(announcements.c.ends_at.is_(None), announcements.c.ends_at > int(now))


def _read(connection: Connection, wanted: ColumnElement[bool]) -> Sequence[Announcement]:
    rows = connection.execute(select(announcements).where(wanted).order_by(announcements.c.number))
    return [Announcement(*row) for row in rows]


def _check_room(standing: Sequence[Announcement], *, pauses_seating: bool) -> None:
    paused_by = next((one.number for one in standing if one.pauses_seating), None)
    if pauses_seating and paused_by is not None:
        sentence = f"Seating is paused already, by announcement {paused_by}: withdraw that first."
        raise StoreRefusedError(Why.STATE, sentence)
    if len(standing) >= MOST_STANDING:
        raise StoreRefusedError(Why.LIMIT, f"{len(standing)} announcements stand, the maximum: withdraw one first.")
