"""Decisions in a file: what a bot was asked and what it answered, a line of JSON each (docs/bot-process.md)."""

import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from ordago import v1
from ordago_bot.log import note
from ordago_bot.match import Match


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that a bot was asked, and what came of it."""

    start: v1.MatchStart
    """The announcement of the match."""
    decision: v1.Decision
    """The decision."""
    refused: v1.Refused | None = None
    """The refusal that the bot was asked again for; ``None`` at the first time."""
    answer: v1.Answer | None = None
    """The answer that was sent; ``None`` if none was."""
    milliseconds: int = 0
    """The time that the bot thought."""
    error: str = ""
    """The failure of the bot; empty for none."""

    @property
    def match(self) -> Match:
        """The match, as the bot sees it."""
        return Match(self.start)

    def json_line(self) -> str:
        """Return the line of a file of decisions, with its line end."""
        messages = {"start": self.start, "decision": self.decision, "refused": self.refused, "answer": self.answer}
        line: dict[str, Any] = {key: MessageToDict(value) for key, value in messages.items() if value is not None}
        line["milliseconds"] = self.milliseconds
        line |= {"error": self.error} if self.error else {}
        return json.dumps(line, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, line: str | bytes) -> Self:
        """Read a line of a file of decisions. Unknown keys and fields are ignored.

        Raises:
            ValueError: the line is not one of such a file.
        """
        try:
            read = json.loads(line)
            return cls(
                start=ParseDict(read["start"], v1.MatchStart(), ignore_unknown_fields=True),
                decision=ParseDict(read["decision"], v1.Decision(), ignore_unknown_fields=True),
                refused=_optional(read, "refused", v1.Refused()),
                answer=_optional(read, "answer", v1.Answer()),
                milliseconds=int(read.get("milliseconds", 0)),
                error=str(read.get("error", "")),
            )
        except (ValueError, KeyError, TypeError, AttributeError, ParseError) as error:
            raise ValueError(f"it is no logged decision: {type(error).__name__}: {error}") from error


def asked_in(response: v1.GetFaultResponse) -> list[Asked]:
    """Return a decision that went wrong on a ladder as lines of a file of decisions: one for each answer."""
    start, decision, fault = response.start, response.decision, response.fault
    refused: v1.Refused | None = None
    lines = []
    for each in fault.refusals:
        answer = each.answer if each.HasField("answer") else None
        error = f"refused: {each.refused.rule}: {each.refused.sentence}"
        lines.append(Asked(start, decision, refused, answer, error=error))
        refused = each.refused
    if fault.fault != v1.FAULT_ILLEGAL:
        error = f"the default answer was taken: {fault.sentence}" if fault.fault else ""
        answer = v1.Answer(action=fault.played)
        lines.append(Asked(start, decision, refused, answer, milliseconds=fault.charged_ms, error=error))
    return lines


def _optional(read: dict[str, Any], key: str, message: Any) -> Any:  # noqa: ANN401 - the type of the message
    return ParseDict(read[key], message, ignore_unknown_fields=True) if key in read else None


def load_decisions(path: str | Path) -> list[Asked]:
    """Read a file of decisions, as bots write it with ``--log-decisions``, and ``ordago record --decisions``.

    Raises:
        OSError: the file cannot be read.
        ValueError: a line is not one of such a file; the sentence names it.
    """
    return list(_read(Path(path)))


def _read(path: Path) -> Iterator[Asked]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            yield Asked.from_json(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error


class DecisionLog:
    """A file to which several bots may append decisions at once."""

    def __init__(self, path: str | Path) -> None:
        """Open the file, or create it, readable by its owner only, since it has the cards of a seat.

        Raises:
            OSError: the file cannot be written to.
        """
        self._path = path
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._has_warned = False

    def write(self, asked: Asked) -> None:
        """Append a decision with a single system call, so that lines of several bots never mix.

        If that fails, a warning says so once, and the match goes on.
        """
        try:
            os.write(self._file, asked.json_line().encode())
        except OSError as error:
            if not self._has_warned:
                note(f"decisions cannot be written to {self._path}: {error.strerror}", level=logging.WARNING)
            self._has_warned = True

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
