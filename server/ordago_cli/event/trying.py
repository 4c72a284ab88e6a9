"""Trying the entrants of an event, and the table of what came of it."""

import json
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ordago_cli.errors import run
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.entrants.event_builds import noted_builds
from ordago_ladder.entrants.sandboxes import isolation_of
from ordago_ladder.entrants.trial import Tried, trial
from ordago_ladder.folder import EventFolder
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import EventListener

_COLUMNS = ("entrant", "game", "decisions", "p50 ms", "p99 ms", "MiB", "")


def tried(
    settings: Settings,
    folder: EventFolder,
    *,
    hidden: Sequence[Path],
    listener: EventListener,
    entrance: Entrance | None,
) -> tuple[Tried, ...]:
    """Try all entrants of an event, those who have checked in there with the bots that they checked in with.

    Raises:
        NoIsolationError: the event wants its bots isolated, and this machine cannot do so.
        EdgeError: nothing can be listened on.
    """
    logs = Path(tempfile.mkdtemp(prefix="ordago-trial-"))
    with isolation_of(settings) as isolation:
        return tuple(
            run(
                partial(
                    trial,
                    settings,
                    isolation=isolation,
                    hidden=(*hidden, logs),
                    logs=logs,
                    listener=listener,
                    entrance=entrance,
                    built=noted_builds(folder.build_notes),
                )
            )
        )


def show(rows: Sequence[Tried], *, as_json: bool, err: bool = False) -> None:
    """Print what came of a trial."""
    if as_json:
        click.echo(json.dumps([row._asdict() for row in rows]), err=err)
        return
    table = Table(*_COLUMNS, header_style="bold")
    for row in rows:
        figures = (str(row.decisions), str(row.p50_ms), str(row.p99_ms), f"{row.memory_mib:.0f}")
        cells = (row.entrant, row.game, *(figures if row.decisions else ("", "", "", "")))
        said = Text("; ".join(row.problems) or "is well", style="red" if row.problems else "green")
        table.add_row(*map(Text, cells), said)
    Console(stderr=err).print(table)
