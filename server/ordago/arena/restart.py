"""What a server does first that was started anew: it takes up the sessions and matches of its journal."""

from collections.abc import Callable
from typing import Any

from ordago import v1
from ordago.arena.admission.authenticator import Admission
from ordago.arena.bot import Bot
from ordago.arena.open_tables import OpenTables
from ordago.arena.processes.supervisor import absent_bot
from ordago.arena.server import Server
from ordago.journal import Journal
from ordago.journal.v1 import JournaledMatch, JournaledSession


def restore(
    journal: Journal,
    server: Server,
    tables: OpenTables[Any],
    *,
    readmit: Callable[[JournaledSession], Admission],
) -> None:
    """Take up the sessions and matches of a journal. Call it before the first bot can connect.

    Args:
        journal: the journal.
        server: receives the bots of the sessions when they come back.
        tables: plays the matches when their bots are back, or do not come.
        readmit: returns the leave of a session.
    """
    bots = {session.session_id: server.sessions.restore(session, readmit(session)) for session in journal.sessions}
    for match in journal.matches:
        seats = [
            (bots.get(seat.session_id) or _gone(match, number)).take_seat_again(seat.match_handle)
            if seat.session_id
            else None
            for number, seat in enumerate(match.seats)
        ]
        tables.carry_on(match, seats, journal.page(match.record.match_id), journal.outage)


def _gone(match: JournaledMatch, seat: int) -> Bot:
    """Return a stand-in for a bot whose session was over before its match."""
    return absent_bot(match.record.seats[seat].name, v1.FAULT_DISCONNECTED, "the bot's session was over")
