"""URLs that announcements are posted to, and keys that they are signed with, as an event file writes them."""

import base64
import binascii
from typing import Final, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import urlsplit

from ordago_ladder.settings.written_values import UnfitValueError, listed

Kind: TypeAlias = Literal["check-in", "start", "round", "suspension", "end"]
"""The kinds of announcements."""
Form: TypeAlias = Literal["json", "discord", "slack"]
"""The forms of the body of an announcement."""
PORTS: Final = {"http": 80, "https": 443}
"""The usual port of each scheme."""
_LONGEST_URL: Final = 2_000
"""The most characters of a URL."""
_KINDS: Final = get_args(Kind)


class Receiver(NamedTuple):
    """The place that a URL names."""

    scheme: str
    host: str
    """The host, in lower case."""
    port: int
    target: str
    """The path with the query. It may contain a password."""


def receiver_of(url: str) -> Receiver:
    """Return the place that a URL names.

    Raises:
        UnfitValueError: nothing can be posted to it.
    """
    if len(url) > _LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise UnfitValueError(f"'url' takes at most {_LONGEST_URL:,} characters of ASCII, all visible")
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        parts, port = urlsplit(""), 0
    if not parts.hostname or parts.username is not None or parts.scheme not in PORTS:
        raise UnfitValueError("'url' takes the URL of a host, without a user, such as https://example.org/hook")
    return Receiver(
        parts.scheme, parts.hostname, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    )


def announce_url(text: str) -> str:
    """Return a URL that announcements can be posted to.

    Raises:
        UnfitValueError: nothing can be posted to it.
    """
    receiver_of(text)
    return text


def announce_kinds(written: object) -> object:
    """Return kinds of announcements.

    Raises:
        UnfitValueError: one is unknown, or there are none.
    """
    kinds = listed(written)
    if not isinstance(kinds, tuple) or not kinds or any(kind not in _KINDS for kind in kinds):
        raise UnfitValueError(f"'kinds' takes a list of {', '.join(_KINDS)}, each in quotes")
    return kinds


def key_bytes(key: str) -> bytes:
    """Return the bytes of a key.

    Raises:
        UnfitValueError: it is no such key.
    """
    try:
        found = base64.b64decode(key.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if not key.startswith("whsec_") or not 24 <= len(found) <= 64:
        raise UnfitValueError("'key' takes whsec_ with 24 to 64 random bytes in base 64")
    return found


def announce_key(text: str) -> str:
    """Return a key that announcements can be signed with.

    Raises:
        UnfitValueError: it is no such key.
    """
    key_bytes(text)
    return text
