"""``ordago bench``: measurements of Ordago and its peers."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from ordago.outputs import OccupiedError
from ordago_bench.clients import known_clients, measure_clients
from ordago_bench.event import measure_event
from ordago_bench.plots import CONNECTIONS, PlotterMissingError, draw, measure_course, outputs
from ordago_bench.rules import as_json as rules_as_json
from ordago_bench.rules import measure_peers, measure_rules
from ordago_bench.seating.figures import GiftFigures, measure_gifts, measure_rush, measure_seating
from ordago_bench.seating.simulated_ladder import WAYS, SeatingFigures
from ordago_bench.server import Measurement, NothingMeasuredError, measure_server
from ordago_bench.starts import measure_starts
from ordago_cli.bench.all import all_command
from ordago_cli.bench.capacity import capacity
from ordago_cli.bench.gym import gym
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError, stopped
from ordago_cli.options.arguments import known_game, words_of
from ordago_cli.options.outputs import check, force_option, json_option
from ordago_cli.terminal.tables import print_table
from ordago_ladder.run.attempts import StoppedError
from ordago_ladder.standing.seating import Kind

_HEADINGS: Final = (
    *("bots", "way", "tables", "waited s", "p99", "most", "opponents", "most of one"),
    *("Elo apart", "p90", "bits", "error", "seats off", "house", "CPU µs"),
)


def print_seating(found: Sequence[SeatingFigures], gifts: Sequence[GiftFigures]) -> None:
    """Print the figures of simulated ladders, a row each, and the effect of gifts."""
    table = Table(box=None, pad_edge=False)
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "way" else "right", no_wrap=True)
    for figures in found:
        table.add_row(*_row(figures))
    console = Console(width=140)
    console.print(table)
    for gift in gifts:
        console.print(
            f"two colluding bots among {gift.bots}: {gift.met:.1%} of the pairings of one are with the other's "
            f"account, whose gifts are worth {gift.gained:+.0f} Elo",
            highlight=False,
        )


def _row(figures: SeatingFigures) -> list[str]:
    return [
        f"{figures.bots:,}",
        figures.way,
        f"{figures.tables:,}",
        f"{figures.waited_median_s:.1f}",
        f"{figures.waited_p99_s:.1f}",
        f"{figures.waited_most_s:.1f}",
        f"{figures.opponents:.0%}",
        f"{figures.most_of_one:.0%}",
        f"{figures.difference_median:.0f}",
        f"{figures.difference_p90:.0f}",
        f"{figures.bits:.3f}",
        f"{figures.error:.0f}",
        f"{figures.seats_off:.1f}",
        f"{figures.house:.1%}",
        f"{figures.cpu_us:.0f}",
    ]


@click.command(epilog="Example: ordago bench plots out/plots")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", default="mittlere", show_default=True, help="Game of the instant bots.")
@click.option("--seconds", default=2.5, show_default=True, type=click.FloatRange(0.5), help="Seconds of each run.")
@force_option
def plots(folder: Path, *, game: str, seconds: float, force: bool) -> None:
    """Measure the server with few matches and with many, and draw cost, batches and latencies as SVG into DIR."""
    try:
        files = outputs(folder, force=force)
        check(*files)
        course = measure_course(known_game(game).name, seconds=seconds, announce=_announce)
        drawn = draw(files, course)
    except (NothingMeasuredError, PlotterMissingError, OccupiedError, OSError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    for path in drawn:
        click.echo(path)


def _announce(matches: int) -> None:
    click.echo(f"{CONNECTIONS} connections at {matches} matches each", err=True)


_WITH_GIFTS: Final = (4, 10)
"""The numbers of bots with which gifts are measured. Among more bots, two accomplices hardly meet."""


@click.group(epilog="Example: ordago bench rules")
def bench() -> None:
    """Measure Ordago and its peers on this machine."""


bench.add_command(all_command)
bench.add_command(capacity)
bench.add_command(gym)
bench.add_command(plots)


@bench.command(epilog="Example: ordago bench server --connections 4 --matches 64")
@click.option("--game", default="mittlere", show_default=True, help="Game of the instant bots.")
@click.option("--connections", default=4, show_default=True, type=click.IntRange(1), help="Number of bots.")
@click.option(
    "--matches", default=64, show_default=True, type=click.IntRange(1), help="Matches at once per connection."
)
@click.option("--seconds", default=2.5, show_default=True, type=click.FloatRange(0.5), help="Seconds of each run.")
@click.option(
    "--rounds", default=4, show_default=True, type=click.IntRange(1), help="Runs of the server and of each peer."
)
@json_option
def server(game: str, connections: int, matches: int, seconds: float, rounds: int, *, as_json: bool) -> None:
    """Measure the server with instant bots, in turns with two bare grpc.aio echo servers."""
    name = known_game(game).name
    try:
        measured = measure_server(name, connections=connections, matches=matches, seconds=seconds, rounds=rounds)
    except NothingMeasuredError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    if as_json:
        click.echo(json.dumps(measured.as_json()))
    else:
        _print(measured)


@bench.command(epilog="Example: ordago bench rules --seconds 5")
@click.option("--seconds", default=2.0, show_default=True, type=click.FloatRange(0.1), help="Seconds for each game.")
@json_option
def rules(seconds: float, *, as_json: bool) -> None:
    """Measure the rules alone, and OpenSpiel and RLCard if they are installed (extra 'bench')."""
    own, peers = measure_rules(seconds=seconds), measure_peers(seconds=seconds)
    if as_json:
        click.echo(json.dumps(rules_as_json(own, peers)))
        return
    for name, rate in {**own, **peers}.items():
        click.echo(f"{name:22} {rate:>12,.0f} decisions/s")
    if not peers:
        click.echo("no peer is installed: pip install 'ordago[bench]'")


@bench.command(epilog="Example: ordago bench starts --rounds 100")
@click.option("--rounds", default=40, show_default=True, type=click.IntRange(1), help="Number of starts of each kind.")
@json_option
def starts(rounds: int, *, as_json: bool) -> None:
    """Measure the cost of starting a bot, without isolation and with each kind that this machine supports."""
    costs = measure_starts(rounds=rounds)
    if as_json:
        click.echo(json.dumps({name: cost._asdict() for name, cost in costs.items()}))
        return
    for name, cost in costs.items():
        click.echo(f"{name:14} {cost.wall_ms:6.1f} ms, {cost.cpu_ms:6.1f} ms of CPU")


@bench.command(epilog="Example: ordago bench clients --bot 'mine=./my-bot --fast'")
@click.option(
    "--bot", "bots", multiple=True, metavar="NAME=COMMAND", help="An additional bot to measure; may be repeated."
)
@click.option("--game", default="mittlere", show_default=True, help="Game to play.")
@click.option("--matches", default=64, show_default=True, type=click.IntRange(1), help="Matches at once.")
@click.option("--seconds", default=3.0, show_default=True, type=click.FloatRange(0.5), help="Seconds of each run.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="Runs of each bot.")
@json_option
def clients(bots: tuple[str, ...], game: str, matches: int, seconds: float, rounds: int, *, as_json: bool) -> None:
    """Measure the SDKs: the bot 'random' in each language built in this checkout, on the same server."""
    commands = {"Python": (sys.executable, "-m", "ordago_bot", "random"), **known_clients(), **dict(map(_bot, bots))}
    name = known_game(game).name
    try:
        rates = measure_clients(commands, game=name, matches=matches, seconds=seconds, rounds=rounds)
    except (NothingMeasuredError, OSError) as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
    if as_json:
        click.echo(json.dumps({name: rate._asdict() for name, rate in rates.items()}))
        return
    rows = [
        (
            name,
            f"{rate.decisions_per_s:,.0f}",
            f"{rate.cpu_us_per_decision:.1f}",
            f"{rate.memory_mib:.0f}",
            f"{rate.start_seconds:.2f}",
        )
        for name, rate in rates.items()
    ]
    print_table(("", " decisions/s", " CPU µs a decision", " MiB", " s to the first decision"), rows)


def _bot(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, command = text.partition("=")
    if not (name and equals and command.strip()):
        raise CommandError(f"--bot takes NAME=COMMAND, not {text!r}", exit_code=EXIT_USAGE)
    return name, words_of(command)


@bench.command(epilog="Example: ordago bench event --workers 0 --workers 2")
@click.option("--game", default="mittlere", show_default=True, help="Game of the instant bots.")
@click.option("--repetitions", default=60, show_default=True, type=click.IntRange(1), help="Matches of each table.")
@click.option("--parallel", default=64, show_default=True, type=click.IntRange(1), help="Matches at once per worker.")
@click.option(
    "--workers",
    default=[0, 1, 2],
    show_default=True,
    multiple=True,
    type=click.IntRange(0),
    help="Number of workers; 0: the runner plays the matches itself.",
)
@json_option
def event(game: str, repetitions: int, parallel: int, workers: tuple[int, ...], *, as_json: bool) -> None:
    """Measure an event with instant bots as processes, and the same matches in one process without a network."""
    try:
        rates = measure_event(known_game(game).name, repetitions=repetitions, parallel=parallel, workers=workers)
    except StoppedError:
        raise stopped() from None
    if as_json:
        click.echo(json.dumps({name: rate._asdict() for name, rate in rates.items()}))
        return
    for name, rate in rates.items():
        speed = f"{rate.matches_per_s:8.1f} matches/s {rate.decisions_per_s:10,.0f} decisions/s"
        click.echo(f"{name:24} {speed} {rate.cpu_us_per_decision:7.1f} µs of CPU each")


@bench.command(epilog="Example: ordago bench seating --bots 10 --bots 100")
@click.option("--game", default="mitaines", show_default=True, help="Game that determines seats and sides.")
@click.option("--seats", type=click.IntRange(2), help="Number of players; default: the smallest that fits.")
@click.option(
    "--bots",
    default=[10, 100, 10_000],
    show_default=True,
    multiple=True,
    type=click.IntRange(4),
    help="Number of bots that come and go.",
)
@click.option(
    "--matches", default=20, show_default=True, type=click.IntRange(1), help="Matches of each bot, on average."
)
@click.option(
    "--ladders", default=16, show_default=True, type=click.IntRange(1), help="Number of ladders with gifts to average."
)
@click.option("--seed", default=1, show_default=True, help="Seed; determines all figures but CPU times.")
@json_option
def seating(
    game: str, seats: int | None, bots: tuple[int, ...], matches: int, ladders: int, seed: int, *, as_json: bool
) -> None:
    """Measure the pairings of a standing ladder, with simulated bots of known strengths."""
    kind = _kind(game, seats)
    found = [
        measure_seating(kind=kind, bots=number, matches=matches, seed=seed, way=way) for number in bots for way in WAYS
    ]
    gifts = [measure_gifts(kind=kind, bots=number, seeds=range(seed, seed + ladders)) for number in _WITH_GIFTS]
    rush_us = measure_rush(kind=kind, bots=max(bots), seed=seed)
    if as_json:
        tables = {
            "seating": [figures._asdict() for figures in found],
            "gifts": [figures._asdict() for figures in gifts],
        }
        click.echo(json.dumps({**tables, "rush_us": rush_us}))
        return
    print_seating(found, gifts)
    click.echo(f"{max(bots):,} bots waiting at once: {rush_us:.0f} µs of CPU per table")


def _kind(game: str, seats: int | None) -> Kind:
    rules = known_game(game).rules
    if seats is not None and seats not in rules.seat_counts:
        counts = ", ".join(map(str, rules.seat_counts))
        raise CommandError(f"{game} is not played by {seats}; --seats takes one of: {counts}", exit_code=EXIT_USAGE)
    return Kind(game, rules.sides(seats or min(rules.seat_counts)))


def _print(measured: Measurement) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("", "decisions/s", "CPU µs a decision", "p50 ms", "p99 ms"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, figures in (
        ("server", measured.server),
        ("echo, 1 message a frame", measured.echo),
        (f"echo, {measured.decisions_per_frame:.1f} messages a frame", measured.batched_echo),
    ):
        table.add_row(
            name,
            f"{figures.decisions_per_s:,.0f}",
            f"{figures.cpu_us_per_decision:.1f}",
            f"{figures.p50_ms:.2f}",
            f"{figures.p99_ms:.2f}",
        )
    console = Console()
    console.print(table)
    console.print(f"the server makes {measured.ratio:.2f} times the decisions of the echo,")
    console.print(f"and {measured.batched_ratio:.2f} times those of the batched echo")
