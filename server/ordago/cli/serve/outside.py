"""What a server finds outside: its certificate, who can read its files, how many files it may open."""

import resource
import ssl
import stat
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ordago.cli.errors import EXIT_OUTSIDE, CommandError
from ordago.edge import Tls
from ordago.edge.server import OWN_FILES

if TYPE_CHECKING:
    from ordago.cli.serve.running import ServeSettings

_SOON_SECONDS: Final = 14 * 24 * 60 * 60
"""Whoever renews certificates by a program does so earlier; whoever does it by hand has two weekends."""
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17


class Warned(NamedTuple):
    """Something that keeps no server from starting, and should be looked at."""

    subject: str
    sentence: str


class Validity(NamedTuple):
    """From when to when a certificate is good, in seconds since 1970, UTC."""

    begins: float
    ends: float


def check_validity(tls: Tls, *, now: float | None = None) -> Validity:
    """Return when a certificate is good, which it is now.

    Raises:
        CommandError: it is not good yet, or not any more: no bot could connect.
    """
    validity, now = validity_of(tls.certificate), time.time() if now is None else now
    if validity.ends <= now:
        sentence = f"the certificate {tls.certificate} has expired on {_day(validity.ends)}: renew it"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
    if validity.begins > now:
        sentence = f"the certificate {tls.certificate} is not good before {_day(validity.begins)}: is the clock right?"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE)
    return validity


def validity_of(certificate: Path) -> Validity:
    """Return when the first certificate of a file is good, which holds one as PEM."""
    text = certificate.read_text(encoding="ascii", errors="replace")
    begin, end = text.index("-----BEGIN CERTIFICATE"), text.index(ssl.PEM_FOOTER) + len(ssl.PEM_FOOTER)
    _, whole, _ = _element(ssl.PEM_cert_to_DER_cert(text[begin:end]))
    _, signed, _ = _element(whole)
    kind, _, rest = _element(signed)
    # The number, how it is signed and by whom come before, and perhaps the version before these.
    for _ in range(3 if kind == _VERSION else 2):
        _, _, rest = _element(rest)
    _, period, _ = _element(rest)
    kind_of_begin, begins, rest = _element(period)
    kind_of_end, ends, _ = _element(rest)
    return Validity(_seconds(kind_of_begin, begins), _seconds(kind_of_end, ends))


def _element(der: bytes) -> tuple[int, bytes, bytes]:
    """Return the kind and the content of the first element, and what comes after it."""
    length, start = der[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(der[2:start])
    return der[0], der[start : start + length], der[start + length :]


def _seconds(kind: int, written: bytes) -> float:
    """Return the time of an element; years of two digits are those from 1950 to 2049."""
    text = written.decode("ascii")
    if kind == _UTC_TIME:
        text = ("19" if text[:2] >= "50" else "20") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).timestamp()


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


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
        yield from _of_certificate(tls)
    if settings.uses_data or settings.entrance.asks_for_tokens:
        yield from _of_data(settings.entrance.data)
    yield from _of_files(settings.entrance.bounds.max_connections)


def _of_certificate(tls: Tls) -> Iterator[Warned]:
    ends = validity_of(tls.certificate).ends
    if ends < time.time() + _SOON_SECONDS:
        yield Warned("certificate", f"{tls.certificate} expires on {_day(ends)}: renew it")
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
