"""Where a server keeps its own files, for the commands that need them."""

import os
from pathlib import Path

import click


def default_data_folder() -> Path:
    """Return where a server keeps its own files unless it is told otherwise: ``~/.local/share/ordago`` as a rule."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ordago"


data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_data_folder,
    envvar="ORDAGO_DATA",
    show_default="$ORDAGO_DATA, else ~/.local/share/ordago",
    help="The folder of the server's own files.",
)
"""``--data DIR``."""
