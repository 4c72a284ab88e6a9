"""A server that listens: whatever its tables are, the way from its start to its end is the same."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final

import click
import trio

from ordago import v1
from ordago.arena.admission.authenticator import LastingAuthenticator
from ordago.arena.event_router import EventRouter
from ordago.arena.referees.pool import RefereePool
from ordago.arena.server import open_server, restore
from ordago.arena.stall_detector import stall_detector
from ordago.arena.tables.open_tables import OpenTables
from ordago.edge import Edge, EdgeError, EdgeFailedError, call_gate
from ordago.journal import NO_JOURNAL, Journal
from ordago.ops.stopping import orders_to_stop
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_SERVER, CommandError
from ordago_cli.options.watching import watched_by
from ordago_cli.serve.hosting import EventsHost
from ordago_cli.serve.journals import keep_up_journal
from ordago_cli.serve.last_resort import LastResort
from ordago_cli.serve.site import site_beside

if TYPE_CHECKING:
    from ordago_cli.serve.settings import ServeSettings

from ordago.arena.referees.pool import RefereesFailedError
from ordago.journal import MatchJournal
from ordago.telemetry.telemetry import Telemetry

_GOING_DOWN: Final = "the server goes down"
_END_SECONDS: Final = 3.0
"""For so long what goes on beside the play may still take when the grace is over."""
_STARTED_ANEW: Final = "the server is started anew; come back with a resume"


async def serve_at(settings: "ServeSettings", service: "Service") -> None:
    """Listen, and run a service until signals end it.

    Raises:
        CommandError: an address cannot be listened on, or the server failed.
    """
    tls = settings.entrance.tls(settings.address)
    # Signals are waited for before anybody can know that the server is there.
    with watched_by(settings.metrics, service.telemetry.counters), orders_to_stop() as signals:
        try:
            open_edge = Edge.open(
                settings.address,
                service.router,
                tls=tls,
                event=service.router.described,
                services=service.services,
                reflection=settings.entrance.reflection,
            )
            async with open_edge as edge:
                click.echo(f"listening on {_with_port(settings.address, edge.port)}; {service.offer}; Ctrl-C to stop")
                async with site_beside(settings, service.router, service.services, edge, service.telemetry):
                    await service.run(signals, edge)
        except EdgeError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
        except EdgeFailedError as error:
            raise CommandError(f"{error}; start it again", exit_code=EXIT_SERVER) from error


class Service:
    """The tables, the server before them, and whoever ends it all."""

    def __init__(
        self,
        settings: "ServeSettings",
        tables: OpenTables[Any],
        authenticator: LastingAuthenticator,
        journal: Journal | None,
        *,
        offer: str,
        watch: Callable[[Callable[[], None]], Awaitable[None]],
        services: Sequence[call_gate.Service] = (),
        event: Callable[[], v1.DescribeEventResponse] = v1.DescribeEventResponse,
        beside: Callable[[Edge], AbstractAsyncContextManager[object]] = nullcontext,
        events_host: EventsHost | None = None,
        pool: RefereePool | None = None,
        last_resort: LastResort | None = None,
    ) -> None:
        """Put a server together, and take up what its journal holds.

        Args:
            settings: what it was told.
            tables: where bots are seated.
            authenticator: who may come in.
            journal: what goes on after a restart; ``None`` where nothing does.
            offer: what is played, in a few words.
            watch: keeps up to date what the authenticator knows.
            services: what is offered beside the tables.
            event: returns what is told of the tables as an event.
            beside: what goes on as long as matches are played, at an open server.
            events_host: what there is for events; ``None`` where none are played.
            pool: the referees of the tables in processes of their own; ``None`` where they are in this one.
            last_resort: ends the process where something hangs after the grace; ``None`` where nothing does.
        """
        self.telemetry = tables.telemetry
        """Where it is told what happens."""
        self._grace_seconds = settings.grace_seconds
        self._playing = trio.CancelScope()
        self._tables = tables
        self._watch = watch
        self._beside = beside
        self.services = (*services, *(events_host.services if events_host is not None else ()))
        """What is offered beside the tables."""
        self.offer = offer
        """What is played, in a few words."""
        self.server = open_server(
            tables,
            authenticator,
            max_matches=settings.matches,
            bounds=settings.entrance.bounds,
            journal=journal or NO_JOURNAL,
        )
        """Takes the connections of those who come in for the tables."""
        self.router = EventRouter(self.server, event)
        """Takes all connections."""
        self._events_host = events_host
        if events_host is not None:
            events_host.hosting.come_in_by(self.router)
        self._pool = pool
        self._last_resort = last_resort or LastResort()
        self._journal = journal
        if journal is not None:
            restore(journal, self.server, tables, readmit=authenticator.readmit)

    async def run(self, signals: AsyncIterator[int], edge: Edge) -> None:
        """Play until the signals say that it is over, and say goodbye."""
        detector = stall_detector(self.telemetry, self.server.clock)
        async with detector, trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_on_signals, signals, edge)
            nursery.start_soon(self._watch, self.router.review)
            if self._pool is not None:
                nursery.start_soon(keep_up_pool, self._pool)
            if self._journal is not None:
                nursery.start_soon(keep_up_journal, self._journal, self.telemetry)
            with trio.CancelScope() as ending:
                async with (
                    self._beside(edge),
                    self._events_host.running(self.router, edge) if self._events_host else nullcontext(),
                ):
                    with self._playing:
                        await self._tables.run()
                    self._see_off()
                    if self._playing.cancelled_caught:
                        # The grace is over: what goes on beside the play goes on after the next start.
                        ending.deadline = trio.current_time() + _END_SECONDS
            nursery.cancel_scope.cancel()

    def _see_off(self) -> None:
        """Say goodbye, or, where matches go on when the server is started again, nothing that would end a session."""
        if self._journal is not None and self._playing.cancelled_caught:
            click.echo(f"{len(self._journal.matches)} matches go on when the server is started again")
            self.server.sessions.suspend(_STARTED_ANEW)
        else:
            self.server.sessions.close(_GOING_DOWN)

    async def _stop_on_signals(self, signals: AsyncIterator[int], edge: Edge) -> None:
        """At the first order begin no new match, at the second stop at once."""
        await anext(signals)
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
            f"going down when {running} running matches are over, at the latest in {self._grace_seconds:g} s; "
            "once more to stop at once"
        )
        self._last_resort.arm(self._grace_seconds)
        self._playing.deadline = trio.current_time() + self._grace_seconds
        self.server.sessions.drain(_GOING_DOWN, grace_seconds=self._grace_seconds)
        self._tables.close()


def _with_port(address: str, port: int) -> str:
    return f"{address.rpartition(':')[0]}:{port}"


def pool_of(processes: int, telemetry: Telemetry, journal: MatchJournal) -> RefereePool | None:
    """Return so many processes of referees, of which none runs yet; nothing where the server is the referee."""
    return RefereePool(processes, telemetry, journal=journal) if processes else None


async def keep_up_pool(pool: RefereePool) -> None:
    """Keep processes of referees running until it is cancelled.

    Raises:
        CommandError: they end, one after the other.
    """
    try:
        await pool.run()
    except* RefereesFailedError as group:
        sentence = f"{group.exceptions[0]}; what they wrote last stands above. Start it again, without --processes"
        raise CommandError(sentence, exit_code=EXIT_SERVER) from group
