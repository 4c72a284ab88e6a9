"""Certificates for the TLS cases, from authorities that exist while the doctor runs."""

from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ordago_doctor.findings import NotTriedError
from ordago_doctor.server import Certificate

if TYPE_CHECKING:
    import trustme


_LONG_AGO: Final = timedelta(days=2)
"""The age of an expired certificate, and its life before: longer than any clock is wrong."""


class Certificates:
    """Two authorities, one of which bots trust, and certificates of a server and of a bot."""

    def __init__(self, folder: Path) -> None:
        """Use a folder of the doctor for the files of bots."""
        self._folder = folder

    def of_server(self, tls: str) -> Certificate:
        """Return a certificate for the server, with the authority for bots if they need certificates too.

        Args:
            tls: the kind of TLS, as in ``Start``.
        """
        names = ["elsewhere.example"] if tls == "other-names" else ["127.0.0.1", "localhost"]
        ends = datetime.now(UTC) - _LONG_AGO if tls == "expired" else None
        begins = ends - _LONG_AGO if ends else None
        issued = self._authority.issue_cert(*names, not_before=begins, not_after=ends)
        authority = self._authority.cert_pem.bytes() if tls == "mutual" else None
        return Certificate(_chain(issued), issued.private_key_pem.bytes(), authority)

    def authority_file(self, *, strange: bool) -> str:
        """Return the file of the authority of the server, or of a foreign one."""
        authority = self._stranger if strange else self._authority
        return self._written("strange.pem" if strange else "authority.pem", authority.cert_pem.bytes())

    def bot_files(self) -> tuple[str, str]:
        """Return the files of a certificate for a bot and of its key."""
        issued = self._authority.issue_cert("bot@example.org")
        return self._written("bot.pem", _chain(issued)), self._written("bot.key", issued.private_key_pem.bytes())

    @cached_property
    def _authority(self) -> "trustme.CA":
        return _new_authority()

    @cached_property
    def _stranger(self) -> "trustme.CA":
        return _new_authority()

    def _written(self, name: str, pem: bytes) -> str:
        path = self._folder / name
        path.write_bytes(pem)
        return str(path)


def _new_authority() -> "trustme.CA":
    try:
        import trustme
    except ImportError:
        raise NotTriedError("no certificates can be made without trustme: pip install 'ordago[server]'") from None
    return trustme.CA()


def _chain(issued: "trustme.LeafCert") -> bytes:
    return b"".join(pem.bytes() for pem in issued.cert_chain_pems)
