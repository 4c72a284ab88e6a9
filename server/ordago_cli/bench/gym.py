"""``ordago bench gym``: the speed of the environments for people who train."""

import json
from collections.abc import Mapping

import click

from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.terminal.tables import print_table


@click.command(epilog="Example: ordago bench gym --seconds 5")
@click.option("--seconds", default=2.0, show_default=True, type=click.FloatRange(0.1), help="Seconds for each figure.")
@click.option("--peers", is_flag=True, help="Measure other libraries beside them, if installed (extra 'bench').")
@json_option
def gym(seconds: float, *, peers: bool, as_json: bool) -> None:
    """Measure the environments for training, with observations and masks, on one core (extra 'gym')."""
    try:
        from ordago_bench.gym import measure_gym, measure_peers
    except ModuleNotFoundError as error:
        needs = f"{error.name} is missing: pip install 'ordago[gym]'"
        raise CommandError(needs, exit_code=EXIT_OUTSIDE) from error
    speeds = measure_gym(seconds=seconds)
    others = measure_peers(seconds=seconds) if peers else {}
    if as_json:
        own = {name: speed._asdict() for name, speed in speeds.items()}
        click.echo(json.dumps({**own, "peers": others} if peers else own))
        return
    rows = [
        (name, f"{speed.aec:,.0f}", f"{speed.vector:,.0f}", f"{speed.floats:,}", f"{speed.actions:,}")
        for name, speed in speeds.items()
    ]
    print_table(("", " aec steps/s", " VectorEnv steps/s", " floats", " ids"), rows)
    if peers:
        _print_peers(others)


def _print_peers(peers: Mapping[str, float | str]) -> None:
    click.echo()
    rates = {name: rate for name, rate in peers.items() if isinstance(rate, float)}
    print_table(("", " steps/s"), [(name, f"{rate:,.0f}") for name, rate in rates.items()])
    for name, reason in peers.items():
        if isinstance(reason, str):
            click.echo(f"not measured: {name}: {reason} (extra 'bench')")
