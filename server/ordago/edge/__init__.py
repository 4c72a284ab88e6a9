"""The gRPC side of the server, and the only package that imports grpc.

grpc.aio runs in the one asyncio loop of the process, the arena in trio. If trio is a guest of that loop
(``ordago.one_thread``), both share a thread; in any other trio program the loop has a thread of its own. They exchange
calls in batches, with one wake-up for each batch.
"""

# ruff: noqa: E402 - grpc has to be imported with our settings before any other module imports it
from ordago.edge.grpc_import import import_grpc

import_grpc()

from ordago.edge.local import ByName, Guests, OwnPort, Way, open_host
from ordago.edge.server import Edge, EdgeError, EdgeFailedError
from ordago.edge.tls import Tls

__all__ = ["ByName", "Edge", "EdgeError", "EdgeFailedError", "Guests", "OwnPort", "Tls", "Way", "open_host"]
