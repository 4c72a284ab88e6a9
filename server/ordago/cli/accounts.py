"""The accounts of a server, for the commands that need them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ordago.cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago.files import private_folder
from ordago.store.accounts import Accounts
from ordago.store.backup import ACCOUNTS_FILE
from ordago.store.errors import StoreError, StoreRefusedError, Why


def check_accounts(data: Path) -> None:
    """Look whether the accounts in a folder, if there are any, can be used.

    Raises:
        CommandError: they cannot.
    """
    if (data / ACCOUNTS_FILE).exists():
        with opened_accounts(data, create=False):
            pass


@contextmanager
def opened_accounts(data: Path, *, create: bool) -> Iterator[Accounts]:
    """Open the accounts in a folder.

    Raises:
        CommandError: there are none and none are to be created, they cannot be used, or they refuse what is asked.
    """
    if not create and not (data / ACCOUNTS_FILE).exists():
        ways = "ordago account invite or ordago token create makes the first"
        sentence = f"there are no accounts in {data}: {ways}, or give --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
    try:
        # For the user of the server alone: what is in it is nobody else's business, though there is no token in it.
        private_folder(data)
        with Accounts.open(data / ACCOUNTS_FILE, create=create) as accounts:
            yield accounts
    except OSError as error:
        sentence = f"cannot use the folder {data}: {error.strerror}; name another one with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    except StoreRefusedError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE if error.why is Why.UNFIT else EXIT_OUTSIDE) from None
    except StoreError as error:
        raise CommandError(f"{data / ACCOUNTS_FILE}: {error}", exit_code=EXIT_OUTSIDE) from error
