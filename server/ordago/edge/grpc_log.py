"""What grpc logs of connections that break, in one line each."""

import logging
from typing import Final

_GRPC: Final = logging.getLogger("grpc._cython.cygrpc")
_BATCH_FAILED: Final = "ExecuteBatchError"
CONNECTION_BROKE: Final = "connection broke while its end was told"
"""What is logged then."""


class _BrokenConnections(logging.Filter):
    """Rewrites what grpc says, with a traceback of its own insides, where a bot vanishes while its end is told.

    It is by chance that it happens, and no mistake: our part of the stream had come to its end before.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Let a record through, as one line of information if it is of that kind."""
        error = record.exc_info[1] if record.exc_info else None
        if type(error).__name__ != _BATCH_FAILED:
            return True
        record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
        record.msg, record.args, record.exc_info = CONNECTION_BROKE, (), None
        return _GRPC.isEnabledFor(logging.INFO)


_BROKEN_CONNECTIONS: Final = _BrokenConnections()


def tell_of_broken_connections() -> None:
    """Let grpc tell of connections that break in one line each. It may be called again."""
    _GRPC.addFilter(_BROKEN_CONNECTIONS)
