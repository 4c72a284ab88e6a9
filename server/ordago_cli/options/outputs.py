"""Options for output: ``--json``, ``--force``, ``--rows`` and ``--page``."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from ordago.names import visible
from ordago.outputs import OccupiedError, Output
from ordago_cli.errors import EXIT_OUTSIDE, CommandError

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The option ``--json``."""
force_option = click.option("--force", is_flag=True, help="Overwrite a file with other contents.")
"""The option ``--force``."""


def check(*outputs: Output) -> None:
    """Check, before any work, that the outputs can be written.

    Raises:
        CommandError: one of them cannot.
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
    """Return a decorator that adds ``--rows`` with this default, ``--page`` and ``--json``."""
    number = click.IntRange(1, 500)
    so_many = click.option("--rows", default=rows, show_default=True, type=number, help="Maximum number of rows.")
    return lambda command: so_many(_PAGE(json_option(command)))


def tell_more(next_page_token: str) -> None:
    """Print the option for the next page, if there is one."""
    if next_page_token:
        click.echo(f"more: --page {visible(next_page_token)}")
