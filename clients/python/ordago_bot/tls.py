"""TLS settings of a bot: certificates, keys and their command-line arguments."""

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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
    environment = os.environ
    parser.add_argument(
        "--tls", action="store_true", default=bool(environment.get("ORDAGO_TLS")), help="connect over TLS"
    )
    for name, text in (
        ("ca", "whose word for the server is taken; default: that of the authorities that everybody knows"),
        ("cert", "the certificate of the bot, where the server asks for one"),
        ("key", "the private key for --tls-cert"),
    ):
        default = environment.get(f"ORDAGO_TLS_{name.upper()}") or None
        parser.add_argument(f"--tls-{name}", type=_contents, metavar="FILE", default=default, help=f"PEM: {text}")


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
