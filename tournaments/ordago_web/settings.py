"""What a site is told when it is started."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from ordago.edge.sockets import UNIX
from ordago_bot.tls import Tls
from ordago_web.serving.listener import Place

LENGTH_BYTES: Final = 8
"""Before what a process of a site is told stands, in so many bytes, how long it is."""


class OriginError(Exception):
    """What people shall call a site by is no address. The user erred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPlace:
    """A server of matches, and how it is asked."""

    address: str
    """``HOST:PORT``, or ``unix:PATH``."""
    token: str = field(default="", repr=False)
    """A token, where it wants one to be asked about its ladder."""
    tls: Tls | None = field(default=None, repr=False)
    ladder: bool = True
    """Whether it may have a ladder."""
    accounts: bool = True
    """Whether authors may have accounts there."""

    @property
    def for_us(self) -> bool:
        """Whether it listens to this site alone, and bounds nothing that comes from there."""
        return self.address.startswith(UNIX)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """What a site is told."""

    place: Place
    """Where it is served."""
    origin: str = ""
    """What people call it by, for instance ``https://cards.example.org``; empty: as it listens."""
    forwarded: bool = False
    """Whether a proxy stands before it, whose word for who asks is believed."""
    server: ServerPlace | None = None
    """The server of matches; ``None`` where only folders are shown."""
    folders: tuple[Path, ...] = ()
    """The published folders of events."""
    hosted: Path | None = None
    """A folder whose folders are those of the events that a server plays; ``None`` where it plays none."""
    plays: bool = True
    """Whether people play against bots of the house."""
    analyses: Path | None = None
    """The folder in which analyses of matches are kept; ``None`` where none are made."""
    log_format: str = "text"
    """How its process writes its log, one of ``LOG_FORMATS``."""
    log_level: str = "warning"
    """What its process logs, one of ``LOG_LEVELS``."""

    def at(self, server: ServerPlace) -> Self:
        """Return the same for a site of a server."""
        return replace(self, server=server)

    @property
    def secure(self) -> bool:
        """Whether browsers come over TLS."""
        return self.place.certificate is not None or self.origin.startswith("https:")

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of hosts that it is called by."""
        listened = self.place.address.rpartition(":")[0]
        named = urlsplit(self.origin).hostname
        return (listened, *((named,) if named else ()))


def checked_origin(text: str) -> str:
    """Return what people shall call a site by, without a slash at its end.

    Raises:
        OriginError: it is no address of a site.
    """
    try:
        parts = urlsplit(text)
        whole = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        whole = None
    if not whole or parts.path not in ("", "/") or "@" in parts.netloc:
        raise OriginError(f"an origin is written https://HOST or https://HOST:PORT, not {text!r}")
    return text.rstrip("/")
