"""A listening server, from its start to its end, whatever its tables are."""

import logging
import platform
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click
import trio

from ordago import IS_COMPILED, v1
from ordago.arena.admission.authenticator import LastingAuthenticator
from ordago.arena.event_router import EventRouter
from ordago.arena.referees.pool import RefereePool
from ordago.arena.server import open_server, restore
from ordago.arena.stall_detector import stall_detector
from ordago.arena.tables.open_tables import OpenTables
from ordago.edge import Edge, EdgeError, EdgeFailedError, call_gate
from ordago.journal import NO_JOURNAL, Journal
from ordago.ops.backups import last_backup
from ordago.ops.service_manager import ServiceManager
from ordago.ops.stopping import orders_to_stop
from ordago.version import __version__
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_SERVER, CommandError
from ordago_cli.options.watching import watched_by
from ordago_cli.serve.entrance import account_services
from ordago_cli.serve.hosting import EventsHost
from ordago_cli.serve.journals import keep_up_journal
from ordago_cli.serve.last_resort import LastResort
from ordago_cli.serve.site import serving_site

if TYPE_CHECKING:
    from ordago.arena.admission.account_tokens import AccountTokens
    from ordago_cli.serve.settings import ServeSettings

from ordago.arena.referees.pool import RefereesFailedError
from ordago.journal import MatchJournal
from ordago.telemetry.telemetry import Telemetry

_logger = logging.getLogger("ordago.serve")
_GOING_DOWN: Final = "the server goes down"
_END_SECONDS: Final = 3.0
"""The time for other tasks to finish when the grace is over."""
_STARTED_ANEW: Final = "the server restarts; reconnect with a resume"


async def serve_at(settings: "ServeSettings", service: "Service") -> None:
    """Listen, and run a service until signals end it.

    Raises:
        CommandError: an address cannot be listened on, or the server failed.
    """
    tls = settings.entrance.tls(settings.address)
    service.telemetry.counters.backed_up = partial(last_backup, settings.entrance.data)
    # Handle signals before anybody can know that the server is up.
    with watched_by(settings.metrics, service.telemetry.counters), orders_to_stop() as signals:
        try:
            open_edge = Edge.open(
                settings.address,
                service.router,
                tls=tls,
                event=service.router.described,
                services=service.services,
                reflection=settings.entrance.reflection,
                connections=settings.entrance.connections,
            )
            async with open_edge as edge:
                _logger.info("server started", extra=_described(settings, service))
                listening = f"listening on {_with_port(settings.address, edge.port)}; {service.offer}; Ctrl-C to stop"
                async with serving_site(settings, service.router, service.services, edge, service.telemetry) as site:
                    await service.run(signals, edge, ready="\n".join([listening, *site]))
        except EdgeError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
        except EdgeFailedError as error:
            raise CommandError(f"{error}; start it again", exit_code=EXIT_SERVER) from error


def _described(settings: "ServeSettings", service: "Service") -> dict[str, object]:
    """Return what a reader of an old log wants to know of its server, without secrets such as a database's address."""
    entrance, epoch = settings.entrance, service.telemetry.counters.ladder.epoch
    return {
        "version": __version__,
        "build": "compiled" if IS_COMPILED else "pure Python",
        "python": platform.python_version(),
        "offer": service.offer,
        **({"epoch": epoch} if epoch else {}),
        **({"data": str(entrance.data)} if settings.uses_data else {}),
        "tokens": entrance.asks_for_tokens,
        "bots": entrance.bots,
        "processes": settings.processes,
    }


class Service:
    """The tables of a server, its connections, its services, and its shutdown."""

    def __init__(
        self,
        settings: "ServeSettings",
        tables: OpenTables[Any],
        authenticator: LastingAuthenticator,
        journal: Journal | None,
        *,
        offer: str,
        accounts: "AccountTokens | None" = None,
        services: Sequence[call_gate.Service] = (),
        event: Callable[[], v1.DescribeEventResponse] = v1.DescribeEventResponse,
        meanwhile: Callable[[Edge], AbstractAsyncContextManager[object]] = nullcontext,
        events_host: EventsHost | None = None,
        pool: RefereePool | None = None,
        last_resort: LastResort | None = None,
    ) -> None:
        """Build a server, and restore the matches in its journal.

        Args:
            settings: the settings on the command line.
            tables: the tables that seat bots.
            authenticator: decides who may connect.
            journal: stores the matches to resume after a restart; ``None`` to resume none.
            offer: a description of the tables in a few words.
            accounts: the accounts, with the announcements of the operator; ``None`` if no tokens are asked for.
            services: further services.
            event: returns the description of the tables as an event.
            meanwhile: opens a context that lasts while matches are played, given the open server.
            events_host: hosts events; ``None`` for none.
            pool: referees in processes of their own; ``None`` for referees in this process.
            last_resort: ends the process if something hangs after the grace; ``None`` for a new one.
        """
        self.telemetry = tables.telemetry
        """Counts and reports events of the server."""
        self._grace_seconds = settings.grace_seconds
        self._playing = trio.CancelScope()
        self._tables = tables
        self._accounts = accounts
        self._meanwhile = meanwhile
        self.offer = offer
        """A description of the tables in a few words."""
        self.server = open_server(
            tables,
            authenticator,
            max_matches=settings.matches,
            bounds=settings.entrance.bounds,
            journal=journal or NO_JOURNAL,
        )
        """Handles the connections for the tables."""
        self.router = EventRouter(self.server, event)
        """Handles all connections."""
        of_events = events_host.services if events_host is not None else ()
        self.services = (*account_services(accounts, self.router), *services, *of_events)
        """The services besides that of the bots."""
        self._events_host = events_host
        if events_host is not None:
            events_host.hosting.come_in_by(self.router)
        self._pool = pool
        self._last_resort = last_resort or LastResort()
        self._manager = ServiceManager()
        self._journal = journal
        if journal is not None:
            restore(journal, self.server, tables, readmit=authenticator.readmit)

    async def run(self, signals: AsyncIterator[int], edge: Edge, *, ready: str) -> None:
        """Print ``ready`` when all services answer, play until signals stop the server, and say goodbye."""
        detector = stall_detector(self.telemetry, self.server.clock)
        async with detector, trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_on_signals, signals, edge)
            if self._accounts is not None:
                self._heed(self._accounts)
                nursery.start_soon(self._accounts.watch, partial(self._heed, self._accounts))
            nursery.start_soon(self._manager.keep_informed)
            if self._pool is not None:
                nursery.start_soon(keep_up_pool, self._pool)
            if self._journal is not None:
                nursery.start_soon(keep_up_journal, self._journal, self.telemetry)
            with trio.CancelScope() as ending:
                async with (
                    self._meanwhile(edge),
                    self._events_host.running(self.router, edge) if self._events_host else nullcontext(),
                ):
                    click.echo(ready)
                    self._manager.ready()
                    with self._playing:
                        await self._tables.run()
                    self._see_off()
                    if self._playing.cancelled_caught:
                        # The grace is over. Other tasks continue after the next start.
                        ending.deadline = trio.current_time() + _END_SECONDS
            nursery.cancel_scope.cancel()

    def _heed(self, accounts: "AccountTokens") -> None:
        """Apply what may have changed: permissions to sessions, and announcements to bots and tables."""
        self.router.review()
        standing = accounts.announcements
        self.router.announce(standing)
        paused = any(one.pauses_seating for one in standing)
        self._tables.pause(paused=paused)
        self.telemetry.seating(paused=paused)

    def _see_off(self) -> None:
        """Say goodbye; with a journal, suspend the sessions, so that bots come back after the restart.

        At a ladder with several servers, those who come back earlier are let in by another one.
        """
        if self._journal is None:
            self.server.sessions.close(_GOING_DOWN)
            return
        if self._playing.cancelled_caught:
            click.echo(f"{len(self._journal.matches)} matches go on at the next start")
        self.server.sessions.suspend(_STARTED_ANEW)

    async def _stop_on_signals(self, signals: AsyncIterator[int], edge: Edge) -> None:
        """Stop gracefully at the first signal: no new matches. Stop at once at the second."""
        await anext(signals)
        self._manager.stopping()
        edge.stop_inviting()
        if self._events_host is not None:
            self._events_host.hosting.close()
        self._drain()
        await anext(signals)
        self._last_resort.arm(0)
        self._playing.cancel()

    def _drain(self) -> None:
        running = self.telemetry.matches_running
        click.echo(
            f"shutting down when {running} running matches are over, at the latest in {self._grace_seconds:g} s; press "
            "Ctrl-C again to stop at once"
        )
        self._last_resort.arm(self._grace_seconds)
        self._playing.deadline = trio.current_time() + self._grace_seconds
        self.server.sessions.drain(_GOING_DOWN, grace_seconds=self._grace_seconds)
        self._tables.close()


def _with_port(address: str, port: int) -> str:
    return f"{address.rpartition(':')[0]}:{port}"


def pool_of(processes: int, telemetry: Telemetry, journal: MatchJournal) -> RefereePool | None:
    """Return a pool of this many referee processes, not yet running; ``None`` for 0."""
    return RefereePool(processes, telemetry, journal=journal) if processes else None


async def keep_up_pool(pool: RefereePool) -> None:
    """Keep the referee processes running until cancelled.

    Raises:
        CommandError: they end one after the other.
    """
    try:
        await pool.run()
    except* RefereesFailedError as group:
        sentence = f"{group.exceptions[0]}; their last output is above. Start the server again, without --processes"
        raise CommandError(sentence, exit_code=EXIT_SERVER) from group
