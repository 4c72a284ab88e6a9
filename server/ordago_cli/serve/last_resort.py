"""The last resort of a stopping server: a timer that ends the process even if something hangs."""

import os
import sys
import threading
from types import TracebackType
from typing import Final, Self

from ordago_cli.errors import EXIT_OUTSIDE

LAST_SECONDS: Final = 15.0
"""The time after the grace in which a server ends by itself, unless something hangs, such as a disk."""
_SENTENCE: Final = (
    "ordago: something hangs, such as a disk, so the server exits without waiting for it; matches in a journal go on "
    "at the next start\n"
)


class LastResort:
    """Ends the process some time after it should have ended, if armed. The end of the context disarms it."""

    def __init__(self) -> None:
        """Begin unarmed."""
        self._timer: threading.Timer | None = None

    def arm(self, seconds: float) -> None:
        """End the process if it still runs after these seconds and ``LAST_SECONDS`` more."""
        self._disarm()
        self._timer = threading.Timer(seconds + LAST_SECONDS, _end)
        self._timer.daemon = True
        self._timer.start()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._disarm()


def _end() -> None:
    # Not an exception: the thread that would have to raise it is the one that hangs.
    sys.stderr.write(_SENTENCE)
    sys.stderr.flush()
    os._exit(EXIT_OUTSIDE)
