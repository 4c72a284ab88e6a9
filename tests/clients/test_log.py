"""The log on standard error, as text and as JSON."""

import json
import logging
import re
from typing import Any

import pytest

from ordago_bot.log import Event, formatter
from ordago_bot.standard_streams import LogHandler

TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"


class Lines(logging.Handler):
    def __init__(self, log_format: str) -> None:
        super().__init__()
        self.setFormatter(formatter(log_format))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def logger() -> logging.Logger:
    """A logger that nobody else listens to."""
    logger = logging.Logger("author")
    logger.setLevel(logging.INFO)
    return logger


def logged(monkeypatch: pytest.MonkeyPatch, event: Event, log_format: str) -> str:
    """Return the text of an event."""
    logger, handler = logging.Logger("bot"), Lines(log_format)
    logger.addHandler(handler)
    monkeypatch.setattr("ordago_bot.log.LOGGER", logger)
    event.log()
    return handler.lines[0]


def test_a_line_of_text_has_the_time_the_level_and_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    line = logged(monkeypatch, Event("refused", "not so", {"decision": 1}, logging.WARNING), "text")
    assert re.fullmatch(f"{TIME} WARNING not so", line)


def test_a_line_of_json_has_the_fields_of_the_event_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    event = Event("refused", "not so\x1b\n", {"decision": 1, "cause": "rule"}, logging.WARNING)
    line = logged(monkeypatch, event, "json")
    assert "\n" not in line
    read = json.loads(line)
    assert re.fullmatch(TIME, read.pop("time"))
    expected = {"level": "WARNING", "event": "refused", "message": "not so\x1b\n", "decision": 1, "cause": "rule"}
    assert list(read.items()) == list(expected.items())


def test_a_failure_is_told_with_its_trace_and_the_decision_below(monkeypatch: pytest.MonkeyPatch) -> None:
    event = Event("failed", "it\nfails", {"trace": "in line 1\nValueError: \x1b[0m\n", "asked": {"number": 7}})
    line, *rest = logged(monkeypatch, event, "text").splitlines()
    assert line.endswith("it\\nfails")
    assert rest == ["in line 1", "ValueError: \\x1b[0m", 'the decision: {"number": 7}']


def test_the_lines_of_an_author_are_notes(logger: logging.Logger) -> None:
    text, lines = Lines("text"), Lines("json")
    for handler in (text, lines):
        logger.addHandler(handler)
    try:
        int("no card")
    except ValueError:
        logger.exception("lost in %s", "thought", extra={"fields": "the author's own"})
    assert text.lines[0].splitlines()[0].endswith("ERROR lost in thought")
    assert text.lines[0].endswith("'no card'")
    read = json.loads(lines.lines[0])
    assert (read["event"], read["message"]) == ("note", "lost in thought")
    assert read["trace"].endswith("'no card'")


def test_what_a_terminal_would_obey_is_logged_as_an_escape_and_in_one_line(logger: logging.Logger, capsys: Any) -> None:
    logger.addHandler(LogHandler("text"))
    logger.warning("the server said goodbye: %s", "\x1b]0;mine\x07\nINFO all is well")
    told = capsys.readouterr().err
    assert told.endswith("WARNING the server said goodbye: \\x1b]0;mine\\x07\\nINFO all is well\n")
