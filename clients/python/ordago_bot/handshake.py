"""Find out why a server cannot be reached: TLS on one side only, or a certificate that cannot be trusted.

gRPC reports all of these as ``UNAVAILABLE``, with words that change between its versions, and retrying never helps. So
after a failed connection the server is contacted once more, by Python's own TLS and without a token.
"""

import importlib.util
import os
import socket
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Final

from ordago.addresses import Address
from ordago_bot.tls import Tls

_SECONDS: Final = 1.0
"""The patience with each of the two connections. A server that needs longer is tried again anyway."""
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0"
"""The beginning of a connection in HTTP/2: the client's preface and empty settings (RFC 9113, 3.4)."""
_FRAME_HEADER_BYTES: Final = 9
_SETTINGS: Final = 4
"""The type of the first frame that a server sends, in the fourth byte of its header."""
_ALERT: Final = "ALERT"
"""A part of OpenSSL's names for errors that the other side has sent: whoever sends an alert speaks TLS."""
# Results of OpenSSL's verification: X509_V_ERR_… in its x509_vfy.h.
_EXPIRED: Final = 10
_NOT_YET_VALID: Final = 9
_OTHER_NAMES: Final = (62, 64)
_NOT_TRUSTED: Final = (2, 18, 19, 20, 21)
_PROXIES: Final = tuple(
    spelt for name in ("grpc_proxy", "https_proxy", "http_proxy", "all_proxy") for spelt in (name, name.upper())
)
"""Variables from which libraries take a proxy."""
_ROOTS: Final = "_cython/_credentials/roots.pem"
"""The file in gRPC's package with the authorities that it trusts unless others are named."""


def permanent_trouble(address: Address, tls: Tls | None) -> str:
    """Return the reason why connecting can never work, behind "the server at ADDRESS"; empty if none is found."""
    with suppress(OSError, ValueError):
        return _without_tls(address) if tls is None else _with_tls(address, tls)
    return ""


def unused_proxy() -> str:
    """Return the end of a sentence about a server that cannot be reached: a proxy is named, and none is ever used."""
    named = next((name for name in _PROXIES if os.environ.get(name)), "")
    return f"; the proxy in {named} is not used" if named else ""


def _without_tls(address: Address) -> str:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        _shake_hands(address, context)
    except ssl.SSLError as error:
        if _ALERT not in (error.reason or ""):
            return ""
    return "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own"


def _with_tls(address: Address, tls: Tls) -> str:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=_authorities(tls).decode())
    try:
        _shake_hands(address, context)
    except ssl.SSLCertVerificationError as error:
        return _complaint(error, address)
    except ssl.SSLError as error:
        # Nothing is sent in the clear to a server that has answered by TLS.
        if _ALERT not in (error.reason or "") and _answers_in_the_clear(address):
            return "does not speak TLS: connect without --tls"
    return ""


def _authorities(tls: Tls) -> bytes:
    if tls.authorities is not None:
        return tls.authorities
    named, package = os.environ.get("GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"), importlib.util.find_spec("grpc")
    if named or package is None or package.origin is None:
        return Path(named or "").read_bytes()
    return Path(package.origin).with_name(_ROOTS).read_bytes()


def _complaint(error: ssl.SSLCertVerificationError, address: Address) -> str:
    if error.verify_code == _EXPIRED:
        return "has a certificate that has expired"
    if error.verify_code == _NOT_YET_VALID:
        return "has a certificate that is not valid yet"
    if error.verify_code in _OTHER_NAMES:
        return f"has a certificate for other names than {address.host}"
    if error.verify_code in _NOT_TRUSTED:
        return "has a certificate of an authority that is not trusted here: name its file with --tls-ca"
    return ""


def _shake_hands(address: Address, context: ssl.SSLContext) -> None:
    context.set_alpn_protocols(["h2"])
    with _connected(address) as plain, context.wrap_socket(plain, server_hostname=address.host or "localhost"):
        pass


def _answers_in_the_clear(address: Address) -> bool:
    with _connected(address) as plain:
        plain.sendall(_PREFACE)
        header = plain.recv(_FRAME_HEADER_BYTES, socket.MSG_WAITALL)
    return len(header) == _FRAME_HEADER_BYTES and header[3] == _SETTINGS


def _connected(address: Address) -> socket.socket:
    if not address.path:
        return socket.create_connection((address.host, address.port), _SECONDS)
    plain = socket.socket(socket.AF_UNIX)
    try:
        plain.settimeout(_SECONDS)
        plain.connect(address.path)
    except OSError:
        plain.close()
        raise
    return plain
