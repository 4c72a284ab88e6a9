"""``ordago game conformance``: write a conformance file."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from ordago.outputs import OccupiedError, Output
from ordago_cli.errors import EXIT_OUTSIDE, CommandError
from ordago_cli.game.conformance.lines import Plan, lines
from ordago_cli.options.arguments import known_game
from ordago_cli.options.outputs import check, force_option, json_option

_BEGINS: Final = b'{"line":"file",'
"""The beginning of every conformance file."""


@click.command(epilog="Example: ordago game conformance mittlere --out mittlere.jsonl")
@click.argument("game")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--steps", default=10_000, show_default=True, type=click.IntRange(1), help="Number of shuffles and decisions."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Another seed, another file.")
@force_option
@json_option
def conformance(game: str, *, out: Path, steps: int, seed: int, force: bool, as_json: bool) -> None:
    """Write a conformance file: matches of GAME, step by step, against which a port of its rules can be checked."""
    plan = Plan(known_game(game), steps, seed)
    output = Output(out, "a conformance file", lambda content: content.startswith(_BEGINS), force=force)
    check(output)
    digest, size = hashlib.sha256(), 0
    try:
        with output.opened() as part, part.open("wb") as file:
            for line in _encoded(plan):
                digest.update(line)
                size += file.write(line)
    except OccupiedError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from None
    except OSError as error:
        raise CommandError(f"cannot write {out}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    report = {"file": str(out), "bytes": size, "sha256": digest.hexdigest()}
    click.echo(json.dumps(report) if as_json else f"written: {out}, {size} bytes, SHA-256 {digest.hexdigest()}")


def _encoded(plan: Plan) -> Iterator[bytes]:
    for line in lines(plan):
        yield line.encode() + b"\n"
