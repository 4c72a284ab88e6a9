"""The progress of a running event: a live display in a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import click
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ordago_ladder.publication.terminal import counted_causes, ladder_table
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.status import Status
from ordago_ladder.watching import EventListener

_PLAIN_SECONDS: Final = 5.0
"""The shortest time between two lines."""


@contextmanager
def watcher_for(console: Console, *, title: str) -> Iterator[EventListener]:
    """Show the progress of a run as the console allows."""
    if not console.is_terminal:
        yield PlainWatcher()
        return
    display = LiveWatcher(console, title=title)
    with display.live:
        yield display


class PlainWatcher:
    """Prints the progress of a run in a line every few seconds."""

    def __init__(self) -> None:
        self._played = 0
        self._planned = 0
        self._at_start = 0
        self._start = self._said = time.monotonic()

    def began(self, *, played: int, planned: int) -> None:
        """Report the start of a run; some matches may have been played in an earlier one."""
        self._played = self._at_start = played
        self._planned = planned
        self._start = self._said = time.monotonic()
        click.echo(f"{played} of {planned} matches played; the bots are connected", err=True)

    def played(self, number: int) -> None:
        """Count this many new results."""
        self._played += number
        now = time.monotonic()
        if now - self._said >= _PLAIN_SECONDS or self._played == self._planned:
            self._said = now
            rate = (self._played - self._at_start) / (now - self._start)
            left = (self._planned - self._played) / rate
            click.echo(f"{self._played} of {self._planned} matches, {rate:.1f}/s, {left:.0f} s left", err=True)

    def standings(self, ladder: Ladder) -> None:
        """Print nothing: the ladder is printed at the end."""

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Report the remote entrants that have checked in, and those that are missing."""
        whom = ", ".join(f"{name} ({known})" if known else name for name, known in missing.items())
        waiting = f"; waiting for {whom}" if missing else ""
        click.echo(f"checked in: {', '.join(here) or 'nobody'}{waiting}", err=True)

    def noted(self, sentence: str) -> None:
        """Print a fact about the run that the organiser may want to know."""
        click.echo(sentence, err=True)

    def warned(self, sentence: str) -> None:
        """Print a warning for the organiser."""
        click.echo(f"warning: {sentence}", err=True)


class _RateColumn(ProgressColumn):
    """A column of matches per second."""

    def render(self, task: Task) -> Text:
        """Format the speed of a task."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "–/s", style="progress.data.speed")


class LiveWatcher:
    """Shows a progress bar and the ladder so far."""

    def __init__(self, console: Console, *, title: str) -> None:
        """Prepare to show a run in a terminal."""
        self._title = title
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._progress.add_task("connecting the bots", total=None)
        self.live = Live(self._progress, console=console, refresh_per_second=4, transient=True)

    def began(self, *, played: int, planned: int) -> None:
        """Show the start of a run; some matches may have been played in an earlier one."""
        self._progress.reset(self._task, total=planned, completed=played, description="matches")
        self.live.update(self._progress)

    def played(self, number: int) -> None:
        """Count this many new results."""
        self._progress.advance(self._task, number)

    def standings(self, ladder: Ladder) -> None:
        """Show the new ladder."""
        self.live.update(Group(self._progress, ladder_table(ladder.overall, title=self._title)))

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Show the remote entrants that have checked in, and those that are missing."""
        table = Table("remote entrant", "", title=self._title, title_justify="left", header_style="bold")
        for name in here:
            table.add_row(Text(name), Text("checked in", style="green"))
        for name, known in missing.items():
            table.add_row(Text(name), Text(known or "not connected", style="yellow"))
        self.live.update(Group(self._progress, table))

    def noted(self, sentence: str) -> None:
        """Print a fact about the run that the organiser may want to know."""
        self.live.console.print(sentence, markup=False)

    def warned(self, sentence: str) -> None:
        """Print a warning for the organiser."""
        self.live.console.print(f"warning: {sentence}", style="yellow", markup=False)


def status_lines(status: Status) -> Iterator[str]:
    """Yield the progress of an event as lines."""
    yield f"{status.played} of {status.planned} matches played"
    if status.running:
        speed = "" if status.per_second is None else f", {status.per_second:.1f} matches/s"
        end = "" if status.ends is None else f"; ends about {status.ends}"
        yield f"running{speed}{end}"
    if status.suspended:
        yield f"suspended: {', '.join(status.suspended)}"
    yield from _by_entrant("default answers for", status.faults)
    yield from _by_entrant("matches forfeited by", status.forfeits)


def _by_entrant(what: str, counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for name, by_cause in counts.items():
        yield f"{what} {name}: {counted_causes(by_cause.items())}"
