"""``ordago games``: the games and their rules."""

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from ordago.game import OptionSpec
from ordago.games import find_game, game_names, refused_games
from ordago.games.definition import AnyGame
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.options.arguments import known_game
from ordago_cli.options.outputs import json_option
from ordago_ladder.showing.rule_page import bot_rule_page


@click.command(epilog="Example: ordago games mittlere")
@click.argument("game", required=False)
@json_option
def games(game: str | None, *, as_json: bool) -> None:
    """List the games, or print the rules of one."""
    if as_json:
        chosen = [known_game(game)] if game else [find_game(name) for name in game_names()]
        click.echo(json.dumps([_as_json(one) for one in chosen], indent=2))
    elif game:
        click.echo(_rule_page(known_game(game)))
    else:
        Console().print(_table())
    for sentence in [] if game else refused_games():
        click.echo(f"ordago: {sentence}", err=True)


def _table() -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "name", "players", "options"):
        table.add_column(heading)
    for name in game_names():
        rules = find_game(name).rules
        seats = ", ".join(str(count) for count in rules.seat_counts)
        options = ", ".join(f"{spec.name}={_written(spec.default)}" for spec in rules.option_specs)
        table.add_row(name, rules.title, seats, options)
    return table


def _rule_page(game: AnyGame) -> str:
    if page := bot_rule_page(game):
        return page
    raise CommandError(f"there is no rule page of {game.name} here", exit_code=EXIT_OUTSIDE)


def _as_json(game: AnyGame) -> dict[str, Any]:
    rules = game.rules
    return {
        "name": rules.name,
        "title": rules.title,
        "rules_version": rules.version,
        "seat_counts": list(rules.seat_counts),
        "options": [_option_as_json(spec) for spec in rules.option_specs],
    }


def _option_as_json(spec: OptionSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "kind": spec.kind.name.lower(),
        "default": spec.default,
        "min": spec.min,
        "max": spec.max,
        "choices": list(spec.choices),
        "sentence": spec.sentence,
    }


def _written(value: int | str | bool) -> str:  # noqa: FBT001 - it is the value itself
    return str(value).lower() if isinstance(value, bool) else str(value)
