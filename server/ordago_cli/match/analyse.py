"""``ordago analyse``: the costs of the choices in a match, compared with those of the house."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ordago import v1
from ordago.record.opening import UnplayableError
from ordago.record.text import players_of
from ordago_bot.house.analysis import WORLDS, Judgement, Opinion, choices_of, opinions
from ordago_bot.house.analysis_json import analysis_json
from ordago_bot.house.summary import Cost, SeatSummary, Summary, summary_of
from ordago_bot.house.weighing import Unit
from ordago_cli.match.records import read_match, unplayable

_MOST_WORLDS = 1024


@click.command(epilog="Example: ordago analyse match.record --seat 1")
@click.argument("file", metavar="RECORD", type=click.Path(path_type=Path))
@click.option(
    "--worlds",
    metavar="NUMBER",
    type=click.IntRange(2, _MOST_WORLDS),
    default=WORLDS,
    show_default=True,
    help="Least deals sampled per choice, in two independent batches; more are slower and more exact.",
)
@click.option("--seat", metavar="NUMBER", type=click.IntRange(1), help="Only the choices of this seat, from 1.")
@click.option("--json", "as_json", is_flag=True, help="Print the judgement of every choice as JSON.")
def analyse(file: Path, worlds: int, seat: int | None, *, as_json: bool) -> None:
    """Show the costliest choices of a match, and what the house would have played instead."""
    match = read_match(file)
    if seat is not None and seat > len(match.seats):
        raise click.UsageError(f"the match has the seats 1 to {len(match.seats)}, not {seat}")
    try:
        found = _analysed(match, worlds, None if seat is None else seat - 1)
    except UnplayableError as error:
        raise unplayable(file, error) from None
    if as_json:
        click.echo(json.dumps(analysis_json(match, found, worlds=worlds), indent=1))
    else:
        click.echo("\n".join(_summary_lines(match, summary_of(match, found), worlds)))


def _analysed(match: v1.MatchRecord, worlds: int, seat: int | None) -> Sequence[Opinion]:
    judged = opinions(match, worlds=worlds, seat=seat)
    hidden = not sys.stderr.isatty()
    with click.progressbar(judged, length=choices_of(match, seat=seat), file=sys.stderr, hidden=hidden) as shown:
        return list(shown)


def _summary_lines(match: v1.MatchRecord, summary: Summary, worlds: int) -> Iterator[str]:
    players = players_of(match)
    if summary.dearest:
        yield "Costliest choices:"
    else:
        yield "No choice cost more than chance explains."
    for judgement in summary.dearest:
        yield f"  {_dear(judgement, players)}"
    for seat in summary.seats:
        yield f"{players[seat.seat]}: {_seat(seat)}"
    yield f"Each choice was evaluated on {worlds} sampled deals or more, and its cost measured on as many others."


def _dear(judgement: Judgement, players: Sequence[str]) -> str:
    cost = _amount(judgement.unit, judgement.cost, judgement.error)
    rule = "" if judgement.searched else ", by a rule of thumb"
    return (
        f"deal {judgement.deal + 1}, {players[judgement.seat]}: {judgement.taken.words}; "
        f"the house: {judgement.options[0].words}. It cost {cost}{rule}."
    )


def _seat(seat: SeatSummary) -> str:
    costs = "; ".join(_cost(cost) for cost in seat.costs)
    return f"{seat.like_the_house} of {seat.choices} choices like the house, {seat.dear} costly. Cost a deal: {costs}."


def _cost(cost: Cost) -> str:
    return _amount(cost.unit, cost.per_deal, cost.error)


def _amount(unit: Unit, cost: float, error: float | None) -> str:
    scale, decimals, sign = (100, 1, " %") if unit is Unit.CHANCE else (1, 2, "")
    spread = "" if error is None else f" ± {scale * error:.{decimals}f}"
    return f"{scale * cost:.{decimals}f}{spread}{sign} {unit.value}".replace("-", "−")
