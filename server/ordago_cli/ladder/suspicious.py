"""``ordago suspicious``: pairs of accounts on a standing ladder whose results chance does not explain."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from ordago.names import visible
from ordago.store.accounts.accounts import Accounts
from ordago.store.backup import LADDERS_FOLDER, ladder_file
from ordago.store.errors import StoreError
from ordago.store.ladder.queries import LadderQueries
from ordago_cli.account.place import accounts_place
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.options.store import data_option, place_option
from ordago_cli.terminal.tables import print_table
from ordago_ladder.folder import LadderFolder
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.standing.ratings import StandingRatings
from ordago_ladder.standing.seasons.careers import career_result
from ordago_ladder.standing.seasons.standing import MOST_STANDING_BYTES, StandingError, read_standing
from ordago_ladder.standing.suspicious import LEAST_MEETINGS, Suspicion, suspicious_pairs

_HEADS: Final = ("first", "second", "test", " matches", " observed", " expected", " probability")
_DAY_SECONDS: Final = 24 * 60 * 60


@click.command(epilog="Example: ordago suspicious demo --data /var/lib/ordago")
@click.argument("name", metavar="LADDER")
@data_option
@place_option("PostgreSQL database of the ladder; default: a file in the data folder.")
@click.option("--days", default=28.0, show_default=True, type=click.FloatRange(0), help="How far back to look.")
@click.option(
    "--rate",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Most probability of a false alarm on an honest ladder.",
)
@click.option(
    "--least", default=LEAST_MEETINGS, show_default=True, type=click.IntRange(1), help="Fewest matches of a pair."
)
@json_option
def suspicious(
    name: str, data: Path, place: str | None, *, days: float, rate: float, least: int, as_json: bool
) -> None:
    """List pairs of accounts on LADDER whose results with each other chance does not explain.

    It is a reason to look at their matches, and no proof.
    """
    try:
        with LadderQueries.open(place or data / ladder_file(name)) as queries:
            results = list(queries.results_since())
            players = queries.players()
        shown = _pseudonyms(data)
    except StoreError as error:
        raise CommandError(f"ladder {name!r}: {error}", exit_code=EXIT_OUTSIDE) from None
    since = max((each.ended for each in results), default=0) - days * _DAY_SECONDS
    rated = [
        career_result(each.seating.game, each.seating.players, each.result, ended=each.ended)
        for each in results
        if each.ended >= since and not each.seating.unrated
    ]
    accounts = {player.player: shown.get(player.account, player.account) for player in players}
    owners = {
        player.player: "" if player.house else accounts[player.player] or f"bot {player.name}" for player in players
    }
    ratings = _ratings(data / LADDERS_FOLDER / name / "archive")
    _show(suspicious_pairs(rated, owners, ratings, rate=rate, least=least), as_json=as_json)


def _pseudonyms(data: Path) -> Mapping[str, str]:
    place = accounts_place(data)
    if isinstance(place, Path) and not place.exists():
        return {}
    with Accounts.open(place) as accounts:
        return accounts.pseudonyms()


def _ratings(archive: Path) -> StandingRatings:
    path = LadderFolder(archive).standing
    try:
        return read_standing(read_file(path, most=MOST_STANDING_BYTES)).ratings
    except (OSError, StandingError, UnreadableError):
        sentence = f"there are no ratings in {path}: start the server of the ladder, which publishes them"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from None


def _show(found: list[Suspicion], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([pair._asdict() for pair in found], indent=1))
    elif found:
        print_table(_HEADS, map(_row, found))
    else:
        click.echo("no pair stands out")


def _row(found: Suspicion) -> tuple[str, ...]:
    figures = f"{found.meetings:,}", f"{found.observed:.2f}", f"{found.expected:.2f}", f"{found.adjusted:.2g}"
    return visible(found.first), visible(found.second), found.kind.value, *figures
