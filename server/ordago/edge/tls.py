"""Certificates of the server, read again when their files change."""

import logging
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import grpc

from ordago.telemetry.counters import CertificateState

_SOON_SECONDS: Final = 14 * 24 * 60 * 60
"""Warn two weeks before a certificate expires: programs renew it earlier, and a person has two weekends."""
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17


class Validity(NamedTuple):
    """The period in which a certificate is valid, in seconds since 1970, UTC."""

    begins: float
    ends: float


def objection(certificate: Path, validity: Validity) -> str:
    """Return a sentence on why a certificate is not valid now; empty if it is."""
    now = time.time()
    if validity.ends <= now:
        return f"the certificate {certificate} expired on {_day(validity.ends)}: renew it"
    if validity.begins > now:
        return f"the certificate {certificate} is not valid before {_day(validity.begins)}: check the clock"
    return ""


def expires_soon(certificate: Path, ends: float) -> str:
    """Return a warning if a certificate expires within two weeks; empty otherwise."""
    return f"{certificate} expires on {_day(ends)}: renew it" if ends < time.time() + _SOON_SECONDS else ""


def validity_of(certificate: Path) -> Validity:
    """Return the validity of the first certificate in a PEM file.

    Raises:
        ValueError: the file contains no certificate, or one that cannot be parsed.
        IndexError: the certificate is cut off.
        OSError: the file cannot be read.
    """
    # A PEM file may have any text between its certificates.
    text = certificate.read_text(encoding="ascii", errors="replace")
    begin, end = text.index("-----BEGIN CERTIFICATE"), text.index(ssl.PEM_FOOTER) + len(ssl.PEM_FOOTER)
    _, whole, _ = _element(ssl.PEM_cert_to_DER_cert(text[begin:end]))
    _, signed, _ = _element(whole)
    kind, _, rest = _element(signed)
    # Before the validity come the serial number, the algorithm and the issuer, and possibly the version before these.
    for _ in range(3 if kind == _VERSION else 2):
        _, _, rest = _element(rest)
    _, period, _ = _element(rest)
    kind_of_begin, begins, rest = _element(period)
    kind_of_end, ends, _ = _element(rest)
    return Validity(_seconds(kind_of_begin, begins), _seconds(kind_of_end, ends))


def _element(der: bytes) -> tuple[int, bytes, bytes]:
    """Return the tag and the content of the first DER element, and the bytes after it."""
    length, start = der[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(der[2:start])
    return der[0], der[start : start + length], der[start + length :]


def _seconds(kind: int, written: bytes) -> float:
    """Return the time of a DER element, in seconds since 1970; years of two digits mean 1950 to 2049."""
    text = written.decode("ascii")
    if kind == _UTC_TIME:
        text = ("19" if text[:2] >= "50" else "20") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC).timestamp()


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


_Stamp: TypeAlias = tuple[tuple[int, int, int], ...]

_logger = logging.getLogger("ordago.edge")


class TlsError(Exception):
    """The files of a certificate cannot be used: a mistake in the settings or in the files."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Files that authenticate the server, and its clients if required."""

    certificate: Path
    """The chain of certificates, the server's own first, as PEM."""
    key: Path
    """The private key for it, as PEM."""
    client_authority: Path | None = None
    """The certificates of the authorities that sign those of clients, as PEM; ``None`` if clients need none."""

    @property
    def files(self) -> tuple[Path, ...]:
        """All files."""
        return (self.certificate, self.key, *((self.client_authority,) if self.client_authority else ()))


class CertificateFiles:
    """The files of the certificate in use, checked for changes. Safe to use from any thread."""

    def __init__(self, tls: Tls) -> None:
        """Check the files and use them.

        Raises:
            TlsError: they cannot be read, are no PEM, do not belong together, or are not valid now.
        """
        self._tls = tls
        self._looking = threading.Lock()
        self._as_of = _stamp_if_readable(tls)
        self._ends = check_files(tls).ends
        self._are_usable = True
        self._is_warned = False

    @property
    def state(self) -> CertificateState:
        """The certificate in use, and whether the files could replace it, as of the last look."""
        return CertificateState(self._ends, self._are_usable)

    def look(self) -> bool:
        """Return True if the files have changed since the last call and the new certificate can be used.

        New files that cannot be used are logged, and so is a certificate in use that expires soon.
        """
        with self._looking:
            is_new = self._is_new()
            self._warn()
            return is_new

    def _is_new(self) -> bool:
        stamp = _stamp_if_readable(self._tls)
        if stamp == self._as_of:
            return False
        # Noted even if the new files cannot be used, so that they are checked only when they change again.
        self._as_of = stamp
        try:
            self._ends = check_files(self._tls).ends
        except TlsError as error:
            self._are_usable = False
            _logger.warning("the previous certificate stays in use", extra={"error": str(error)})
            return False
        self._are_usable, self._is_warned = True, False
        _logger.info("certificate read again", extra={"file": str(self._tls.certificate)})
        return True

    def _warn(self) -> None:
        warning = "" if self._is_warned else expires_soon(self._tls.certificate, self._ends)
        if warning:
            self._is_warned = True
            _logger.warning("worth a look", extra={"subject": "certificate", "what": warning})


class Certificates:
    """TLS credentials for grpc, from files that are read again when they change."""

    def __init__(self, tls: Tls) -> None:
        """Read the files.

        Raises:
            TlsError: the files cannot be used.
        """
        self._tls = tls
        self._files = CertificateFiles(tls)
        self._first = self._read()
        self._news: grpc.ServerCertificateConfiguration | None = None

    def state(self) -> CertificateState:
        """Return the state of the certificate for the next handshake, and of its files."""
        self._look()
        return self._files.state

    def credentials(self, connected: Callable[[], None]) -> grpc.ServerCredentials:
        """Return credentials for grpc, which at each handshake call ``connected`` and look for a new certificate."""
        mutual = self._tls.client_authority is not None

        def news() -> grpc.ServerCertificateConfiguration | None:
            connected()
            self._look()
            # Only when it has changed: if grpc gets one at each handshake, even the same, some hundred handshakes at
            # once end the process by a segmentation fault.
            read, self._news = self._news, None
            return read

        return grpc.dynamic_ssl_server_credentials(
            self._first,
            news,  # type: ignore[arg-type]  # the stubs do not know that there may be no news
            require_client_authentication=mutual,
        )

    def _look(self) -> None:
        """Read the files again if they have changed and can be used; otherwise the old certificate stays in use."""
        if self._files.look():
            try:
                self._news = self._read()
            except TlsError as error:
                _logger.warning("the previous certificate stays in use", extra={"error": str(error)})

    def _read(self) -> grpc.ServerCertificateConfiguration:
        tls = self._tls
        try:
            pair = (tls.key.read_bytes(), tls.certificate.read_bytes())
            authority = tls.client_authority.read_bytes() if tls.client_authority else None
        except OSError as error:
            raise _unreadable(error) from error
        return grpc.ssl_server_certificate_configuration([pair], authority)


def _stamp(tls: Tls) -> _Stamp:
    """Return values that change when a file is written or replaced: inode, time of change and size of each."""
    try:
        found = [path.stat() for path in tls.files]
    except OSError as error:
        raise _unreadable(error) from error
    return tuple((one.st_ino, one.st_mtime_ns, one.st_size) for one in found)


def _stamp_if_readable(tls: Tls) -> _Stamp | None:
    """Return the stamp of the files; ``None`` if one is missing or cannot be looked at."""
    try:
        return _stamp(tls)
    except TlsError:
        return None


def check_files(tls: Tls) -> Validity:
    """Check that the files can be used now, and return the validity of the certificate.

    grpc itself would report mistakes only in its own log.

    Raises:
        TlsError: the files cannot be used.
    """
    # This error names the missing file; the error of ssl would not.
    _stamp(tls)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # An empty password, since ssl would ask for one at the terminal if the key needs it. Servers run unattended.
        context.load_cert_chain(tls.certificate, tls.key, password="")
    except ssl.SSLError:
        sentence = f"{tls.certificate} and {tls.key} are not a certificate and its key, in PEM and without a password"
        raise TlsError(sentence) from None
    except OSError as error:
        raise _unreadable(error) from error
    _check_authority(context, tls.client_authority)
    try:
        validity = validity_of(tls.certificate)
    except (ValueError, IndexError):
        raise TlsError(f"{tls.certificate} does not begin with a certificate in PEM") from None
    except OSError as error:
        raise _unreadable(error) from error
    if why := objection(tls.certificate, validity):
        raise TlsError(why)
    return validity


def _check_authority(context: ssl.SSLContext, authority: Path | None) -> None:
    try:
        if authority is not None:
            context.load_verify_locations(authority)
    except ssl.SSLError:
        raise TlsError(f"{authority} holds no certificates, as PEM") from None
    except OSError as error:
        raise _unreadable(error) from error


def _unreadable(error: OSError) -> TlsError:
    return TlsError(f"cannot read {error.filename or 'the files of the certificate'}: {error.strerror}")
