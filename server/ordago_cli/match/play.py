"""``ordago play``: one match between bots that are started for it."""

import json
import secrets
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click
import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.play import play as play_match
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import FailedToStartError, Supervisor
from ordago.chance import SECRET_BYTES
from ordago.edge import open_host
from ordago.games.definition import AnyGame
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago.outputs import OccupiedError, Output
from ordago.record import RecordError, Result, forfeits_of, read_record, result_of, to_file_bytes, to_json
from ordago_cli.errors import EXIT_BOT, EXIT_OUTSIDE, EXIT_USAGE, CommandError, run
from ordago_cli.options.arguments import BotSpec, bot_spec, check_options, distinct, known_game, option_pairs, secret_of
from ordago_cli.options.outputs import check, force_option, json_option
from ordago_cli.options.terms import terms_options

_START_SECONDS: Final = 20.0
"""A bot in Python starts in a quarter of a second; others load a model or are compiled first."""


@click.command(epilog="Example: ordago play mittlere --bot house:solid --bot house:random --bot 'cmd:python my_bot.py'")
@click.argument("game")
@click.option(
    "--bot", "bots", multiple=True, metavar="SPEC", help="house:NAME[:KEY=VALUE,…] or cmd:COMMAND; once for each seat."
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@click.option("--seed", metavar="HEX", help="Seed of the deals; default: random.")
@terms_options
@click.option("--record", type=click.Path(path_type=Path), help="File for the record; JSON if the name ends in .json.")
@force_option
@json_option
def play(
    game: str,
    bots: tuple[str, ...],
    options: tuple[str, ...],
    seed: str | None,
    record: Path | None,
    *,
    time: TimeTerms,
    faults: FaultTerms,
    force: bool,
    as_json: bool,
) -> None:
    """Start bots, and play one match of GAME between them."""
    chosen = known_game(game)
    values = option_pairs(options)
    check_options(chosen, values)
    _check_seats(chosen, len(bots))
    output = None if record is None else Output(record, "a record", _is_record, force=force)
    if output is not None:
        check(output)
    specs = [bot_spec(bot) for bot in bots]
    secret = secret_of(seed) if seed is not None else secrets.token_bytes(SECRET_BYTES)
    # The deals depend on the seed alone, so that the same seed repeats a match.
    terms_for = partial(
        single_match_terms,
        game=chosen,
        options=values,
        secret=secret,
        event="play",
        nonces={},
        time=time,
        faults=faults,
    )
    logs = Path(tempfile.mkdtemp(prefix="ordago-play-"))
    played = run(partial(_play, chosen, terms_for, specs, logs))
    if output is not None:
        _keep(played, output, logs)
    # Keep the logs of a forfeited match: they contain the last output of its bots.
    if not forfeits_of(played):
        shutil.rmtree(logs)
    click.echo(_as_json(played) if as_json else _as_text(played, record))


def _check_seats(game: AnyGame, bots: int) -> None:
    counts = game.rules.seat_counts
    if bots not in counts:
        wanted = " or ".join(str(count) for count in counts)
        raise CommandError(
            f"{game.name} is played by {wanted}, not by {bots}: give --bot once for each seat", exit_code=EXIT_USAGE
        )


async def _play(
    game: AnyGame, terms_for: Callable[..., MatchTerms], specs: Sequence[BotSpec], logs: Path
) -> v1.MatchRecord:
    async with open_host([game.name]) as host:
        supervisors = [
            Supervisor(
                name=spec.name,
                version="",
                launch=Launch(spec.command, {}, logs / f"seat-{number}.log"),
                host=host,
                start_seconds=_START_SECONDS,
                own_name=spec.own_name,
                crashed=_warn,
            )
            for number, spec in enumerate(specs)
        ]
        try:
            bots = await _all_bots(supervisors)
        except FailedToStartError as error:
            raise CommandError(str(error), exit_code=EXIT_BOT) from error
        except NotStartableError as error:
            raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
        seats = [SeatTerms(name) for name in distinct(bot.identity.name for bot in bots)]
        finished = await play_match(terms_for(seats=seats), [bot.take_seat() for bot in bots])
        for supervisor in supervisors:
            supervisor.retire()
    return finished.message


def _warn(sentence: str) -> None:
    click.echo(f"warning: {sentence}", err=True)


async def _all_bots(supervisors: Sequence[Supervisor]) -> list[Bot]:
    """Start all bots at the same time, and return them in order of seats."""
    bots: dict[int, Bot] = {}

    async def fetch(number: int, supervisor: Supervisor) -> None:
        bots[number] = await supervisor.bot()

    try:
        async with trio.open_nursery() as nursery:
            for number, supervisor in enumerate(supervisors):
                nursery.start_soon(fetch, number, supervisor)
    except* (FailedToStartError, NotStartableError) as group:
        raise group.exceptions[0] from None
    return [bots[number] for number in range(len(supervisors))]


def _is_record(content: bytes) -> bool:
    try:
        read_record(content)
    except RecordError:
        return False
    return True


def _keep(record: v1.MatchRecord, output: Output, logs: Path) -> None:
    """Write the record. If that fails after the match, save it next to the logs."""
    content = to_json(record).encode() if output.path.suffix == ".json" else to_file_bytes(record)
    try:
        output.write(content)
    except OccupiedError as error:
        kept = logs / f"match{'.json' if output.path.suffix == '.json' else '.record'}"
        kept.write_bytes(content)
        raise CommandError(f"{error}; the record is in {kept}", exit_code=EXIT_OUTSIDE) from None


def _as_json(record: v1.MatchRecord) -> str:
    result = result_of(record)
    seats = zip(record.seats, result.scores, result.placings, result.strikes, strict=True)
    return json.dumps(
        {
            "match_id": record.match_id,
            "game": record.game,
            "seats": [
                {"name": seat.name, "score": score, "placing": place, "strikes": dict(strikes)}
                for seat, score, place, strikes in seats
            ],
            "faults": _faults(result),
            "forfeits": [forfeit._asdict() for forfeit in result.forfeits],
        }
    )


def _as_text(record: v1.MatchRecord, path: Path | None) -> str:
    result = result_of(record)
    names = [seat.name for seat in record.seats]
    width = max(map(len, names))
    seats = zip(names, result.scores, result.placings, strict=True)
    lines = [f"{place}. {name:{width}} {score:+5d}" for name, score, place in seats]
    faults = _faults(result)
    if faults:
        lines.append(f"{faults} decisions took the default answer")
    for name, strikes in zip(names, result.strikes, strict=True):
        if strikes:
            counts = ", ".join(f"{rule} {answers}" for rule, answers in strikes)
            lines.append(f"answers of {name} were refused by these rules: {counts}")
    for seat, fault in result.forfeits:
        lines.append(f"{names[seat]} forfeited the match: {fault.replace('_', ' ')}")
    if path is not None:
        lines.append(f"record: {path}")
    return "\n".join(lines)


def _faults(result: Result) -> int:
    """Return the number of decisions taken by default, of all seats."""
    return sum(fault.decisions for faults in result.faults for fault in faults)
