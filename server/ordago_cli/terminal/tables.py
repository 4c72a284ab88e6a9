"""Tables for the terminal, with untrusted text made safe, and counts with their nouns."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from ordago.names import visible

_WIDE: Final = 500


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table. Heads that begin with a space mark columns of numbers, which are aligned to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(head.strip(), justify="right" if head.startswith(" ") else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(visible, row))
    terminal = Console(markup=False, highlight=False)
    # In a file or a pipe, wide lines are better than folded ones.
    console = terminal if terminal.is_terminal else Console(markup=False, highlight=False, width=_WIDE)
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        click.echo(line.rstrip())


def moment(seconds: int) -> str:
    """Format a time in seconds since 1970 for people, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def counted(number: int, of: str) -> str:
    """Return a count with its noun, singular or plural: ``1 record``, ``2 records``."""
    return f"{number} {of}" if number == 1 else f"{number} {of}s"
