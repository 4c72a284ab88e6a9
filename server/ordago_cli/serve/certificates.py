"""The certificate and key of a server or a site."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ordago.edge import Tls
from ordago.edge.tls import TlsError, check_files, expires_soon, validity_of
from ordago_cli.errors import EXIT_OUTSIDE, CommandError


class Warned(NamedTuple):
    """A problem that does not prevent a start."""

    subject: str
    sentence: str


def check_certificate(tls: Tls) -> None:
    """Check that a certificate and its key are usable and currently valid.

    Raises:
        CommandError: they are not, so that no client could connect.
    """
    try:
        check_files(tls)
    except TlsError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None


def warnings_of_certificate(tls: Tls) -> Iterator[Warned]:
    """Yield warnings on a usable certificate: it expires soon, or others can read its key."""
    if warning := expires_soon(tls.certificate, validity_of(tls.certificate).ends):
        yield Warned("certificate", warning)
    who = others_who_read(tls.key)
    if who:
        sentence = f"{who} can read {tls.key} and impersonate this server: chmod 600"
        yield Warned("key", sentence)


def others_who_read(path: Path) -> str:
    """Return a description of the users besides the owner who can read a file; empty for none."""
    mode = path.stat().st_mode
    if mode & stat.S_IROTH:
        return "everybody on this machine"
    return "its group" if mode & stat.S_IRGRP else ""
