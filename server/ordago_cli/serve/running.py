"""How ``ordago serve`` runs: what it is told, and the way from its start to its end."""

from functools import partial

import click

from ordago.arena.play import HERE
from ordago.arena.tables.tables import CasualTables, RecordKeeper
from ordago.journal import NO_JOURNAL
from ordago.ops.records import RecordFolder, keep_nothing
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.serve.entrance import services_of, watch_authenticator
from ordago_cli.serve.hosting import opened_events_host
from ordago_cli.serve.journals import opened_journal
from ordago_cli.serve.last_resort import LastResort
from ordago_cli.serve.referees import pool_of
from ordago_cli.serve.service import Service, serve_at
from ordago_cli.serve.settings import ServeSettings


async def serve_tables(settings: ServeSettings) -> None:
    """Run casual tables until signals end them.

    Raises:
        CommandError: an address cannot be listened on, the accounts or the journal cannot be used, records could not be
            kept, or the server failed.
    """
    telemetry = Telemetry()
    data = settings.entrance.data if settings.journaled else None
    with LastResort() as last_resort, opened_journal(data) as journal:
        keep = _keeper(settings, telemetry)
        pool = pool_of(settings.processes, telemetry, journal or NO_JOURNAL)
        tables = CasualTables(
            settings.kinds(),
            keep=keep,
            telemetry=telemetry,
            journal=journal or NO_JOURNAL,
            pause_seconds=settings.pause_seconds,
            referees=pool or HERE,
        )
        with (
            settings.entrance.authenticator(tables.arrived, telemetry) as authenticator,
            opened_events_host(settings, authenticator) as events_host,
        ):
            service = Service(
                settings,
                tables,
                authenticator,
                journal,
                offer=f"tables: {', '.join(settings.games)}",
                watch=partial(watch_authenticator, authenticator),
                services=services_of(authenticator),
                events_host=events_host,
                pool=pool,
                last_resort=last_resort,
            )
            await serve_at(settings, service)
    click.echo(f"stopped after {tables.finished} matches")
    lost = telemetry.counters.records_lost
    if lost:
        raise CommandError(f"{lost} records could not be kept; the log names their matches", exit_code=EXIT_OUTSIDE)


def _keeper(settings: ServeSettings, telemetry: Telemetry) -> RecordKeeper:
    if settings.records is None:
        return keep_nothing
    return RecordFolder(settings.records, telemetry=telemetry, journaled=settings.journaled).keep
