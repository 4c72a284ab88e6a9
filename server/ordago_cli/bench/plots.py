"""``ordago bench plots``: what the server costs, drawn."""

from pathlib import Path

import click

from ordago.outputs import OccupiedError
from ordago_bench.plots import CONNECTIONS, PlotterMissingError, draw, measure_course, outputs
from ordago_bench.server import NothingMeasuredError
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.options.arguments import known_game
from ordago_cli.options.outputs import check, force_option


@click.command(epilog="Example: ordago bench plots out/plots")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", default="mittlere", show_default=True, help="What the instant bots play.")
@click.option("--seconds", default=2.5, show_default=True, type=click.FloatRange(0.5), help="The length of each run.")
@force_option
def plots(folder: Path, *, game: str, seconds: float, force: bool) -> None:
    """Measure the server with few matches and with many, and draw cost, batches and latencies as SVG into DIR."""
    try:
        files = outputs(folder, force=force)
        check(*files)
        course = measure_course(known_game(game).name, seconds=seconds, told=_told)
        drawn = draw(files, course)
    except (NothingMeasuredError, PlotterMissingError, OccupiedError, OSError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    for path in drawn:
        click.echo(path)


def _told(matches: int) -> None:
    click.echo(f"{CONNECTIONS} connections at {matches} matches each", err=True)
