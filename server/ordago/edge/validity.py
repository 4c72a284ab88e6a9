"""From when to when certificates are good, as they say it themselves."""

import ssl
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

_SOON_SECONDS: Final = 14 * 24 * 60 * 60
"""Whoever renews certificates by a program does so earlier; whoever does it by hand has two weekends."""
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17


class Validity(NamedTuple):
    """From when to when a certificate is good, in seconds since 1970, UTC."""

    begins: float
    ends: float


def objection(certificate: Path, validity: Validity) -> str:
    """Return why a certificate is not good now, in a sentence; nothing if it is."""
    now = time.time()
    if validity.ends <= now:
        return f"the certificate {certificate} has expired on {_day(validity.ends)}: renew it"
    if validity.begins > now:
        return f"the certificate {certificate} is not good before {_day(validity.begins)}: is the clock right?"
    return ""


def expires_soon(certificate: Path, ends: float) -> str:
    """Return that a certificate ends soon, in a sentence; nothing if it does not."""
    return f"{certificate} expires on {_day(ends)}: renew it" if ends < time.time() + _SOON_SECONDS else ""


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
