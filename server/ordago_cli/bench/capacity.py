"""``ordago bench capacity``: what one server of a ladder bears."""

import json

import click

from ordago_bench.server import NothingMeasuredError
from ordago_cli.bench.all import machine
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import place_option
from ordago_cli.terminal.tables import print_table


@click.command(epilog="Example: ordago bench capacity --bots 1000 --tls")
@click.option("--ladder", default="demo", show_default=True, metavar="FILE", help="Ladder file with the games to play.")
@click.option("--bots", default=400, show_default=True, type=click.IntRange(20, 10_000), help="Number of bots.")
@click.option("--think-ms", default=100, show_default=True, type=click.IntRange(1), help="Mean time that bots think.")
@click.option("--seconds", default=20.0, show_default=True, type=click.FloatRange(1), help="Seconds of each phase.")
@place_option("Empty PostgreSQL database for the ladder of this measurement; default: a temporary file.")
@click.option("--tls", is_flag=True, help="Encrypt connections.")
@json_option
def capacity(
    ladder: str, bots: int, think_ms: int, seconds: float, place: str | None, *, tls: bool, as_json: bool
) -> None:
    """Measure what a bot, a session, a decision and a match cost a ladder's server, and compute what it bears."""
    # SQL, certificates and ladders are imported only where they are needed.
    from ordago_bench.capacity import COSTS, all_sizes, measure_costs
    from ordago_bench.ladder_server import ladder_text
    from ordago_ladder.standing.settings import LadderFileError

    found_on = machine()
    try:
        costs = measure_costs(ladder_text(ladder), bots=bots, think_ms=think_ms, seconds=seconds, place=place, tls=tls)
    except LadderFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from error
    except (NothingMeasuredError, OSError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    sizes = [size._asdict() for size in all_sizes(costs)]
    if as_json:
        click.echo(json.dumps({"machine": found_on, "costs": costs, "sizes": sizes}, indent=1))
        return
    click.echo(", ".join(f"{name} {value}" for name, value in found_on.items()))
    print_table(("cost of", " ", ""), [(what, _short(costs[name]), unit) for name, (what, unit) in COSTS.items()])
    click.echo()
    heads = [f" {name.replace('_', ' ')}" for name in sizes[0]]
    print_table(heads, [[_short(value) for value in size.values()] for size in sizes])


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.3g}"
