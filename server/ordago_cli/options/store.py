"""``--store URL``: the database that an event or a ladder is kept in, for the commands that need it."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource


def _place(context: click.Context, option: click.Parameter, written: str | None) -> str | None:
    if written is None:
        return None
    # Most stores are files, and a database takes a tenth of a second to import.
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(written)
    except (ArgumentError, ValueError):
        raise click.BadParameter("takes postgresql://USER@HOST/NAME") from None
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise click.BadParameter("takes postgresql://USER@HOST/NAME; without it a file in a folder is used")
    typed = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    if typed and (url.password is not None or "password" in url.query):
        # All users of a machine see the command lines of all programs.
        raise click.BadParameter("shows a password to all users: write it into ORDAGO_STORE, PGPASSWORD or ~/.pgpass")
    return written


Command = TypeVar("Command", bound=Callable[..., Any])


def place_option(told: str) -> Callable[[Command], Command]:
    """Return the option ``--store URL`` of a command, with what it says of it."""
    return click.option(
        "--store",
        "place",
        metavar="URL",
        envvar="ORDAGO_STORE",
        show_envvar=True,
        callback=_place,
        help=told,
    )


store_option = place_option("The PostgreSQL database that keeps the event; default: a file in its folder.")
"""``--store URL`` of the commands of events."""
