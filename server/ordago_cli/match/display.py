"""The display of a running comparison, for people and programs."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table

from ordago import v1
from ordago.files import write_whole
from ordago.record import to_file_bytes
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_ladder.sequential.set_sequence import SetPlayed, SetSequence
from ordago_ladder.sequential.summary import Summary, rows_of, summary_of

_PLAIN_SECONDS: Final = 5.0
_LIVE_SECONDS: Final = 0.25


def display_for(course: SetSequence, console: Console, *, json_lines: bool, out: Path | None) -> "Display":
    """Return the display that fits the console.

    Args:
        course: the comparison.
        console: the console.
        json_lines: print a line of JSON for each set, and nothing else.
        out: the folder for the records of matches that count; ``None`` to store none.
    """
    if json_lines:
        return JsonLinesDisplay(course, out=out)
    return LiveDisplay(course, console, out=out) if console.is_terminal else Display(course, out=out)


class Display:
    """Prints the progress of a comparison in a line every few seconds, and stores the records."""

    seconds = _PLAIN_SECONDS
    """The shortest time between two displays."""

    def __init__(self, course: SetSequence, *, out: Path | None) -> None:
        """Prepare to show a comparison."""
        self.course = course
        self.out = out
        self.warnings = 0
        """The number of warnings."""
        self._begun = 0
        self._start = self._said = time.monotonic()

    @property
    def thrown_away(self) -> int:
        """The number of matches that began and do not count."""
        return self._begun - self.course.matches

    @property
    def rate(self) -> float:
        """The number of sets per second that counted."""
        return self.course.sets / max(time.monotonic() - self._start, 1e-9)

    def speed_of(self, summary: Summary) -> str:
        """Return the speed, and the expected time to the end if it is known."""
        speed = f"{self.rate:.2f} sets/s"
        if summary.sets_left is None:
            return speed
        return f"{speed}, about {timedelta(seconds=round(summary.sets_left / self.rate))} to come"

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the display inside the context."""
        yield

    def checked_in(self) -> None:
        """Report that the bots are connected and the first set begins."""
        self._start = self._said = time.monotonic()
        self.noted(f"the bots are connected: {self.course.names[0]} against {', '.join(self.course.names[1:])}")

    def began(self) -> None:
        """Count a match that begins."""
        self._begun += 1

    def counted(self, played: SetPlayed, records: Sequence[v1.MatchRecord]) -> None:
        """Store the matches of a set that counts, and show the progress from time to time."""
        self._keep(records)
        if played.number == 1 or time.monotonic() - self._said >= self.seconds:
            self._said = time.monotonic()
            self.show(summary_of(self.course))

    def show(self, summary: Summary) -> None:
        """Show the progress."""
        rows = dict(rows_of(summary))
        figures = [f"{name} {rows[name]}" for name in ("Elo", "LLR", "sets to come") if name in rows]
        click.echo(f"sets {summary.course.sets}, {self.speed_of(summary)}; {'; '.join(figures)}", err=True)

    def noted(self, sentence: str) -> None:
        """Print a fact about the comparison."""
        click.echo(sentence, err=True)

    def warned(self, sentence: str) -> None:
        """Print a warning."""
        self.warnings += 1
        click.echo(f"warning: {sentence}", err=True)

    def keep(self, name: str, content: bytes) -> None:
        """Store a file, if there is a folder.

        Raises:
            CommandError: it cannot be written.
        """
        if self.out is None:
            return
        try:
            write_whole(self.out / name, content)
        except OSError as error:
            raise CommandError(f"cannot write into {self.out}: {error.strerror}", exit_code=EXIT_OUTSIDE) from error

    def _keep(self, records: Sequence[v1.MatchRecord]) -> None:
        for record in records:
            self.keep(f"{record.match_id}.record", to_file_bytes(record))


class JsonLinesDisplay(Display):
    """Prints a line of JSON for each set."""

    def counted(self, played: SetPlayed, records: Sequence[v1.MatchRecord]) -> None:
        """Store the matches of a set that counts, and print its line."""
        self._keep(records)
        report = {"set": played.number, "set_score": str(played.score)}
        click.echo(json.dumps(report | summary_of(self.course).as_json))


class LiveDisplay(Display):
    """Shows a live table in a terminal."""

    seconds = _LIVE_SECONDS

    def __init__(self, course: SetSequence, console: Console, *, out: Path | None) -> None:
        """Prepare to show a comparison in a terminal."""
        super().__init__(course, out=out)
        self._live = Live("connecting the bots", console=console, refresh_per_second=4, transient=True)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the table inside the context."""
        with self._live:
            yield

    def checked_in(self) -> None:
        """Report that the bots are connected and the first set begins."""
        super().checked_in()
        self._live.update("playing the first set")

    def show(self, summary: Summary) -> None:
        """Show the progress."""
        table = Table(title=f"{self.course.names[0]} against {', '.join(self.course.names[1:])}", show_header=False)
        for name, text in rows_of(summary):
            table.add_row(name, text)
        table.add_row("speed", self.speed_of(summary))
        self._live.update(table)

    def noted(self, sentence: str) -> None:
        """Print a fact about the comparison."""
        self._live.console.print(sentence, markup=False)

    def warned(self, sentence: str) -> None:
        """Print a warning."""
        self.warnings += 1
        self._live.console.print(f"warning: {sentence}", style="yellow", markup=False)
