"""The command ``ordago serve`` and its options."""

import logging
import sys
from functools import partial
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from ordago.arena.pauses import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS
from ordago.cli.errors import run
from ordago.cli.serve.checks import SERVE_CHECKS, run_checks
from ordago.cli.serve.entrance import entrance_options
from ordago.cli.serve.outside import raise_file_limit, warnings_of
from ordago.cli.serve.running import ServeSettings, serve_tables
from ordago.cli.terms import terms_options
from ordago.cli.watching import check_address, log_options, metrics_option
from ordago.ops.logs import logging_to_stderr

_logger = logging.getLogger("ordago.serve")
DEFAULT_ADDRESS: Final = "127.0.0.1:7447"
DEFAULT_GRACE_SECONDS: Final = 60.0


@click.command(epilog="Example: ordago serve --tables mittlere --option deals=24")
@click.option("--tables", required=True, metavar="GAME[,GAME…]", help="The games that are played.")
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
    help="How long who forfeits a match is not seated, at first; it doubles each time. 0: no pauses.",
)
@entrance_options
@click.option("--records", type=click.Path(path_type=Path), help="A folder to keep the records of the matches in.")
@click.option(
    "--grace",
    "grace_seconds",
    default=DEFAULT_GRACE_SECONDS,
    show_default=True,
    type=click.FloatRange(0, 4_000_000),
    metavar="SECONDS",
    help="How long running matches may go on after Ctrl-C or SIGTERM; a second signal stops at once.",
)
@metrics_option
@log_options(level="info")
@click.option("--check", is_flag=True, help="Look whether all is well for a start, say so, and start nothing.")
def serve(*, log_level: str, log_format: str, check: bool, **settings: object) -> None:
    """Seat bots that connect from outside at casual tables, as they come."""
    # A folder that nobody named is for accounts alone: two servers may share it, but not a journal.
    named = click.get_current_context().get_parameter_source("data") is not ParameterSource.DEFAULT
    told = ServeSettings(journaled=named, **settings)  # type: ignore[arg-type]  # named and typed as the fields are
    if check:
        sys.exit(run_checks(told, SERVE_CHECKS))
    told.kinds()
    check_address(told.address, option="--address")
    told.entrance.described(told.address)
    told.make_folder()
    raise_file_limit()
    with logging_to_stderr(log_format=log_format, level=log_level):
        for subject, sentence in warnings_of(told):
            _logger.warning("worth a look", extra={"subject": subject, "what": sentence})
        run(partial(serve_tables, told))
