"""The options for logs and metrics of a running command."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import click

from ordago.addresses import AddressError
from ordago.ops.addresses import split_address
from ordago.ops.logs import LOG_FORMATS, LOG_LEVELS
from ordago.ops.web import WebError, watched
from ordago.telemetry.counters import Counters
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError

CommandT = TypeVar("CommandT", bound=Callable[..., Any])  # a function with any options

metrics_option: Final = click.option(
    "--metrics", metavar="HOST:PORT", help="Address for /metrics, which Prometheus reads, and /health."
)


def log_options(*, level: str) -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds the log options, with this default level."""

    def decorate(command: CommandT) -> CommandT:
        with_level = click.option(
            "--log-level",
            type=click.Choice(LOG_LEVELS),
            default=level,
            show_default=True,
            help="The least severe messages to log.",
        )
        with_format = click.option(
            "--log-format",
            type=click.Choice(LOG_FORMATS),
            default="text",
            show_default=True,
            help="The format of the log.",
        )
        return with_format(with_level(command))

    return decorate


def check_address(address: str, *, option: str, least_port: int = 0) -> tuple[str, int]:
    """Split ``HOST:PORT``, the value of an option, into host and port.

    Raises:
        CommandError: it is malformed.
    """
    try:
        return split_address(address, least_port=least_port)
    except AddressError as error:
        raise CommandError(f"{option}: {error}", exit_code=EXIT_USAGE) from None


@contextmanager
def watched_by(address: str | None, counters: Counters) -> Iterator[None]:
    """Serve metrics and health on an address, if there is one.

    Raises:
        CommandError: the address is malformed, or the server cannot listen on it.
    """
    if address is not None:
        check_address(address, option="--metrics")
    try:
        with watched(address, counters):
            yield
    except WebError as error:
        raise CommandError(f"--metrics: {error}; choose another address", exit_code=EXIT_OUTSIDE) from error
