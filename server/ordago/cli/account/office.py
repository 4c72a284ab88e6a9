"""Where the commands about accounts ask: the folder of a server on this machine, or a server, by the contract."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields
from functools import reduce, wraps
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, TypeVar, cast

import click
from click.core import ParameterSource
from google.protobuf.message import Message

from ordago.cli.accounts import data_option, opened_accounts
from ordago.cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError, stopped
from ordago.edge.services.account_client import AccountClient, CallError, call_name
from ordago.edge.services.account_desk import CALLS, AccountDesk
from ordago.store.errors import StoreRefusedError, Why
from ordago_bot.tls import Tls

F = TypeVar("F", bound=Callable[..., Any])
AnswerT = TypeVar("AnswerT", bound=Message)

_LONGEST_TOKEN_BYTES: Final = 8192
"""More than grpc sends along with a call."""
_PEM: Final = b"-----BEGIN "
_UNFIT: Final = "INVALID_ARGUMENT"


class Office(Protocol):
    """Where requests of ``AccountService`` are answered."""

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request.

        Raises:
            CommandError: there is none.
        """


Opened: TypeAlias = Callable[..., AbstractContextManager[Office]]
"""Opens an office; with ``create=True`` also where there are no accounts yet."""


class _LocalOffice:
    """Answers from the folder of a server on this machine: whoever may write there may do everything."""

    def __init__(self, desk: AccountDesk) -> None:
        self._desk = desk

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Answer a request."""
        try:
            answered = CALLS[call_name(request)].answer(self._desk, request)
        except StoreRefusedError as error:
            code = EXIT_USAGE if error.why is Why.UNFIT else EXIT_OUTSIDE
            raise CommandError(str(error), exit_code=code) from None
        assert isinstance(answered, answer)
        return answered


class _DistantOffice:
    """Asks a server."""

    def __init__(self, client: AccountClient) -> None:
        self._client = client

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Ask for the answer to a request."""
        try:
            return self._client.ask(request, answer)
        except CallError as error:
            code = EXIT_USAGE if error.status == _UNFIT else EXIT_OUTSIDE
            raise CommandError(str(error), exit_code=code) from None
        except KeyboardInterrupt:
            raise stopped() from None


def _pem(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        contents = path.read_bytes()
    except OSError as error:
        raise click.BadParameter(f"cannot read {path}: {error.strerror}") from None
    if _PEM not in contents:
        raise click.BadParameter(f"{path} is no PEM file: nothing in it begins with {_PEM.decode()}")
    return contents


_file: Final = click.Path(path_type=Path)
_WIRE: Final = (
    click.option("--tls", is_flag=True, help="Ask over TLS."),
    click.option("--tls-ca", type=_file, metavar="FILE", callback=_pem, help="Whose word for the server counts: PEM."),
    click.option("--tls-cert", type=_file, metavar="FILE", callback=_pem, help="A certificate of your own: PEM."),
    click.option("--tls-key", type=_file, metavar="FILE", callback=_pem, help="The private key for --tls-cert: PEM."),
)
_SERVER: Final = click.option("--server", metavar="HOST:PORT", help="Ask the server there, by the contract.")
_TOKEN: Final = click.option("--token-file", type=_file, metavar="FILE", help="The file with the token to ask by.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server to ask, and how."""

    server: str | None
    tls: bool
    tls_ca: bytes | None
    tls_cert: bytes | None
    tls_key: bytes | None

    @contextmanager
    def opened(self, token: str) -> Iterator[Office]:
        """Ask the server, by a token where a call needs one.

        Raises:
            CommandError: the options do not go together.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            raise CommandError("--tls-cert and --tls-key belong together", exit_code=EXIT_USAGE)
        tls = Tls(self.tls_ca, self.tls_cert, self.tls_key)
        with AccountClient.opened(
            self.server or "", token=token, tls=tls if self.tls or tls != Tls() else None
        ) as client:
            yield _DistantOffice(client)


def _taking(command: F, options: tuple[Callable[[F], F], ...], pack: Callable[[dict[str, Any]], object]) -> F:
    @wraps(command)
    def packed(**given: Any) -> Any:  # noqa: ANN401 - whatever the command takes and returns
        return command(pack(given), **given)

    return reduce(lambda decorated, option: option(decorated), reversed(options), cast(F, packed))


def _server_of(given: dict[str, Any]) -> Server:
    return Server(**{field.name: given.pop(field.name) for field in fields(Server)})


def joins(command: F) -> F:
    """Give a command the server that it asks before it has a token, as its first argument."""
    required = click.option("--server", required=True, metavar="HOST:PORT", help="The server to join.")
    return _taking(command, (required, *_WIRE), _server_of)


def asks_own(command: F) -> F:
    """Give a command of an author what opens the office of his server, as its first argument."""
    required = click.option("--server", required=True, metavar="HOST:PORT", help="The server to ask.")
    token = click.option(
        "--token-file", required=True, type=_file, metavar="FILE", help="The file with the token to ask by."
    )

    def pack(given: dict[str, Any]) -> Opened:
        server, path = _server_of(given), given.pop("token_file")
        return lambda: server.opened(token_in(path))

    return _taking(command, (required, token, *_WIRE), pack)


def asks_all(command: F) -> F:
    """Give a command of whoever looks after the server what opens its office, there or here, as its first argument."""

    def pack(given: dict[str, Any]) -> Opened:
        server, data, path = _server_of(given), given.pop("data"), given.pop("token_file")
        _check_place(server, path)
        if server.server is None:
            return lambda *, create=False: _local(data, create=create)
        return lambda *, create=False: server.opened(token_in(path))  # noqa: ARG005 - a server has made its accounts

    return _taking(command, (data_option, _SERVER, _TOKEN, *_WIRE), pack)


def _check_place(server: Server, token_file: Path | None) -> None:
    """Check that it is said whom to ask, and that nobody else is named besides.

    Raises:
        CommandError: it is not.
    """
    if server.server is None:
        if token_file is not None or server.tls or server.tls_ca or server.tls_cert or server.tls_key:
            sentence = "--token-file and --tls are for asking a server: give --server HOST:PORT, or leave them out"
            raise CommandError(sentence, exit_code=EXIT_USAGE)
        return
    if token_file is None:
        raise CommandError("a server is asked by a token: give --token-file FILE", exit_code=EXIT_USAGE)
    if click.get_current_context().get_parameter_source("data") is ParameterSource.COMMANDLINE:
        raise CommandError("give --server, or --data for the folder of one on this machine", exit_code=EXIT_USAGE)


@contextmanager
def _local(data: Path, *, create: bool) -> Iterator[Office]:
    with opened_accounts(data, create=create) as accounts:
        yield _LocalOffice(AccountDesk(accounts))


def token_in(path: Path) -> str:
    """Return the token in a file.

    Raises:
        CommandError: there is none.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST_TOKEN_BYTES).decode("latin-1").strip()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    # It is not repeated, whatever it is: it may be secret.
    if not (text and text.isascii() and text.isprintable()):
        raise CommandError(f"{path} holds no token", exit_code=EXIT_USAGE)
    return text
