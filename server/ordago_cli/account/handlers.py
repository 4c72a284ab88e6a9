"""The handlers of account requests: the folder of a server on this machine, or a server over the network."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import click
from click.core import ParameterSource
from google.protobuf.message import Message

from ordago.edge.services.account_handlers import CALLS, AccountHandlers
from ordago.edge.services.client import AccountClient, call_name
from ordago_cli.account.accounts import opened_accounts
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.asking import WIRE_OPTIONS, Server, file_option_type, server_of, taking, token_in
from ordago_cli.options.store import data_option

F = TypeVar("F", bound=Callable[..., Any])
AnswerT = TypeVar("AnswerT", bound=Message)


class Handlers(Protocol):
    """Answers requests of ``AccountService``."""

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request.

        Raises:
            CommandError: the server refused it or could not be reached.
            StoreError: the folder refused it; the context that opened it turns this into a ``CommandError``.
        """


Opened: TypeAlias = Callable[..., AbstractContextManager[Any]]
"""A function that opens ``Handlers``. With ``create=True`` it may create the accounts.

With ``client`` it opens a client of another service of the server; ``None`` at a folder.
"""


class _LocalHandlers:
    """Answers from a folder on this machine. Anybody who may write there may do everything."""

    def __init__(self, handlers: AccountHandlers) -> None:
        self._handlers = handlers

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Answer a request."""
        answered = CALLS[call_name(request)].answer(self._handlers, request)
        assert isinstance(answered, answer)
        return answered


_SERVER: Final = click.option(
    "--server", metavar="HOST:PORT", help="The server to connect to; default: use the folder of --data."
)
_TOKEN: Final = click.option(
    "--token-file", type=file_option_type, metavar="FILE", help="File that holds the token; read once."
)


def joins(command: F) -> F:
    """Pass the server to join as the first argument of a command."""
    required = click.option("--server", required=True, metavar="HOST:PORT", help="The server to join.")
    return taking(command, (required, *WIRE_OPTIONS), server_of)


def asks_own(command: F) -> F:
    """Pass a function that opens the author's server as the first argument of a command."""
    required = click.option("--server", required=True, metavar="HOST:PORT", help="The server to ask.")
    token = click.option(
        "--token-file",
        required=True,
        type=file_option_type,
        metavar="FILE",
        help="File that holds the token; read once.",
    )

    def pack(given: dict[str, Any]) -> Opened:
        server, path = server_of(given), given.pop("token_file")
        return lambda: server.asked(AccountClient, token_in(path))

    return taking(command, (required, token, *WIRE_OPTIONS), pack)


def asks_all(command: F) -> F:
    """Pass a function that opens the accounts, at a server or in a folder, as first argument of an admin command."""

    def pack(given: dict[str, Any]) -> Opened:
        server, data, path = server_of(given), given.pop("data"), given.pop("token_file")
        _check_place(server, path)
        if server.server is None:
            return lambda *, create=False, client=None: nullcontext() if client else _local(data, create=create)
        token = cache(token_in)
        return lambda *, create=False, client=AccountClient: server.asked(client, token(path))  # noqa: ARG005 - a server has made its accounts

    return taking(command, (data_option, _SERVER, _TOKEN, *WIRE_OPTIONS), pack)


def _check_place(server: Server, token_file: Path | None) -> None:
    """Check that the options name either a server with a token, or a folder.

    Raises:
        CommandError: they do not.
    """
    if server.server is None:
        if token_file is not None or server.tls or server.tls_ca or server.tls_cert or server.tls_key:
            sentence = "--token-file and --tls need a server: add --server HOST:PORT, or omit them"
            raise CommandError(sentence, exit_code=EXIT_USAGE)
        return
    if token_file is None:
        raise CommandError("the server requires a token: add --token-file FILE", exit_code=EXIT_USAGE)
    if click.get_current_context().get_parameter_source("data") is ParameterSource.COMMANDLINE:
        raise CommandError("give --server, or --data for the folder of one on this machine", exit_code=EXIT_USAGE)


@contextmanager
def _local(data: Path, *, create: bool) -> Iterator[Handlers]:
    with opened_accounts(data, create=create) as accounts:
        yield _LocalHandlers(AccountHandlers(accounts))
