"""What a server finds outside: its certificate, who can read its files, how many files it may open."""

import resource
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ordago.edge import Tls
from ordago.edge.server import OWN_FILES
from ordago.edge.tls import TlsError, check_files
from ordago.edge.validity import expires_soon, validity_of
from ordago_cli.errors import EXIT_OUTSIDE, CommandError

if TYPE_CHECKING:
    from ordago_cli.serve.running import ServeSettings


class Warned(NamedTuple):
    """Something that keeps no server from starting, and should be looked at."""

    subject: str
    sentence: str


def check_certificate(tls: Tls) -> None:
    """Check that a certificate and its key can be used, and are good now.

    Raises:
        CommandError: they cannot, or are not: nobody could connect.
    """
    try:
        check_files(tls)
    except TlsError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None


def raise_file_limit() -> int:
    """Let this process open as many files as it may at most, and return how many those are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def warnings_of(settings: "ServeSettings") -> Iterator[Warned]:
    """Yield what keeps a server from nothing, and should be looked at."""
    tls = settings.entrance.tls(settings.address)
    if tls is not None:
        yield from warnings_of_certificate(tls)
    if settings.uses_data or settings.entrance.asks_for_tokens:
        yield from _of_data(settings.entrance.data)
    yield from _of_files(settings.entrance.bounds.max_connections)


def warnings_of_certificate(tls: Tls) -> Iterator[Warned]:
    """Yield what should be looked at of a certificate that can be used, and of its key."""
    if warning := expires_soon(tls.certificate, validity_of(tls.certificate).ends):
        yield Warned("certificate", warning)
    who = _others_who_read(tls.key)
    if who:
        sentence = f"{who} can read {tls.key}, and could pretend to be this server: chmod 600"
        yield Warned("key", sentence)


def _of_data(data: Path) -> Iterator[Warned]:
    if data.is_dir() and (who := _others_who_read(data)):
        yield Warned("data", f"{who} can look into {data}, where accounts and secrets of matches are: chmod 700")


def _others_who_read(path: Path) -> str:
    """Return who can read a file beside its owner; nothing if nobody can."""
    mode = path.stat().st_mode
    if mode & stat.S_IROTH:
        return "everybody on this machine"
    return "its group" if mode & stat.S_IRGRP else ""


def _of_files(connections: int) -> Iterator[Warned]:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OWN_FILES
    if most != resource.RLIM_INFINITY and most < needed:
        sentence = f"{most} files may be open, and {connections} connections need {needed}: raise the limit (ulimit -n)"
        yield Warned("files", sentence)
