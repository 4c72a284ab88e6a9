"""The option ``--lane NAME``, for a ladder that has several servers."""

import re
from typing import Final

import click

from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.serve.settings import ServeSettings

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def _lane(_context: click.Context, _option: click.Parameter, written: str) -> str:
    if written and not _NAME.fullmatch(written):
        raise click.BadParameter("takes up to 32 letters a to z, digits and hyphens, such as madrid-1")
    return written


lane_option = click.option(
    "--lane",
    metavar="NAME",
    default="",
    callback=_lane,
    help="Name of this server where several play one ladder; the database is PostgreSQL.",
)


def check_lane(given: ServeSettings) -> None:
    """Check that a server with a lane shares its databases with the others.

    Raises:
        CommandError: the ladder or the accounts are in a file.
    """
    if not given.lane:
        return
    if given.place is None:
        sentence = "several servers need the ladder in PostgreSQL: add --store postgresql://USER@HOST/NAME"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    # Tables for anybody start without the imports of a database.
    from ordago_cli.account.place import accounts_url

    if given.entrance.asks_for_tokens and accounts_url() is None:
        sentence = "several servers need the accounts in PostgreSQL: set ORDAGO_ACCOUNTS=postgresql://USER@HOST/NAME"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
