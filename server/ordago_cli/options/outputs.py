"""Options for what a command prints and writes: ``--json`` and ``--force``."""

import click

from ordago.outputs import OccupiedError, Output
from ordago_cli.errors import EXIT_OUTSIDE, CommandError

json_option = click.option("--json", "as_json", is_flag=True, help="Print what a program can read.")
"""``--json``."""
force_option = click.option("--force", is_flag=True, help="Replace a file that holds something else.")
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
