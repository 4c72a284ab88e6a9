"""The database of the accounts: a file in the folder of the server's own files, or PostgreSQL for several servers."""

import os
from pathlib import Path
from typing import Final

from ordago.store.backup import ACCOUNTS_FILE
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.store import is_postgresql

_VARIABLE: Final = "ORDAGO_ACCOUNTS"


def accounts_url() -> str | None:
    """Return the URL of the accounts in ``ORDAGO_ACCOUNTS``; ``None`` for a file.

    Raises:
        CommandError: it is no URL of PostgreSQL.
    """
    written = os.environ.get(_VARIABLE)
    if not written:
        return None
    if not is_postgresql(written):
        raise CommandError(f"{_VARIABLE} takes postgresql://USER@HOST/NAME", exit_code=EXIT_USAGE)
    return written


def accounts_place(data: Path) -> Path | str:
    """Return the path or the URL of the accounts of a server."""
    return accounts_url() or data / ACCOUNTS_FILE
