"""The settings of a site."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from ordago.edge.sockets import UNIX
from ordago_bot.tls import Tls
from ordago_web.serving.listener import Place

_MAIL: Final = re.compile(r"[\w.+-]+@[\w.-]+", re.ASCII)
_PAGE: Final = re.compile(r"https?://[\w.:-]+(/[!-~]*)?", re.ASCII)
LENGTH_BYTES: Final = 8
"""The size of the length prefix of the settings that a site process reads."""


class PublicAddressError(Exception):
    """The public address of a site, or of who runs it, is malformed. The user erred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPlace:
    """The address of a server of matches, and the credentials for it."""

    address: str
    """``HOST:PORT``, or ``unix:PATH``."""
    token: str = field(default="", repr=False)
    """A token for its ladder, if the server requires one."""
    tls: Tls | None = field(default=None, repr=False)
    ladder: bool = True
    """True if it may have a ladder."""
    accounts: bool = True
    """True if authors may have accounts there."""
    connecting: str = ""
    """The arguments with which a bot connects; ``{host}`` stands for the host of the site. Empty: unknown."""

    @property
    def for_us(self) -> bool:
        """True for a socket of this site alone, on which the server applies no limits."""
        return self.address.startswith(UNIX)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """The settings of a site."""

    place: Place
    """The address that it listens on."""
    origin: str = ""
    """The public address, for instance ``https://cards.example.org``. Empty: the listening address."""
    contact: str = ""
    """The link to who runs it, as ``contact_link`` returns it; empty for none."""
    forwarded: bool = False
    """True behind a proxy that is trusted to name the client."""
    server: ServerPlace | None = None
    """The server of matches; ``None`` if only folders are shown."""
    folders: tuple[Path, ...] = ()
    """The published folders of events."""
    hosted: Path | None = None
    """The folder of the events that a server plays; ``None`` if it plays none."""
    plays: bool = True
    """True if people may play against house bots."""
    analyses: Path | None = None
    """The folder of the analysis cache; ``None`` if matches are not analysed."""
    log_format: str = "text"
    """The format of its log, one of ``LOG_FORMATS``."""
    log_level: str = "warning"
    """The lowest level that it logs, one of ``LOG_LEVELS``."""

    def at(self, server: ServerPlace) -> Self:
        """Return a copy for the site of a server."""
        return replace(self, server=server)

    @property
    def secure(self) -> bool:
        """True if browsers connect over TLS."""
        return self.place.certificate is not None or self.origin.startswith("https:")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The accepted host names."""
        listened = self.place.address.rpartition(":")[0]
        named = urlsplit(self.origin).hostname
        return (listened, *((named,) if named else ()))


def checked_origin(text: str) -> str:
    """Return a public origin without its trailing slash.

    Raises:
        PublicAddressError: it is not ``http(s)://HOST`` or ``http(s)://HOST:PORT``.
    """
    try:
        parts = urlsplit(text)
        whole = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        whole = None
    if not whole or parts.path not in ("", "/") or "@" in parts.netloc:
        raise PublicAddressError(f"an origin is written https://HOST or https://HOST:PORT, not {text!r}")
    return text.rstrip("/")


def contact_link(text: str) -> str:
    """Return the link to an e-mail address or a page.

    Raises:
        PublicAddressError: it is neither ``NAME@HOST`` nor ``https://HOST/PATH``.
    """
    if _MAIL.fullmatch(text):
        return f"mailto:{text}"
    if _PAGE.fullmatch(text):
        return text
    raise PublicAddressError(f"a contact is written NAME@HOST or https://HOST/PATH, not {text!r}")
