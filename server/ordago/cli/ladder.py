"""``ordago ladder``: who stands where on the standing ladder of a server."""

import json
from collections.abc import Iterator

import click

from ordago import v1
from ordago.cli.arguments import known_game
from ordago.cli.asking import Asked, as_values, asks
from ordago.cli.paging import paged, tell_more
from ordago.cli.tables import print_table
from ordago.edge.services.client import LadderClient
from ordago.games import UnknownGameError, find_game
from ordago.record import plain

_HEADS = (" #", "bot", "version", " Elo", " ±", " matches", "account")


@click.command(epilog="Example: ordago ladder mus --server ladder.example:7447")
@click.argument("game", required=False, default="")
@asks
@click.option("--all", "all_versions", is_flag=True, help="Versions that newer ones have replaced, too.")
@click.option("--provisional/--settled", default=None, help="Only those whose rating is provisional, or is not.")
@click.option("--house/--no-house", default=None, help="Only the bots of the house, or none of them.")
@click.option("--account", default="", help="Only bots of this account.")
@click.option("--name", "name_part", default="", metavar="TEXT", help="Only bots in whose names this stands.")
@paged(rows=50)
def ladder(
    asked: Asked[LadderClient],
    game: str,
    *,
    all_versions: bool,
    provisional: bool | None,
    house: bool | None,
    account: str,
    name_part: str,
    rows: int,
    page_token: str,
    as_json: bool,
) -> None:
    """Show who stands where on the ladder of a server, in a GAME or in all together."""
    request = v1.ListStandingsRequest(
        game=known_game(game).name if game else "",
        current_only=not all_versions,
        account=account,
        name_part=name_part,
        page_size=rows,
        page_token=page_token,
    )
    if provisional is not None:
        request.provisional = provisional
    if house is not None:
        request.house = house
    with asked(LadderClient) as client:
        described = client.ask(v1.GetLadderRequest(), v1.GetLadderResponse)
        answer = client.ask(request, v1.ListStandingsResponse)
    if as_json:
        click.echo(json.dumps({"ladder": as_values(described)} | as_values(answer), indent=1))
        return
    click.echo("\n".join(_heading(described, game)))
    if answer.standings:
        print_table(_HEADS, map(_row, answer.standings))
    else:
        click.echo("nobody stands there yet: a rating comes with the first match that is over")
    tell_more(answer.next_page_token)


def _heading(described: v1.GetLadderResponse, game: str) -> Iterator[str]:
    games = ", ".join(title_of(each.game) for each in described.games)
    yield f"{plain(described.title or described.name)}: {games}"
    running = f"{described.running:,} played now" if described.running else "none played now"
    yield f"epoch {described.epoch}, {described.matches:,} matches, {running}"
    yield f"Standings in {title_of(game)}:" if game else "Standings in all games:"


def title_of(game: str) -> str:
    """Return the name of a game for people, or its short name where it is not known here."""
    try:
        return find_game(game).rules.title
    except UnknownGameError:
        return plain(game)


def _row(standing: v1.Standing) -> tuple[str, ...]:
    player, rating = standing.player, standing.rating
    elo = f"{rating.elo:.0f}{'?' if rating.provisional else ' '}"
    account = "(house)" if player.house else player.account or "-"
    half = f"{(rating.high - rating.low) / 2:.0f}"
    return str(standing.rank or "-"), player.name, player.version or "-", elo, half, f"{rating.matches:,}", account
