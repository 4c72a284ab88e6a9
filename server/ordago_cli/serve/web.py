"""``ordago web``: a site of published folders, or of a server anywhere."""

import importlib.util
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import click

from ordago.edge import Tls
from ordago.ops.logs import logging_to_stderr
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError, run
from ordago_cli.options.asking import WIRE_OPTIONS, Server, server_of, taking, token_in
from ordago_cli.options.store import default_data_folder
from ordago_cli.options.watching import check_address, log_options
from ordago_cli.serve.certificates import check_certificate, warnings_of_certificate
from ordago_web.event_folders import FIRST_PAGE
from ordago_web.serving.listener import ListenError, Place, address_of, listening
from ordago_web.settings import PublicAddressError, ServerPlace, SiteSettings, checked_origin, contact_link

ANALYSES: Final = "analyses"
"""The folder of the analysis cache, inside the data folder."""
_logger = logging.getLogger("ordago.web")
_ADDRESS: Final = "127.0.0.1:8080"
_ANY_HOST: Final = ("0.0.0.0", "[::]")  # noqa: S104 - it is compared, not bound
_SERVER: Final = click.option("--server", metavar="HOST:PORT", help="Server whose ladder to show.")
_file: Final = click.Path(path_type=Path, dir_okay=False)


def _of_server(command: Callable[..., None]) -> Callable[..., None]:
    return taking(command, (_SERVER, *WIRE_OPTIONS), server_of)


@click.command(epilog="Example: ordago web tournaments/out/demo")
@click.argument("folders", nargs=-1, metavar="[DIR]…", type=click.Path(path_type=Path))
@_of_server
@click.option("--token-file", type=_file, metavar="FILE", help="File that holds the token; read once.")
@click.option(
    "--address", default=_ADDRESS, show_default=True, metavar="HOST:PORT", help="Address of the site; port 0: any."
)
@click.option("--origin", default="", metavar="URL", help="Public address of the site behind a proxy: https://HOST.")
@click.option("--contact", default="", metavar="ADDRESS", help="E-mail address or page for reports of visitors.")
@click.option("--forwarded", is_flag=True, help="The site is behind a proxy: trust its X-Forwarded-For.")
@click.option("--site-cert", type=_file, metavar="FILE", help="PEM file of the site's certificate and its chain.")
@click.option("--site-key", type=_file, metavar="FILE", help="PEM file of its private key.")
@click.option("--no-play", is_flag=True, help="Do not let people play against house bots.")
@log_options(level="warning")
def web(
    asked: Server,
    *,
    folders: tuple[Path, ...],
    token_file: Path | None,
    address: str,
    origin: str,
    contact: str,
    forwarded: bool,
    site_cert: Path | None,
    site_key: Path | None,
    no_play: bool,
    log_level: str,
    log_format: str,
) -> None:
    """Show published folders of events, and the ladder of a --server, in a browser."""
    check_extra("ordago web")
    server = _server(asked, token_file)
    if server is None and not folders:
        sentence = "choose what to show: a published folder, or the ladder of a --server HOST:PORT"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    settings = SiteSettings(
        place=place_of(address, site_cert, site_key, option="--address"),
        origin=origin_of(origin, option="--origin"),
        contact=contact_of(contact, option="--contact"),
        forwarded=forwarded,
        server=server,
        folders=tuple(_published(folder) for folder in folders),
        plays=not no_play,
        analyses=default_data_folder() / ANALYSES,
        log_format=log_format,
        log_level=log_level,
    )
    with logging_to_stderr(log_format=log_format, level=log_level):
        if site_cert is not None and site_key is not None:
            for subject, sentence in warnings_of_certificate(Tls(site_cert, site_key)):
                _logger.warning("worth a look", extra={"subject": subject, "what": sentence})
        _serve(settings)


def _serve(settings: SiteSettings) -> None:
    with opened_listener(settings.place, option="--address") as listener:
        click.echo(f"the site is at {address_of(listener, settings.place)}; Ctrl-C to stop")
        run(partial(_kept_running, settings, listener))


async def _kept_running(settings: SiteSettings, listener: socket.socket) -> None:
    """Serve a site until a signal ends it."""
    # Imported late, so that usage errors do not pay for it.
    import trio

    from ordago.ops.stopping import orders_to_stop
    from ordago_web.site_process import SiteProcess

    # Handle signals before the process exists, so that it is always ended.
    with orders_to_stop() as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(SiteProcess(settings, listener, away=_warn, there=_no_news).run)
            await anext(signals)
            nursery.cancel_scope.cancel()


def _warn(why: str) -> None:
    _logger.error("the site is down", extra={"error": why})


def _no_news() -> None:
    """Print nothing: the address of the site is on the screen already."""


def _server(asked: Server, token_file: Path | None) -> ServerPlace | None:
    if asked.server is None:
        return None
    token = "" if token_file is None else token_in(token_file)
    tls = asked.checked()
    connecting = connecting_to(asked.server, secure=tls is not None)
    return ServerPlace(address=asked.server, token=token, tls=tls, connecting=connecting)


def connecting_to(address: str, *, secure: bool) -> str:
    """Return the arguments with which a bot connects; ``{host}`` where a server listens on all addresses."""
    host, _, port = address.rpartition(":")
    host = "{host}" if host in _ANY_HOST else host
    return f"--address {host}:{port}{' --tls' if secure else ''}"


def _published(folder: Path) -> Path:
    if not (folder / FIRST_PAGE).is_file():
        sentence = (
            f"{folder} is not a published folder, since it has no {FIRST_PAGE}: ordago run and ordago report make one"
        )
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
    return folder.resolve()


def check_extra(what: str) -> None:
    """Check that the packages for a site are installed.

    Raises:
        CommandError: one is missing.
    """
    missing = [name for name in ("hypercorn", "markdown_it", "starlette") if importlib.util.find_spec(name) is None]
    if missing:
        sentence = f"{what} needs {missing[0]}, which is not installed: pip install 'ordago[web]'"
        raise CommandError(sentence, exit_code=EXIT_USAGE)


def place_of(address: str, certificate: Path | None, key: Path | None, *, option: str) -> Place:
    """Return the address of a site with its certificate.

    Raises:
        CommandError: the address is malformed, or the certificate is unusable.
    """
    check_address(address, option=option)
    if (certificate is None) != (key is None):
        raise CommandError("--site-cert and --site-key belong together", exit_code=EXIT_USAGE)
    if certificate is not None and key is not None:
        check_certificate(Tls(certificate, key))
    return Place(address=address, certificate=certificate, key=key)


def origin_of(text: str, *, option: str) -> str:
    """Check the public address of a site; empty without one.

    Raises:
        CommandError: it is no address of a site.
    """
    return _checked(checked_origin, text, option)


def contact_of(text: str, *, option: str) -> str:
    """Return the link to who runs a site; empty without one.

    Raises:
        CommandError: it is no address.
    """
    return _checked(contact_link, text, option)


def _checked(check: Callable[[str], str], text: str, option: str) -> str:
    try:
        return check(text) if text else ""
    except PublicAddressError as error:
        raise CommandError(f"{option}: {error}", exit_code=EXIT_USAGE) from None


@contextmanager
def opened_listener(place: Place, *, option: str) -> Iterator[socket.socket]:
    """Listen on the address of a site.

    Raises:
        CommandError: it cannot be listened on.
    """
    try:
        listener = listening(place.address)
    except ListenError as error:
        raise CommandError(f"{option}: {error}; choose another address", exit_code=EXIT_OUTSIDE) from None
    with listener:
        yield listener
