"""Standard streams of a bot. They may be closed, on a full disk, or unread pipes: no match ends because of that."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ordago_bot.log import formatter

_DESCRIPTORS: Final = 3


def open_descriptors() -> None:
    """Open ``/dev/null`` in place of standard streams that are closed, so that no socket takes their numbers."""
    for number in range(_DESCRIPTORS):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is taken, which is this one.
            os.open(os.devnull, os.O_RDWR)
    null = Path(os.devnull)
    sys.stdout = sys.stdout or null.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or null.open("w", encoding="utf-8")


@contextmanager
def lossy_output() -> Iterator[None]:
    """Discard output that cannot be written at the end of the context. Otherwise Python would exit with code 120."""
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                with suppress(OSError, ValueError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class LogHandler(logging.StreamHandler):  # type: ignore[type-arg]  # it is generic for type checkers alone
    """A handler that writes lines to standard error, and drops those that cannot be written."""

    def __init__(self, log_format: str) -> None:
        """Write to standard error, in one of ``LOG_FORMATS``."""
        super().__init__(sys.stderr)
        self.setFormatter(formatter(log_format))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name of logging's method
        """Drop a line that cannot be written. The overridden method would write a traceback to the same stream."""
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)
