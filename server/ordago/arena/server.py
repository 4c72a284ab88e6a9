"""Assembly of a server: for a single match, an event, or the standing tables."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from ordago import v1
from ordago.arena.admission.authenticator import Admission, AllowEverybody, Authenticator, Refusal
from ordago.arena.admission.handler import BotConnectionHandler
from ordago.arena.admission.limits import ConnectionBounds, ConnectionLimits, party
from ordago.arena.admission.reception import Reception
from ordago.arena.admission.sessions import Sessions
from ordago.arena.bot import Bot
from ordago.arena.connection import Connection, ConnectionHandler
from ordago.arena.processes.supervisor import absent_bot
from ordago.arena.referee_clock import RefereeClock
from ordago.arena.tables.open_tables import OpenTables
from ordago.journal import NO_JOURNAL, Journal, MatchJournal
from ordago.journal.v1 import JournaledMatch, JournaledSession
from ordago.telemetry.telemetry import Telemetry

MAX_MATCHES: Final = 1024
"""Default maximum of matches that a bot plays at once."""


class Server:
    """Accepts connections and makes bots of them. It is a ``connection.Acceptor``: call it with each connection."""

    def __init__(
        self,
        authenticator: Authenticator,
        *,
        games: Iterable[str],
        max_matches: int = MAX_MATCHES,
        bounds: ConnectionBounds | None = None,
        telemetry: Telemetry | None = None,
        journal: MatchJournal = NO_JOURNAL,
        clock: RefereeClock | None = None,
    ) -> None:
        """Assemble a server.

        Args:
            authenticator: admits bots, or refuses them.
            games: the short names of the games on offer.
            max_matches: maximum of matches that a bot plays at once.
            bounds: limits on connections and sessions; ``None`` for the defaults.
            telemetry: receives what happens; ``None`` to drop that.
            journal: holds sessions, so that they can be resumed after a restart, and choices.
            clock: the clock that bots are charged by; ``None`` for one of its own. Servers behind one event router
                share it.
        """
        self.clock = clock or RefereeClock()
        """The clock that bots are charged by."""
        self.telemetry = telemetry or Telemetry()
        """The telemetry of the server."""
        self.together: Final = journal.together
        """Journals all choices made within its context in one write at its end. See ``connection.Acceptor``."""
        bounds = bounds or ConnectionBounds()
        self.sessions = Sessions(self.clock, bounds=bounds, telemetry=self.telemetry, journal=journal)
        """The sessions of all bots that are connected or may come back."""
        self._authenticator = authenticator
        self._limits = ConnectionLimits(bounds, self.clock, self.telemetry)
        self._reception = Reception(
            authenticator,
            self.sessions,
            self._limits,
            self.clock,
            games=games,
            max_matches=max_matches,
            telemetry=self.telemetry,
        )

    def __call__(self, connection: Connection) -> ConnectionHandler:
        """Accept a new connection and return its handler."""
        handler, refusal = self._come(connection)
        if refusal is not None:
            handler.refuse(refusal)
        return handler

    def turn_away(self, connection: Connection, refusal: Refusal) -> ConnectionHandler:
        """Refuse a new connection and return its handler. It counts towards the limits like any other."""
        handler, too_many = self._come(connection)
        handler.refuse(too_many or refusal)
        return handler

    def _come(self, connection: Connection) -> tuple[BotConnectionHandler, Refusal | None]:
        """Count a new connection; return its handler, and a refusal if it exceeds a limit."""
        deadline = self.clock.now() + self._limits.bounds.hello_seconds
        handler = BotConnectionHandler(
            connection,
            self._reception,
            self.sessions,
            self._limits,
            self.telemetry,
            party=party(connection.origin, token=self._authenticator.recognise(connection.token)),
            deadline=deadline,
        )
        return handler, self._limits.come(handler)

    def review(self) -> None:
        """End the sessions that are no longer permitted."""
        self.sessions.review(self._authenticator.review)


def open_server(
    tables: OpenTables[Any],
    authenticator: Authenticator | None = None,
    *,
    max_matches: int = MAX_MATCHES,
    bounds: ConnectionBounds | None = None,
    journal: MatchJournal = NO_JOURNAL,
) -> Server:
    """Assemble a server whose bots are seated at open tables.

    Args:
        tables: seat the bots; the server shares their telemetry.
        authenticator: admits bots, and has to report those that arrive to the tables; ``None`` to admit every bot.
        max_matches: maximum of matches that a bot plays at once.
        bounds: limits on connections and sessions; ``None`` for the defaults.
        journal: holds sessions, so that they can be resumed after a restart, and choices.
    """
    bounds = bounds or ConnectionBounds()
    server = Server(
        authenticator or AllowEverybody(tables.arrived),
        games=tables.games,
        max_matches=max_matches,
        bounds=bounds,
        telemetry=tables.telemetry,
        journal=journal,
    )
    server.telemetry.counters.sessions.most_connected = bounds.max_connections
    tables.keep_within(bounds.max_matches, make_room=server.sessions.give_up_a_player)
    return server


def restore(
    journal: Journal,
    server: Server,
    tables: OpenTables[Any],
    *,
    readmit: Callable[[JournaledSession], Admission],
) -> None:
    """Restore the sessions and matches of a journal. Call it before the first bot can connect.

    Args:
        journal: the journal.
        server: restores the sessions, so that their bots can resume.
        tables: play the matches once their bots are back, or the resume window is over.
        readmit: returns the admission of a session.
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
    """Return a stand-in for a bot whose session ended before its match did."""
    return absent_bot(match.record.seats[seat].name, v1.FAULT_DISCONNECTED, "the bot's session was over")
