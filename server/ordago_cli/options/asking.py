"""The options of commands that ask a server, and the errors when there is no answer."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields
from functools import reduce, wraps
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import click
from google.protobuf import json_format
from google.protobuf.message import Message

from ordago.addresses import AddressError, parse_address
from ordago.edge.services.client import CallError, Client
from ordago.names import visible
from ordago.token_file import TokenFileError, read_token
from ordago_bot.tls import Tls
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError

F = TypeVar("F", bound=Callable[..., Any])
ClientT = TypeVar("ClientT", bound=Client)

_USUAL_SERVER: Final = "127.0.0.1:7447"
_PEM: Final = b"-----BEGIN "
_UNFIT: Final = "INVALID_ARGUMENT"


def _pem(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        contents = path.read_bytes()
    except OSError as error:
        raise click.BadParameter(f"cannot read {path}: {error.strerror}") from None
    if _PEM not in contents:
        raise click.BadParameter(f"{path} is no PEM file: no line in it begins with {_PEM.decode()}")
    return contents


file_option_type: Final = click.Path(path_type=Path)
"""The type of options that name a file."""
WIRE_OPTIONS: Final = (
    click.option("--tls", is_flag=True, help="Connect over TLS."),
    click.option(
        "--tls-ca",
        type=file_option_type,
        metavar="FILE",
        callback=_pem,
        help="PEM file of the authorities to trust; default: the usual ones.",
    ),
    click.option(
        "--tls-cert",
        type=file_option_type,
        metavar="FILE",
        callback=_pem,
        help="PEM file of your own certificate, if the server asks for one.",
    ),
    click.option(
        "--tls-key", type=file_option_type, metavar="FILE", callback=_pem, help="PEM file of its private key."
    ),
)
"""The TLS options for a server."""
_SERVER: Final = click.option(
    "--server", default=_USUAL_SERVER, show_default=True, metavar="HOST:PORT", help="The server to connect to."
)
_TOKEN: Final = click.option(
    "--token-file", type=file_option_type, metavar="FILE", help="File that holds the token; read once."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server to ask, with its TLS options."""

    server: str | None
    tls: bool
    tls_ca: bytes | None
    tls_cert: bytes | None
    tls_key: bytes | None

    @contextmanager
    def asked(self, client: type[ClientT], token: str = "") -> Iterator[ClientT]:
        """Connect to the server, with a token for calls that need one.

        Raises:
            CommandError: the options contradict each other, or the server refuses the call or does not answer.
        """
        tls = self.checked()
        try:
            with client.opened(self.server or "", token=token, tls=tls) as opened:
                yield opened
        except CallError as error:
            code = EXIT_USAGE if error.status == _UNFIT else EXIT_OUTSIDE
            # A server is not trusted: its text must not control the terminal.
            raise CommandError(visible(str(error)), exit_code=code) from None

    def checked(self) -> Tls | None:
        """Return the TLS settings; ``None`` without TLS.

        Raises:
            CommandError: the options contradict each other, or the address is malformed.
        """
        if (self.tls_cert is None) != (self.tls_key is None):
            raise CommandError("--tls-cert and --tls-key belong together", exit_code=EXIT_USAGE)
        try:
            parse_address(self.server or "")
        except AddressError as error:
            sentence = f"--server: {self.server!r} is not HOST:PORT, [IPv6]:PORT or unix:PATH: {error}"
            raise CommandError(sentence, exit_code=EXIT_USAGE) from None
        tls = Tls(self.tls_ca, self.tls_cert, self.tls_key)
        return tls if self.tls or tls != Tls() else None


Asked: TypeAlias = Callable[[type[ClientT]], AbstractContextManager[ClientT]]
"""A function that connects to one service of a server."""


def server_of(given: dict[str, Any]) -> Server:
    """Pop the server options from the arguments of a command."""
    return Server(**{field.name: given.pop(field.name) for field in fields(Server)})


def taking(command: F, options: tuple[Callable[[F], F], ...], pack: Callable[[dict[str, Any]], object]) -> F:
    """Add options to a command, and pass the value that ``pack`` makes of them as its first argument."""

    @wraps(command)
    def packed(**given: Any) -> Any:  # noqa: ANN401 - whatever the command takes and returns
        return command(pack(given), **given)

    return reduce(lambda decorated, option: option(decorated), reversed(options), cast(F, packed))


def asks(command: F) -> F:
    """Pass a function that connects to a service of a server as the first argument of a command."""

    def pack(given: dict[str, Any]) -> object:
        server, path = server_of(given), given.pop("token_file")
        return lambda client: server.asked(client, "" if path is None else token_in(path))

    return taking(command, (_SERVER, _TOKEN, *WIRE_OPTIONS), pack)


def token_in(path: Path) -> str:
    """Read the token in a file.

    Raises:
        CommandError: the file is unreadable, or contains no token.
    """
    try:
        return read_token(path)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    except TokenFileError as error:
        raise CommandError(f"--token-file: {path} cannot be used: {error}", exit_code=EXIT_USAGE) from None


def as_values(message: Message) -> dict[str, Any]:
    """Convert a message to JSON values, with the field names of the protocol and including empty fields."""
    values: dict[str, Any] = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return values
