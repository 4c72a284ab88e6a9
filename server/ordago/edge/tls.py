"""The server's certificates, taken anew from their files when these change."""

import logging
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import grpc

_logger = logging.getLogger("ordago.edge")


class TlsError(Exception):
    """The files of a certificate cannot be used. Whoever named them erred, or whoever wrote them."""


@dataclass(frozen=True, slots=True)
class Tls:
    """What the server proves with who it is, and what its clients have to."""

    certificate: Path
    """The chain of certificates, the server's own first, as PEM."""
    key: Path
    """The private key for it, as PEM."""
    client_authority: Path | None = None
    """The certificates of those who vouch for clients, as PEM; ``None``: clients need no certificate."""

    @property
    def files(self) -> tuple[Path, ...]:
        """All files."""
        return (self.certificate, self.key, *((self.client_authority,) if self.client_authority else ()))


class Certificates:
    """The files of a certificate, read again when they change."""

    def __init__(self, tls: Tls) -> None:
        """Read them.

        Raises:
            TlsError: they cannot be read, are no PEM, or do not fit together.
        """
        self._tls = tls
        self._as_of = self._stamp()
        self._first = self._read()

    def credentials(self, connected: Callable[[], None]) -> grpc.ServerCredentials:
        """Return what grpc needs. At each handshake it calls ``connected``, and asks whether there is anything new."""
        mutual = self._tls.client_authority is not None

        def news() -> grpc.ServerCertificateConfiguration | None:
            connected()
            return self._news_if_good()

        return grpc.dynamic_ssl_server_credentials(
            self._first,
            news,  # type: ignore[arg-type]  # the stubs do not know that there may be no news
            require_client_authentication=mutual,
        )

    def _news_if_good(self) -> grpc.ServerCertificateConfiguration | None:
        """Return what the files hold if that has changed and can be used, else nothing: what was there stays in use.

        Only then: where grpc is given one at each handshake, even the same, some hundred of these at once end the
        process by a segmentation fault.
        """
        try:
            return self._news()
        except TlsError as error:
            _logger.warning("the certificate that was read before stays in use: %s", error)
            return None

    def _news(self) -> grpc.ServerCertificateConfiguration | None:
        stamp = self._stamp()
        if stamp == self._as_of:
            return None
        # Even if it cannot be used: it is looked at again when the files change again.
        self._as_of = stamp
        read = self._read()
        _logger.info("the certificate was read again from %s", self._tls.certificate)
        return read

    def _stamp(self) -> tuple[tuple[int, int, int], ...]:
        """Return what changes when a file is written or replaced."""
        try:
            found = [path.stat() for path in self._tls.files]
        except OSError as error:
            raise _unreadable(error) from error
        return tuple((one.st_ino, one.st_mtime_ns, one.st_size) for one in found)

    def _read(self) -> grpc.ServerCertificateConfiguration:
        tls = self._tls
        _check(tls)
        try:
            pair = (tls.key.read_bytes(), tls.certificate.read_bytes())
            authority = tls.client_authority.read_bytes() if tls.client_authority else None
        except OSError as error:
            raise _unreadable(error) from error
        return grpc.ssl_server_certificate_configuration([pair], authority)


def _check(tls: Tls) -> None:
    """Check that the files can be used, since grpc would tell nobody but its own log."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # A key with a password cannot be used by a server that nobody sits at, and nobody is to be asked for one.
        context.load_cert_chain(tls.certificate, tls.key, password="")
    except ssl.SSLError:
        sentence = f"{tls.certificate} and {tls.key} are no certificate and its key, as PEM and without a password"
        raise TlsError(sentence) from None
    except OSError as error:
        raise _unreadable(error) from error
    try:
        if tls.client_authority is not None:
            context.load_verify_locations(tls.client_authority)
    except ssl.SSLError:
        raise TlsError(f"{tls.client_authority} holds no certificates, as PEM") from None
    except OSError as error:
        raise _unreadable(error) from error


def _unreadable(error: OSError) -> TlsError:
    return TlsError(f"cannot read {error.filename or 'the files of the certificate'}: {error.strerror}")
