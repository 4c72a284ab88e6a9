"""The options for access to a server, and what they open: tokens, TLS and limits.

The imports for accounts, above all a database, are made only if tokens are required.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import reduce, wraps
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from ordago.arena.admission.authenticator import AllowEverybody, Authenticator, LastingAuthenticator
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.bot import Bot
from ordago.arena.event_router import EventRouter
from ordago.arena.live_sessions import LiveSessions
from ordago.edge import OwnPort, Tls
from ordago.edge.call_gate import Service
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_USAGE, CommandError
from ordago_cli.options.store import data_option
from ordago_cli.serve.certificates import check_certificate

if TYPE_CHECKING:
    from ordago.arena.admission.account_tokens import AccountTokens
    from ordago_ladder.entrants.entrance import Entrance

F = TypeVar("F", bound=Callable[..., Any])

_SESSIONS_PER_SECOND: Final = 10.0
_BOTS: Final = ConnectionBounds().max_connections

_file: Final = click.Path(path_type=Path, dir_okay=False)
_OPTIONS: Final = (
    click.option("--tokens", "asks_for_tokens", is_flag=True, help="Require a token from every bot; see ordago token."),
    data_option,
    click.option("--tls-cert", type=_file, metavar="FILE", help="PEM file of the server's certificate and its chain."),
    click.option("--tls-key", type=_file, metavar="FILE", help="PEM file of its private key."),
    click.option(
        "--tls-client-ca",
        type=_file,
        metavar="FILE",
        help="PEM file of authorities; require a certificate of one of them from every bot.",
    ),
    click.option("--insecure", is_flag=True, help="Let other machines connect without TLS."),
    click.option(
        "--reflection", is_flag=True, help="Let clients list services and messages, for tools such as grpcurl."
    ),
    click.option(
        "--sessions-per-second",
        default=_SESSIONS_PER_SECOND,
        show_default=True,
        type=click.FloatRange(0, 1_000_000),
        help="New sessions per account or address, after the first hundred; 0: no limit.",
    ),
    click.option(
        "--bots",
        default=_BOTS,
        show_default=True,
        type=click.IntRange(2, 1_000_000),
        help="Most bots connected at once; half as many with one token, or from one address without.",
    ),
)


def entrance_options(command: F) -> F:
    """Add the options to a command, which gets them as ``entrance``, an ``EntranceSettings``."""

    @wraps(command)
    def with_entrance(**given: Any) -> Any:  # noqa: ANN401 - whatever the command takes and returns
        entrance = EntranceSettings(**{field.name: given.pop(field.name) for field in fields(EntranceSettings)})
        return command(entrance=entrance, **given)

    return reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), cast(F, with_entrance))


@dataclass(frozen=True, slots=True, kw_only=True)
class EntranceSettings:
    """The settings of access to a server."""

    asks_for_tokens: bool
    data: Path
    """The folder of the accounts."""
    tls_cert: Path | None
    tls_key: Path | None
    tls_client_ca: Path | None
    insecure: bool
    """Allow other machines to connect without TLS."""
    reflection: bool
    """Allow clients to list services and messages."""
    sessions_per_second: float
    """New sessions of one account or address, after the first hundred; zero for any number."""
    bots: int
    """The most bots connected at once."""

    @property
    def secret_files(self) -> tuple[Path, ...]:
        """The paths that no bot may read."""
        return (self.data, *((self.tls_key,) if self.tls_key is not None else ()))

    @property
    def bounds(self) -> ConnectionBounds:
        """The limits of connections."""
        return ConnectionBounds.for_bots(self.bots, sessions_per_second=self.sessions_per_second)

    @property
    def connections(self) -> int:
        """The most connections: those of bots, and as many without one."""
        return 2 * self.bots

    def tls(self, address: str) -> Tls | None:
        """Return the certificate for an address; ``None`` for no TLS.

        Raises:
            CommandError: a file is missing, or TLS is required and no certificate is given.
        """
        if self.tls_cert is not None and self.tls_key is not None:
            return Tls(self.tls_cert, self.tls_key, self.tls_client_ca)
        if self.tls_cert or self.tls_key or self.tls_client_ca:
            raise CommandError("TLS needs both --tls-cert and --tls-key", exit_code=EXIT_USAGE)
        if not self.insecure and not is_loopback(address):
            raise CommandError(
                f"other machines can connect to {address}, which needs TLS: add --tls-cert and --tls-key, or "
                "--insecure if the network is safe or a proxy adds TLS",
                exit_code=EXIT_USAGE,
            )
        return None

    def described(self, address: str) -> str:
        """Describe in a few words who may connect, and check that it works.

        Raises:
            CommandError: it does not.
        """
        tls = self.tls(address)
        if tls is not None:
            check_certificate(tls)
        who = f"bots with a token from {self._accounts}" if self.asks_for_tokens else "anybody"
        if is_loopback(address):
            who += " on this machine"
        how = "without TLS" if tls is None else "over TLS"
        if tls is not None and tls.client_authority is not None:
            how += f", with a certificate from {tls.client_authority}"
        return f"{who}, {how}"

    @property
    def _accounts(self) -> str:
        from ordago_cli.account.place import accounts_url

        return "the database of ORDAGO_ACCOUNTS" if accounts_url() else str(self.data)

    @contextmanager
    def authenticator(
        self, arrived: Callable[[Bot], None], telemetry: Telemetry | None = None
    ) -> Iterator[LastingAuthenticator]:
        """Open the authenticator of all bots.

        Args:
            arrived: called with each bot that connects or reconnects.
            telemetry: gets the trouble reports on accounts.

        Raises:
            CommandError: the accounts are unusable.
        """
        if not self.asks_for_tokens:
            yield AllowEverybody(arrived)
            return
        from ordago.arena.admission.account_tokens import AccountTokens
        from ordago_cli.account.accounts import served_accounts

        with served_accounts(self.data) as accounts:
            if telemetry is not None:
                telemetry.counters.table_versions["accounts"] = accounts.version
            yield AccountTokens(accounts, arrived=arrived, telemetry=telemetry)

    @contextmanager
    def event_entrance(self, address: str) -> Iterator["Entrance"]:
        """Open the entrance for remote bots of an event.

        Raises:
            CommandError: tokens are not required, or the accounts, the certificate or the address are unusable.
        """
        if not self.asks_for_tokens:
            sentence = "remote entrants need tokens: add --tokens, and make them with ordago token create"
            raise CommandError(sentence, exit_code=EXIT_USAGE)
        from ordago.arena.admission.account_tokens import AccountTokens
        from ordago_cli.account.accounts import served_accounts
        from ordago_ladder.entrants.entrance import Entrance

        self.described(address)
        with served_accounts(self.data) as accounts:
            tokens = AccountTokens(accounts, arrived=_leave_alone)
            way = OwnPort(
                address=address,
                watch=tokens.watch,
                bounds=self.bounds,
                connections=self.connections,
                tls=self.tls(address),
                reflection=self.reflection,
            )
            yield Entrance(tokens, way)


def _leave_alone(_bot: Bot) -> None:
    """Do nothing with a bot: the event looks after its own bots."""


def account_tokens(authenticator: Authenticator) -> "AccountTokens | None":
    """Return the authenticator if it checks account tokens; ``None`` otherwise."""
    if isinstance(authenticator, AllowEverybody):
        return None
    from ordago.arena.admission.account_tokens import AccountTokens

    return authenticator if isinstance(authenticator, AccountTokens) else None


def account_services(tokens: "AccountTokens | None", router: EventRouter) -> Sequence[Service]:
    """Return the services for accounts that a server offers besides its tables; none if it asks for no tokens."""
    if tokens is None:
        return ()
    from ordago.edge.services.account_handlers import AccountHandlers
    from ordago.edge.services.accounts import AccountService

    return (AccountService(AccountHandlers(tokens.accounts, sessions=LiveSessions(router))),)


def is_loopback(address: str) -> bool:
    """Return True if an address, ``HOST:PORT``, is reachable from this machine only."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
