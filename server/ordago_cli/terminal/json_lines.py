"""The progress of a run for programs: one JSON object a line, as ``docs/results.md`` describes."""

import json
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TextIO

from ordago_ladder.publication.exports import rating_fields
from ordago_ladder.rating.ladder import Ladder

_OVER: Final = None
"""The sentinel after the last line."""


@contextmanager
def json_lines(stream: TextIO) -> Iterator["JsonLines"]:
    """Write the progress to a stream in a thread, so that a slow reader delays no match."""
    watcher = JsonLines(stream)
    writing = threading.Thread(target=watcher.write, name="json lines", daemon=True)
    writing.start()
    try:
        yield watcher
    finally:
        watcher.close()
        writing.join()


class JsonLines:
    """Writes the progress of a run, one object a line."""

    def __init__(self, stream: TextIO) -> None:
        """Prepare to write to a stream."""
        self._stream = stream
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._played = self._planned = 0

    def write(self) -> None:
        """Write lines as they come, until the end."""
        while (line := self._lines.get()) is not _OVER:
            self._stream.write(f"{line}\n")
            self._stream.flush()

    def close(self) -> None:
        """End the writing after the lines so far."""
        self._lines.put(_OVER)

    def tell(self, kind: str, **content: object) -> None:
        """Write an object of this type."""
        self._lines.put(json.dumps({"type": kind, **content}, ensure_ascii=True, allow_nan=False))

    def began(self, *, played: int, planned: int) -> None:
        """Report the start of a run; some matches may have been played in an earlier one."""
        self._played, self._planned = played, planned
        self.tell("began", played=played, planned=planned)

    def played(self, number: int) -> None:
        """Report this many new results."""
        self._played += number
        self.tell("played", number=number, played=self._played, planned=self._planned)

    def standings(self, ladder: Ladder) -> None:
        """Report the new ladder."""
        self.tell("standings", played=len(ladder.results), planned=ladder.planned, ladder=_lines_of(ladder))

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Report the remote entrants that have checked in, and those that are missing."""
        known = {name: reason for name, reason in missing.items() if reason}
        self.tell("checking_in", here=list(here), missing=list(missing), known=known)

    def noted(self, sentence: str) -> None:
        """Report a fact about the run that the organiser may want to know."""
        self.tell("noted", sentence=sentence)

    def warned(self, sentence: str) -> None:
        """Report a warning for the organiser."""
        self.tell("warned", sentence=sentence)

    def finished(self, ladder: Ladder, *, page: str) -> None:
        """Report that the event is over and published."""
        self.tell("finished", played=len(ladder.results), planned=ladder.planned, page=page, ladder=_lines_of(ladder))


def _lines_of(ladder: Ladder) -> list[dict[str, object]]:
    return [
        {
            "rank": line.rank,
            "entrant": line.entrant,
            **rating_fields(line.rating.known),
            "matches": line.matches,
        }
        for line in ladder.overall.lines
    ]
