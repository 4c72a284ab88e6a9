"""The certificates of a server and of its bots, in a folder, made by authorities of their own."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

from ordago.edge import Tls
from ordago_bot.tls import Tls as BotTls

_DAY = timedelta(days=1)


class Files:
    """The certificates of a server and of its bots, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.authority, self.client_authority = trustme.CA(), trustme.CA()
        self.certificate, self.key = folder / "server.pem", folder / "server.key"
        self.clients = folder / "clients.pem"
        self.client_authority.cert_pem.write_to_path(self.clients)
        self.issue(self.authority)

    def issue(self, authority: trustme.CA, *, begins: timedelta = -_DAY, ends: timedelta = 90 * _DAY) -> None:
        """Give the server a new certificate, which is good from then to then, from now on."""
        now = datetime.now(UTC)
        issued = authority.issue_cert("127.0.0.1", "localhost", not_before=now + begins, not_after=now + ends)
        self.key.write_bytes(issued.private_key_pem.bytes())
        self.certificate.write_bytes(_chain(issued))

    def tls(self, *, mutual: bool = False) -> Tls:
        """Return what the server listens with."""
        return Tls(self.certificate, self.key, self.clients if mutual else None)

    def trusting(self, *, of: trustme.CA | None = None) -> ssl.SSLContext:
        """Return what a browser connects with that believes an authority: that of the first certificate if ``None``."""
        context = ssl.create_default_context()
        (of or self.authority).configure_trust(context)
        return context

    def client(self, *, of: trustme.CA | None = None, believes: trustme.CA | None = None) -> BotTls:
        """Return what a bot connects with."""
        issued = None if of is None else of.issue_cert("bot@example.org")
        return BotTls(
            authorities=(believes or self.authority).cert_pem.bytes(),
            certificate=None if issued is None else _chain(issued),
            key=None if issued is None else issued.private_key_pem.bytes(),
        )

    def client_options(self, *, of: trustme.CA | None = None, believes: trustme.CA | None = None) -> dict[str, str]:
        """Return the same by the options that a bot is told it with; their files are written anew each time."""
        tls = self.client(of=of, believes=believes)
        contents = {"--tls-ca": tls.authorities, "--tls-cert": tls.certificate, "--tls-key": tls.key}
        return {option: self._written(f"bot{option}.pem", pem) for option, pem in contents.items() if pem is not None}

    def _written(self, name: str, pem: bytes) -> str:
        path = self._folder / name
        path.write_bytes(pem)
        return str(path)


def _chain(issued: trustme.LeafCert) -> bytes:
    return b"".join(pem.bytes() for pem in issued.cert_chain_pems)
