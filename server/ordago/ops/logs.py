"""The log: one line for each event, written to the standard error, for people or for programs.

A thread of its own writes the lines, so that a slow disk or pipe holds up no match. If too many lines wait, more are
left out, and their number is logged at the end.
"""

import logging
import logging.handlers
import queue
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LOG_FORMATS: Final = ("text", "json")
LOG_LEVELS: Final = ("debug", "info", "warning", "error", "critical")
_MOST_WAITING: Final = 10_000
"""Maximum of lines waiting to be written: some 5 MB, measured by tracemalloc."""
_INDENT: Final = "    "


@contextmanager
def logging_to_stderr(*, log_format: str, level: str) -> Iterator[None]:
    """Write the log of this context to the standard error; of other libraries only warnings and worse.

    Args:
        log_format: one of ``LOG_FORMATS``.
        level: one of ``LOG_LEVELS``; lines of Ordago below it are left out.
    """
    waiting: queue.Queue[logging.LogRecord] = queue.Queue(_MOST_WAITING)
    writer = logging.StreamHandler(sys.stderr)
    writer.setFormatter(_formatter(log_format))
    inlet, outlet = _Inlet(waiting, log_format), _Outlet(waiting, writer)
    root, own = logging.getLogger(), logging.getLogger("ordago")
    before = own.level
    root.addHandler(inlet)
    own.setLevel(level.upper())
    outlet.start()
    try:
        yield
    finally:
        root.removeHandler(inlet)
        own.setLevel(before)
        outlet.stop()
        if inlet.left_out:
            writer.handle(_left_out(inlet.left_out))


def dropped_lines() -> int:
    """Return the number of lines that were left out since too many waited."""
    return sum(inlet.left_out for inlet in _inlets())


def current_format() -> str:
    """Return the format of the log of this process, one of ``LOG_FORMATS``; text where it writes none."""
    return next((inlet.log_format for inlet in _inlets()), "text")


class _Inlet(logging.handlers.QueueHandler):
    """Hands log records to the thread that writes them, and never waits."""

    def __init__(self, waiting: "queue.Queue[logging.LogRecord]", log_format: str) -> None:
        super().__init__(waiting)
        self.log_format = log_format
        self.left_out = 0

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """Return a record as it is, since the thread that writes it belongs to the same process."""
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        """Hand a record over, or leave it out."""
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            self.left_out += 1


def _inlets() -> Iterator[_Inlet]:
    return (handler for handler in logging.getLogger().handlers if isinstance(handler, _Inlet))


class _Outlet(logging.handlers.QueueListener):
    """Writes log records in a thread of its own."""

    def __init__(self, waiting: "queue.Queue[logging.LogRecord]", handler: logging.Handler) -> None:
        super().__init__(waiting, handler)
        self._waiting: queue.Queue[Any] = waiting

    def enqueue_sentinel(self) -> None:
        """Ask the thread to end, as soon as there is room for the request."""
        self._waiting.put(None)


def _left_out(number: int) -> logging.LogRecord:
    return logging.LogRecord(__name__, logging.WARNING, __file__, 0, "log lines dropped: %d", (number,), None)


def _formatter(log_format: str) -> logging.Formatter:
    written: list[Processor] = [structlog.processors.format_exc_info, _harmless]
    if log_format == "json":
        written += [structlog.processors.JSONRenderer()]
    else:
        written += [_as_text]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.ExtraAdder(),
            _stamped,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *written],
    )


def _harmless(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Write control characters as escapes: a name must not be able to forge a line, or to speak to a terminal."""
    # A traceback keeps its line breaks: both formats mark its lines, by indentation or as a JSON string.
    return {key: _escaped(value, but="\n" if key == "exception" else "") for key, value in event.items()}


def _escaped(value: object, *, but: str) -> object:
    if isinstance(value, str):
        return "".join(sign if sign.isprintable() or sign in but else ascii(sign)[1:-1] for sign in value)
    return [_escaped(item, but=but) for item in value] if isinstance(value, list) else value


def _stamped(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Add the time when it happened, which may be a while before it is written."""
    # Other handlers, if there are any, leave their formatted text in the record.
    event.pop("message", None)
    moment = datetime.fromtimestamp(event["_record"].created, UTC)
    return {**event, "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")}


_write_pairs: Final = structlog.processors.LogfmtRenderer()


def _as_text(logger: WrappedLogger, method: str, event: EventDict) -> str:
    """Return a line like ``TIME LEVEL what happened key=value``, and a traceback below it if there is one."""
    traceback = event.pop("exception", "")
    head = f"{event.pop('timestamp')} {event.pop('level'):8} {event.pop('event')}"
    pairs = {key: ",".join(value) if isinstance(value, list) else value for key, value in event.items()}
    line = f"{head} {_write_pairs(logger, method, pairs)}".rstrip()
    return "\n".join([line, *(_INDENT + below for below in traceback.splitlines())])
