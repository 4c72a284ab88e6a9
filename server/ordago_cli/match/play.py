"""``ordago play``: matches between bots that are started for them."""

import json
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click
import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.play import play as play_match
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import FailedToStartError, Supervisor
from ordago.chance import SECRET_BYTES, keyed_name
from ordago.edge import open_host
from ordago.games.definition import AnyGame
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago.outputs import OccupiedError, Output
from ordago.record import RecordError, Result, forfeits_of, read_record, result_of, to_file_bytes, to_json
from ordago_cli.errors import EXIT_BOT, EXIT_OUTSIDE, EXIT_USAGE, CommandError, run
from ordago_cli.options.arguments import BotSpec, bot_spec, check_options, distinct, known_game, option_pairs, secret_of
from ordago_cli.options.outputs import check, force_option
from ordago_cli.options.terms import terms_options
from ordago_ladder.pages.figures import score

bots_option = click.option(
    "--bot", "bots", multiple=True, metavar="SPEC", help="house:NAME[:KEY=VALUE,…] or cmd:COMMAND; once for each seat."
)
record_option = click.option(
    "--record", type=click.Path(path_type=Path), help="File for the record; JSON if the name ends in .json."
)
results_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each match.")
_MOST_MATCHES: Final = 100_000
"""More are for `ordago match`, which plays them side by side and stops when the answer is clear."""
_START_SECONDS: Final = 20.0
"""A bot in Python starts in a quarter of a second; others load a model or are compiled first."""


@click.command(epilog="Example: ordago play mittlere --bot house:solid --bot house:random --bot 'cmd:python my_bot.py'")
@click.argument("game")
@bots_option
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@click.option("--seed", metavar="HEX", help="Seed of the deals; default: random.")
@click.option(
    "--matches",
    type=click.IntRange(1, _MOST_MATCHES),
    default=1,
    show_default=True,
    help="Number of matches. The bots rotate: as many matches as bots have the same deals.",
)
@terms_options
@click.option("--conceding", is_flag=True, help="Let bots concede, in Mus and in Mitaines for two sides.")
@record_option
@force_option
@results_as_json
def play(
    game: str,
    bots: tuple[str, ...],
    options: tuple[str, ...],
    seed: str | None,
    matches: int,
    record: Path | None,
    *,
    time: TimeTerms,
    faults: FaultTerms,
    conceding: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Start bots, and play matches of GAME between them, one after the other."""
    chosen = known_game(game)
    values = option_pairs(options)
    check_options(chosen, values)
    if record is not None and matches > 1:
        raise CommandError("--record takes a single match; `ordago match --out` keeps many", exit_code=EXIT_USAGE)
    secret = secret_of(seed) if seed is not None else secrets.token_bytes(SECRET_BYTES)
    terms_for = partial(
        _terms, game=chosen, options=values, secret=secret, time=time, faults=faults, conceding=conceding
    )
    play_matches(chosen, terms_for, bots, matches=matches, record=record, force=force, as_json=as_json)


def play_matches(
    game: AnyGame,
    terms_for: Callable[..., MatchTerms],
    bots: Sequence[str],
    *,
    matches: int = 1,
    record: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Start bots, play matches between them, and print their results.

    Args:
        game: the game.
        terms_for: returns the terms of a match for names by seat and its ``number``, from 0.
        bots: the bots, as ``--bot`` names them.
        matches: the number of matches.
        record: the file for the record of a single match.
        force: overwrite a file with other contents.
        as_json: print JSON.
    """
    _check_seats(game, len(bots))
    output = None if record is None else Output(record, "a record", _is_record, force=force)
    if output is not None:
        check(output)
    specs = [bot_spec(bot) for bot in bots]
    logs = Path(tempfile.mkdtemp(prefix="ordago-play-"))
    tell = _tell_json if as_json else _tell_line if matches > 1 else partial(_tell_text, path=record)
    played = run(partial(_play, game, terms_for, specs, logs, matches, tell if output is None else _tell_nothing))
    if output is not None:
        _keep(played[0].record, output, logs)
        tell(played[0])
    # Keep the logs of a forfeited match: they contain the last output of its bots.
    if not any(forfeits_of(match.record) for match in played):
        shutil.rmtree(logs)
    if matches > 1 and not as_json:
        click.echo(_totals(played))


class _Played(NamedTuple):
    """A match that was played."""

    number: int
    """The number of the match, from 1."""
    bots: tuple[int, ...]
    """The bot at each seat, by its position among the ``--bot`` options, from 0."""
    record: v1.MatchRecord


def _terms(
    names: Sequence[str],
    *,
    number: int,
    game: AnyGame,
    options: Mapping[str, str],
    secret: bytes,
    time: TimeTerms,
    faults: FaultTerms,
    conceding: bool,
) -> MatchTerms:
    """Return the terms of a match, counted from 0. The deals depend on the seed alone, so that it repeats the matches.

    As many matches in a row as there are seats have the same deals; the first ones are those of a single match.
    """
    deals, turn = divmod(number, len(names))
    secret = keyed_name(secret, "deals", deals, size=SECRET_BYTES) if deals else secret
    terms = single_match_terms(
        game=game,
        options=options,
        seats=map(SeatTerms, names),
        secret=secret,
        event="play",
        nonces={},
        time=time,
        faults=faults,
        conceding=conceding,
    )
    if not turn:
        return terms
    seats = (replace(seat, seed=keyed_name(secret, "seed", at, turn)) for at, seat in enumerate(terms.seats))
    return replace(terms, match_id=keyed_name(secret, "match", turn).hex(), seats=tuple(seats))


def _check_seats(game: AnyGame, bots: int) -> None:
    counts = game.rules.seat_counts
    if bots not in counts:
        wanted = " or ".join(str(count) for count in counts)
        raise CommandError(
            f"{game.name} is played by {wanted}, not by {bots}: give --bot once for each seat", exit_code=EXIT_USAGE
        )


async def _play(
    game: AnyGame,
    terms_for: Callable[..., MatchTerms],
    specs: Sequence[BotSpec],
    logs: Path,
    matches: int,
    tell: Callable[[_Played], None],
) -> list[_Played]:
    """Play the matches, and tell each when it is over."""
    played = []
    async with _supervisors(game, specs, logs) as supervisors:
        for number in range(matches):
            bots = await _all_bots(supervisors)
            names = distinct(bot.identity.name for bot in bots)
            at_seats = tuple((seat - number) % len(bots) for seat in range(len(bots)))
            terms = terms_for([names[bot] for bot in at_seats], number=number)
            finished = await play_match(terms, [bots[bot].take_seat() for bot in at_seats])
            played.append(_Played(number + 1, at_seats, finished.message))
            tell(played[-1])
    return played


@asynccontextmanager
async def _supervisors(game: AnyGame, specs: Sequence[BotSpec], logs: Path) -> AsyncIterator[list[Supervisor]]:
    """Yield the supervisors of the bots, which retire them at the end."""
    async with open_host([game.name]) as host:
        supervisors = [
            Supervisor(
                name=spec.name,
                version="",
                # Their temporary files end with the play: those of ``ordago rules`` beside a bot, for instance.
                launch=Launch(spec.command, {"TMPDIR": str(logs)}, logs / f"seat-{number}.log"),
                host=host,
                start_seconds=_START_SECONDS,
                own_name=spec.own_name,
                crashed=_warn,
            )
            for number, spec in enumerate(specs)
        ]
        yield supervisors
        for supervisor in supervisors:
            supervisor.retire()


def _warn(sentence: str) -> None:
    click.echo(f"warning: {sentence}", err=True)


async def _all_bots(supervisors: Sequence[Supervisor]) -> list[Bot]:
    """Return all bots in order, started at the same time where they do not run.

    Raises:
        CommandError: a bot cannot be started.
    """
    bots: dict[int, Bot] = {}

    async def fetch(number: int, supervisor: Supervisor) -> None:
        bots[number] = await supervisor.bot()

    try:
        async with trio.open_nursery() as nursery:
            for number, supervisor in enumerate(supervisors):
                nursery.start_soon(fetch, number, supervisor)
    except* FailedToStartError as group:
        raise CommandError(str(group.exceptions[0]), exit_code=EXIT_BOT) from None
    except* NotStartableError as group:
        raise CommandError(str(group.exceptions[0]), exit_code=EXIT_OUTSIDE) from None
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


def _tell_nothing(_match: _Played) -> None:
    """Tell nothing yet: the match is told when its record is written."""


def _tell_json(match: _Played) -> None:
    record, result = match.record, result_of(match.record)
    seats = zip(match.bots, record.seats, result.scores, result.placings, result.strikes, strict=True)
    line = {
        "match_id": record.match_id,
        "number": match.number,
        "game": record.game,
        "seats": [
            {"bot": bot, "name": seat.name, "score": score, "placing": place, "strikes": dict(strikes)}
            for bot, seat, score, place, strikes in seats
        ],
        "faults": _faults(result),
        "forfeits": [forfeit._asdict() for forfeit in result.forfeits],
    }
    click.echo(json.dumps(line))


def _tell_line(match: _Played) -> None:
    result = result_of(match.record)
    seats = zip(match.bots, match.record.seats, result.placings, result.scores, strict=True)
    seats_by_bot = sorted(seats, key=lambda seat: seat[0])
    words = (f"{place}. {seat.name} {score(points, match.record.game)}" for _, seat, place, points in seats_by_bot)
    click.echo(f"match {match.number}: {', '.join(words)}")


def _totals(played: Sequence[_Played]) -> str:
    """Return the sum of the scores of each bot."""
    names, sums = dict[int, str](), dict[int, int]()
    for match in played:
        scores = result_of(match.record).scores
        for bot, seat, points in zip(match.bots, match.record.seats, scores, strict=True):
            names[bot], sums[bot] = seat.name, sums.get(bot, 0) + points
    words = (f"{names[bot]} {score(sums[bot], played[0].record.game)}" for bot in sorted(sums))
    return f"sum of {len(played)} matches: {', '.join(words)}"


def _tell_text(match: _Played, *, path: Path | None) -> None:
    click.echo(_as_text(match.record, path))


def _as_text(record: v1.MatchRecord, path: Path | None) -> str:
    result = result_of(record)
    names = [seat.name for seat in record.seats]
    width = max(map(len, names))
    seats = zip(names, result.scores, result.placings, strict=True)
    lines = [f"{place}. {name:{width}} {score(points, record.game):>5}" for name, points, place in seats]
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
