"""Log events of a bot: each has a name, a sentence and fields, in a record of the standard logger ``ordago_bot``.

A handler of the author's finds them as ``record.event``, ``record.getMessage()`` and ``record.fields``. All events are
listed in ``docs/bot-process.md``.
"""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ordago.names import visible

LOGGER: Final = logging.getLogger("ordago_bot")
LOG_FORMATS: Final = ("text", "json")
"""The values of ``ORDAGO_LOG``; the first is the default."""
NOTE: Final = "note"
"""The event of all lines that have no event of their own, those of an author's loggers included."""
_NO_FIELDS: Final[Mapping[str, Any]] = MappingProxyType({})


class Event(NamedTuple):
    """Something that happened, as it is logged."""

    name: str
    """The name of the event, for programs."""
    message: str
    """The sentence, for people."""
    fields: Mapping[str, Any] = _NO_FIELDS
    """The facts, as values of JSON."""
    level: int = logging.INFO
    """A level of ``logging``."""

    def log(self) -> None:
        """Hand the event to the logger."""
        LOGGER.log(self.level, "%s", self.message, extra={"event": self.name, "fields": self.fields})


def note(message: str, *, level: int = logging.INFO) -> None:
    """Log a sentence that has no event of its own."""
    Event(NOTE, message, level=level).log()


def is_verbose() -> bool:
    """Return True if messages that come and go are logged."""
    return LOGGER.isEnabledFor(logging.DEBUG)


def formatter(log_format: str) -> logging.Formatter:
    """Return the formatter of one of ``LOG_FORMATS``."""
    return _JsonLines() if log_format == "json" else _TextLines("%(asctime)s %(levelname)s %(message)s")


class _TextLines(logging.Formatter):
    """A formatter that writes the time in UTC and makes control characters visible.

    A server's sentence must not control the terminal.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event; the first failure of a match has a trace and a decision below it."""
        lines = [super().format(record)]
        fields = _fields(record)
        lines += map(visible, str(fields.get("trace", "")).splitlines())
        if "asked" in fields:
            lines.append(f"the decision: {json.dumps(fields['asked'])}")
        return "\n".join(lines)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of logging's method
        record.message = visible(record.message)
        return super().formatMessage(record)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: ARG002, N802 - the same
        return _time(record)


class _JsonLines(logging.Formatter):
    """A formatter that writes each event as a JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        line = {
            "time": _time(record),
            "level": record.levelname,
            "event": getattr(record, "event", NOTE),
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _fields(record: logging.LogRecord) -> Mapping[str, Any]:
    fields = getattr(record, "fields", _NO_FIELDS)
    return fields if isinstance(fields, Mapping) else _NO_FIELDS


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
