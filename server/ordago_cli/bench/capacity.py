"""``ordago bench capacity``: what one server of a ladder bears."""

import json
from typing import Final

import click

from ordago_bench.capacity.sizes import Costs, all_sizes
from ordago_bench.server import NothingMeasuredError
from ordago_cli.bench.all import machine
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import place_option
from ordago_cli.terminal.tables import print_table

_HEADS: Final = (
    *(" bots", " think ms", " decisions/s", " cores", " MiB", " open files"),
    *(" database GB/day", " archive GB/day"),
)
_COSTS: Final = (
    ("server without bots", "server_mib", "MiB"),
    ("process that rates and publishes", "publisher_mib", "MiB"),
    ("connected bot", "bot_kib", "KiB"),
    ("connected bot", "bot_descriptors", "open files"),
    ("connected bot that thinks", "waiting_us_per_s", "µs of CPU a second"),
    ("session, to open", "session_us", "µs of CPU"),
    ("session, lost", "session_kib", "KiB"),
    ("decision", "decision_us", "µs of CPU"),
    ("decision, in the journal", "journal_bytes", "bytes"),
    ("match, to rate and publish", "publisher_us", "µs of CPU elsewhere"),
    ("match, in the database", "database_bytes", "bytes"),
    ("match, in the ledger", "ledger_bytes", "bytes"),
    ("match, its published record", "record_bytes", "bytes"),
    ("match", "match_decisions", "decisions"),
    ("bots that think at a time", "deciding", "of all"),
)


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
    from ordago_bench.capacity.ladder_server import games_of
    from ordago_bench.capacity.measuring import measure_costs
    from ordago_ladder.standing.settings import LadderFileError

    found_on = machine()
    try:
        games = games_of(ladder)
        costs = measure_costs(games, bots=bots, think_ms=think_ms, seconds=seconds, place=place, tls=tls)
    except LadderFileError as error:
        raise CommandError(str(error), exit_code=EXIT_USAGE) from error
    except (NothingMeasuredError, OSError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    if as_json:
        sizes = [size._asdict() for size in all_sizes(costs)]
        click.echo(json.dumps({"machine": found_on, "costs": costs._asdict(), "sizes": sizes}, indent=1))
        return
    click.echo(", ".join(f"{name} {value}" for name, value in found_on.items()))
    _print(costs)


def _print(costs: Costs) -> None:
    values = costs._asdict()
    print_table(("what", " costs", ""), [(what, _short(values[name]), unit) for what, name, unit in _COSTS])
    click.echo()
    print_table(_HEADS, [[_short(value) for value in size] for size in all_sizes(costs)])


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.3g}"
