"""TLS settings of a bot: certificates, keys and their command-line arguments."""

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago_bot.variables import add_substitutable

_EXIT_USAGE: Final = 2
_PEM: Final = b"-----BEGIN "


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificates that authenticate the server and the bot, all in PEM."""

    authorities: bytes | None = None
    """The certificates of authorities that may sign the server's; ``None`` for the default ones of gRPC."""
    certificate: bytes | None = None
    """The bot's own certificate and its chain, if the server requires one."""
    key: bytes | None = None
    """The private key of ``certificate``."""


def add_tls_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for TLS; their defaults come from the environment."""
    default = _is_on(parser, os.environ.get("ORDAGO_TLS", ""))
    parser.add_argument("--tls", action="store_true", default=default, help="connect over TLS")
    for name, text in (
        ("ca", "PEM file of the authorities to trust; default: the usual ones"),
        ("cert", "PEM file of the bot's own certificate, if the server asks for one"),
        ("key", "PEM file of its private key"),
    ):
        add_substitutable(parser, f"--tls-{name}", convert=_contents, otherwise=None, metavar="FILE", explanation=text)


def _is_on(parser: argparse.ArgumentParser, text: str) -> bool:
    if text not in ("", "0", "1"):
        parser.error(f"ORDAGO_TLS: {text!r} is neither 1 nor 0")
    return text == "1"


def tls_of(parsed: argparse.Namespace) -> Tls | None:
    """Return the TLS settings of parsed arguments; ``None`` for an unencrypted connection.

    Raises:
        SystemExit: a certificate without its key, or a key without its certificate.
    """
    if (parsed.tls_cert is None) != (parsed.tls_key is None):
        sys.stderr.write("error: --tls-cert and --tls-key belong together\n")
        sys.exit(_EXIT_USAGE)
    tls = Tls(parsed.tls_ca, parsed.tls_cert, parsed.tls_key)
    return tls if parsed.tls or tls != Tls() else None


def _contents(path: str) -> bytes:
    try:
        contents = Path(path).read_bytes()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot read {path}: {error.strerror}") from None
    # grpc reports this only in a log of its own, and the bot would try to connect again and again.
    if _PEM not in contents:
        raise argparse.ArgumentTypeError(f"{path} is no PEM file: nothing in it begins with {_PEM.decode()}")
    return contents
