"""The options by which a command asks for a list, page by page, and how it says that there is more."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from ordago.names import visible
from ordago_cli.options.outputs import json_option

F = TypeVar("F", bound=Callable[..., Any])


_PAGE: Final = click.option(
    "--page", "page_token", default="", metavar="TOKEN", help="The rows after those of an answer before."
)


def paged(*, rows: int) -> Callable[[F], F]:
    """Return what gives a command the options ``--rows``, with a default, ``--page`` and ``--json``."""
    number = click.IntRange(1, 500)
    so_many = click.option("--rows", default=rows, show_default=True, type=number, help="How many, at most.")
    return lambda command: so_many(_PAGE(json_option(command)))


def tell_more(next_page_token: str) -> None:
    """Say how the rows are asked for that come after those that were shown, if there are any."""
    if next_page_token:
        click.echo(f"more: --page {visible(next_page_token)}")
