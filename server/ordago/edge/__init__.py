"""The only part of the server that knows grpc.

grpc.aio lives in the one asyncio loop of the process, the arena in trio. Where trio is the guest of that loop
(``ordago.one_thread``) both are in one thread; in any other program of trio the loop has a thread of its own. What
passes between them passes in batches, with one wake-up for each batch.
"""

# ruff: noqa: E402 - grpc has to be imported as it shall serve before whatever else imports it
from ordago.edge.grpc_import import import_grpc

import_grpc()

from ordago.edge.local import ByName, Guests, OwnPort, Way, open_host
from ordago.edge.server import Edge, EdgeError, EdgeFailedError
from ordago.edge.tls import Tls

__all__ = ["ByName", "Edge", "EdgeError", "EdgeFailedError", "Guests", "OwnPort", "Tls", "Way", "open_host"]
