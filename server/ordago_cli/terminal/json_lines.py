"""What happens in a run, for programs: one JSON object a line, as ``docs/results.md`` says."""

import json
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TextIO

from ordago_ladder.rating.ladder import Ladder

_OVER: Final = None
"""What follows the last line."""


@contextmanager
def json_lines(stream: TextIO) -> Iterator["JsonLines"]:
    """Write what happens to a stream, in a thread: whoever reads slowly holds up nobody's match."""
    watcher = JsonLines(stream)
    writing = threading.Thread(target=watcher.write, name="json lines", daemon=True)
    writing.start()
    try:
        yield watcher
    finally:
        watcher.close()
        writing.join()


class JsonLines:
    """Tells what happens in a run, one object a line."""

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
        """Write no more."""
        self._lines.put(_OVER)

    def tell(self, kind: str, **content: object) -> None:
        """Tell something of a kind."""
        self._lines.put(json.dumps({"type": kind, **content}, ensure_ascii=True, allow_nan=False))

    def began(self, *, played: int, planned: int) -> None:
        """Matches are played now; some were played in an earlier run."""
        self._played, self._planned = played, planned
        self.tell("began", played=played, planned=planned)

    def played(self, number: int) -> None:
        """So many more results were committed."""
        self._played += number
        self.tell("played", number=number, played=self._played, planned=self._planned)

    def standings(self, ladder: Ladder) -> None:
        """The ladder changed."""
        self.tell("standings", played=len(ladder.results), planned=ladder.planned, ladder=_lines_of(ladder))

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """These remote entrants have checked in, and it is waited for those."""
        known = {name: told for name, told in missing.items() if told}
        self.tell("checking_in", here=list(here), missing=list(missing), known=known)

    def noted(self, sentence: str) -> None:
        """Something holds for the run that the organiser may want to know."""
        self.tell("noted", sentence=sentence)

    def warned(self, sentence: str) -> None:
        """Something happened that the organiser should know."""
        self.tell("warned", sentence=sentence)

    def finished(self, ladder: Ladder, *, page: str) -> None:
        """The event is over, and published."""
        self.tell("finished", played=len(ladder.results), planned=ladder.planned, page=page, ladder=_lines_of(ladder))


def _lines_of(ladder: Ladder) -> list[dict[str, object]]:
    return [
        {
            "rank": line.rank,
            "entrant": line.entrant,
            "elo": round(line.rating.elo, 1),
            "low": round(line.rating.low, 1),
            "high": round(line.rating.high, 1),
            "matches": line.matches,
        }
        for line in ladder.overall.lines
    ]
