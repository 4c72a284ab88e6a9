"""The command ``ordago serve``, its options, and the run of casual tables."""

import logging
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from ordago.arena.play import HERE
from ordago.arena.processes.collector import collect_seldom
from ordago.arena.tables.pauses import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS
from ordago.arena.tables.tables import CasualTables, RecordKeeper
from ordago.journal import NO_JOURNAL
from ordago.match import TERM_BOUNDS
from ordago.ops.logs import logging_to_stderr
from ordago.ops.records import RecordFolder, keep_nothing
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError, run
from ordago_cli.options.store import store_option
from ordago_cli.options.terms import terms_options
from ordago_cli.options.watching import check_address, log_options, metrics_option
from ordago_cli.serve.certificates import Warned
from ordago_cli.serve.entrance import account_tokens, entrance_options
from ordago_cli.serve.hosting import opened_events_host
from ordago_cli.serve.journals import opened_journal
from ordago_cli.serve.lanes import check_lane, lane_option
from ordago_cli.serve.last_resort import LastResort
from ordago_cli.serve.outside import raise_file_limit, warnings_of
from ordago_cli.serve.service import Service, pool_of, serve_at
from ordago_cli.serve.settings import ServeSettings
from ordago_cli.serve.site import site_settings


async def serve_tables(settings: ServeSettings) -> None:
    """Run casual tables until signals end them.

    Raises:
        CommandError: an address cannot be listened on, the accounts or the journal are unusable, records were lost, or
            the server failed.
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
                accounts=account_tokens(authenticator),
                events_host=events_host,
                pool=pool,
                last_resort=last_resort,
            )
            await serve_at(settings, service)
    click.echo(f"stopped after {tables.finished} matches")
    lost = telemetry.counters.records_lost
    if lost:
        raise CommandError(f"{lost} records could not be saved; the log names their matches", exit_code=EXIT_OUTSIDE)


def _keeper(settings: ServeSettings, telemetry: Telemetry) -> RecordKeeper:
    if settings.records is None:
        return keep_nothing
    return RecordFolder(settings.records, telemetry=telemetry, journaled=settings.journaled).keep


_logger = logging.getLogger("ordago.serve")
_OF_TABLES: Final = {
    "options": "--option",
    "records": "--records",
    **{name: f"--{name.replace('_', '-')}" for name in TERM_BOUNDS},
}
_OF_LADDERS: Final = {"place": "--store", "lane": "--lane", "next_epoch": "--next-epoch"}
DEFAULT_ADDRESS: Final = "127.0.0.1:7447"
DEFAULT_GRACE_SECONDS: Final = 60.0
MOST_PROCESSES: Final = 64
"""More of them would wait for the process that bots connect to (docs/performance.md)."""


@click.command(epilog="Example: ordago serve --tables mittlere --option deals=24")
@click.option("--tables", metavar="GAME[,GAME…]", help="Games to offer at casual tables.")
@click.option("--ladder", metavar="FILE", help="Ladder file to run; demo: an example that comes with Ordago.")
@store_option
@lane_option
@click.option(
    "--next-epoch", is_flag=True, help="Begin the next epoch of the ladder now, with the current contents of its file."
)
@click.option("--address", default=DEFAULT_ADDRESS, show_default=True, help="HOST:PORT to listen on; port 0: any.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@terms_options
@click.option("--matches", default=16, show_default=True, type=click.IntRange(1), help="Matches at once for each bot.")
@click.option(
    "--pause",
    "pause_seconds",
    default=FIRST_PAUSE_SECONDS,
    show_default=True,
    type=click.FloatRange(0, LONGEST_PAUSE_SECONDS),
    metavar="SECONDS",
    help="Pause of a bot after its first forfeit; doubles with each further one. 0: no pauses.",
)
@click.option(
    "--processes",
    default=0,
    show_default=True,
    type=click.IntRange(0, MOST_PROCESSES),
    help="Additional processes to play the matches. 0: the process that bots connect to plays them.",
)
@entrance_options
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    envvar="ORDAGO_RECORDS",
    show_envvar=True,
    help="Folder for the records of casual tables.",
)
@click.option(
    "--grace",
    "grace_seconds",
    default=DEFAULT_GRACE_SECONDS,
    show_default=True,
    type=click.FloatRange(0, 4_000_000),
    metavar="SECONDS",
    help="Time for running matches to end after Ctrl-C or SIGTERM; a second signal stops at once.",
)
@metrics_option
@click.option("--web", metavar="HOST:PORT", help="Address for the site, to watch and play in a browser; port 0: any.")
@click.option(
    "--web-origin", default="", metavar="URL", help="Public address of the site behind a proxy: https://HOST."
)
@click.option("--web-contact", default="", metavar="ADDRESS", help="E-mail address or page for reports of visitors.")
@click.option("--web-forwarded", is_flag=True, help="The site is behind a proxy: trust its X-Forwarded-For.")
@click.option("--web-no-play", is_flag=True, help="Do not let people play against house bots at the site.")
@click.option(
    "--announce-to", multiple=True, metavar="HOST", help="Host that events may be announced to; may be repeated."
)
@log_options(level="info")
@click.option("--check", is_flag=True, help="Check if the server could start, and exit.")
def serve(*, log_level: str, log_format: str, check: bool, **settings: object) -> None:
    """Run a server for bots that connect: at casual tables, or on a ladder where each match counts."""
    # The default folder is for accounts alone: two servers may share it, but not a journal.
    named = click.get_current_context().get_parameter_source("data") is not ParameterSource.DEFAULT
    given = ServeSettings(journaled=named, log_format=log_format, **settings)  # type: ignore[arg-type]  # named and typed as the fields are
    check_kind(given)
    if given.ladder is not None:
        # The environment variable is for casual tables; a ladder stores its records in its database.
        given = replace(given, records=None)
    if check:
        from ordago_cli.serve.checks import SERVE_CHECKS, run_checks

        sys.exit(run_checks(given, SERVE_CHECKS))
    warned: list[Warned] = []
    if given.ladder is None:
        given.kinds()
        serving = serve_tables
    else:
        # Casual tables start without the imports of a ladder, above all that of a database.
        from ordago_cli.serve.ladder import ladder_settings, serve_ladder, warnings_of_house

        warned += warnings_of_house(ladder_settings(given))
        serving = serve_ladder
    check_address(given.address, option="--address")
    given.entrance.described(given.address)
    site_settings(given)
    given.make_folder()
    raise_file_limit()
    collect_seldom()
    with logging_to_stderr(log_format=log_format, level=log_level):
        for subject, sentence in (*warnings_of(given), *warned):
            _logger.warning("worth a look", extra={"subject": subject, "what": sentence})
        # The messages of referees in other processes come through sockets of trio.
        run(partial(serving, given), one_thread=not given.processes)


def check_kind(given: ServeSettings) -> None:
    """Check that either tables or a ladder is given, and no option of the other kind.

    Raises:
        CommandError: the options contradict each other.
    """
    if (given.tables is None) is (given.ladder is None):
        raise CommandError("choose what to play: --tables GAME, or --ladder FILE", exit_code=EXIT_USAGE)
    if given.ladder is not None and (option := _first_given(_OF_TABLES)):
        sentence = f"{option} is for casual tables: for a ladder, set it in the ladder file"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    check_lane(given)
    if given.tables is not None and (option := _first_given(_OF_LADDERS)):
        raise CommandError(f"{option} is for a ladder: add --ladder FILE", exit_code=EXIT_USAGE)


def _first_given(options: Mapping[str, str]) -> str | None:
    source = click.get_current_context().get_parameter_source
    return next((option for name, option in options.items() if source(name) is ParameterSource.COMMANDLINE), None)
