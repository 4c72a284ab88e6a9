"""``ordago match``: tests if one bot is stronger than others, and ends as soon as the answer is clear."""

import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

import click
import trio
from rich.console import Console

from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.arena.processes.supervisor import FailedToStartError
from ordago.chance import SECRET_BYTES
from ordago.edge import EdgeError, EdgeFailedError
from ordago.match import FaultTerms, TimeTerms
from ordago.ops.stopping import orders_to_stop
from ordago_cli.errors import (
    EXIT_BOT,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_OUTSIDE,
    EXIT_SERVER,
    EXIT_UNFINISHED,
    EXIT_WRONG,
    CommandError,
    run,
)
from ordago_cli.match.arguments import comparison_settings, hypotheses_of, seats_for, split_words
from ordago_cli.match.display import Display, display_for
from ordago_cli.options.arguments import check_options, known_game, option_pairs, secret_of
from ordago_cli.options.terms import terms_options
from ordago_cli.serve.outside import raise_file_limit
from ordago_ladder.entrants.entrant_bots import EntrantError
from ordago_ladder.run.attempts import VoidMatchError
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.schedule.tables import sets_of
from ordago_ladder.sequential.hypotheses import Conclusion
from ordago_ladder.sequential.playing import play_comparison
from ordago_ladder.sequential.set_sequence import SetSequence
from ordago_ladder.sequential.summary import rows_of, summary_of, verdict_of

_SETS: Final = 100
_MOST_SETS: Final = 10_000
_CONCLUSIONS: Final = {
    Conclusion.STRONGER: EXIT_OK,
    Conclusion.NOT_STRONGER: EXIT_WRONG,
    Conclusion.UNDECIDED: EXIT_UNFINISHED,
}
_ENDS: Final[Mapping[type[Exception], int]] = {
    FailedToStartError: EXIT_BOT,
    EntrantError: EXIT_BOT,
    VoidMatchError: EXIT_SERVER,
    EdgeFailedError: EXIT_SERVER,
    NotStartableError: EXIT_OUTSIDE,
    NoIsolationError: EXIT_OUTSIDE,
    EdgeError: EXIT_OUTSIDE,
}
"""The errors that end a comparison early, and their exit codes."""

_EPILOG: Final = """\b
BOT is house:NAME[:KEY=VALUE,…] or cmd:COMMAND. --sprt takes elo0 and elo1, and optionally alpha and beta.
Exit codes, with --exit-code: 0 the first is stronger, 1 it is not, 6 undecided; without it 0 for each of them.
Example: ordago match house:solid:worlds=8 house:solid:worlds=1 --game mus --sprt elo0=0 elo1=20"""


@click.command(epilog=_EPILOG)
@click.argument("words", metavar="BOT BOT…", nargs=-1, required=True)
@click.option("--game", required=True, help="The game to play.")
@click.option("--seats", type=click.IntRange(2, 8), help="Number of players; default: the smallest that fits.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@click.option(
    "--sprt", metavar="elo0=ELO elo1=ELO", help="Stop as soon as a sequential test of elo0 against elo1 is decided."
)
@click.option(
    "--sets",
    type=click.IntRange(1, 50_000),
    help=f"Number of sets, with --sprt the most; default: {_SETS}, with --sprt {_MOST_SETS}.",
)
@click.option("--parallel", default=8, show_default=True, type=click.IntRange(1, 1_000), help="Matches at once.")
@click.option("--seed", metavar="HEX", help="Seed of the deals; default: random.")
@click.option(
    "--isolation", type=click.Choice(("full", "none")), default="full", show_default=True, help="Isolation of the bots."
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="KEY=VALUE",
    help="A limit for the bots, named as in [limits] of an event file.",
)
@terms_options
@click.option("--out", type=click.Path(path_type=Path), help="New folder for the records of counted matches.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON at the end.")
@click.option("--json-lines", is_flag=True, help="Also print a JSON line after each set.")
@click.option("--exit-code", is_flag=True, help="Report the result in the exit code.")
def match(
    words: tuple[str, ...],
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    sprt: str | None,
    sets: int | None,
    parallel: int,
    seed: str | None,
    isolation: str,
    limits: tuple[str, ...],
    *,
    time: TimeTerms,
    faults: FaultTerms,
    out: Path | None,
    as_json: bool,
    json_lines: bool,
    exit_code: bool,
) -> None:
    """Test if the first BOT is stronger than the others, with duplicate sets until the answer is clear."""
    chosen = known_game(game)
    values = option_pairs(options)
    check_options(chosen, values)
    specs, tested = split_words(words)
    hypotheses = hypotheses_of(sprt, tested)
    most_sets = sets or (_MOST_SETS if hypotheses else _SETS)
    settings = comparison_settings(
        specs,
        game={"name": chosen.name, "seats": seats_for(chosen, len(specs), seats), "options": values},
        event={"repetitions": most_sets, "parallel": parallel, "isolation": isolation} | asdict(time) | asdict(faults),
        limits=option_pairs(limits),
    )
    secret = secret_of(seed) if seed is not None else secrets.token_bytes(SECRET_BYTES)
    planned = sets_of(plan(settings).matches)
    course = SetSequence(
        [entrant.name for entrant in settings.entrants],
        matches_in_set=len(planned[0]),
        most_sets=most_sets,
        hypotheses=hypotheses,
    )
    display = display_for(course, Console(stderr=as_json or json_lines), json_lines=json_lines, out=_new_folder(out))
    code = _compare(partial(play_comparison, settings, planned, course, secret=secret, listener=display), display)
    _tell(course, secret, display, as_json=as_json or json_lines)
    if code or (exit_code and hypotheses is not None):
        raise SystemExit(code or _CONCLUSIONS[course.conclusion])


def _new_folder(out: Path | None) -> Path | None:
    if out is None:
        return None
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise CommandError(f"{out} is not empty; name a new folder", exit_code=EXIT_OUTSIDE)
        if not os.access(out, os.W_OK | os.X_OK):
            raise CommandError(f"{out} is not writable; choose another folder", exit_code=EXIT_OUTSIDE)
    except OSError as error:
        raise CommandError(f"cannot use {out}: {error.strerror}", exit_code=EXIT_OUTSIDE) from error
    return out


def _compare(play: Callable[..., Awaitable[None]], display: Display) -> int:
    """Play until the end, and return the exit code if it does not depend on the conclusion; 0 otherwise."""
    logs = Path(tempfile.mkdtemp(prefix="ordago-match-"))
    raise_file_limit()
    hidden = (display.out,) if display.out is not None else ()
    try:
        with display.shown():
            finished = run(partial(_until_stopped, partial(play, logs=logs, hidden=hidden)))
    except tuple(_ENDS) as error:
        code = next(code for kind, code in _ENDS.items() if isinstance(error, kind))
        here = "; for this command that is --isolation none" if isinstance(error, NoIsolationError) else ""
        raise CommandError(f"{error}{here}", exit_code=code) from error
    if display.course.faults.total() or display.warnings:
        click.echo(f"the output of the bots is in {logs}", err=True)
    else:
        shutil.rmtree(logs)
    if not finished:
        return EXIT_INTERRUPTED
    return EXIT_BOT if display.course.broken is not None else EXIT_OK


async def _until_stopped(play: Callable[[], Awaitable[None]]) -> bool:
    """Play, and return True unless a signal stopped it."""
    async with trio.open_nursery() as nursery:
        playing = trio.CancelScope()
        nursery.start_soon(_watch_for_stop, playing)
        with playing:
            await play()
        nursery.cancel_scope.cancel()
    return not playing.cancelled_caught


async def _watch_for_stop(playing: trio.CancelScope) -> None:
    with orders_to_stop() as signals:
        async for _ in signals:
            playing.cancel()


def _tell(course: SetSequence, secret: bytes, display: Display, *, as_json: bool) -> None:
    summary = summary_of(course)
    report = summary.as_json | {"seed": secret.hex(), "thrown_away": display.thrown_away}
    display.keep("match.json", f"{json.dumps(report, indent=2)}\n".encode())
    if as_json:
        click.echo(json.dumps(report))
        return
    click.echo(verdict_of(course))
    rows = [*rows_of(summary), ("thrown away", f"{display.thrown_away} unfinished matches")]
    rows.append(("again", f"--seed {secret.hex()}"))
    for name, text in rows:
        click.echo(f"  {name:{max(len(name) for name, _ in rows)}}  {text}")
