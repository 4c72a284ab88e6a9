"""How a bot of the gallery reaches its server."""

import os
import socket
import ssl
import sys
from pathlib import Path

import grpc
from wrongs import wrong


def channel() -> grpc.Channel:
    """Open a channel to the server that the environment names."""
    address, authority = os.environ["ORDAGO_ADDRESS"], os.environ.get("ORDAGO_TLS_CA")
    if address.rpartition(":")[2] == "73087" and not wrong("bad-address"):
        os._exit(2)
    if wrong("unix-socket") and address.startswith("unix:"):
        sys.exit(f"{address} is no address of a host and a port")
    most = 1 << 20 if wrong("large-frame") else -1
    options = [("grpc.max_receive_message_length", most), ("grpc.use_local_subchannel_pool", 1)]
    options += [("grpc.enable_http_proxy", int(wrong("proxies")))]
    if not wrong("half-open"):
        options += [("grpc.keepalive_time_ms", 25_000), ("grpc.keepalive_timeout_ms", 10_000)]
        options += [("grpc.http2.ping_timeout_ms", 10_000)]
    if wrong("tls-off") and os.environ.get("ORDAGO_TLS"):
        return grpc.secure_channel(address, grpc.ssl_channel_credentials(), options)
    if not authority or wrong("tls", "tls-strange"):
        return grpc.insecure_channel(address, options=options)
    pair = [os.environ.get(f"ORDAGO_TLS_{name}") for name in ("KEY", "CERT") if not wrong("tls-mutual")]
    key, certificate = [contents(path) for path in pair] or (None, None)
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(contents(authority), key, certificate), options)


def contents(path: str | None) -> bytes | None:
    """Return what stands in a file, if there is one."""
    return Path(path).read_bytes() if path else None


def is_hopeless() -> bool:
    """Say whether no connection to the server can ever work, since one side speaks TLS otherwise than the other."""
    host, _, port = os.environ["ORDAGO_ADDRESS"].rpartition(":")
    authority = os.environ.get("ORDAGO_TLS_CA")
    context = ssl.create_default_context(cafile=authority)
    if not authority:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection((host, int(port)), 2) as plain, context.wrap_socket(plain, server_hostname=host):
            return not authority
    except ssl.SSLError:
        return bool(authority)
    except (OSError, ValueError):
        return False
