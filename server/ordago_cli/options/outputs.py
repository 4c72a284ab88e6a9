"""Options for what a command prints and writes: ``--json``, ``--force``, ``--rows`` and ``--page``."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from ordago.names import visible
from ordago.outputs import OccupiedError, Output
from ordago_cli.errors import EXIT_OUTSIDE, CommandError

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""``--json``."""
force_option = click.option("--force", is_flag=True, help="Overwrite a file with other contents.")
"""``--force``."""


def check(*outputs: Output) -> None:
    """Refuse, before anything is done, to write where that cannot be.

    Raises:
        CommandError: one of the files cannot be written.
    """
    for output in outputs:
        try:
            output.check()
        except OccupiedError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None


F = TypeVar("F", bound=Callable[..., Any])


_PAGE: Final = click.option(
    "--page", "page_token", default="", metavar="TOKEN", help="Continue after the last row of an earlier answer."
)


def paged(*, rows: int) -> Callable[[F], F]:
    """Return what gives a command the options ``--rows``, with a default, ``--page`` and ``--json``."""
    number = click.IntRange(1, 500)
    so_many = click.option("--rows", default=rows, show_default=True, type=number, help="Maximum number of rows.")
    return lambda command: so_many(_PAGE(json_option(command)))


def tell_more(next_page_token: str) -> None:
    """Say how the rows are asked for that come after those that were shown, if there are any."""
    if next_page_token:
        click.echo(f"more: --page {visible(next_page_token)}")
