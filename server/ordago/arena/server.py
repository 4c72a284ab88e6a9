"""A server put together: whoever starts one, for one match, an event or strangers, starts here."""

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
"""How many matches a bot plays at once at most, where nothing else is said."""


class Server:
    """Takes connections, and makes bots of them. It is a ``connection.Acceptor``: call it with each new connection."""

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
        """Put a server together.

        Args:
            authenticator: who may come in.
            games: the games that bots come in for, by their short names.
            max_matches: how many matches a bot plays at once at most.
            bounds: how many may come; the defaults of ``ConnectionBounds`` if ``None``.
            telemetry: where it is told what happens; nowhere if ``None``.
            journal: where sessions are noted, so that they can be resumed after a restart, and choices kept.
            clock: the clock that bots are charged by, where it is that of whoever hands connections on; else its own.
        """
        self.clock = clock or RefereeClock()
        """The clock that bots are charged by."""
        self.telemetry = telemetry or Telemetry()
        """Where it is told what happens."""
        self.together: Final = journal.together
        """Keeps what bots choose within its context in one go, at its end. See ``connection.Acceptor``."""
        bounds = bounds or ConnectionBounds()
        self.sessions = Sessions(self.clock, bounds=bounds, telemetry=self.telemetry, journal=journal)
        """Who is here, and who may come back."""
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
        """Take a new connection and return who is to be told about it."""
        handler, refusal = self._come(connection)
        if refusal is not None:
            handler.refuse(refusal)
        return handler

    def turn_away(self, connection: Connection, refusal: Refusal) -> ConnectionHandler:
        """Turn a new connection away, which counts as any other, and return who is to be told about it."""
        handler, too_many = self._come(connection)
        handler.refuse(too_many or refusal)
        return handler

    def _come(self, connection: Connection) -> tuple[BotConnectionHandler, Refusal | None]:
        """Count a new connection; return who is to be told about it, and why it has to stay outside, if it has."""
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
        """End the sessions of those whose leave is not good any more."""
        self.sessions.review(self._authenticator.review)


def open_server(
    tables: OpenTables[Any],
    authenticator: Authenticator | None = None,
    *,
    max_matches: int = MAX_MATCHES,
    bounds: ConnectionBounds | None = None,
    journal: MatchJournal = NO_JOURNAL,
) -> Server:
    """Put a server together whose bots sit at open tables.

    Args:
        tables: where bots are seated; what happens is told where they tell it.
        authenticator: who may come in, which is to tell the tables who arrives; everybody if ``None``.
        max_matches: how many matches a bot plays at once at most.
        bounds: how many may come; the defaults of ``ConnectionBounds`` if ``None``.
        journal: where sessions are noted, so that they can be resumed after a restart, and choices kept.
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
    tables.keep_within(bounds.max_matches, make_room=server.sessions.give_up_a_player)
    return server


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
