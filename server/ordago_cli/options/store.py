"""The options ``--data DIR``, the data folder of a server, and ``--store URL``, the database of event or ladder."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from sqlalchemy import URL


def default_data_folder() -> Path:
    """Return the default data folder of a server, usually ``~/.local/share/ordago``."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ordago"


data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_data_folder,
    envvar="ORDAGO_DATA",
    show_default="$ORDAGO_DATA, else ~/.local/share/ordago",
    help="The folder of the server's own files.",
)
"""The option ``--data DIR``."""


def _url(written: str) -> "URL | None":
    """Return a URL of PostgreSQL; ``None`` if it is of something else, or none."""
    # Most stores are files, and this import takes a tenth of a second.
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(written)
    except (ArgumentError, ValueError):
        return None
    return url if url.get_backend_name() in ("postgresql", "postgres") else None


def is_postgresql(written: str) -> bool:
    """Return True if a text is the URL of a database of PostgreSQL."""
    return _url(written) is not None


def _place(context: click.Context, option: click.Parameter, written: str | None) -> str | None:
    if written is None:
        return None
    url = _url(written)
    if url is None:
        raise click.BadParameter("takes postgresql://USER@HOST/NAME; without it a file in a folder is used")
    typed = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    if typed and (url.password is not None or "password" in url.query):
        # All users of a machine see the command lines of all processes.
        raise click.BadParameter("shows a password to all users: write it into ORDAGO_STORE, PGPASSWORD or ~/.pgpass")
    return written


Command = TypeVar("Command", bound=Callable[..., Any])


def place_option(help_text: str) -> Callable[[Command], Command]:
    """Return the option ``--store URL`` with this help."""
    return click.option(
        "--store",
        "place",
        metavar="URL",
        envvar="ORDAGO_STORE",
        show_envvar=True,
        callback=_place,
        help=help_text,
    )


store_option = place_option("PostgreSQL database of the event; default: a file in its folder.")
"""The option ``--store URL`` of event commands."""
