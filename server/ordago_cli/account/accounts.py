"""The accounts of a server, opened for commands."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ordago.files import private_folder
from ordago.store.accounts.accounts import Accounts
from ordago.store.errors import StoreEmptyError, StoreError, StoreRefusedError, Why
from ordago.store.sqlite import used_file
from ordago.store.versioned import Migration, Stored
from ordago_cli.account.place import accounts_place
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError

_CONTENT: Final = "the accounts"
_logger = logging.getLogger("ordago.serve")


def check_accounts(data: Path) -> str:
    """Check that the accounts of a server, if any, are usable; return a note if a start would change their tables.

    Raises:
        CommandError: they are unusable.
    """
    place = accounts_place(data)
    if isinstance(place, Path) and not place.exists():
        return ""
    with _naming_errors(data):
        try:
            with Accounts.open(place, outdated=True) as accounts:
                return describe_version(accounts)
        except StoreEmptyError:
            return "the first start creates their tables"


def describe_version(stored: Stored) -> str:
    """Return a note that tables need a migration; empty if they do not."""
    if stored.version == stored.newest_version:
        return ""
    versions = f"from version {stored.version} to {stored.newest_version}"
    return f"the next start upgrades its tables {versions}; ordago migrate does the same after a backup"


@contextmanager
def opened_accounts(data: Path, *, create: bool) -> Iterator[Accounts]:
    """Open the accounts of the server in a folder.

    Raises:
        CommandError: there are none and ``create`` is False, they are unusable, or they refuse a change.
    """
    place = accounts_place(data)
    if not create and isinstance(place, Path) and not place.exists():
        ways = "create the first with ordago account invite or ordago token create"
        sentence = f"there are no accounts in {data}: {ways}, or name another folder with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
    with _naming_errors(data):
        # Private to the user of the server, though it contains no tokens.
        private_folder(data)
        with Accounts.open(place, create=create) as accounts:
            yield accounts


@contextmanager
def served_accounts(data: Path) -> Iterator[Accounts]:
    """Open the accounts of the server in a folder. Create their tables if needed.

    A file is migrated if needed, which is logged. In PostgreSQL other servers may use them: ``ordago migrate`` does it.

    Raises:
        CommandError: they are unusable.
    """
    place = accounts_place(data)
    with _naming_errors(data):
        private_folder(data)
        with Accounts.open(place, create=True, outdated=isinstance(place, Path)) as accounts:
            if isinstance(place, Path):
                if accounts.version < accounts.newest_version:
                    with used_file(place, _CONTENT, alone=True):
                        tell_migration(accounts.migrate())
                with used_file(place, _CONTENT):
                    yield accounts
            else:
                yield accounts


def tell_migration(migration: Migration | None) -> None:
    """Log a migration at the start of a server, if there was one."""
    if migration is not None:
        _logger.warning("worth a look", extra={"subject": "tables", "what": str(migration)})


@contextmanager
def _naming_errors(data: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        sentence = f"cannot use the folder {data}: {error.strerror}; name another one with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    except StoreRefusedError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE if error.why is Why.UNFIT else EXIT_OUTSIDE) from None
    except StoreError as error:
        place = accounts_place(data)
        # A URL may have a password.
        where = place if isinstance(place, Path) else _CONTENT
        raise CommandError(f"{where}: {error}", exit_code=EXIT_OUTSIDE) from error
