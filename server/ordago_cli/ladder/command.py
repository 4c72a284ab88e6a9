"""``ordago ladder``: the standings on the ladder of a server."""

import json
from collections.abc import Iterator

import click

from ordago import v1
from ordago.edge.services.client import LadderClient
from ordago.games import UnknownGameError, find_game
from ordago.names import visible
from ordago_cli.options.arguments import known_game
from ordago_cli.options.asking import Asked, as_values, asks
from ordago_cli.options.outputs import paged, tell_more
from ordago_cli.terminal.tables import moment, print_table
from ordago_ladder.pages.figures import rating_cells
from ordago_ladder.rating.known import known

_HEADS_OF_SEASONS = ("season", "epochs", "began", "ended", " matches")
_HEADS = (" #", "bot", "version", " Elo", " ±", " matches", "account")


@click.command(epilog="Example: ordago ladder mus --server ladder.example:7447")
@click.argument("game", required=False, default="")
@asks
@click.option("--all", "all_versions", is_flag=True, help="Include versions that newer ones have replaced.")
@click.option(
    "--provisional/--settled",
    default=None,
    help="Only bots with a provisional rating, or only bots with a settled one.",
)
@click.option("--house/--no-house", default=None, help="Only house bots, or no house bots.")
@click.option("--account", default="", help="Only bots of this account.")
@click.option("--name", "name_part", default="", metavar="TEXT", help="Only bots whose name contains this text.")
@click.option("--season", default="", metavar="NAME", help="An earlier season; default: the current one.")
@click.option("--seasons", is_flag=True, help="List the seasons instead of the standings.")
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
    season: str,
    seasons: bool,
    rows: int,
    page_token: str,
    as_json: bool,
) -> None:
    """Show the standings on the ladder of a server, in a GAME or in all together."""
    if seasons:
        _show_seasons(asked, v1.ListSeasonsRequest(page_size=rows, page_token=page_token), as_json=as_json)
        return
    request = v1.ListStandingsRequest(
        game=known_game(game).name if game else "",
        current_only=not all_versions,
        account=account,
        name_part=name_part,
        season=season,
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
    click.echo("\n".join(_heading(described, game, season=season or described.season)))
    if answer.standings:
        print_table(_HEADS, map(_row, answer.standings))
    else:
        click.echo("no ratings yet: they appear after the first finished match")
    tell_more(answer.next_page_token)


def _show_seasons(asked: Asked[LadderClient], request: v1.ListSeasonsRequest, *, as_json: bool) -> None:
    with asked(LadderClient) as client:
        answer = client.ask(request, v1.ListSeasonsResponse)
    if as_json:
        click.echo(json.dumps(as_values(answer), indent=1))
        return
    print_table(_HEADS_OF_SEASONS, map(_row_of_season, answer.seasons))
    tell_more(answer.next_page_token)


def _row_of_season(season: v1.Season) -> tuple[str, ...]:
    epochs = f"{season.first_epoch} to {season.last_epoch}"
    ended = moment(season.ended) if season.ended else "current"
    return season.name, epochs, moment(season.began), ended, f"{season.matches:,}"


def _heading(described: v1.GetLadderResponse, game: str, *, season: str) -> Iterator[str]:
    games = ", ".join(title_of(each.game) for each in described.games)
    yield f"{visible(described.title or described.name)}: {games}"
    running = f"{described.running:,} live" if described.running else "none live"
    yield f"epoch {described.epoch}, {described.matches:,} matches, {running}"
    # A ladder with a single, unnamed season shows no seasons.
    of_season = "" if season in ("", "-") else f", season {visible(season)}"
    yield f"Standings in {title_of(game) if game else 'all games'}{of_season}:"


def title_of(game: str) -> str:
    """Return the title of a game, or its short name if this version does not know it."""
    try:
        return find_game(game).rules.title
    except UnknownGameError:
        return visible(game)


def _row(standing: v1.Standing) -> tuple[str, ...]:
    player, rating = standing.player, standing.rating
    elo, half = rating_cells(known(rating.elo, rating.low, rating.high))
    elo += "?" if rating.provisional else " "
    account = "(house)" if player.house else player.account or "-"
    return str(standing.rank or "-"), player.name, player.version or "-", elo, half, f"{rating.matches:,}", account
