"""How whoever measures connects, to a server of matches and to the bare echo alike: as bots of the SDKs do."""

from typing import Final

import grpc.aio

_OPTIONS: Final = (
    # Channels of one process would share a connection otherwise, and each bot has its own.
    ("grpc.use_local_subchannel_pool", 1),
    # Else it pings where something comes, to find out how much may be on its way at once.
    ("grpc.http2.bdp_probe", 0),
)


def open_channel(address: str) -> grpc.aio.Channel:
    """Return a connection of its own to an address."""
    return grpc.aio.insecure_channel(address, options=_OPTIONS)
