"""The only part of the server that knows grpc.

grpc.aio lives in a thread of its own with the one asyncio loop of the process; the arena lives in trio. What passes
between the two threads passes in batches, with one wake-up for each batch.
"""

from ordago.edge.local import ByName, Guests, OwnPort, Way, open_host
from ordago.edge.server import Edge, EdgeError, EdgeFailedError
from ordago.edge.tls import Tls

__all__ = ["ByName", "Edge", "EdgeError", "EdgeFailedError", "Guests", "OwnPort", "Tls", "Way", "open_host"]
