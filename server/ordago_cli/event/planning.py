"""How the figures of a planned event are told, and measured."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from ordago_cli.errors import run
from ordago_ladder.run.estimate import Estimate
from ordago_ladder.run.measuring import Pace, measured_pace
from ordago_ladder.settings.settings import Settings

_WIDTH: Final = 24


def measured(settings: Settings, text: str, *, hidden: Sequence[Path]) -> list[Pace]:
    """Measure one game of an event after the other, and say so."""
    paces = []
    for game in settings.games:
        click.echo(f"{game.name}: some matches are played", err=True)
        paces.append(run(partial(measured_pace, settings, game, text=text, tell=_warn, hidden=hidden)))
    return paces


def _warn(sentence: str) -> None:
    click.echo(f"warning: {sentence}", err=True)


def figure_lines(figures: Estimate, paces: Sequence[Pace]) -> Iterator[str]:
    """Yield the figures of an event line by line, and how fast each game went, where that was measured."""
    for name, value in figures._asdict().items():
        told = "not known; --measure plays a few matches" if value is None else value
        yield f"{name.replace('_', ' '):{_WIDTH}} {f'{told:.1f}' if isinstance(told, float) else told}"
    for pace in paces:
        speed = f"{pace.matches} matches at {pace.per_second:.2f}/s take {pace.seconds:.1f} s"
        yield f"{pace.game:{_WIDTH}} {speed}, if they go as {pace.sample} went"
