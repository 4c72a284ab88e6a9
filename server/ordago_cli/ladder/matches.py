"""``ordago matches``: the matches on the standing ladder of a server."""

import json
from typing import Final

import click

from ordago import v1
from ordago.edge.services.client import MatchClient
from ordago_cli.options.arguments import known_game
from ordago_cli.options.asking import Asked, as_values, asks
from ordago_cli.options.outputs import paged, tell_more
from ordago_cli.terminal.tables import moment, print_table

_HEADS: Final = ("match", "game", " epoch", "begun", "", "seats")


@click.command(epilog="Example: ordago matches --bot sota --running")
@asks
@click.option("--game", default="", help="Only matches of this game.")
@click.option("--bot", default="", help="Only matches of this bot.")
@click.option("--account", default="", help="Only matches of bots of this account.")
@click.option("--epoch", default=0, type=click.IntRange(0, 2**31 - 1), help="Only matches that began in this epoch.")
@click.option("--running/--over", default=None, help="Only running matches, or only finished ones.")
@paged(rows=20)
def matches(
    asked: Asked[MatchClient],
    *,
    game: str,
    bot: str,
    account: str,
    epoch: int,
    running: bool | None,
    rows: int,
    page_token: str,
    as_json: bool,
) -> None:
    """List the matches of a server's ladder, newest first."""
    request = v1.ListMatchesRequest(
        game=known_game(game).name if game else "",
        bot=bot,
        account=account,
        epoch=epoch,
        page_size=rows,
        page_token=page_token,
    )
    if running is not None:
        request.running = running
    with asked(MatchClient) as client:
        answer = client.ask(request, v1.ListMatchesResponse)
    if as_json:
        click.echo(json.dumps(as_values(answer), indent=1))
        return
    if answer.matches:
        print_table(_HEADS, map(_row, answer.matches))
    else:
        click.echo("there are no such matches")
    tell_more(answer.next_page_token)


def _row(match: v1.LadderMatch) -> tuple[str, ...]:
    seats = ", ".join(map(_seat, match.seats))
    if match.stage == v1.MATCH_STAGE_VOID:
        seats = f"{seats}: {match.void_reason}"
    return match.match_id, match.game, str(match.epoch), moment(match.begun), _stage(match), seats


def _stage(match: v1.LadderMatch) -> str:
    if match.stage == v1.MATCH_STAGE_OVER:
        return "open" if match.record_open else "over"
    return "running" if match.stage == v1.MATCH_STAGE_RUNNING else "void"


def _seat(seat: v1.LadderSeat) -> str:
    name = f"{seat.name} {seat.version}".strip()
    ended = f" {seat.placing}. ({seat.score})" if seat.placing else ""
    return f"{name}{ended}{' forfeited' if seat.forfeited else ''}"
